"""ui.shell.newcomer_card: three lines at the first start, and none once they are closed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLabel, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from core.system.paths import Home
from tests.ui.user_actions import press, show
from ui.layout.boxes import in_column
from ui.session.settings import Settings
from ui.shell.help import TourDialog
from ui.shell.newcomer_card import NewcomerCard


def _column(qtbot: QtBot, home: Home, height: int = 700) -> NewcomerCard:
    column = QWidget()
    made = NewcomerCard(Settings(home), column)
    in_column(column, QListWidget(column), 1, made)
    show(qtbot, column, width=172, height=height)
    return made


def test_it_says_what_comes_first_and_stays_closed(qtbot: QtBot, tmp_path: Path) -> None:
    home = Home(tmp_path)
    first = _column(qtbot, home)
    assert first.isVisible()
    parts = sorted(first.findChildren(QLabel), key=lambda part: (part.y(), part.x()))
    assert [part.text() for part in parts] == (
        ["First steps", "1", "Open your records", "2", "Choose who is protected", "3", "Release"]
    )
    assert len({line.x() for line in first.lines}) == 1, "a second line is below the first"
    assert all(part.width() >= part.minimumSizeHint().width() for part in first.findChildren(QLabel))
    press(qtbot, first.close_button)
    assert not first.isVisible()
    first.parentWidget().resize(172, 720)
    assert not first.isVisible()
    assert not _column(qtbot, home).isVisible(), "nor at the next start"


def test_in_a_low_window_the_steps_have_the_room(qtbot: QtBot, tmp_path: Path) -> None:
    first = _column(qtbot, Home(tmp_path), height=420)
    assert not first.isVisible()
    first.parentWidget().resize(172, 700)
    qtbot.waitUntil(first.isVisible)


def test_it_leads_to_the_tour(qtbot: QtBot, tmp_path: Path) -> None:
    first = _column(qtbot, Home(tmp_path))
    first.tour.click()
    dialog = first.window().findChild(TourDialog)
    assert dialog is not None
    assert dialog.isVisible()
    dialog.reject()
