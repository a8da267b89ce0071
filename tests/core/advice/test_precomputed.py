"""core.advice.precomputed: what is shown of a plan is computed once, and stays that of the plan."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from core.advice import verdict
from core.advice.forecast import Forecast
from core.advice.precomputed import precomputed
from core.advice.verdict import verdict_of
from core.planning import separate
from core.planning.query_plan import QueryPlan, rising_epsilons
from tests.forecasts import forecast_of
from tests.queries import mean_query
from tests.strategies import CELLS, one_record_each


def known() -> Forecast:
    rows = [(place, vehicle, 0) for place, vehicles in enumerate((20, 5)) for vehicle in range(vehicles)]
    table = one_record_each(rows, CELLS[:2], days=1)
    return forecast_of(table, mean_query("array-averaging"))


def test_it_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = known()
    assert precomputed(shown) is shown
    (plan,) = shown.plans
    monkeypatch.setattr(verdict, "usual_reach", lambda _: pytest.fail("worked out again"))
    assert verdict_of(plan) is verdict_of(plan)


def test_the_kind_of_noise_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through 70,000 hexagon slots, of which none has Gaussian noise."""
    looks: list[QueryPlan] = []

    def noting(plan: QueryPlan) -> bool:
        looks.append(plan)
        return False

    monkeypatch.setattr(separate, "_draws_gaussian", noting)
    (plan,) = precomputed(known()).plans
    assert not plan.gaussian
    assert looks == [plan]


def test_another_plan_knows_nothing_of_it() -> None:
    (plan,) = precomputed(known()).plans
    errors = tuple(0.5 * verdict_of(plan).error for _ in plan.plans)
    other = dataclasses.replace(plan, smoothed_errors=errors)
    assert verdict_of(plan).error == verdict_of(plan).raw_error
    assert verdict_of(other).error == errors[0]


def test_epsilons_ascend() -> None:
    (plan,) = known().plans
    told = rising_epsilons(plan)
    assert list(told) == sorted(one.epsilon for one in plan.plans)
    assert all(epsilon > Decimal(0) for epsilon in told)


def test_nothing_is_told_of_what_is_not_planned() -> None:
    shown = dataclasses.replace(known(), plans=())
    assert precomputed(shown) is shown
