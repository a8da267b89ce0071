"""ui.parameters.kind_of_day: weekdays, weekends and a file narrow the window; all days bring it back."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QDate
from PySide6.QtWidgets import QApplication, QDateEdit
from pytestqt.qtbot import QtBot

from core.hats.window import DateRange, build_window
from core.privacy import Relation, Unit
from tests.ui.shared_parameters import SharedParameters
from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import message, pick, refusal, show
from ui.kit.jobs import wait_for_all
from ui.parameters import kind_of_day
from ui.parameters.page import ParametersPage
from ui.session.session import Session

SATURDAY = dt.date(2022, 1, 1)
MONDAY = dt.date(2022, 1, 3)
DAY = dt.timedelta(days=1)


@pytest.fixture
def page(shared_city: SharedParameters) -> Iterator[ParametersPage]:
    """Two weeks of which the first day alone has records."""
    for page in shared_city.begun():
        shared_city.session.edit("Protection", relation=Relation.VALUES, unit=Unit.VEHICLE)
        page.dates.only_recorded.setChecked(False)
        shared_city.session.edit("Dates", date_ranges=((SATURDAY, SATURDAY + 13 * DAY),))
        yield page


@pytest.fixture
def session(shared_city: SharedParameters, page: ParametersPage) -> Session:
    assert page.isVisible()
    return shared_city.session


def test_weekdays_weekends_and_back(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    pick(qtbot, page.dates.days, "weekday")
    assert session.draft.date_ranges == (
        (MONDAY, MONDAY + 4 * DAY),
        (MONDAY + 7 * DAY, MONDAY + 11 * DAY),
    )
    assert page.dates.days.currentData() == "weekday"
    pick(qtbot, page.dates.days, "weekend")
    assert session.draft.date_ranges == (
        (SATURDAY, SATURDAY + DAY),
        (SATURDAY + 7 * DAY, SATURDAY + 8 * DAY),
    )
    pick(qtbot, page.dates.days, "all")
    assert session.draft.date_ranges == ((SATURDAY, SATURDAY + 13 * DAY),)
    assert page.dates.days.itemText(page.dates.days.findData("file")) == "Days of a file…"


def test_dates_that_come_otherwise_are_of_no_kind(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    pick(qtbot, page.dates.days, "weekday")
    session.undo_stack.undo()
    assert page.dates.days.currentData() == "all"
    assert session.draft.date_ranges == ((SATURDAY, SATURDAY + 13 * DAY),)


WEEKDAYS = ((MONDAY, MONDAY + 4 * DAY), (MONDAY + 7 * DAY, MONDAY + 11 * DAY))
WEEKENDS = ((SATURDAY, SATURDAY + DAY), (SATURDAY + 7 * DAY, SATURDAY + 8 * DAY))
ODD = ((SATURDAY, MONDAY), (MONDAY + 3 * DAY, MONDAY + 3 * DAY))


def move(box: QDateEdit, date: dt.date) -> None:
    box.setDate(QDate(date.year, date.month, date.day))


@pytest.mark.parametrize(("kind", "dates"), [("weekday", WEEKDAYS), ("weekend", WEEKENDS)])
def test_a_kind_is_known_again_by_its_dates(
    qtbot: QtBot, page: ParametersPage, session: Session, kind: str, dates: tuple[DateRange, ...]
) -> None:
    """After undo and redo, and where a project is opened: a page that saw nobody choose it."""
    pick(qtbot, page.dates.days, kind)
    session.undo_stack.undo()
    session.undo_stack.redo()
    again = ParametersPage(session)
    show(qtbot, again)
    for shown in (page.dates, again.dates):
        assert shown.days.currentData() == kind
    assert (again.dates.first.date(), again.dates.last.date()) == (dates[0][0], dates[-1][1])
    move(again.dates.last, SATURDAY + 20 * DAY)
    wanted = [date for date in range_of(SATURDAY, 21) if (date.weekday() > 4) is (kind == "weekend")]
    assert list(listed(session)) == wanted, "none of the days between that are of the other kind"


def range_of(first: dt.date, days: int) -> list[dt.date]:
    return [first + step * DAY for step in range(days)]


def listed(session: Session) -> tuple[dt.date, ...]:
    return build_window(session.draft.date_ranges, ("09:00", "10:00"), 60).dates


def test_values_only_leaves_a_kind_as_it_is(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    pick(qtbot, page.dates.days, "weekday")
    for relation in (Relation.VALUES, Relation.USER, Relation.VALUES):
        session.choose_relation("Relation", relation)
    assert session.draft.date_ranges == WEEKDAYS
    assert page.dates.days.currentData() == "weekday"
    assert page.dates.first.date() == SATURDAY, "as it was typed"


def test_dates_of_no_kind_are_told_as_chosen_and_no_others_are_added(
    page: ParametersPage, session: Session
) -> None:
    session.edit("Dates", date_ranges=ODD)
    assert page.dates.days.currentText() == "As chosen"
    move(page.dates.first, MONDAY)
    assert session.draft.date_ranges == ((MONDAY, MONDAY), ODD[1])
    move(page.dates.first, SATURDAY)
    assert session.draft.date_ranges == ODD
    move(page.dates.last, MONDAY + 8 * DAY)
    assert session.draft.date_ranges == ODD
    assert "These days stay as chosen: no others are added." in message(page)
    assert page.dates.last.date() == ODD[1][1]
    assert page.dates.days.currentText() == "As chosen"
    pick_all(page)
    assert session.draft.date_ranges == ((SATURDAY, ODD[1][1]),)
    assert page.dates.days.findText("As chosen") < 0
    move(page.dates.last, MONDAY + 8 * DAY)
    assert session.draft.date_ranges == ((SATURDAY, MONDAY + 8 * DAY),)


def pick_all(page: ParametersPage) -> None:
    page.dates.days.setCurrentIndex(page.dates.days.findData("all"))
    page.dates.days.activated.emit(page.dates.days.currentIndex())


def test_dates_as_chosen_by_records_narrow_none_that_are_typed(
    page: ParametersPage, session: Session
) -> None:
    """They may follow from the records; relation user begins with none."""
    session.edit("Dates", date_ranges=ODD)
    session.choose_relation("Relation", Relation.USER)
    assert page.dates.days.currentText() == "All days"
    page.dates.typed_first.changed.emit(SATURDAY)
    page.dates.typed_last.changed.emit(SATURDAY + 6 * DAY)
    assert session.draft.date_ranges == ((SATURDAY, SATURDAY + 6 * DAY),)
    for typed, date, span in (
        (page.dates.typed_first, 2, (2, 6)),
        (page.dates.typed_last, 1, (1, 1)),
        (page.dates.typed_last, 5, (1, 5)),
        (page.dates.typed_first, 9, (9, 9)),
    ):
        typed.changed.emit(SATURDAY + date * DAY)
        first, last = (SATURDAY + number * DAY for number in span)
        assert session.draft.date_ranges == ((first, last),), "they never run backwards"


def test_the_days_of_a_file_are_known_again_while_it_is_known(
    qtbot: QtBot, page: ParametersPage, session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "holidays.txt"
    path.write_text("2022-01-05 a feast\n2022-01-07\n")
    with qtbot.waitSignal(page.dates.days.chosen, timeout=TIMEOUT):
        page.dates.days.take_file(path)
    session.undo_stack.undo()
    assert page.dates.days.currentText() == "All days"
    session.undo_stack.redo()
    assert page.dates.days.currentText() == "Days of holidays.txt"
    again = ParametersPage(session)
    show(qtbot, again)
    assert again.dates.days.currentText() == "As chosen"


def test_a_kind_that_leaves_nothing_leaves_the_kind_before(page: ParametersPage, session: Session) -> None:
    session.edit("Dates", date_ranges=WEEKENDS)
    move(page.dates.last, SATURDAY + DAY)
    page.dates.days.setCurrentIndex(page.dates.days.findData("weekday"))
    page.dates.days.activated.emit(page.dates.days.currentIndex())
    assert "None of these dates is of that kind." in message(page)
    assert page.dates.days.currentData() == "weekend"
    move(page.dates.last, SATURDAY + 8 * DAY)
    assert session.draft.date_ranges == WEEKENDS


def test_a_file_that_is_not_chosen_after_all_leaves_the_kind_before(
    page: ParametersPage, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind_of_day.QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    days, before = page.dates.days, session.draft.date_ranges
    days.setCurrentIndex(days.findData("file"))
    days.activated.emit(days.currentIndex())
    assert days.currentData() == "all"
    assert session.draft.date_ranges == before


def test_a_file_of_holidays(
    qtbot: QtBot, page: ParametersPage, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "holidays.txt"
    path.write_text("2022-01-05 a feast\n2022-01-06\n2023-01-01\n")
    monkeypatch.setattr(kind_of_day.QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    days = page.dates.days
    days.setCurrentIndex(days.findData("file"))
    with qtbot.waitSignal(days.chosen, timeout=TIMEOUT):
        days.activated.emit(days.currentIndex())
    assert session.draft.date_ranges == ((MONDAY + 2 * DAY, MONDAY + 3 * DAY),)
    assert page.dates.days.currentText() == "Days of holidays.txt"
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    path.write_text("soon\n")
    with refusal(qtbot, page.dates.days.refused):
        page.dates.days.take_file(path)
    assert "Line 1 does not begin with a date." in message(page)
    assert session.draft.date_ranges == ((MONDAY + 2 * DAY, MONDAY + 3 * DAY),)


def test_a_kind_that_leaves_nothing_changes_nothing(page: ParametersPage, session: Session) -> None:
    session.edit("Dates", date_ranges=((SATURDAY, SATURDAY + DAY),))
    page.dates.days.setCurrentIndex(page.dates.days.findData("weekday"))
    page.dates.days.activated.emit(page.dates.days.currentIndex())
    assert "None of these dates is of that kind." in message(page)
    assert session.draft.date_ranges == ((SATURDAY, SATURDAY + DAY),)
    assert page.dates.days.currentData() == "all"


def test_typed_dates_are_narrowed_and_keep_their_ends(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    session.choose_relation("Relation", Relation.USER)
    page.dates.typed_first.changed.emit(SATURDAY)
    page.dates.typed_last.changed.emit(SATURDAY + 6 * DAY)
    pick(qtbot, page.dates.days, "weekday")
    assert session.draft.date_ranges == ((MONDAY, MONDAY + 4 * DAY),)
    assert page.dates.typed_first.edit.text() == SATURDAY.isoformat()
    page.dates.typed_last.changed.emit(SATURDAY + 13 * DAY)
    assert session.draft.date_ranges == (
        (MONDAY, MONDAY + 4 * DAY),
        (MONDAY + 7 * DAY, MONDAY + 11 * DAY),
    )


@pytest.mark.parametrize("undone", [False, True], ids=["picked", "undone"])
def test_a_file_that_is_still_read_changes_nothing_once_another_kind_is_there(
    qtbot: QtBot,
    page: ParametersPage,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    undone: bool,
) -> None:
    path = tmp_path / "days.txt"
    path.write_text(f"{SATURDAY}\n", encoding="utf-8")
    days, gate, read = page.dates.days, threading.Event(), kind_of_day._read_days
    monkeypatch.setattr(kind_of_day, "_read_days", lambda *asked: (gate.wait(10), read(*asked))[1])
    if undone:
        pick(qtbot, days, "weekend")
    days.take_file(path)
    if undone:
        session.undo_stack.undo()
    else:
        pick(qtbot, days, "weekend")
    kind, chosen = days.currentData(), session.draft.date_ranges
    assert kind == ("weekday" if undone else "weekend")
    gate.set()
    assert wait_for_all(10)
    QApplication.processEvents()
    assert (days.currentData(), session.draft.date_ranges) == (kind, chosen)
