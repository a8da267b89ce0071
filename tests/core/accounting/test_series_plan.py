"""Plans of a series are exact, against limits over all time and per day, with and without rho."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.ledger_fold import fold
from core.accounting.ledger_report import PopulationSummary, summarise_populations
from core.accounting.series_plan import MOST_PLANNED, plan_series
from core.accounting.zcdp import epsilon_of
from core.errors import InputError
from tests.core.accounting.ledger_cases import DAY, NEXT, charge_of, reserved_of, start_of

MONTH = charge_of({DAY: "9"})


def _population(**limits: str) -> PopulationSummary:
    (found,) = summarise_populations(
        fold([*start_of("a", **limits), reserved_of(1, charge_of({DAY: "10"}), population="a")])
    )
    return found


def test_twelve_such_months_cost_118_of_120() -> None:
    plan = plan_series(_population(per_vehicle="120"), MONTH, 12)
    assert (plan.cost, plan.spent, plan.total, plan.limit) == (108, 10, 118, 120)
    assert plan.holds
    assert plan.fits == 12


def test_what_does_not_fit_is_counted() -> None:
    plan = plan_series(_population(per_vehicle="50"), MONTH, 12)
    assert (plan.fits, plan.holds, plan.stopped_by_day) == (4, False, False)


def test_a_day_that_costs_too_much_stops_the_first() -> None:
    plan = plan_series(_population(per_vehicle="500", per_vehicle_day="8"), MONTH, 3)
    assert (plan.fits, plan.stopped_by_day) == (0, True)


@given(st.integers(1, 60), st.decimals("0.000001", "40", places=6), st.decimals("10", "300", places=2))
def test_as_many_fit_as_the_limit_takes(count: int, cost: Decimal, limit: Decimal) -> None:
    plan = plan_series(_population(per_vehicle=str(limit)), charge_of({NEXT: cost}), count)
    assert plan.fits == min(count, int((limit - 10) // cost))
    assert plan.total == 10 + count * cost


def test_rho_adds_as_rho() -> None:
    delta = Decimal("0.000001")
    (population,) = summarise_populations(fold(start_of("a", per_vehicle="10", delta=str(delta))))
    charge = charge_of({DAY: "0"}, rho={DAY: "0.01"})
    plan = plan_series(population, charge, 12)
    assert plan.total == epsilon_of(Decimal(0), Decimal("0.12"), delta)
    assert plan.total < 12 * epsilon_of(Decimal(0), Decimal("0.01"), delta)


@pytest.mark.parametrize("count", [0, -1, MOST_PLANNED + 1])
def test_a_count_out_of_range_is_refused(count: int) -> None:
    with pytest.raises(InputError, match="1 to"):
        plan_series(_population(per_vehicle="50"), MONTH, count)
