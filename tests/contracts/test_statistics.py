"""What every discovered statistic must keep: budgets, ranges, and what a neighbour may learn of a release."""

from __future__ import annotations

import dataclasses
import math
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from core.accounting.budgets import OPTIMAL_DIVISION, Budget
from core.accounting.zcdp import epsilon_of
from core.contributions import Contributions
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.mechanisms.registry import mechanisms_of
from core.mechanisms.tokens import GAUSS
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query, QueryPlan, query_errors
from core.planning.values_query import plan_query
from core.privacy import Relation, Unit
from core.quantity import Quantity
from core.statistics.base import Question
from core.statistics.mean import MeanQuestion
from core.statistics.registry import all_statistics
from tests.draws import draw_query
from tests.fakes import RecordedVector, RecordingNoise, ScriptedNoise
from tests.neighbours import (
    Data,
    all_of,
    assert_neighbours_covered,
    data_of,
    joint_loss,
    neighbours_of,
    spent_of,
    with_new_values,
)
from tests.queries import mean_query
from tests.strategies import U, contributions, presence, values
from tests.units import EVERY_UNIT

# Drawing a table takes longer than most of what is tried on it, so that each is tried by all variants; the
# last of the notes tells by which one a test failed.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "mean_variance": ("mean_variance", {}),
    "mean_variance, suppressed": ("mean_variance", {"suppress_users": True, "m_ub": "sqrt"}),
    "mean, baseline": ("mean", {"mechanism": "baseline"}),
    "mean, baseline, suppressed": ("mean", {"mechanism": "baseline", "suppress_users": True}),
    "mean, arrays, suppressed": (
        "mean",
        {"mechanism": "array-averaging", "suppress_users": True, "m_ub": "sqrt", "grouping": "wraparound"},
    ),
    "mean, tokens": ("mean", {"mechanism": "tokens"}),
    "mean, tokens, exact": ("mean", {"mechanism": "tokens", "mode": "exact", "noise": "laplace", "p": 1}),
    "mean, tokens, zoom": ("mean", {"mechanism": "tokens", "noise": "gauss", "zoom": True}),
    "query1": ("query1", {}),
    "query1, suppressed": ("query1", {"suppress_users": True}),
    "query2": ("query2", {"limits": (20.0, 40.0)}),
    "query2, histogram": ("query2", {"limits": (20.0, 40.0), "histogram": True}),
    "query2, suppressed": ("query2", {"limits": (20.0, 40.0), "suppress_users": True}),
    "query2, histogram, suppressed": (
        "query2",
        {"limits": (20.0, 40.0), "histogram": True, "suppress_users": True},
    ),
    "cdf": ("cdf", {"bins": 13}),
    "cdf, by user": ("cdf", {"bins": 9, "weights": "user", "tree": "binary"}),
    "query1, gauss": ("query1", {"noise": "gauss"}),
    "query2, gauss": ("query2", {"limits": (20.0, 40.0), "noise": "gauss"}),
    "query2, histogram, gauss": ("query2", {"limits": (20.0, 40.0), "histogram": True, "noise": "gauss"}),
    "cdf, gauss": ("cdf", {"bins": 13, "noise": "gauss"}),
    "cdf, by user, gauss": ("cdf", {"bins": 9, "weights": "user", "tree": "binary", "noise": "gauss"}),
}
"""Statistic and parameters, the options included that change what is drawn."""
TEN = Budget(total=Decimal(10))
DELTA = Decimal("0.1")
"""Of the population: so large that the smallest epsilon buys Gaussian noise."""
KEPT = PlanCache()
"""For plans of the same counts again and again: a cache changes no plan (test_mechanisms.py)."""


def query_of(variant: str, budget: Budget = TEN) -> Query:
    key, parameters = VARIANTS[variant]
    if key == "mean":
        return mean_query(**parameters, budget=budget)
    statistic = all_statistics()[key]
    params = statistic.Params(**parameters)
    return Query(id=key, question=Question(statistic=statistic, params=params), budget=budget)


def planned(
    contributed: Contributions, variant: str, unit: Unit, budget: Budget = TEN
) -> tuple[QueryPlan, Data]:
    data = data_of(contributed, unit)
    return plan_of(contributed, data, query_of(variant, budget)), data


def plan_of(contributed: Contributions, data: Data, query: Query, cache: PlanCache = KEPT) -> QueryPlan:
    return plan_query(
        CountedCity(
            contributed, data.users, all_of(contributed), minimum_vehicles=1, delta=DELTA, cache=cache
        ),
        query,
    )


def amount_of(variant: str, epsilon: Decimal) -> Budget:
    """Of each HAT; a total of as much where all are planned as one, or paid in rho."""
    question = query_of(variant).question
    if question.joint or question.noise_of_hats == GAUSS:
        return Budget(total=epsilon)
    return Budget(per_hat=epsilon)


def fits(query: Query, unit: Unit) -> bool:
    """To suppress users, or to share a total out, takes users that occupy several HATs."""
    several = query.question.joint or getattr(query.question.params, "suppress_users", False)
    return unit is not Unit.VEHICLE_HAT_DAY or not several


def fitting(unit: Unit) -> list[tuple[str, Query]]:
    """Every variant, and what it asks, that fits this unit."""
    every = [(variant, query_of(variant)) for variant in VARIANTS]
    return [(variant, query) for variant, query in every if fits(query, unit)]


def test_every_statistic_is_covered() -> None:
    """Those that answer hexagon slots one by one; the others are joint releases (test_city_audit.py)."""
    assert {key for key, _ in VARIANTS.values()} == {
        key for key, one in all_statistics().items() if not one.joint
    }


@EVERY_UNIT
@given(draws=st.data())
def test_the_joint_release_costs_no_more_than_its_charge(unit: Unit, draws: st.DataObject) -> None:
    """And each HAT spends exactly what it was given."""
    contributed = draws.draw(contributions())
    row = draws.draw(st.integers(0, contributed.hat.size - 1))
    size = contributed.values.size
    new = draws.draw(st.sampled_from(([0] * size, [U] * size)).flatmap(st.just) | values(size))
    data, others = data_of(contributed, unit), neighbours_of(contributed, row, new, unit)
    for variant, query in fitting(unit):
        note(variant)
        plan = plan_of(contributed, data, query)
        asked = assert_neighbours_covered(plan, data, others)
        assert spent_of(asked) == {one.scope: (one.epsilon, one.rho) for one in plan.allowances}
        assert epsilon_of(plan.charge.per_vehicle, plan.charge.rho.per_vehicle, DELTA) <= 10


@given(contributed=contributions())
def test_noise_is_what_the_declared_factors_say(contributed: Contributions) -> None:
    """What `verify` holds against sensitivities and epsilons of Laplace noise."""
    data = data_of(contributed, Unit.VEHICLE)
    for variant, query in fitting(Unit.VEHICLE):
        note(variant)
        plan, question = plan_of(contributed, data, query), query.question
        one = question.mechanism if isinstance(question, MeanQuestion) else None
        parameters = dataclasses.asdict(question.params)
        least, most = one.noise_factors if one else question.statistic.noise_factors(parameters)
        for hat in () if plan.charge.rho.per_vehicle else plan.plans:
            steps = 1.0 + 20e-6 / float(hat.epsilon)
            for measure in hat.measures:
                asked = measure.sensitivity / float(hat.epsilon)
                assert least * asked / steps <= measure.noise_scale <= most * asked * steps


@EVERY_UNIT
@settings(max_examples=10)
@given(contributed=contributions(), draws=st.data())
def test_neither_plan_nor_error_moves_with_the_values(
    unit: Unit, contributed: Contributions, draws: st.DataObject
) -> None:
    """Typical error and error at worst of every measure of every HAT, with visits and without."""
    everything = np.ones(contributed.hat.size, bool)
    size = contributed.values.size
    new = draws.draw(st.sampled_from(([0] * size, [U] * size)).flatmap(st.just) | values(size))
    other = with_new_values(contributed, everything, new)
    tables = [(table, data_of(table, unit)) for table in (contributed, other)]
    means = [(key, mean_query(key, budget=TEN)) for key in mechanisms_of(Relation.VALUES)]
    for name, query in [*fitting(unit), *((key, query) for key, query in means if fits(query, unit))]:
        note(name)
        # each with a cache of its own, which would hide what depends on values
        first, second = (plan_of(*table, query, PlanCache()) for table in tables)
        assert first.charge == second.charge
        found = first.plans, second.plans
        measures = query.question.statistic.measures
        for number, _ in enumerate(measures):
            assert query_errors(found[0], number) == query_errors(found[1], number)
        for one, two in zip(*found, strict=True):
            assert dataclasses.replace(one, detail=None) == dataclasses.replace(two, detail=None)
            assert len(one.measures) == len(measures)
            for measure in one.measures:
                assert 0 < measure.typical_error < math.inf
                assert measure.bias_bound <= measure.error_at_worst + 1e-9 < math.inf


@pytest.mark.parametrize("epsilon", ["0.001", "1", "100"])
@settings(max_examples=10)
@given(contributed=contributions(), push=st.integers(-3, 3))
def test_what_is_published_is_possible_whatever_the_noise(
    epsilon: str, contributed: Contributions, push: int
) -> None:
    data = data_of(contributed, Unit.VEHICLE)
    for variant in VARIANTS:
        note(variant)
        query = query_of(variant, amount_of(variant, Decimal(epsilon)))
        assert_possible(plan_of(contributed, data, query), data, push)


def assert_possible(plan: QueryPlan, data: Data, push: int) -> None:
    """With noise of so many times its size."""
    sizes = RecordingNoise()
    draw_query(plan, data.users, data.pairs, sizes)
    offsets: list[int] = []
    for number, one in enumerate(sizes.requests):
        length = len(one.centres) if isinstance(one, RecordedVector) else 1
        offsets += [push * one.sensitivity * (-1) ** (number + place) for place in range(length)]
    drawn = draw_query(plan, data.users, data.pairs, ScriptedNoise(*offsets)).rows
    question = plan.query.question
    measures = {measure.name: measure for measure in question.statistic.published(question).measures}
    for hat, estimates in zip(plan.hats, drawn, strict=True):
        assert bool(estimates) is (hat.plan is not None)
        for item in estimates:
            largest = measures[item.measure].largest_for(U)
            assert 0 <= item.low <= item.value <= item.high
            assert largest is None or item.high <= largest
            measure = measures[item.measure]
            biased = measure.bias or (measure.suppression_bias and plan.retained is not None)
            assert (item.bias_bound is not None) is bool(biased)


@given(contributed=contributions())
def test_the_optimal_division_charges_the_total_and_no_more(contributed: Contributions) -> None:
    data = data_of(contributed, Unit.VEHICLE)
    for variant in VARIANTS:
        note(variant)
        query = query_of(variant, Budget(total=Decimal(10), divide=OPTIMAL_DIVISION))
        plan = plan_of(contributed, data, query)
        charged = epsilon_of(plan.charge.per_vehicle, plan.charge.rho.per_vehicle, DELTA)
        assert Decimal("9.99") < charged <= 10
        noise = [item.lead.noise_scale for item in plan.plans]
        assert all(np.isfinite(noise))


def test_noise_that_depends_on_private_choices_cannot_be_divided_optimally() -> None:
    contributed = presence((0, 0, 0), (0, 1, 0), (1, 0, 0))
    data = data_of(contributed, Unit.VEHICLE)
    with pytest.raises(InputError, match="depends on more than counts"):
        plan_query(
            CountedCity(contributed, data.users, all_of(contributed), minimum_vehicles=1),
            mean_query("levy", budget=Budget(total=Decimal(10), divide=OPTIMAL_DIVISION)),
        )


WORST = presence(*((hat, vehicle, day) for hat in range(3) for vehicle in range(hat + 1) for day in range(2)))
"""Vehicle 0 is in all three HATs on both days, the others in fewer."""


def loss_of_the_busiest(plan: QueryPlan, data: Data, level: int) -> Fraction:
    """Vehicle 0 goes from 0 to U everywhere while the others stay at `level`."""
    mine = WORST.vehicle == 0
    size = WORST.values.size
    here = with_new_values(WORST, ~mine, [level] * size)
    there = with_new_values(here, mine, [U] * size)
    return joint_loss(plan, data_of(here, data.users.unit), there)


@pytest.mark.parametrize("variant", ["query1", "query2", "query2, histogram"])
@EVERY_UNIT
def test_the_charge_of_the_vehicle_in_the_most_hats_is_attained(variant: str, unit: Unit) -> None:
    """Linear statistics waste nothing, so that a smaller noise, or a forgotten HAT or day, is found."""
    plan, data = planned(WORST, variant, unit)
    found = max(loss_of_the_busiest(plan, data, level) for level in (0, U))
    charge = Fraction(plan.charge.per_vehicle)
    assert Fraction("0.99") * charge < found <= charge
    doubled, data = planned(WORST, variant, unit, Budget(total=Decimal(20)))
    assert max(loss_of_the_busiest(doubled, data, level) for level in (0, U)) > charge


@pytest.mark.parametrize("variant", ["mean_variance", "cdf", "cdf, by user"])
@EVERY_UNIT
def test_halved_noise_is_found_where_several_numbers_share_a_budget(variant: str, unit: Unit) -> None:
    """Worst cases of mean and variance, or of all levels of a tree, exclude each other in part."""
    plan, data = planned(WORST, variant, unit)
    charge = Fraction(plan.charge.per_vehicle)
    assert Fraction("0.55") * charge < loss_of_the_busiest(plan, data, 0) <= charge
    doubled, data = planned(WORST, variant, unit, Budget(total=Decimal(20)))
    assert loss_of_the_busiest(doubled, data, 0) > charge


@settings(max_examples=10)
@given(contributed=contributions(), lower=st.integers(-U, U))
def test_another_value_is_answered_as_a_speed_is_and_counted_from_its_lower_bound(
    contributed: Contributions, lower: int
) -> None:
    """The same counts, values above the lower bound, and noise: a mean is moved by that bound.

    Visits tell of the lean of speeds alone: there are none. Two looks expect other values where records are
    many, as those of speeds are low there (city-release 9): they are held against another value from 0.
    """
    contributed = dataclasses.replace(contributed, visits=None)
    data = data_of(contributed, Unit.VEHICLE)
    for variant in VARIANTS:
        note(variant)
        assert_answered_as_a_speed(variant, contributed, data, lower)


def query_of_delays(variant: str, lower: int) -> Query:
    """The same question of a value that counts from a lower bound; its limits move with it."""
    question = query_of(variant).question
    statistic = question.statistic.of(Quantity(name="delay", column_unit="s", unit="s", lower=lower))
    params = question.params
    if limits := getattr(params, "limits", ()):
        moved = tuple(round(limit + lower / 1000, 3) for limit in limits)
        params = dataclasses.replace(params, limits=moved)
    asked = dataclasses.replace(question, statistic=statistic, params=params)
    return Query(id="of_delays", question=asked, budget=TEN)


def assert_answered_as_a_speed(variant: str, contributed: Contributions, data: Data, lower: int) -> None:
    query = query_of_delays(variant, lower)
    statistic = query.question.statistic
    usual = (
        query_of_delays(variant, 0) if getattr(query.question.params, "zoom", False) else query_of(variant)
    )
    speeds, delays = (plan_of(contributed, data, one) for one in (usual, query))
    assert delays.charge == speeds.charge
    drawn = [draw_query(plan, data.users, data.pairs, RecordingNoise()).rows for plan in (speeds, delays)]
    for one, other in zip(*(chain.from_iterable(each) for each in drawn), strict=True):
        measure = next(
            found
            for variant in (statistic, *statistic.variants)
            for found in variant.measures
            if found.name == other.measure
        )
        by = lower if measure.unit == "s" else 0
        assert "speed" not in other.measure
        assert (other.value, other.low, other.high) == (one.value + by, one.low + by, one.high + by)
        assert other.bias_bound == one.bias_bound
        assert (other.label is None) is (one.label is None)
        if one.label is not None and other.label is not None:
            assert other.label == one.label + lower
