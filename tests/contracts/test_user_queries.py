"""Queries of relation `user` as a release draws them: what a part of the data moves is paid (method 12.3).

From spec-like questions to the vectors that get noise, on random cities and on these cities without each
vehicle, each of its days, and each of its days in one HAT.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from core.accounting.budgets import Budget
from core.contributions import pairs_of
from core.mechanisms.registry import require_mechanism
from core.planning import bounded_query
from core.planning.query_plan import Query, QueryPlan
from core.planning.user_query import plan_user_query
from core.privacy import Relation, Unit
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.bounding import KEY, UNITS, Stay, constants_of, neighbours, random_stays, table_of
from tests.draws import draw_user_query
from tests.fakes import RecordingNoise
from tests.neighbours import losses_of

DELTA = Decimal("1e-6")
NOISES = ("laplace", "gauss")
FEW, MANY, CATCHING = 2, 40, 12
"""Random cities: in the normal suite, in `make audit`, and to catch a mistake."""
QUERIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "mean": ("mean", "bounded-mean", {}),
    "plan and enforce": ("mean", "plan-and-enforce", {"fleet": 9, "vehicles": 3, "records": 2}),
    "query1": ("query1", "", {}),
    "query2": ("query2", "", {"limits": (20.0, 50.0)}),
    "query2, histogram": ("query2", "", {"limits": (20.0, 50.0), "histogram": True}),
    "cdf": ("cdf", "", {"bins": 4}),
    "cdf of records": ("cdf", "", {"bins": 4, "weights": "records", "m_ub": 3}),
}
EVERY = [(name, unit, noise) for name in QUERIES for unit in UNITS for noise in NOISES]
each = pytest.mark.parametrize(("name", "unit", "noise"), EVERY, ids=map(", ".join, EVERY))

often = pytest.mark.parametrize(
    "cities", [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.audit)]
)


def planned(name: str, unit: Unit, noise: str, **constants: Any) -> QueryPlan:
    key, mechanism, parameters = QUERIES[name]
    chosen = require_mechanism(mechanism) if mechanism else None
    question = question_of(require_statistic(key), chosen, parameters | {"noise": noise}, Relation.USER)
    query = Query(id="q", question=question, budget=Budget(total=Decimal(6)))
    return plan_user_query(query, constants_of(unit, **constants), 1, DELTA)


def asked(plan: QueryPlan, stays: list[Stay]) -> list[Any]:
    """The vectors that a draw of these data asks noise for."""
    noise, table = RecordingNoise(), table_of(stays)
    draw_user_query(plan, table, KEY, pairs_of(table), noise)
    return noise.requests


def largest_costs(plan: QueryPlan, seeds: Iterable[int]) -> dict[Unit, Fraction]:
    """The most that any part of each kind costs, in epsilon or rho: what it moves, for what is paid."""
    assert plan.bounded is not None
    squared, largest = plan.bounded.noise.squared, dict.fromkeys(Unit, Fraction(0))
    for seed in seeds:
        stays = random_stays(seed, vehicles=2, visits=30)
        whole = asked(plan, stays)
        for part in Unit:
            each_less = [stays[:place] + stays[place + 1 :] for place in range(len(stays))]
            for fewer in each_less if part is Unit.VEHICLE_HAT_DAY else neighbours(stays, part):
                pure, rho = losses_of(whole, asked(plan, fewer))
                largest[part] = max(largest[part], rho if squared else pure)
    return largest


def exceeded(plan: QueryPlan, seeds: Iterable[int] = range(FEW)) -> list[Unit]:
    """Whose charge is less than what they cost."""
    claimed = plan.charge.rho if plan.charge.rho else plan.charge
    costs = largest_costs(plan, seeds)
    return [part for part in Unit if costs[part] > claimed.of(part)]


@each
@often
def test_no_part_of_the_data_costs_more_than_its_charge(
    name: str, unit: Unit, noise: str, cities: int
) -> None:
    assert exceeded(planned(name, unit, noise), range(cities)) == []


@pytest.mark.parametrize("name", ["query1", "query2", "query2, histogram"])
@pytest.mark.parametrize("noise", NOISES)
@often
def test_where_all_days_count_one_of_them_in_a_hat_costs_that_hat_alone(
    name: str, noise: str, cities: int
) -> None:
    plan = planned(name, Unit.VEHICLE, noise, days_per_vehicle=3)
    charge = plan.charge.rho if plan.charge.rho else plan.charge
    assert charge.per_vehicle_hat_day <= charge.per_vehicle * (2 if noise == "gauss" else 1)
    assert exceeded(plan, range(cities)) == []


@pytest.mark.parametrize("name", ["query1", "query2", "query2, histogram"])
def test_days_that_are_not_bounded_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bounded_query.bounded_rows
    monkeypatch.setattr(
        bounded_query, "bounded_rows", lambda *given, by_day: bound(*given, by_day=not by_day)
    )
    plan = planned(name, Unit.VEHICLE, "laplace", days_per_vehicle=1, hats_per_vehicle=1)
    assert any(Unit.VEHICLE in exceeded(plan, [seed]) for seed in range(CATCHING))


def test_a_part_that_is_charged_for_its_hat_alone_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_query.BoundedPlan, "by_hat", True)
    plan = planned("query1", Unit.VEHICLE, "laplace", days_per_vehicle=1, hats_per_vehicle=6)
    found = next(filter(None, (exceeded(plan, [seed]) for seed in range(CATCHING))))
    assert found == [Unit.VEHICLE_HAT_DAY]


@pytest.mark.parametrize("name", ["mean", "query1", "query2, histogram", "cdf"])
def test_hats_that_are_not_bounded_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.bounding.bounding.first_by_hash", lambda group, *_: group >= 0)
    assert Unit.VEHICLE in exceeded(planned(name, Unit.VEHICLE, "laplace", days_per_vehicle=3))
