"""ui.kit.wheel_guard: the wheel scrolls a page, and changes only what has the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDateEdit,
    QDoubleSpinBox,
    QScrollArea,
    QSlider,
    QSpinBox,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show, turn_wheel
from ui.kit.wheel_guard import WheelGuard
from ui.layout.scroll_areas import scrolling


def _spin_box() -> QSpinBox:
    made = QSpinBox()
    made.setValue(50)
    return made


def _number() -> QDoubleSpinBox:
    made = QDoubleSpinBox()
    made.setValue(50)
    return made


def _list(*, editable: bool = False) -> QComboBox:
    made = QComboBox()
    made.setEditable(editable)
    made.addItems(["a", "b", "c"])
    made.setCurrentIndex(1)
    return made


def _date() -> QDateEdit:
    return QDateEdit(QDate(2022, 6, 15))


def _slider() -> QSlider:
    made = QSlider(Qt.Orientation.Horizontal)
    made.setValue(50)
    return made


def _tab_bar() -> QTabBar:
    made = QTabBar()
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for title in "abc":
        made.addTab(title)
    made.setCurrentIndex(1)
    return made


KINDS = {
    "spin box": (_spin_box, QSpinBox.value),
    "number": (_number, QDoubleSpinBox.value),
    "list": (_list, QComboBox.currentIndex),
    "list to type in": (lambda: _list(editable=True), QComboBox.currentIndex),
    "date": (_date, QDateEdit.date),
    "slider": (_slider, QSlider.value),
    "tab bar": (_tab_bar, QTabBar.currentIndex),
}


@pytest.mark.parametrize("kind", KINDS)
def test_only_with_the_keyboard(qtbot: QtBot, kind: str) -> None:
    make, value = KINDS[kind]
    page, other = QWidget(), QSpinBox()
    editor = make()
    layout = QVBoxLayout(page)
    for widget in (other, editor):
        layout.addWidget(widget)
    layout.addStretch(1)
    page.setMinimumHeight(2000)
    area: QScrollArea = scrolling(page)
    show(qtbot, area, height=300)
    qtbot.waitUntil(area.isActiveWindow)
    other.setFocus()
    before = value(editor)
    turn_wheel(editor)
    assert value(editor) == before
    assert not editor.hasFocus()
    bar = area.verticalScrollBar()
    assert bar.value() > 0
    bar.setValue(0)
    editor.setFocus()
    turn_wheel(editor, notches=1)
    assert value(editor) != before
    assert bar.value() == 0


def test_without_a_page_nothing_happens(qtbot: QtBot) -> None:
    editor = _spin_box()
    holder = QWidget()
    QVBoxLayout(holder).addWidget(editor)
    show(qtbot, holder, height=100)
    qtbot.waitUntil(holder.isActiveWindow)
    holder.setFocus()
    editor.clearFocus()
    turn_wheel(editor)
    assert editor.value() == 50


def test_a_window_of_which_nothing_told_is_guarded_once_it_is_looked_for(
    qtbot: QtBot, qapp: QApplication
) -> None:
    """One that opens behind another program never had the keyboard: the wheel changed what it was over."""
    guard = WheelGuard(qapp)
    editor, other, behind = _spin_box(), QSpinBox(), QWidget()
    layout = QVBoxLayout(behind)
    for widget in (other, editor):
        layout.addWidget(widget)
    qapp.blockSignals(True)  # this platform gives the keyboard to whatever is shown
    try:
        show(qtbot, behind)
        qtbot.waitUntil(behind.isActiveWindow)
    finally:
        qapp.blockSignals(False)
    other.setFocus()
    guard.watch()
    turn_wheel(editor)
    assert editor.value() == 50
