"""Dates, hours and selection in step Parameters, and what they leave, at once and in place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QStandardItemModel
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from core.draft.draft import draft_of
from core.errors import InputError
from core.hats.places import HEXAGON, WHOLE
from core.privacy import Relation, Unit
from core.selection.registry import all_rules
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import write_city
from tests.geojson import box, polygon, write_geojson
from tests.ui.days_story import FIRST, LAST, SECOND, planned, type_date
from tests.ui.held_plans import HeldPlans
from tests.ui.languages import spoken
from tests.ui.shared_parameters import SharedParameters
from tests.ui.small_city import TIMEOUT, edit
from tests.ui.table_story import table_session
from tests.ui.user_actions import are_faint, message, open_sections, press, show, texts, write
from ui.kit.labels import label
from ui.kit.theme import Theme
from ui.language.counted_words import counted_hexagons
from ui.language.translation import catalogue_of, counted
from ui.parameters.candidates import Way
from ui.parameters.page import ParametersPage
from ui.session.session import Session


@pytest.fixture
def page(shared_days: SharedParameters) -> Iterator[ParametersPage]:
    yield from shared_days.begun()


@pytest.fixture
def session(shared_days: SharedParameters, page: ParametersPage) -> Session:
    assert page.isVisible()
    return shared_days.session


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
    assert not page.hexagons.groups.isEnabled()
    assert not page.hexagons.filter.isEnabled()
    assert page.of_table.text() == (
        "A contribution table is open. The settings it was made with cannot be changed here."
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
        " With “Presence too”, it must not have been chosen by looking at the records."
    )
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(draft_of(load_spec(write_city(tmp_path / "city")))[1])
    assert page.knobs.resolution.isEnabled()
    assert "made for" not in page.knobs.resolution.toolTip()
    assert page.hexagons.groups.isEnabled()
    assert page.hexagons.filter.isEnabled()
    assert page.of_table.isHidden()


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
    assert "in 2 hexagons; none has only one vehicle" in texts(page)
    edit(qtbot, session, threshold=1)
    assert "6 of 6 hexagon slots selected" in texts(page)
    assert "in 3 hexagons; 2 of these slots have a single vehicle: published as suppressed" in texts(page)
    assert "fewer than 2 vehicles" not in texts(page), "the same slots are told once"
    edit(qtbot, session, minimum_vehicles=3)
    assert "in 3 hexagons; 2 of these slots have a single vehicle\n" in texts(page)
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


def test_a_map_from_before_is_told_while_zone_or_dates_are_open_and_then_what_candidates_are_named(
    qtbot: QtBot, page: ParametersPage, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = "Until then the map shows what was counted before."
    assert before not in texts(page)
    session.choose_relation("Relation", Relation.USER)
    planned(qtbot, session)
    assert "The time zone is not typed yet" in texts(page)
    assert f". {before}" in texts(page)
    session.edit("Zone", zone="Asia/Kolkata", date_ranges=((FIRST, LAST),))
    planned(qtbot, session)
    assert "The candidate hexagons are not named yet" in texts(page)
    assert before not in texts(page)
    assert session.overview is not None
    (tmp_path / "cells.txt").write_text("\n".join(sorted(session.overview.hexagons)[:2]), encoding="utf-8")
    candidates = page.hexagons.candidates
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "cells.txt"), ""))
    candidates.way.setCurrentIndex(candidates.way.findData(Way.LIST))
    candidates.way.activated.emit(candidates.way.currentIndex())
    press(qtbot, candidates.file)
    assert session.draft.cells_file == str(tmp_path / "cells.txt")
    session.edit("Constant", unit=Unit.VEHICLE, hats_per_vehicle=2)
    qtbot.waitUntil(lambda: " candidate hexagon slots in 2 hexagons" in texts(page), timeout=TIMEOUT)
    assert "number of vehicles (or records) reaches 10." in texts(page)
    assert not any(box.isVisible() for box in (page.hexagons.rule, page.hexagons.minimum))
    assert not page.hexagons.cells_file.isVisible(), "the candidates name it"
    assert page.hexagons.threshold.isVisible()
    assert not message(page.hexagons)
    session.edit("Cells", cells_file=str(tmp_path / "gone.txt"))
    qtbot.waitUntil(lambda: "gone.txt" in message(page.hexagons), timeout=TIMEOUT)


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
    assert page.hexagons.cells_file.text() == "Choose file…"
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


def test_a_file_that_says_nothing_of_days_is_told_in_place(
    qtbot: QtBot, page: ParametersPage, tmp_path: Path
) -> None:
    (tmp_path / "days.csv").write_text("nothing")
    page.hexagons.groups.take_kinds_of(tmp_path / "days.csv")
    qtbot.waitUntil(lambda: "days.csv" in message(page.hexagons), timeout=TIMEOUT)


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
    assert asked[-1] == ("List of H3 cells, one per line", "Usual files (*.txt *.csv);;All files (*)")


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


def test_in_hindi_too_the_slots_of_one_vehicle_are_told_in_one_line(qapp: QApplication, theme: Theme) -> None:
    """337 pixels: the column that 1920x1080 leave at 150 %, where a second line needed a scroll bar."""
    assert theme  # the sheet
    with spoken(qapp, catalogue_of("hi")):
        told = counted(
            "{n} of these slots has a single vehicle: published as suppressed",
            "{n} of these slots have a single vehicle: published as suppressed",
            3,
        )
        shown = label(f"{counted_hexagons(8)}; {told}", "muted")
        shown.ensurePolished()
        assert shown.fontMetrics().horizontalAdvance(shown.text()) < 337


def test_for_places_that_are_no_hexagons_no_boundary_is_offered(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    def offered() -> set[str]:
        box = page.hexagons.rule
        items = box.model()
        assert isinstance(items, QStandardItemModel)
        return {box.itemData(row) for row in range(box.count()) if items.item(row).isEnabled()}

    every = set(all_rules())
    assert offered() == every
    edit(qtbot, session, place_kind=WHOLE)
    assert offered() == every - {"boundary"}
    edit(qtbot, session, place_kind=HEXAGON)
    assert offered() == every


def test_what_is_selected_is_at_half_ink_until_the_choices_of_now_are_planned(
    qtbot: QtBot, page: ParametersPage, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many hexagon slots resolution 7 selects stood in full ink below resolution 8."""
    figures = [page.sections["hexagons"].head.summary, *page.hexagons.findChildren(QLabel)]
    held = HeldPlans(monkeypatch)
    session.edit("Resolution", resolution=session.draft.resolution + 1)
    qtbot.waitUntil(lambda: sum(are_faint(*figures)) == 3, timeout=TIMEOUT)
    held.may_end.set()
    qtbot.waitUntil(lambda: not any(are_faint(*figures)), timeout=TIMEOUT)
