"""The window with a mean by region: plan, map and table show each hexagon with its region's number."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.bundle.release_result import HatRow, Release
from core.keys.signing_key import generate_key
from core.privacy import Relation, Unit
from tests.city import BY_REGION, PASSPHRASE, write_city
from tests.region_bundles import open_ledger, released
from tests.ui.release_story import make_home, make_session
from tests.ui.small_city import TIMEOUT, add_queries
from tests.ui.user_actions import show, write
from ui.budget.decision_card import DecisionCard
from ui.map.layers import MapState, layers, paint
from ui.parameters.page import ParametersPage
from ui.session.draft_charge import shown_epsilon
from ui.session.selected_counts import selected_counts, suppressed_count
from ui.session.session import Session
from ui.session.shown_release import released_row
from ui.session.step_notes import hexagons_note
from ui.table.model import HatTableModel
from ui.table.rows import hat_rows
from ui.table.sortable_rows import sortable


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    make_home(limit="100", key=False)
    return make_session(qtbot, write_city(tmp_path / "city", edit=BY_REGION))


@pytest.fixture
def release(tmp_path: Path) -> Release:
    key = generate_key(tmp_path / "key", PASSPHRASE)
    return released(tmp_path, open_ledger(tmp_path), key).release


def state_of(session: Session, release: Release | None, slot: int = 9) -> MapState:
    assert session.overview is not None
    return MapState(
        overview=session.overview,
        forecast=session.forecast,
        release=release,
        slot=slot,
        slot_text=f"{slot:02}:00",
    )


def region_of(release: Release, cell: str, slot_text: str) -> HatRow:
    (found,) = (row for row in release.queries[0].rows if cell in row.cells and row.holds(slot_text))
    return found


def test_the_error_that_is_typed_is_the_promised_one(qtbot: QtBot, session: Session) -> None:
    """It said that typing sets epsilon, which no error of regions does: typing was refused."""
    card = DecisionCard(session, 0)
    show(qtbot, card.typed)
    assert card.error.note.text() == "Typing here sets the promised error."
    before = session.draft.leading
    promised = before.parameters["promised_error"] - 1
    write(qtbot, card.error.number, f"{promised:g}")
    qtbot.waitUntil(lambda: session.draft.leading != before and not session.busy, timeout=TIMEOUT)
    assert session.draft.leading.parameters == {**before.parameters, "promised_error": promised}
    assert session.draft.leading.budget == before.budget
    card.refresh()
    assert card.error.number.text() == f"{promised:g}"
    assert card.message.isHidden()


def test_the_card_tells_why_regions_cost_less_than_the_total(qtbot: QtBot, session: Session) -> None:
    assert session.forecast is not None
    card = DecisionCard(session, 0)
    qtbot.addWidget(card)
    cost = session.forecast.plans[0].charge.per_vehicle
    assert cost < 12
    told = f"Costs epsilon {shown_epsilon(cost)} of the 12 per vehicle; regions need no more."
    assert card.cost.text() == told


@pytest.mark.parametrize(
    ("relation", "unit", "cost", "told"),
    [
        (Relation.VALUES, Unit.VEHICLE, "11.998", " 11.998 of the 12 per vehicle; regions need no more."),
        (Relation.VALUES, Unit.VEHICLE, "11.9985", " 12 per vehicle."),
        (Relation.VALUES, Unit.VEHICLE, "12", " 12 per vehicle."),
        (Relation.VALUES, Unit.VEHICLE_DAY, "12", " 12 per vehicle."),
        (Relation.USER, Unit.VEHICLE_DAY, "24", " 24 per vehicle."),
        (Relation.USER, Unit.VEHICLE_DAY, "16", " 8 of the 12 per vehicle and day; regions need no more."),
    ],
)
def test_regions_cost_less_than_the_total_where_that_is_read(
    qtbot: QtBot,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
    relation: Relation,
    unit: Unit,
    cost: str,
    told: str,
) -> None:
    """Of whom the total is of, as the review tells it; the vehicle is there on two days."""
    costs = {Unit.VEHICLE: Decimal(cost), Unit.VEHICLE_DAY: Decimal(cost) / 2}
    monkeypatch.setattr("ui.budget.decision_card.charged_epsilon", lambda _, __, of: costs[of])
    session._draft = dataclasses.replace(session.draft, relation=relation, unit=unit)
    card = DecisionCard(session, 0)
    qtbot.addWidget(card)
    assert card.cost.text().startswith(f"Costs epsilon{told}")


def test_the_step_tells_what_regions_publish_and_the_page_what_the_rule_selects_too(
    qtbot: QtBot, session: Session
) -> None:
    assert session.forecast is not None
    (plan,) = session.forecast.plans
    page = ParametersPage(session)
    qtbot.addWidget(page)
    assert session.forecast.selection is not None
    selected, held = len(session.forecast.selection), len(plan.published)
    assert selected < held, "more than are selected: that needs a word"
    note = page.sections["hexagons"].head.summary.text()
    assert note == f"{held} hexagon slots in {len(plan.regions)} regions"
    texts = "\n".join(each.text() for each in page.findChildren(QLabel))
    assert f"{selected} of {len(session.forecast.overview.cells)} hexagon slots selected" in texts
    assert f"{len(plan.regions)} regions cover {held} hexagon slots: these hexagons in all hours " in texts


def test_the_step_tells_what_is_selected_too_where_another_statistic_is_by_hexagon_slot(
    qtbot: QtBot, session: Session
) -> None:
    add_queries(qtbot, session, "query1")
    shown = session.forecast
    assert shown is not None
    by_region, by_slot = shown.plans
    assert by_region.merged is not None
    assert by_slot.merged is None
    assert shown.selection is not None
    recorded, _ = selected_counts(shown.selection)
    few = recorded - len(by_slot.published)
    assert few > 0
    least = session.draft.minimum_vehicles
    assert suppressed_count(shown, least) == few
    assert hexagons_note(shown, least) == f"{recorded} hexagon slots selected, {few} suppressed"


def test_the_map_paints_each_hexagon_as_its_region(session: Session, release: Release) -> None:
    for slot in (9, 10, 11):
        painted = {layer.key: paint(layer, state_of(session, release, slot)) for layer in layers()}
        means = painted["released-mean"]
        held = {cell for row in release.queries[0].rows if row.holds(f"{slot:02}:00") for cell in row.cells}
        assert set(means.fills) == held
        for cell, lines in means.tooltips.items():
            row = region_of(release, cell, f"{slot:02}:00")
            assert row.cell in lines[-1]
            assert f": {len(row.cells)} hexagon{'s' if len(row.cells) > 1 else ''}, " in lines[-1]
        assert means.lines == painted["interval-width"].lines
        assert len(means.lines) >= sum(row.holds(f"{slot:02}:00") for row in release.queries[0].rows) > 0
        assert painted["vehicles"].lines == ()
        errors = painted["typical-error"]
        assert errors.lines
        assert any(isinstance(fill, int) for fill in errors.fills.values())


def test_the_table_shows_hats_and_copies_each_region_once(session: Session, release: Release) -> None:
    assert session.overview is not None
    assert session.contributions is not None
    grid = session.contributions.window.grid
    rows = hat_rows(session.overview, grid, session.forecast, release, planned=True)
    assert len(rows) == session.contributions.hats
    regions = release.queries[0].rows
    for at, (cell, slot) in enumerate(zip(rows.cells, rows.slots.tolist(), strict=True)):
        found = released_row(release, release.queries[0], (cell, slot))
        if found is None:
            continue
        assert found.first is not None
        assert rows.numbers["mean"][at] * 1000 == pytest.approx(found.first.value)
    model = HatTableModel()
    model.set_rows(sortable(rows))
    text, lines = model.copy_text(range(model.rowCount()), session.draft.relation)
    assert lines == len(regions)
    assert text.splitlines()[0].split("\t")[:4] == ["region", "slot_start", "slot_end", "h3_cells"]
    assert {line.split("\t")[0] for line in text.splitlines()[1:]} == {row.cell for row in regions}
