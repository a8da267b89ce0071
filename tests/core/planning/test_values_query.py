"""The mean of many HATs: planned from counts, charged for what is drawn, with its interval."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from core.accounting.budgets import Budget
from core.accounting.compose import charge_of, to_micro_epsilon
from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.zcdp import epsilon_of
from core.contributions import Contributions, users_of
from core.errors import InputError, InternalError
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import Mechanism
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.noise.laplace_normal import LN_20
from core.planning.counted_city import CountedCity
from core.planning.joint import Joint
from core.planning.query_plan import (
    Query,
    QueryPlan,
    Scopes,
    query_errors,
)
from core.planning.values_query import distinct_vehicles, plan_query
from core.privacy import Charge, Relation, Unit
from core.selection.base import Selection
from core.statistics.base import Estimate
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.draws import draw_query
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.neighbours import (
    KEY,
    Data,
    all_of,
    assert_neighbours_covered,
    data_of,
    joint_losses,
    neighbours_of,
    spent_of,
    with_new_values,
)
from tests.pairs import OneTrial
from tests.queries import mean_query
from tests.strategies import CELLS, U, contributions, one_record_each, presence, values
from tests.units import EVERY_UNIT

ARRAY_AVERAGING = all_mechanisms()["array-averaging"]
TOTAL = Budget(total=Decimal("10"))
EVERY_MECHANISM = pytest.mark.parametrize(
    "mechanism",
    [pytest.param(one, id=key) for key, one in mechanisms_of(Relation.VALUES).items()],
)
ALONE = [pytest.param(one, id=key) for key, one in mechanisms_of(Relation.VALUES).items() if not one.joint]
"""Mechanisms that plan HAT by HAT."""
MECHANISMS_OF_UNIT = {
    unit: [
        one
        for one in mechanisms_of(Relation.VALUES).values()
        # users in one HAT each have nothing to share out
        if not (one.joint and unit is Unit.VEHICLE_HAT_DAY)
    ]
    for unit in Unit
}
EVERY_MECHANISM_AND_UNIT = pytest.mark.parametrize(
    ("mechanism", "unit"),
    [
        pytest.param(one, unit, id=f"{one.key}-{unit}")
        for unit, mechanisms in MECHANISMS_OF_UNIT.items()
        for one in mechanisms
    ],
)
DELTA = Decimal("1e-6")
"""Of the population: mechanisms may choose Gaussian noise."""
KEPT = PlanCache()
"""For plans of the same counts again and again: a cache changes no plan."""
WHOLE_RANGE = (0.0, 1.0)
"""Selects the first and the last candidate in turn: the widest interval."""


def planned(
    contributed: Contributions,
    *,
    mechanism: Mechanism = ARRAY_AVERAGING,
    unit: Unit = Unit.VEHICLE,
    budget: Budget = TOTAL,
    minimum_vehicles: int = 1,
    cache: PlanCache = KEPT,
) -> tuple[QueryPlan, Data]:
    data = data_of(contributed, unit)
    return plan_of(contributed, data, mechanism, budget, minimum_vehicles, cache), data


def plan_of(
    contributed: Contributions,
    data: Data,
    mechanism: Mechanism,
    budget: Budget = TOTAL,
    minimum_vehicles: int = 1,
    cache: PlanCache = KEPT,
) -> QueryPlan:
    return plan_query(
        CountedCity(
            contributed,
            data.users,
            all_of(contributed),
            minimum_vehicles=minimum_vehicles,
            delta=DELTA,
            cache=cache,
        ),
        mean_query(mechanism.key, budget=budget),
    )


def single_step(plan: QueryPlan) -> bool:
    """Noise is all that is drawn: no part of the budget chooses anything."""
    return isinstance(plan, Joint) or len(plan.plans[0].detail.plan.budget_shares) == 1


def draw(plan: QueryPlan, data: Data, noise: Scopes) -> tuple[Estimate | None, ...]:
    """The mean of every HAT, None where one is suppressed."""
    drawn = draw_query(plan, data.users, data.pairs, noise).rows
    return tuple(estimates[0] if estimates else None for estimates in drawn)


def city(*vehicles_per_hat: int, value: int = 20_000, days: int = 1) -> Contributions:
    """HATs with vehicles 0, 1, .. of one record a day each."""
    rows = [
        (hat, vehicle, day)
        for hat, vehicles in enumerate(vehicles_per_hat)
        for vehicle in range(vehicles)
        for day in range(days)
    ]
    return one_record_each(rows, CELLS[: len(vehicles_per_hat)], days=days, value=value)


@EVERY_UNIT
@given(data=st.data())
def test_the_joint_release_costs_no_more_than_its_charge(unit: Unit, data: st.DataObject) -> None:
    """By every mechanism: drawing what it is tried on takes longer than trying."""
    contributed = data.draw(contributions())
    row = data.draw(st.integers(0, contributed.hat.size - 1))
    new = data.draw(st.sampled_from(([0] * contributed.values.size, [U] * contributed.values.size)))
    new = data.draw(st.just(new) | values(contributed.values.size))
    source, others = data_of(contributed, unit), neighbours_of(contributed, row, new, unit)
    for mechanism in MECHANISMS_OF_UNIT[unit]:
        note(mechanism.key)
        plan = plan_of(contributed, source, mechanism)
        assert_neighbours_covered(plan, source, others)


@EVERY_MECHANISM_AND_UNIT
def test_the_charge_of_a_vehicle_is_attained(mechanism: Mechanism, unit: Unit) -> None:
    """Vehicle 0 is in all three HATs on both days and goes from 0 to U in each."""
    contributed = city(1, 2, 3, value=0, days=2)
    plan, data = planned(contributed, mechanism=mechanism, unit=unit)
    neighbour = with_new_values(contributed, contributed.vehicle == 0, [U] * contributed.values.size)
    found = joint_losses(plan, data, neighbour, WHOLE_RANGE)
    # so small HATs do not let every selection cost its share; the final noise always does
    share = Fraction(1)
    if not isinstance(plan, Joint):
        share = Fraction(plan.plans[0].detail[1].noise_epsilon) / Fraction(plan.plans[0].epsilon)
    charges = Fraction(plan.charge.per_vehicle), Fraction(plan.charge.rho.per_vehicle)
    assert sum(charges) > 0
    for one, charge in zip(found, charges, strict=True):
        assert Fraction("0.999") * share * charge <= one <= charge


@EVERY_UNIT
@given(data=st.data())
def test_the_whole_plan_depends_on_counts_only(unit: Unit, data: st.DataObject) -> None:
    contributed = data.draw(contributions())
    new = data.draw(values(contributed.values.size))
    other = with_new_values(contributed, np.ones(contributed.hat.size, bool), new)
    tables = [(table, data_of(table, unit)) for table in (contributed, other)]
    for mechanism in MECHANISMS_OF_UNIT[unit]:
        note(mechanism.key)
        # each with a cache of its own, which would hide what depends on values
        first, second = (plan_of(*table, mechanism, cache=PlanCache()) for table in tables)
        assert repr(first) == repr(second)
        assert [one.measures for one in first.plans] == [one.measures for one in second.plans]
        assert query_errors(first.plans) == query_errors(second.plans)


@EVERY_UNIT
@given(contributed=contributions(), minimum=st.integers(1, 3))
def test_suppressed_hats_are_not_planned_and_cost_nothing(
    unit: Unit, contributed: Contributions, minimum: int
) -> None:
    vehicles: list[set[int]] = [set() for _ in range(contributed.hats)]
    for hat, vehicle in zip(contributed.hat.tolist(), contributed.vehicle.tolist(), strict=True):
        vehicles[hat].add(vehicle)
    enough = np.array([len(found) >= minimum for found in vehicles])
    assert distinct_vehicles(contributed).tolist() == [len(found) for found in vehicles]
    if not enough.any():
        with pytest.raises(InputError, match="fewer than"):
            planned(contributed, unit=unit, minimum_vehicles=minimum)
        return
    budget = Budget(per_hat=Decimal("0.25"))
    plan, data = planned(contributed, unit=unit, budget=budget, minimum_vehicles=minimum)
    assert [hat.plan is not None for hat in plan.hats] == [False, *enough.tolist()]
    assert plan.charge == charge_of(contributed, np.where(enough, to_micro_epsilon(Decimal("0.25")), 0), unit)
    drawn = draw(plan, data, RecordingNoise())
    assert [one is not None for one in drawn] == [False, *enough.tolist()]


def test_a_suppressed_hat_costs_its_only_vehicle_nothing() -> None:
    """Vehicle 0 is alone in HAT 0 and in company in HAT 1: it pays for HAT 1 alone."""
    plan, _ = planned(city(1, 2), budget=Budget(per_hat=Decimal("0.25")), minimum_vehicles=2)
    assert plan.charge.per_vehicle == Decimal("0.25")
    assert len(plan.published) == 1


def test_a_hat_that_is_not_selected_costs_nothing() -> None:
    contributed = city(2, 2)
    users = users_of(contributed, Unit.VEHICLE, KEY)
    plan = plan_query(
        CountedCity(
            contributed,
            users,
            Selection(cell=contributed.cell[1:], slot=contributed.slot[1:], index=np.array([1])),
            minimum_vehicles=2,
        ),
        mean_query("baseline", budget=TOTAL),
    )
    assert [one.epsilon for one in plan.plans] == [Decimal("10")]
    assert plan.charge.per_vehicle == Decimal("10")


@EVERY_UNIT
@given(contributed=contributions())
def test_what_is_drawn_is_what_is_allowed(unit: Unit, contributed: Contributions) -> None:
    """Each scope draws exactly its allowance, so that the charge covers every draw."""
    data = data_of(contributed, unit)
    for mechanism in MECHANISMS_OF_UNIT[unit]:
        note(mechanism.key)
        plan, noise = plan_of(contributed, data, mechanism), RecordingNoise()
        draw(plan, data, noise)
        spent = spent_of(noise.requests)
        assert spent == {one.scope: (one.epsilon, one.rho) for one in plan.allowances}
        assert len(spent) == (1 if isinstance(plan, Joint) else len(plan.published))
        charge = plan.charge
        assert epsilon_of(charge.per_vehicle, charge.rho.per_vehicle, DELTA) <= 10


@pytest.mark.parametrize(
    "mechanism",
    [one for one in ALONE if single_step(planned(city(60), mechanism=one.values[0])[0])],
)
def test_the_half_width_holds_95_percent_of_the_noise_exactly(mechanism: Mechanism) -> None:
    """By the discrete Laplace law: P(|X| <= h) = 1 - 2 a^(h + 1) / (1 + a), a = exp(-eps / D).

    Sixty vehicles of one record each weigh alike in every mechanism: nothing is added for a bias.
    """
    plan, data = planned(city(60), mechanism=mechanism)
    (one,) = plan.plans
    noise = RecordingNoise()
    drawn = draw(plan, data, noise)[1]
    assert drawn is not None
    (final,) = noise.draws
    scale = final.sensitivity / one.detail.plan.divisor / float(final.spend)
    half_width = drawn.high - drawn.value
    assert half_width == drawn.value - drawn.low == math.ceil(scale * LN_20 * THOUSAND + 0.5)
    a = math.exp(-float(final.spend) / final.sensitivity)
    inside = 1 - 2 * a ** (half_width * one.detail.plan.divisor // THOUSAND + 1) / (1 + a)
    assert 0.95 <= inside < 0.951


@pytest.mark.parametrize("mechanism", ALONE)
def test_the_half_width_is_what_the_mechanism_says(mechanism: Mechanism) -> None:
    """From public counts, or from what was selected: about the number before it was clamped."""
    plan, data = planned(city(60), mechanism=mechanism)
    (one,) = plan.plans
    users = data.users.hat_data(0)
    drawn = draw(plan, data, RecordingNoise(script=WHOLE_RANGE))[1]
    told = mechanism.run(one.detail.plan, users, RecordingNoise(script=WHOLE_RANGE))
    assert drawn is not None
    assert drawn.unclamped == int(told.unclamped[0])
    half_width = mechanism.accuracy(one.detail.plan, users.public, PlanCache()).half_width
    if told.half_width is not None:
        half_width = float(told.half_width[0])
    reach = math.ceil(half_width * THOUSAND + 0.5)
    assert (drawn.low, drawn.high) == (max(0, drawn.unclamped - reach), min(U, drawn.unclamped + reach))


@EVERY_MECHANISM
def test_the_interval_covers_in_95_percent_of_simulated_releases(mechanism: Mechanism) -> None:
    """With selections and noise by their laws; exactly so where nothing but the noise is allowed for."""
    plan, data = planned(city(60), mechanism=mechanism)
    noise, trials, truth = OneTrial(5), 1_000, 20_000
    drawn = [draw(plan, data, noise)[1] for _ in range(trials)]
    covered = sum(found is not None and found.low <= truth <= found.high for found in drawn)
    slack = 4 * math.sqrt(0.95 * 0.05 * trials)
    assert covered > 0.95 * trials - slack
    if single_step(plan):
        assert covered < 0.95 * trials + slack


def test_intervals_are_cut_to_the_bounds_and_biases_rounded_up() -> None:
    contributed = city(2, value=100)
    plan, data = planned(contributed, budget=Budget(per_hat=Decimal("0.001")))
    drawn = draw(plan, data, ScriptedNoise(0))[1]
    assert drawn is not None
    assert (drawn.low, drawn.value, drawn.high, drawn.bias_bound) == (0, 100, U, 0)


def test_the_charge_is_of_the_published_hats_only() -> None:
    plan, _ = planned(city(2, 2))
    assert isinstance(plan.charge, Charge)
    assert plan.charge.per_vehicle == Decimal(10)
    assert plan.charge.per_vehicle_hat_day == Decimal(5)


LIMITS = [20.0, 30.0, 40.0, 50.0]
SCALED = {
    "query1": ("query1", {}),
    "query2, one limit": ("query2", {"limits": LIMITS[:1]}),
    "query2, three limits": ("query2", {"limits": LIMITS[:3]}),
    "query2, four limits": ("query2", {"limits": LIMITS}),
    "query2, histogram": ("query2", {"limits": LIMITS, "histogram": True}),
}
"""Statistics of which a Laplace scale may be asked, and their parameters."""


def scaled_query(variant: str, noise_scale: Decimal) -> Query:
    key, parameters = SCALED[variant]
    question = question_of(require_statistic(key), None, parameters)
    return Query(id="scaled", question=question, budget=Budget(noise_scale=noise_scale))


@pytest.mark.parametrize("variant", SCALED)
@EVERY_UNIT
@given(data=st.data(), thousandths=st.integers(1, 3_000))
def test_every_number_of_a_noise_scale_has_that_noise_at_least_and_hardly_more(
    variant: str, unit: Unit, data: st.DataObject, thousandths: int
) -> None:
    """Exactly: no limit's share is rounded up, and one step more of epsilon would give too little noise."""
    contributed, wanted = data.draw(contributions()), Decimal(thousandths) / 1_000
    table = data_of(contributed, unit)
    query = scaled_query(variant, wanted)
    plan = plan_query(CountedCity(contributed, table.users, all_of(contributed), minimum_vehicles=1), query)
    noise = RecordingNoise()
    draw_query(plan, table.users, table.pairs, noise)
    assert noise.requests
    for one in noise.requests:
        hat = next(hat for hat in plan.published if plan.scope(hat) == one.scope)
        assert hat.plan is not None
        detail = hat.plan.detail
        unit_of_sum = detail.pairs << 30 if variant == "query1" else detail.days
        moved = Fraction(one.sensitivity, unit_of_sum)
        assert moved / Fraction(one.spend) >= Fraction(wanted)
        assert moved / Fraction(one.spend + EPSILON_STEP) < Fraction(wanted) / (1 - Fraction(1, 10**12))


def test_limits_whose_shares_are_no_whole_steps_are_divided_exactly() -> None:
    """Two days of three, B = 1: 0.666666 for each of three limits; 2 in all would give some a step more."""
    contributed = presence((0, 0, 0), (0, 0, 1), (0, 1, 2), days=3)
    table = data_of(contributed, Unit.VEHICLE)
    query = scaled_query("query2, three limits", Decimal(1))
    plan = plan_query(CountedCity(contributed, table.users, all_of(contributed), minimum_vehicles=1), query)
    assert [one.epsilon for one in plan.plans] == [3 * Decimal("0.666666")]
    noise = RecordingNoise()
    draw_query(plan, table.users, table.pairs, noise)
    assert {one.spend for one in noise.requests} == {Decimal("0.666666")}


@pytest.mark.parametrize(
    ("scale", "what"), [("0.000001", "above 1000000"), ("1000000", "below 0.000001")], ids=["small", "large"]
)
def test_a_noise_scale_that_leads_to_no_epsilon_is_refused_not_undercut(scale: str, what: str) -> None:
    contributed = presence((0, 0, 0))
    table = data_of(contributed, Unit.VEHICLE)
    with pytest.raises(InputError, match=what) as caught:
        plan_query(
            CountedCity(contributed, table.users, all_of(contributed), minimum_vehicles=1),
            scaled_query("query1" if scale < "1" else "query2, one limit", Decimal(scale)),
        )
    assert caught.value.where == "query.noise_scale"


def test_a_noise_scale_of_a_statistic_that_takes_none_is_a_fault_of_the_program() -> None:
    contributed = presence((0, 0, 0))
    table = data_of(contributed, Unit.VEHICLE)
    query = mean_query("baseline", budget=Budget(noise_scale=Decimal(1)))
    with pytest.raises(InternalError, match="takes none"):
        plan_query(CountedCity(contributed, table.users, all_of(contributed), minimum_vehicles=1), query)
