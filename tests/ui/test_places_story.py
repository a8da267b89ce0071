"""An analyst counts by routes, wards and the whole area in the window, and releases what was chosen."""

from __future__ import annotations

import dataclasses
import io
import json
from contextlib import redirect_stdout
from decimal import Decimal
from pathlib import Path
from typing import Any

import h3
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QTableWidgetItem
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.cli import main
from core.draft.draft import save_draft, spec_of
from core.geodata.zones_source import ZonesSource
from core.hats.groups import DAY_KIND, Group
from core.hats.places import HEXAGON, LABELLED, WHOLE, ZONED
from core.hats.slots import PeriodOfDay, clock
from core.planning.resolution_table import resolution_row
from core.privacy import Relation, Unit
from core.progress import silent
from core.selection.candidate_files import write_place_ids
from core.spec import load_spec
from core.system.paths import find_home
from core.verify.values import bundle_values
from core.verify.verify import verify_bundle
from tests.city import PASSPHRASE
from tests.labelled_city import MAPPED, MARKED, RARE, write_labelled_city
from tests.ui.release_story import make_home, make_page, make_session
from tests.ui.user_actions import LEFT, show
from ui.compare.page import ComparePage
from ui.distributions.grid_charts import GridCharts
from ui.distributions.histogram_canvas import HistogramCanvas
from ui.distributions.resolution_rows import RowKey, row_request, window_of
from ui.errors.error_tabs import ErrorTabs
from ui.kit.list_box import ListBox
from ui.kit.theme import Theme
from ui.map.bundle_layer import paint_bundle
from ui.map.bundle_tab import BundleTab
from ui.map.change_map import ChangeMap
from ui.parameters.grid_request import GridRequest, compare_grids, grid_request
from ui.parameters.grid_row import compared_place
from ui.parameters.page import ParametersPage
from ui.release.dialog import Phase
from ui.release.release_jobs import Wanted, publish_release, review_release
from ui.session.session import Session

WAIT_MS = 20_000
PERIODS = (PeriodOfDay(540, 600, "first"), PeriodOfDay(600, 660, "second"), PeriodOfDay(660, 720, "third"))


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    """On hexagons; the records have a route and a direction with public names."""
    make_home(limit="1000")
    return make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))


def choose(qtbot: QtBot, session: Session, **changes: Any) -> None:
    """Change the draft, and wait until it is planned."""
    session.edit("change", **changes)
    at_rest(qtbot, session)


def released(session: Session, out: Path) -> Path:
    """The bundle of what is chosen and confirmed; it is verified, and the saved spec asks for the same."""
    session.confirmation.answer(confirmed=True)
    assert session.source is not None
    assert session.release_source is not None
    assert session.contributions is not None
    saved = out / "saved.toml"
    out.mkdir(exist_ok=True)
    save_draft(session.draft, session.source, saved)
    assert load_spec(saved) == spec_of(session.draft, session.source, out)
    wanted = Wanted(
        draft=session.draft,
        source=session.release_source,
        contributions=session.contributions,
        report=session.loaded.report if session.loaded else None,
        home=find_home(),
        out=out,
    )
    reviewed = review_release(wanted, silent)
    outcome = publish_release(reviewed.prepared, wanted, PASSPHRASE, silent)
    bundle = outcome.published.bundle
    assert verify_bundle(bundle, outcome.key.text).ok
    return bundle


def at_rest(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: session.forecast is not None, timeout=WAIT_MS)
    assert session.planning.problem is None, session.planning.problem


def pick(box: ListBox, text: str) -> None:
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def test_by_route_direction_and_period(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    page = ParametersPage(session)
    show(qtbot, page, width=420, height=900)
    place, groups = page.knobs.place, page.hexagons.groups
    pick(place.kind, "Column of records")
    pick(place.column, "route")
    at_rest(qtbot, session)
    page.sections["hexagons"].open()
    qtbot.mouseClick(groups.chips.buttons["direction"], LEFT)
    at_rest(qtbot, session)
    qtbot.mouseClick(groups.chips.buttons[DAY_KIND], LEFT)
    at_rest(qtbot, session)
    pick(page.knobs.slot_minutes, "Named periods…")
    dialog = page.knobs.periods
    assert dialog is not None
    for row, period in enumerate(PERIODS):
        if row:
            dialog.add.click()
        for column, text in enumerate((period.name, clock(period.start), clock(period.end))):
            dialog.table.setItem(row, column, QTableWidgetItem(text))
    dialog.take()
    at_rest(qtbot, session)
    assert session.draft.slot_minutes == PERIODS
    overview, contributions = session.overview, session.contributions
    assert overview is not None
    assert contributions is not None
    assert set(overview.hexagons) == {"1", "=2", MARKED, RARE}
    assert contributions.window.groups[0].labels == ("DN", "UP")
    bundle = released(session, tmp_path / "out")
    lines = (bundle / "data" / "speed_by_place.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("place_id,")
    assert any(line.startswith("1,") and ",third," in line for line in lines)
    assert RARE not in "".join(lines)


def test_charts_that_were_made_of_hexagons_call_routes_places(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    """A tab was called "All hexagons", and bars counted hexagon slots, of routes and zones."""
    errors, charts = ErrorTabs(session, theme), GridCharts()
    (tabs,) = errors.sections.findChildren(QTabBar)
    canvas = charts.make_hats(HistogramCanvas)
    errors.sections.setCurrentWidget(errors.histogram)
    for part in (errors, charts):
        show(qtbot, part, width=600, height=500)
    place = errors.sections.indexOf(errors.histogram)
    for changes, called in (
        ({}, "Hexagon"),
        ({"place_kind": LABELLED, "place_column": "route"}, "Place"),
        ({"place_kind": HEXAGON}, "Hexagon"),
    ):
        choose(qtbot, session, **changes) if changes else at_rest(qtbot, session)
        qtbot.waitUntil(lambda: errors.histogram.settled, timeout=WAIT_MS)
        assert tabs.tabText(place) == f"All {called.lower()}s"
        assert tabs.tabToolTip(place).startswith(f"{called} slot: One {called.lower()} ")
        assert errors.histogram.bars.counted == f"{called} slots in each bar"
        assert session.contributions is not None
        charts.show_row(resolution_row(session.contributions))
        assert charts.counted.itemText(2) == f"{called.lower()} slots"
        assert canvas._item.getAxis("bottom").labelText.startswith(f"{called} slots")


def test_by_small_and_large_hexagons(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    page = ParametersPage(session)
    show(qtbot, page, width=420, height=900)
    offered = page.knobs.resolution
    before = [offered.itemText(row) for row in range(offered.count())]
    pick(offered, next(text for text in before if text.startswith("6, 8: ")))
    at_rest(qtbot, session)
    assert session.draft.resolutions == (6, 8)
    assert offered.currentText().startswith("6, 8: ")
    overview = session.overview
    assert overview is not None
    assert page.knobs.of_place.text.text() == f"{len(overview.hexagons)} hexagons with records."
    sizes = [h3.get_resolution(cell) for cell in overview.hexagons]
    assert {*sizes} == {6, 8}
    assert sizes == sorted(sizes), "large ones lie below"
    compared = row_request(session, RowKey(window_of(session), 8))
    assert compared is not None
    assert compared.contributions is None, "one resolution is counted anew"
    choose(qtbot, session, threshold=4)
    assert session.overview is not None
    assert len(session.overview.hexagons) < len(overview.hexagons), "fewer are busy: their records move"
    bundle = released(session, tmp_path / "out")
    lines = (bundle / "data" / "speed_by_hat.csv").read_text("utf-8").splitlines()
    assert {line.split(",")[1] for line in lines[1:]} == {"6", "8"}
    assert {line.split(",")[2] for line in lines[1:]} == {"true", "false"}
    opened = make_session(qtbot, tmp_path / "out" / "saved.toml")
    assert opened.draft.resolutions == (6, 8)
    session.set_mechanism("Mechanism", "tokens", {})
    choose(qtbot, session, unit=Unit.VEHICLE)
    asked = grid_request(session)
    assert isinstance(asked, GridRequest)
    assert asked.own is not None
    assert asked.own.choice.mixed
    anew = compare_grids(dataclasses.replace(asked, own=None), silent)
    assert compare_grids(asked, silent) == anew, "no hexagon of a mixed table is one of a single resolution"
    choose(qtbot, session, mixed=(5, 7, 9), resolution=9)
    assert offered.currentText().startswith("5, 7, 9: ")
    pick(offered, next(text for text in before if text.startswith("resolution 8: ")))
    at_rest(qtbot, session)
    assert (session.draft.resolutions, session.draft.mixed, offered.count()) == (8, (), len(before))
    assert {h3.get_resolution(cell) for cell in session.overview.hexagons} == {8}


def test_by_zones_and_by_the_whole_area(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    layer = str(tmp_path / "city" / "wards.geojson")
    zones = ZonesSource(file=layer, id="ward", name="title", licence="CC0-1.0")
    choose(qtbot, session, place_kind=ZONED, zones_source=zones)
    assert session.zones is not None
    assert session.zones.ids == ("1", "=2")
    assert (released(session, tmp_path / "out") / "data" / "places.geojson").exists()
    choose(qtbot, session, place_kind=WHOLE, version="1.0.1")
    assert session.zones is None
    assert session.overview is not None
    assert session.overview.hexagons == ("all",)
    released(session, tmp_path / "out")


def test_a_bundle_by_zones_and_directions_is_looked_at_and_compared(
    qtbot: QtBot, session: Session, theme: Theme, tmp_path: Path
) -> None:
    lines = str(tmp_path / "city" / "timetable.zip")
    choose(
        qtbot, session, place_kind=LABELLED, place_column="route", shapes=lines, groups=(Group("direction"),)
    )
    routes = bundle_values(released(session, tmp_path / "out"))
    layer = str(tmp_path / "city" / "wards.geojson")
    zones = ZonesSource(file=layer, id="ward", name="title", licence="CC0-1.0")
    choose(qtbot, session, place_kind=ZONED, zones_source=zones, version="1.0.2")
    assert {one["type"] for one in session.outlines.values()} == {"Polygon"}, "no lines of routes are left"
    first = released(session, tmp_path / "out")
    values = bundle_values(first)
    assert (values.groups, values.labels(0)) == (("direction",), ("DN", "UP"))
    assert values.outlines is not None
    assert set(values.outlines) == {"1", "'=2"}
    assert {hat.place for hat in values.hats} == {MARKED, "'=East"}
    tab = BundleTab(theme)
    qtbot.addWidget(tab)
    tab.show_bundle(values)
    (direction,) = tab.chips.rows
    one = paint_bundle(values, *values.slots[0], ("DN",))
    other = paint_bundle(values, *values.slots[0], ("UP",))
    assert set(one.fills) == set(other.fills) == {"1", "'=2"}
    assert one.tooltips != other.tooltips
    direction.pressed.emit("UP")
    assert tab.picture().make().hexagons
    tab.show_bundle(routes)
    assert {one.open for one in tab.picture().make().hexagons} == {True}, "lines of routes"
    show(qtbot, tab, width=700, height=500)
    assert tab.view is not None
    qtbot.waitUntil(lambda: tab.view.is_ready, timeout=WAIT_MS)
    tab.dispose()
    choose(qtbot, session, version="1.0.1")
    second = released(session, tmp_path / "out")
    page = ComparePage(session, ChangeMap(theme))
    qtbot.addWidget(page)
    page.open_bundles((first, second))
    qtbot.waitUntil(lambda: page.found is not None, timeout=WAIT_MS)
    assert page.found is not None
    assert set(page.found.rows["cells"]) == {("1",), ("'=2",)}
    every = len(page.found.rows)
    assert 2 * page.model.total == every
    page.chips.rows[0].pressed.emit("UP")
    assert 2 * page.model.total == every
    assert page.found.outlines is not None
    page.map.dispose()


def test_in_relation_user_places_and_labels_are_typed(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    """Nothing that is shown or released follows from who drives where."""
    dates = session.draft.date_ranges
    Ledger.open(find_home().ledger).set_limit("Typed buses", per_vehicle=Decimal(1000))
    session.choose_relation("Relation", Relation.USER)
    listed = write_place_ids(tmp_path / "typed", ("1", "nobody drives there"))
    choose(
        qtbot,
        session,
        place_kind=LABELLED,
        place_column="route",
        groups=(Group("direction", ("DN", "UP")),),
        cells_file=str(listed),
        date_ranges=dates,
        zone="Asia/Kolkata",
        unit=Unit.VEHICLE,
        hats_per_vehicle=4,
        threshold=1,
        population="Typed buses",
        confirmed=True,
    )
    shown = session.forecast
    assert shown is not None
    assert shown.plan is not None
    assert {hat.cell_text for hat in shown.plan.hats} == {"1", "nobody drives there"}
    bundle = released(session, tmp_path / "out")
    published = (bundle / "data" / "speed_by_place.csv").read_text("utf-8")
    assert RARE not in published
    assert "nobody drives there" in published


def test_what_cannot_be_a_place_is_said_beside_the_choice_and_undone(qtbot: QtBot, session: Session) -> None:
    before, failed = session.draft, []
    session.failed.connect(failed.append)
    page = ParametersPage(session)
    qtbot.addWidget(page)
    session.edit("Place", place_kind=LABELLED, place_column="nothing")
    qtbot.waitUntil(lambda: session.planning.problem is not None, timeout=WAIT_MS)
    assert "nothing" in page.knobs.message.text
    assert page.knobs.message.isVisibleTo(page)
    assert failed == [], "the window says it nowhere else"
    assert session.planning.problem is not None
    assert session.planning.problem.where == "hats.place_column"
    assert session.forecast is None
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT_MS)
    assert session.draft == before
    assert session.planning.problem is None
    assert not page.knobs.message.isVisibleTo(page)


def test_a_choice_that_reads_the_records_anew_leaves_sections_as_they_are(
    qtbot: QtBot, session: Session
) -> None:
    page = ParametersPage(session)
    qtbot.addWidget(page)
    choose(qtbot, session, confirmed=False)
    page.sections["protected"].head.setChecked(False)
    choose(qtbot, session, place_kind=WHOLE)
    assert not page.sections["protected"].is_open


def test_grids_of_routes_are_those_that_plan_lists(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    """What the list has of hexagons can be taken, and undone."""
    session.set_mechanism("Mechanism", "tokens", {})
    choose(qtbot, session, place_kind=LABELLED, place_column="route", unit=Unit.VEHICLE)
    page = ParametersPage(session)
    qtbot.addWidget(page)
    released(session, tmp_path / "out")
    asked = grid_request(session)
    assert isinstance(asked, GridRequest)
    shown = compare_grids(asked, silent)
    spec = tmp_path / "out" / "saved.toml"
    with redirect_stdout(io.StringIO()) as printed:
        assert main(["plan", str(spec), "--json"]) == 0
    assert [one["error_raw"] for one in json.loads(printed.getvalue())["grids"]] == [
        one.raw_error for one in shown.grids
    ]
    assert shown.own is not None
    assert (shown.own.resolution, compared_place(session, 0)) == (0, "route")
    page.grids.start()
    qtbot.waitUntil(lambda: not page.grids.job.running, timeout=WAIT_MS)
    hexagons = next(one for one in shown.grids if one.resolution)
    before = session.draft
    page.grids.take(hexagons)
    at_rest(qtbot, session)
    assert (session.draft.place_kind, session.draft.resolution) == (HEXAGON, hexagons.resolution)
    session.undo_stack.undo()
    at_rest(qtbot, session)
    assert session.draft == before


def test_kinds_of_day_come_from_a_file_and_stay_as_they_are(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    page = ParametersPage(session)
    qtbot.addWidget(page)
    groups, refused = page.hexagons.groups, []
    groups.refused.connect(refused.append)
    groups.chips.pressed.emit(DAY_KIND)
    at_rest(qtbot, session)
    short = tmp_path / "short.csv"
    short.write_text("2022-01-03,feast\n", encoding="utf-8")
    groups.take_kinds_of(short)
    qtbot.waitUntil(lambda: bool(refused), timeout=WAIT_MS)
    assert session.draft.day_kinds == ""
    kinds = tmp_path / "kinds.csv"
    kinds.write_text("2022-01-03,feast\n2022-01-04,usual\n", encoding="utf-8")
    groups.take_kinds_of(kinds)
    qtbot.waitUntil(lambda: session.draft.day_kinds == str(kinds), timeout=WAIT_MS)
    at_rest(qtbot, session)
    assert session.contributions is not None
    assert session.contributions.window.groups[0].labels == ("feast", "usual")
    assert "kinds.csv" in groups.kinds.currentText()
    bundle = released(session, tmp_path / "out")
    assert ",feast," in next((bundle / "data").glob("speed*.csv")).read_text("utf-8")
    groups.kinds.setCurrentIndex(0)
    groups.kinds.activated.emit(0)
    at_rest(qtbot, session)
    assert session.draft.day_kinds == ""
    assert session.contributions.window.groups[0].labels == ("weekday",)


def test_a_release_by_labels_waits_for_the_answer_that_only_a_person_has(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    choose(qtbot, session, groups=(Group("direction"),))
    session.confirmation.answer(confirmed=True)
    page = make_page(qtbot, session, tmp_path / "out")
    page.review()
    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    question, no, yes = dialog.asked.question.text(), dialog.asked.no, dialog.asked.yes
    assert "direction" in question
    assert (yes.text(), no.text()) == ("&Yes", "&No"), "nobody has to know the word to type"
    assert (yes.accessibleDescription(), no.accessibleDescription()) == (question, question)
    assert not yes.isChecked()
    assert not no.isChecked(), "nobody has decided"
    dialog.typed.setText(f"{session.draft.name}-{session.draft.version}")
    dialog.passphrase.setText(PASSPHRASE)
    assert not dialog.release.isEnabled()
    qtbot.keyClick(no, Qt.Key.Key_Space)
    assert not dialog.release.isEnabled()
    assert "must not be published" in dialog.note.text()
    qtbot.keyClick(no, Qt.Key.Key_Left)
    assert yes.isChecked()
    assert dialog.release.isEnabled()
    dialog.reject()
