"""ui.hexagons.kind_of_day: weekdays, weekends and a file narrow the window; all days bring it back."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.privacy import Relation
from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import message, pick, show
from ui.hexagons.page import HexagonsPage
from ui.session.session import Session

SATURDAY = dt.date(2022, 1, 1)
MONDAY = dt.date(2022, 1, 3)
DAY = dt.timedelta(days=1)


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> HexagonsPage:
    """Two weeks of which the first day alone has records."""
    made = HexagonsPage(session)
    show(qtbot, made)
    made.only_recorded.setChecked(False)
    session.edit("Dates", date_ranges=((SATURDAY, SATURDAY + 13 * DAY),))
    return made


def test_weekdays_weekends_and_back(qtbot: QtBot, page: HexagonsPage, session: Session) -> None:
    pick(qtbot, page.days, "weekday")
    assert session.draft.date_ranges == (
        (MONDAY, MONDAY + 4 * DAY),
        (MONDAY + 7 * DAY, MONDAY + 11 * DAY),
    )
    assert page.days.currentData() == "weekday"
    pick(qtbot, page.days, "weekend")
    assert session.draft.date_ranges == (
        (SATURDAY, SATURDAY + DAY),
        (SATURDAY + 7 * DAY, SATURDAY + 8 * DAY),
    )
    pick(qtbot, page.days, "all")
    assert session.draft.date_ranges == ((SATURDAY, SATURDAY + 13 * DAY),)
    assert page.days.itemText(page.days.findData("file")) == "Days of a file…"


def test_dates_that_come_otherwise_are_of_no_kind(qtbot: QtBot, page: HexagonsPage, session: Session) -> None:
    pick(qtbot, page.days, "weekday")
    session.undo_stack.undo()
    assert page.days.currentData() == "all"
    assert session.draft.date_ranges == ((SATURDAY, SATURDAY + 13 * DAY),)


def test_a_file_of_holidays(qtbot: QtBot, page: HexagonsPage, session: Session, tmp_path: Path) -> None:
    path = tmp_path / "holidays.txt"
    path.write_text("2022-01-05 a feast\n2022-01-06\n2023-01-01\n")
    with qtbot.waitSignal(page.days.chosen, timeout=TIMEOUT):
        page.days.take_file(path)
    assert session.draft.date_ranges == ((MONDAY + 2 * DAY, MONDAY + 3 * DAY),)
    assert page.days.currentText() == "Days of holidays.txt"
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    path.write_text("soon\n")
    with qtbot.waitSignal(page.days.refused, timeout=TIMEOUT):
        page.days.take_file(path)
    assert "Line 1 begins with no date." in message(page)
    assert session.draft.date_ranges == ((MONDAY + 2 * DAY, MONDAY + 3 * DAY),)


def test_a_kind_that_leaves_nothing_changes_nothing(page: HexagonsPage, session: Session) -> None:
    session.edit("Dates", date_ranges=((SATURDAY, SATURDAY + DAY),))
    page.days.setCurrentIndex(page.days.findData("weekday"))
    page.days.activated.emit(page.days.currentIndex())
    assert "None of these dates is of that kind." in message(page)
    assert session.draft.date_ranges == ((SATURDAY, SATURDAY + DAY),)
    assert page.days.currentData() == "all"


def test_typed_dates_are_narrowed_and_keep_their_ends(
    qtbot: QtBot, page: HexagonsPage, session: Session
) -> None:
    session.choose_relation("Relation", Relation.USER)
    page.typed_first.changed.emit(SATURDAY)
    page.typed_last.changed.emit(SATURDAY + 6 * DAY)
    pick(qtbot, page.days, "weekday")
    assert session.draft.date_ranges == ((MONDAY, MONDAY + 4 * DAY),)
    assert page.typed_first.edit.text() == SATURDAY.isoformat()
    page.typed_last.changed.emit(SATURDAY + 13 * DAY)
    assert session.draft.date_ranges == (
        (MONDAY, MONDAY + 4 * DAY),
        (MONDAY + 7 * DAY, MONDAY + 11 * DAY),
    )
