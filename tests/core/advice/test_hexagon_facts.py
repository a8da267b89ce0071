"""core.advice.hexagon_facts: counts, state and typical error of each slot of one hexagon."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.budgets import Budget
from core.advice.forecast import Forecast, forecast, overview_of
from core.advice.hexagon_facts import HatState, hexagon_facts
from core.contributions import Contributions
from core.hats.cells import cell_text
from core.privacy import Unit
from core.selection.base import SelectionRequest
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def city() -> Contributions:
    """Vehicles of the only slot: nine, three, one."""
    rows = [(place, vehicle, 0) for place, vehicles in enumerate((9, 3, 1)) for vehicle in range(vehicles)]
    return one_record_each(rows, CELLS[:3], days=1)


def planned(table: Contributions, *, minimum: int = 2, threshold: int = 2) -> Forecast:
    query = mean_query("array-averaging", budget=Budget(per_hat=Decimal(1)))
    return forecast(
        table,
        overview_of(table),
        SelectionRequest(rule="hat", threshold=threshold),
        minimum_vehicles=minimum,
        unit=Unit.VEHICLE,
        queries=lambda: [query],
    )


def test_counts_states_and_errors_are_those_of_the_forecast() -> None:
    table = city()
    shown, overview = planned(table, minimum=5), overview_of(table)
    assert shown.plan is not None
    told = [
        hexagon_facts(overview, shown, cell_text(cell), table.window.slots).of(int(table.slot[0]))
        for cell in table.cell.tolist()
    ]
    by_vehicles = {one.vehicles: one for one in told}
    assert {count: one.state for count, one in by_vehicles.items()} == {
        9: HatState.PUBLISHED,
        3: HatState.SUPPRESSED,
        1: HatState.UNSELECTED,
    }
    assert by_vehicles[9].error == shown.plan.published[0].plan.lead.typical_error  # type: ignore[union-attr]
    assert (by_vehicles[3].error, by_vehicles[1].error) == (None, None)


def test_every_slot_of_the_window_has_its_place_and_an_empty_one_says_so() -> None:
    table = city()
    facts = hexagon_facts(
        overview_of(table), planned(table), cell_text(int(table.cell[0])), table.window.slots
    )
    assert [one.slot for one in facts.slots] == list(table.window.slots)
    others = [one for one in facts.slots if one.slot != int(table.slot[0])]
    assert all((one.vehicles, one.state) == (0, HatState.ABSENT) for one in others)


def test_before_a_forecast_nothing_is_selected_and_nothing_leaks_in_a_text() -> None:
    table = city()
    facts = hexagon_facts(overview_of(table), None, cell_text(int(table.cell[0])), table.window.slots)
    assert {one.state for one in facts.slots} == {HatState.UNKNOWN}
    assert not facts.errors_are_public
    assert "9" not in repr(facts.of(int(table.slot[0])))
