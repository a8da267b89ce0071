"""ui.parameters.dates_and_hours: the window of a release, and what of it does not fit, in place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QDate
from pytestqt.qtbot import QtBot

from core.privacy import Relation
from tests.records import Ping, instant
from tests.ui.days_story import FIRST, LAST, SECOND, choose_time, planned, type_date
from tests.ui.shared_parameters import SharedParameters
from tests.ui.small_city import TIMEOUT, edit, loaded_session, pings
from tests.ui.user_actions import message, open_sections, pick, press, show, texts
from ui.parameters.page import ParametersPage
from ui.session.session import Session


@pytest.fixture
def page(shared_days: SharedParameters) -> Iterator[ParametersPage]:
    yield from shared_days.begun()


@pytest.fixture
def session(shared_days: SharedParameters, page: ParametersPage) -> Session:
    assert page.isVisible()
    return shared_days.session


def test_it_starts_from_the_dates_with_records(page: ParametersPage, session: Session) -> None:
    assert session.draft.date_ranges == ((FIRST, SECOND), (LAST, LAST))
    assert (page.dates.first.date(), page.dates.last.date()) == (QDate(2022, 1, 1), QDate(2022, 1, 4))
    assert page.dates.only_recorded.isChecked()
    assert page.dates.first.calendarPopup()
    assert texts(page.dates).split("\n") == ["F&irst date", "&Last date", "&Which days", "Ho&urs"]


def test_the_summary_counts_the_days_where_some_between_are_left_out(
    qtbot: QtBot, page: ParametersPage
) -> None:
    """The fifth and the eighth of a month read as four days."""
    said: list[str] = []
    page.dates.summarised.connect(said.append)
    page.dates.refresh()
    assert said[-1].startswith("3 of 4 days from 2022-01-01, ")
    type_date(qtbot, page.dates.last, SECOND)
    page.dates.refresh()
    assert said[-1].startswith("2022-01-01 – 2022-01-02, ")


def test_dates_are_cut_to_those_with_records(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    type_date(qtbot, page.dates.first, SECOND)
    assert session.draft.date_ranges == ((SECOND, SECOND), (LAST, LAST))
    type_date(qtbot, page.dates.last, dt.date(2022, 1, 3))
    assert session.draft.date_ranges == ((SECOND, SECOND),)
    planned(qtbot, session)
    assert session.contributions is not None
    assert session.contributions.window.days == 1


def test_a_day_of_a_failed_feed_is_offered_to_be_left_out(qtbot: QtBot, tmp_path: Path) -> None:
    """Of three days the second has one record."""
    bus_days = [(bus, day) for day in (1, 3) for bus in range(30)] + [(0, 2)]
    records = [
        Ping(f"bus {bus}", instant(f"2022-01-0{day}T10:{bus:02}:00"), 21.1, 72.8, 20.0)
        for bus, day in bus_days
    ]
    session = loaded_session(qtbot, tmp_path, records)
    edit(qtbot, session, relation=Relation.VALUES)
    page = ParametersPage(session)
    show(qtbot, page)
    open_sections(page)
    line = page.dates.sparse
    assert "2022-01-02 has 1 record" in line.text.text()
    press(qtbot, line.take)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    left = dt.date(2022, 1, 2)
    assert not any(first <= left <= last for first, last in session.draft.date_ranges)
    assert not line.isVisible()


def test_of_many_such_days_three_are_named_and_all_are_left_out(qtbot: QtBot, tmp_path: Path) -> None:
    bus_days = [(bus, day) for day in range(1, 7) for bus in range(30)] + [(0, day) for day in (7, 8, 9, 10)]
    records = [
        Ping(f"bus {bus}", instant(f"2022-01-{day:02}T10:{bus:02}:00"), 21.1, 72.8, 20.0)
        for bus, day in bus_days
    ]
    session = loaded_session(qtbot, tmp_path, records)
    edit(qtbot, session, relation=Relation.VALUES)
    page = ParametersPage(session)
    show(qtbot, page)
    open_sections(page)
    text = page.dates.sparse.text.text()
    assert [f"2022-01-{day:02}" in text for day in (7, 8, 9, 10)] == [True, True, True, False]
    assert text.endswith(", and 1 more day has next to none")
    press(qtbot, page.dates.sparse.take)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert session.draft.date_ranges == ((dt.date(2022, 1, 1), dt.date(2022, 1, 6)),)


def test_all_dates_count_when_asked_for_and_undo_unticks(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    press(qtbot, page.dates.only_recorded)
    assert session.draft.date_ranges == ((FIRST, LAST),)
    session.undo_stack.undo()
    assert session.draft.date_ranges == ((FIRST, SECOND), (LAST, LAST))
    assert page.dates.only_recorded.isChecked()
    session.undo_stack.redo()
    assert not page.dates.only_recorded.isChecked()
    planned(qtbot, session)


@pytest.mark.parametrize(("edited", "expected"), [("first", LAST), ("last", FIRST)])
def test_dates_never_run_backwards(
    qtbot: QtBot, page: ParametersPage, session: Session, edited: str, expected: dt.date
) -> None:
    other, this = (
        (page.dates.last, page.dates.first) if edited == "first" else (page.dates.first, page.dates.last)
    )
    type_date(qtbot, other, SECOND)
    type_date(qtbot, this, expected)
    assert session.draft.date_ranges == ((expected, expected),)
    planned(qtbot, session)
    assert session.planning.problem is None


def test_dates_without_any_record_are_told_in_place(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    contributions = session.contributions
    type_date(qtbot, page.dates.last, dt.date(2022, 2, 2))
    type_date(qtbot, page.dates.first, dt.date(2022, 2, 1))
    planned(qtbot, session)
    assert message(page).startswith("The window contains no record.")
    assert len(message(page).split("\n")) == 3
    assert session.contributions is not contributions or session.forecast is None


def test_hours_widen_to_a_longer_slot(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    edit(qtbot, session, hours=("09:00", "22:00"))
    pick(qtbot, page.knobs.slot_minutes, 120)
    assert session.draft.hours == ("09:00", "23:00")
    assert (page.dates.start.currentText(), page.dates.end.currentText()) == ("09:00", "23:00")
    planned(qtbot, session)
    assert session.planning.problem is None
    pick(qtbot, page.knobs.slot_minutes, 240)
    assert session.draft.hours == ("08:00", "24:00")
    planned(qtbot, session)
    assert session.planning.problem is None


def test_the_whole_window_is_one_slot_whatever_its_hours(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    pick(qtbot, page.knobs.slot_minutes, "all")
    assert session.draft.hours == ("09:00", "21:00")
    planned(qtbot, session)
    assert session.contributions is not None
    assert session.contributions.window.slot_minutes == 720
    assert "3 hexagon slots" in texts(page)
    choose_time(page.dates.start, "09:30")
    choose_time(page.dates.end, "21:30")
    planned(qtbot, session)
    assert session.draft.hours == ("09:30", "21:30")
    assert session.contributions.window.slot_minutes == 720
    assert [session.contributions.window.grid.label(slot) for slot in session.contributions.window.slots] == [
        "09:30"
    ]


def test_slots_are_counted_from_the_start_that_is_picked(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_time(page.dates.start, "08:30")
    assert session.draft.hours == ("08:30", "21:30"), "the end moves to that of a slot"
    assert page.dates.end.itemText(0) == "09:30"
    planned(qtbot, session)
    assert session.planning.problem is None
    assert session.contributions is not None
    window = session.contributions.window
    assert window.grid.text(window.slots[0]) == "08:30"
    choose_time(page.dates.start, "22:00")
    assert session.draft.hours == ("22:00", "23:00"), "never an end before the start"
    planned(qtbot, session)


def test_hours_that_end_before_they_start_are_told_in_place(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        assert page.dates.end.findText("08:00") < 0
        session.edit("hours", hours=("09:00", "08:00"))
    assert message(page).startswith("The hours end before they start")
    assert len(message(page).split("\n")) == 3
    assert "hexagon slots selected" not in texts(page)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    assert not message(page)
    assert "4 of 6 hexagon slots selected" in texts(page)


def test_hours_that_do_not_fit_the_slot_are_shown_as_they_are(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    edit(qtbot, session, hours=("09:10", "11:00"))
    assert page.dates.start.currentText() == "09:10"
    assert "whole slots of 1 hour" in message(page)


def test_a_start_too_late_for_whole_slots_is_not_shown_as_chosen(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    """What the list showed went into the draft with the next end: hours that are no whole slots."""
    edit(qtbot, session, slot_minutes=240, hours=("04:00", "24:00"))
    page.dates.start.setCurrentIndex(page.dates.start.findText("06:00"))
    page.dates.start.activated.emit(page.dates.start.currentIndex())
    assert session.draft.hours == ("04:00", "24:00")
    assert page.dates.start.currentText() == "04:00"
    choose_time(page.dates.end, "20:00")
    assert session.draft.hours == ("04:00", "20:00")
    planned(qtbot, session)
    assert session.planning.problem is None


def test_the_first_record_of_a_day_decides_which_dates_are_offered(qtbot: QtBot, tmp_path: Path) -> None:
    late = [ping._replace(instant=instant("2022-01-02T00:00:01")) for ping in pings()[:1]]
    session = loaded_session(qtbot, tmp_path / "b", [*pings(), *late])
    assert session.recorded_dates == ((FIRST, SECOND),)
