"""ui.parameters.typed_date: a date that begins empty, typed or taken from a calendar."""

from __future__ import annotations

import datetime as dt

import pytest
from PySide6.QtCore import QDate, Qt, QTimer
from pytestqt.qtbot import QtBot

from core.errors import InputError
from tests.ui.user_actions import show, write
from ui.parameters.typed_date import TypedDate

DATE = dt.date(2026, 11, 2)


@pytest.fixture
def field(qtbot: QtBot) -> TypedDate:
    made = TypedDate("First date")
    show(qtbot, made, width=240, height=60)
    return made


def test_it_begins_empty_and_is_named(field: TypedDate) -> None:
    assert field.edit.text() == ""
    assert field.edit.accessibleName() == "First date"
    assert "First date" in field.open.accessibleName()


def test_a_click_takes_the_date_that_stands_there(qtbot: QtBot, field: TypedDate) -> None:
    """The last date begins as the first one: what is typed then takes its place."""
    field.activateWindow()
    field.show_date(dt.date(2026, 9, 14))
    for other in (field.edit, field.open):
        other.setFocus()
        qtbot.waitUntil(other.hasFocus)
        qtbot.wait(20)
        assert not field.edit.hasSelectedText(), "nobody has clicked"
    qtbot.mouseClick(field.edit, Qt.MouseButton.LeftButton)
    qtbot.wait(20)
    qtbot.keyClicks(field.edit, "2026-09-23")
    assert field.edit.text() == "2026-09-23"


def test_a_typed_date_is_told_once(qtbot: QtBot, field: TypedDate) -> None:
    with qtbot.waitSignal(field.changed) as told:
        write(qtbot, field.edit, "2026-11-02")
    assert told.args == [DATE]
    with qtbot.assertNotEmitted(field.changed):
        write(qtbot, field.edit, "2026-11-02")


def test_the_calendar_gives_the_same(qtbot: QtBot, field: TypedDate) -> None:
    menu = field.open.menu()
    QTimer.singleShot(0, lambda: (shown.append(field.calendar.isVisible()), menu.close()))
    shown: list[bool] = []
    field.open.showMenu()
    qtbot.waitUntil(lambda: shown == [True])
    QTimer.singleShot(0, lambda: field.calendar.clicked.emit(QDate(2026, 11, 2)))
    QTimer.singleShot(50, lambda: (shown.append(menu.isVisible()), menu.close()))
    with qtbot.waitSignal(field.changed) as told:
        field.open.showMenu()
    assert told.args == [DATE]
    qtbot.waitUntil(lambda: shown == [True, False])  # it has closed with the choice
    assert field.edit.text() == "2026-11-02"


@pytest.mark.parametrize("text", ["soon", "2026-02-30", "02.11.2026"])
def test_what_is_no_date_is_refused_and_changes_nothing(qtbot: QtBot, field: TypedDate, text: str) -> None:
    with qtbot.assertNotEmitted(field.changed), qtbot.waitSignal(field.refused) as told:
        write(qtbot, field.edit, text)
    assert isinstance(told.args[0], InputError)
    assert told.args[0].where == "First date"


def test_an_emptied_field_shows_the_date_again(field: TypedDate) -> None:
    field.show_date(DATE)
    assert field.calendar.selectedDate() == QDate(2026, 11, 2), "there the calendar opens"
    field.edit.clear()
    field.edit.editingFinished.emit()
    assert field.edit.text() == "2026-11-02"
    field.show_date(None)
    assert field.edit.text() == ""
