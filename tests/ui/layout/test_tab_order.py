"""ui.layout.tab_order: what is made later has its turn where it stands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.layout.tab_order import tab_through


def test_what_comes_later_has_its_turn_where_it_stands(qtbot: QtBot) -> None:
    place = QWidget()
    column = QVBoxLayout(place)
    before, behind, known = QPushButton("before"), QPushButton("behind"), QPushButton("known")
    for widget in (before, QLabel("no stop"), known, behind):
        column.addWidget(widget)
    later = [QPushButton("first"), QPushButton("second")]
    for number, widget in enumerate(later, start=2):
        column.insertWidget(number, widget)
    tab_through([*later, known], known)
    show(qtbot, place, width=200, height=200)
    place.activateWindow()
    before.setFocus()
    qtbot.waitUntil(before.hasFocus)
    seen = []
    for _ in range(6):
        seen.append(QApplication.focusWidget())
        qtbot.keyClick(seen[-1], Qt.Key.Key_Tab)
    assert [one.text() for one in seen] == ["before", "first", "second", "known", "behind", "before"]
    tab_through([known, *later], known)
    tab_through([later[0], known, later[1]], known)
    before.setFocus()
    seen = []
    for _ in range(5):
        seen.append(QApplication.focusWidget())
        qtbot.keyClick(seen[-1], Qt.Key.Key_Tab)
    assert [one.text() for one in seen] == ["before", "first", "known", "second", "behind"]
