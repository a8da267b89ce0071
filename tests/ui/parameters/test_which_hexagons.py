"""Dates, hours and selection in step Parameters, and what they leave, at once and in place."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QDate, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QComboBox, QDateEdit, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from core.draft.draft import draft_of
from core.errors import InputError
from core.hats.cells import areas_km2, mean_area_km2
from core.privacy import Relation, Unit
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import write_city
from tests.geojson import box, polygon, write_geojson
from tests.records import Ping, instant
from tests.ui.languages import spoken
from tests.ui.small_city import TIMEOUT, edit, loaded_session, pings
from tests.ui.table_story import table_session
from tests.ui.user_actions import message, open_sections, pick, press, show, texts, write
from ui.kit.labels import label
from ui.kit.theme import Theme
from ui.language.counted_words import counted_hexagons
from ui.language.translation import catalogue_of, counted
from ui.parameters.page import ParametersPage
from ui.session.session import Session

FIRST, SECOND, LAST = dt.date(2022, 1, 1), dt.date(2022, 1, 2), dt.date(2022, 1, 4)
DAY_MS = 24 * 3_600_000


def four_days() -> list[Ping]:
    """The small city on days 1, 2 and 4; day 3 has no records."""
    return [ping._replace(instant=ping.instant + day * DAY_MS) for day in (0, 1, 3) for ping in pings()]


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    made = loaded_session(qtbot, tmp_path, four_days())
    edit(qtbot, made, threshold=3)
    return made


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> ParametersPage:
    made = ParametersPage(session)
    open_sections(made)
    show(qtbot, made, width=400)
    return made


def test_what_a_table_has_decided_is_shown_and_locked_with_the_reason(qtbot: QtBot, tmp_path: Path) -> None:
    session = table_session(qtbot, tmp_path)
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page, width=400)
    for editor in (
        page.knobs.resolution,
        page.knobs.slot_minutes,
        page.dates.zone,
        page.dates.only_recorded,
        page.dates.start,
        page.dates.end,
    ):
        assert editor.isVisible()
        assert not editor.isEnabled()
        assert "made for this" in editor.toolTip()
    assert page.dates.zone.edit.text() == "Asia/Kolkata"
    assert page.knobs.resolution.currentData() == 7
    assert (page.dates.start.currentText(), page.dates.end.currentText()) == ("09:00", "12:00")
    assert page.hexagons.threshold.isEnabled()
    assert page.hexagons.rule.isEnabled()
    assert page.of_table.text() == (
        "A contribution table is open: what it was made for cannot be changed here."
    )
    assert page.dates.first.isEnabled()
    type_date(qtbot, page.dates.first, dt.date(2022, 1, 4))
    planned(qtbot, session)
    assert session.draft.date_ranges == ((dt.date(2022, 1, 4),) * 2,)
    assert session.planning.problem is None
    assert session.contributions is not None
    assert session.contributions.window.days == 1
    type_date(qtbot, page.dates.first, dt.date(2022, 1, 3))
    planned(qtbot, session)
    session.choose_relation("Relation", Relation.USER)
    assert page.dates.typed_first.edit.text() == "2022-01-03"
    assert page.hexagons.candidates.isEnabled()
    assert page.of_table.text().endswith(
        " In relation user, it must not have been chosen by looking at the records."
    )
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(draft_of(load_spec(write_city(tmp_path / "city")))[1])
    assert page.knobs.resolution.isEnabled()
    assert "made for" not in page.knobs.resolution.toolTip()
    assert page.of_table.isHidden()


def type_date(qtbot: QtBot, box: QDateEdit, date: dt.date) -> None:
    box.setFocus()
    box.setSelectedSection(QDateEdit.Section.YearSection)
    qtbot.keyClicks(box, f"{date:%Y%m%d}")
    qtbot.keyClick(box, Qt.Key.Key_Return)


def planned(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


def choose_time(box: QComboBox, text: str) -> None:
    """Choose an entry of a list by its text."""
    box.setCurrentIndex(box.findText(text))
    assert box.currentText() == text
    box.activated.emit(box.currentIndex())


def test_it_waits_for_data(qtbot: QtBot) -> None:
    page = ParametersPage(Session(find_home()))
    show(qtbot, page)
    assert not page.isEnabled()
    assert not message(page)


def test_it_fits_a_narrow_column(page: ParametersPage) -> None:
    assert page.minimumSizeHint().width() <= 340


def test_in_a_narrow_column_a_large_threshold_is_read_whole(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    edit(qtbot, session, threshold=9999)
    line = page.hexagons.threshold.findChild(QLineEdit)
    assert line is not None
    assert page.hexagons.threshold.text() == "9999 vehicles/day"
    assert line.fontMetrics().horizontalAdvance(page.hexagons.threshold.text()) < line.width()


def test_the_outcome_counts_hats_hexagons_and_lone_vehicles(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    assert "4 of 6 hexagon slots selected" in texts(page)
    assert "in 2 hexagons; none holds only one vehicle" in texts(page)
    edit(qtbot, session, threshold=1)
    assert "6 of 6 hexagon slots selected" in texts(page)
    assert "in 3 hexagons; 2 of these slots hold a single vehicle: published as suppressed" in texts(page)
    assert "fewer than 2 vehicles" not in texts(page), "the same slots are told once"
    edit(qtbot, session, minimum_vehicles=3)
    assert "in 3 hexagons; 2 of these slots hold a single vehicle\n" in texts(page)
    assert "of them have fewer than 3 vehicles: published as suppressed" in texts(page)


def test_it_says_what_dates_and_hours_leave_out(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    assert "100 % of records are in these dates and hours" in texts(page)
    type_date(qtbot, page.dates.last, SECOND)
    planned(qtbot, session)
    assert "66.6 % of records are in these dates and hours" in texts(page)
    session.choose_relation("Relation", Relation.USER)
    planned(qtbot, session)
    assert "of records are in these dates" not in texts(page)


def test_the_threshold_says_what_it_counts(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    assert page.hexagons.threshold.text() == "3 vehicles/day"
    edit(qtbot, session, threshold=1)
    assert page.hexagons.threshold.text() == "1 vehicle/day"
    session.choose_relation("Relation", Relation.USER)  # there it is held against one noisy number
    planned(qtbot, session)
    assert page.hexagons.threshold.text() == "10"


def test_a_map_from_before_is_told_while_zone_or_dates_are_open(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    before = "Until then the map shows what was counted before."
    assert before not in texts(page)
    session.choose_relation("Relation", Relation.USER)
    planned(qtbot, session)
    assert "The time zone is not typed yet" in texts(page)
    assert before in texts(page)
    session.edit("Zone", zone="Asia/Kolkata", date_ranges=((FIRST, LAST),))
    planned(qtbot, session)
    assert "The candidate hexagons are not named yet" in texts(page)
    assert before not in texts(page)


def test_it_starts_from_the_dates_with_records(page: ParametersPage, session: Session) -> None:
    assert session.draft.date_ranges == ((FIRST, SECOND), (LAST, LAST))
    assert (page.dates.first.date(), page.dates.last.date()) == (QDate(2022, 1, 1), QDate(2022, 1, 4))
    assert page.dates.only_recorded.isChecked()


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
    assert message(page).startswith("The window holds no record.")
    assert len(message(page).split("\n")) == 3
    assert session.contributions is not contributions or session.forecast is None


def test_a_resolution_and_a_slot_index_anew(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        pick(qtbot, page.knobs.resolution, 6)
    assert session.draft.resolution == 6
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        pick(qtbot, page.knobs.slot_minutes, 30)
    assert session.draft.slot_minutes == 30
    assert session.contributions is not None
    assert session.contributions.window.slot_minutes == 30
    assert page.dates.start.itemText(1) == "00:30"


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
    assert "no whole slots of 60 minutes" in message(page)


def test_a_message_below_all_else_comes_in_sight_when_it_appears(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    """Also of a section that is closed, on a low screen."""
    section = page.sections["dates"]
    section.head.setChecked(False)
    page.resize(400, 480)
    edit(qtbot, session, hours=("09:10", "11:00"))
    assert section.is_open
    bar = page.dates.message
    qtbot.waitUntil(lambda: bar.mapTo(page, QPoint(0, 0)).y() >= 0 and bar.isVisible())
    qtbot.waitUntil(lambda: bar.mapTo(page, QPoint(0, bar.height())).y() <= page.height())


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


def test_the_threshold_is_typed_or_stepped_as_one_undo_step(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    steps = session.undo_stack.count()
    page.hexagons.threshold.setFocus()
    qtbot.keyClick(page.hexagons.threshold, Qt.Key.Key_Up)
    qtbot.keyClick(page.hexagons.threshold, Qt.Key.Key_Up)
    assert session.draft.threshold == 5
    assert session.undo_stack.count() == steps + 1
    planned(qtbot, session)
    assert "2 of 6 hexagon slots selected" in texts(page)
    session.undo_stack.undo()
    assert page.hexagons.threshold.value() == 3


def test_a_threshold_that_leaves_no_hat_is_told_in_place(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, page.hexagons.threshold.lineEdit(), "50")
    assert message(page).split("\n")[:2] == ["The threshold leaves no hexagon slot.", "Threshold"]
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, page.hexagons.threshold.lineEdit(), "2")
    assert not message(page)


def test_a_minimum_that_suppresses_everything_is_told_in_place(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    edit(qtbot, session, unit=Unit.VEHICLE)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, page.hexagons.minimum.lineEdit(), "40")
    assert "fewer than 40 vehicles" in message(page)
    assert "4 of 6 hexagon slots selected" in texts(page)


def test_another_rule(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        page.hexagons.rule.setCurrentIndex(page.hexagons.rule.findData("every-slot"))
        page.hexagons.rule.activated.emit(page.hexagons.rule.currentIndex())
    assert session.draft.rule == "every-slot"
    assert message(page).startswith("The threshold leaves no hexagon slot.")


def choose_rule(page: ParametersPage, key: str) -> None:
    page.hexagons.rule.setCurrentIndex(page.hexagons.rule.findData(key))
    page.hexagons.rule.activated.emit(page.hexagons.rule.currentIndex())


def test_a_list_of_cells(
    qtbot: QtBot, page: ParametersPage, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert session.overview is not None
    path = tmp_path / "cells.txt"
    path.write_text("h3_cell\n" + session.overview.cells[0] + "\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        choose_rule(page, "cells")
    assert (session.draft.rule, session.draft.cells_file) == ("cells", str(path))
    assert "2 of 6 hexagon slots selected" in texts(page)
    assert "in 1 hexagon;" in texts(page)
    assert "10 more without records: published as suppressed" in texts(page)
    assert page.hexagons.cells_file.isVisible()
    assert page.hexagons.cells_file.text() == "cells.txt"
    assert not page.hexagons.threshold.isVisible()
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        choose_rule(page, "hat")
    assert session.draft.cells_file == ""
    assert page.hexagons.threshold.isVisible()


def test_no_list_chosen_keeps_the_rule(
    page: ParametersPage, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = session.draft
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    choose_rule(page, "cells")
    assert session.draft == draft
    assert page.hexagons.rule.currentData() == "hat"


@pytest.mark.parametrize("content", ["no cell\n", "# nothing\n", "8842d9d69bfffff\n", None])
def test_a_bad_list_is_told_in_place(
    qtbot: QtBot,
    page: ParametersPage,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str | None,
) -> None:
    path = tmp_path / "cells.txt"
    if content is not None:
        path.write_text(content)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        choose_rule(page, "cells")
    assert isinstance(session.planning.problem, InputError)
    assert message(page).startswith(session.planning.problem.what)
    assert session.planning.problem.where
    assert session.planning.problem.mend
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    assert not message(page)


def ward(folder: Path, *, name: str = "ward.geojson") -> Path:
    """Two of the three places of the city."""
    return write_geojson(folder / name, polygon(box(72.7, 21.0, 72.9, 21.25)))


def test_a_boundary_is_asked_for_by_its_endings(
    qtbot: QtBot, page: ParametersPage, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ward(tmp_path)
    asked: list[tuple[str, str]] = []

    def answer(_parent: object, title: str, _folder: str, kinds: str) -> tuple[str, str]:
        asked.append((title, kinds))
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        choose_rule(page, "boundary")
    assert (session.draft.rule, session.draft.cells_file) == ("boundary", str(path))
    assert page.hexagons.cells_file.isVisible()
    assert page.hexagons.cells_file.text() == "ward.geojson"
    assert str(path) in page.hexagons.cells_file.toolTip()
    assert not page.hexagons.threshold.isVisible()
    choose_rule(page, "boundary")
    assert len(asked) == 1
    press(qtbot, page.hexagons.cells_file)
    assert [title for title, _ in asked] == ["Boundary as GeoJSON"] * 2
    assert all("*.geojson *.json" in kinds for _, kinds in asked)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        choose_rule(page, "cells")
    assert asked[-1] == ("List of H3 cells, one a line", "Usual files (*.txt *.csv);;All files (*)")


def drop(page: ParametersPage, *paths: Path) -> bool:
    """Drop files on the page; was it taken?"""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), action, data, button, keys)
    page.dragEnterEvent(enter)
    done = QDropEvent(QPointF(5, 5), action, data, button, keys)
    page.dropEvent(done)
    assert enter.isAccepted() == done.isAccepted()
    return done.isAccepted()


def test_a_dropped_boundary_is_taken(
    qtbot: QtBot, page: ParametersPage, session: Session, tmp_path: Path
) -> None:
    path = ward(tmp_path, name="Ward.GeoJSON")
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        assert drop(page.hexagons, path)
    assert (session.draft.rule, session.draft.cells_file) == ("boundary", str(path))
    assert page.hexagons.rule.currentData() == "boundary"


def test_other_drops_are_left_to_the_window(page: ParametersPage, session: Session, tmp_path: Path) -> None:
    draft = session.draft
    assert not drop(page.hexagons, tmp_path / "records.csv")
    assert not drop(page.hexagons, tmp_path / "records.json")
    assert not drop(page.hexagons, tmp_path / "a.geojson", tmp_path / "b.geojson")
    assert not drop(page.hexagons)
    assert session.draft == draft


def test_the_first_record_of_a_day_decides_which_dates_are_offered(qtbot: QtBot, tmp_path: Path) -> None:
    late = [ping._replace(instant=instant("2022-01-02T00:00:01")) for ping in pings()[:1]]
    session = loaded_session(qtbot, tmp_path / "b", [*pings(), *late])
    assert session.recorded_dates == ((FIRST, SECOND),)


def test_areas_are_those_of_the_city_that_is_loaded(
    qtbot: QtBot, session: Session, page: ParametersPage
) -> None:
    table = session.contributions
    assert table is not None
    of_city = f"{areas_km2(np.unique(table.cell)).mean():.3g}"
    row = page.knobs.resolution.findData(table.resolution)
    assert page.knobs.resolution.itemText(row) == f"resolution {table.resolution}: {of_city} km²"
    worldwide = f"{mean_area_km2(table.resolution):.3g}"
    assert worldwide != of_city
    session.choose_relation("Relation", Relation.USER)  # where the records are is nobody's to see
    planned(qtbot, session)
    assert page.knobs.resolution.itemText(row) == f"resolution {table.resolution}: {worldwide} km²"


def test_in_hindi_too_the_slots_of_one_vehicle_are_told_in_one_line(qapp: QApplication, theme: Theme) -> None:
    """337 pixels: the column that 1920x1080 leave at 150 %, where a second line needed a scroll bar."""
    assert theme  # the sheet
    with spoken(qapp, catalogue_of("hi")):
        told = counted(
            "{n} of these slots holds a single vehicle: published as suppressed",
            "{n} of these slots hold a single vehicle: published as suppressed",
            3,
        )
        shown = label(f"{counted_hexagons(8)}; {told}", "muted")
        shown.ensurePolished()
        assert shown.fontMetrics().horizontalAdvance(shown.text()) < 337
