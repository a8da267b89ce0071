"""The mean as a statistic is exactly its mechanism."""

from __future__ import annotations

import dataclasses
import math
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
import pytest

from core.contributions import HatUsers
from core.evaluate.compared_curves import Series
from core.evaluate.evaluation import evaluate
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import Plan
from core.mechanisms.baseline import Baseline, BaselineParams
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.planning.user_suppression import RetainedUsers
from core.planning.values_query import counts_of
from core.privacy import Relation, Unit
from core.statistics.base import HatRecords
from core.statistics.mean import SPEED_MEAN, STATISTIC, MeanQuestion
from tests.fakes import RecordingNoise, ScriptedNoise
from tests.neighbours import data_of
from tests.strategies import U, presence

CITY = presence(*((0, vehicle, day) for vehicle in range(9) for day in range(2)))
EVERY_MECHANISM = pytest.mark.parametrize("key", mechanisms_of(Relation.VALUES))
FIXED = {"baseline", "array-averaging"}
"""Mechanisms whose sensitivity follows from counts alone, by their default rule (method 7)."""


def question(key: str, **params: object) -> MeanQuestion[Any, Any]:
    mechanism = all_mechanisms()[key]
    return MeanQuestion(statistic=STATISTIC, mechanism=mechanism, params=mechanism.Params(**params))


@EVERY_MECHANISM
def test_plan_and_draw_are_the_mechanism_s(key: str) -> None:
    asked, data = question(key), data_of(CITY, Unit.VEHICLE)
    counts = counts_of(CITY, data.users)(0)
    plan = STATISTIC.plan(counts, Decimal(2), asked)
    own = asked.mechanism.plan(counts.public, Decimal(2), U, asked.params, PlanCache())
    (lead,) = plan.measures
    assert (lead.noise_scale, lead.bias_bound, plan.m_ub) == (own.noise_scale, own.bias_bound, own.m_ub)
    assert (plan.epsilon, lead.sensitivity) == (Decimal(2), own.sensitivity_kmh)
    accuracy = asked.mechanism.accuracy(own, counts.public, PlanCache())
    assert (lead.typical_error, lead.error_at_worst) == (accuracy.typical_error, own.error_at_worst)
    assert plan.detail.half_width == accuracy.half_width
    records = HatRecords(users=data.users.hat_data(0), pairs=data.pairs.hat(0))
    (estimate,) = STATISTIC.draw(plan, records, RecordingNoise())
    drawn = asked.mechanism.run(own, data.users.hat_data(0), RecordingNoise())
    assert (estimate.value, estimate.measure) == (int(drawn.estimates[0]), SPEED_MEAN.name)
    assert estimate.unclamped == int(drawn.unclamped[0])
    assert estimate.bias_bound == math.ceil(own.bias_bound * 1_000)


@EVERY_MECHANISM
@pytest.mark.parametrize("push", [-1, 0, 1])
def test_the_interval_lies_about_what_was_drawn_before_it_was_clamped(key: str, push: int) -> None:
    """Rounded outwards; and where noise carried all of it away, the range is left and told as such."""
    asked, data = question(key), data_of(CITY, Unit.VEHICLE)
    counts = counts_of(CITY, data.users)(0)
    plan = STATISTIC.plan(counts, Decimal(400), asked)
    records = HatRecords(users=data.users.hat_data(0), pairs=data.pairs.hat(0))
    far = round(push * 80 * plan.detail.plan.divisor)
    choices = {3: [0, 1_300], 2: [0], 1: []}[len(plan.detail.plan.budget_shares)]
    (estimate,) = STATISTIC.draw(plan, records, ScriptedNoise(far, choices=choices))
    drawn = asked.mechanism.run(plan.detail.plan, records.users, ScriptedNoise(far, choices=choices))
    width = plan.detail.half_width if drawn.half_width is None else float(drawn.half_width[0])
    reach = math.ceil(width * 1_000 + 0.5)
    assert estimate.unclamped is not None
    low, high = max(0, estimate.unclamped - reach), min(U, estimate.unclamped + reach)
    assert estimate.informative is (low <= high)
    assert (estimate.low, estimate.high) == ((low, high) if low <= high else (0, U))
    if push and plan.detail.half_width < 15:
        assert not estimate.informative
        assert estimate.value == (U if push > 0 else 0)


def test_a_selected_spread_tells_the_half_width() -> None:
    """Two-step clipping in a HAT large enough: the plan's own is that of the public guess."""
    many = presence(*((0, vehicle, day) for vehicle in range(60) for day in range(3)), days=3)
    asked, data = question("two-step-clipping"), data_of(many, Unit.VEHICLE)
    plan = STATISTIC.plan(counts_of(many, data.users)(0), Decimal(20), asked)
    records = HatRecords(users=data.users.hat_data(0), pairs=data.pairs.hat(0))
    two_step = plan.detail.plan.two_step
    widths = []
    for spread in range(5):
        (estimate,) = STATISTIC.draw(plan, records, ScriptedNoise(0, choices=[16, spread]))
        own = two_step.half_width(spread, plan.detail.plan.noise_epsilon)
        assert estimate.unclamped is not None
        assert estimate.high - estimate.unclamped == math.ceil(own * 1_000 + 0.5)
        widths.append(own)
    assert widths == sorted(widths)
    assert widths[3] == plan.detail.half_width


class Dwelling(Baseline):
    """Notes what it is told of visits."""

    uses_visits: ClassVar[bool] = True

    def __init__(self) -> None:
        self.told: list[list[int] | None] = []

    def plan(
        self, users: HatUsers, epsilon: Decimal, upper_bound: int, params: BaselineParams, cache: PlanCache
    ) -> Plan:
        self.told.append(None if users.visits is None else users.visits.tolist())
        return super().plan(users, epsilon, upper_bound, params, cache)


@pytest.mark.parametrize("known", [True, False])
def test_a_mechanism_hears_of_the_visits_of_the_users_that_are_kept(known: bool) -> None:
    mechanism = Dwelling()
    asked = MeanQuestion(statistic=STATISTIC, mechanism=mechanism, params=BaselineParams())
    assert asked.uses_visits
    city = dataclasses.replace(CITY, visits=np.ones(CITY.hat.size, np.int32) if known else None)
    users = data_of(city, Unit.VEHICLE).users
    some = np.arange(users.counts.size) < 3
    for retained in (None, RetainedUsers(users=some, rows=np.ones(city.hat.size, bool), before=1, after=1)):
        STATISTIC.plan(counts_of(city, users, retained)(0), Decimal(2), asked)
    hat = users.hat_data(0)
    evaluate(
        hat, [Series(mechanism=mechanism, params=BaselineParams())], [Decimal(1)], source="test", trials=2
    )
    assert mechanism.told == ([[2] * 9, [2] * 3, [2] * 9] if known else [None] * 3)


@EVERY_MECHANISM
def test_only_a_fixed_sensitivity_has_a_scale(key: str) -> None:
    counts = counts_of(CITY, data_of(CITY, Unit.VEHICLE).users)(0)
    scale = STATISTIC.scale(counts, question(key))
    assert (scale is not None) is (key in FIXED)
    if scale is not None:
        for epsilon in ("0.5", "3"):
            plan = STATISTIC.plan(counts, Decimal(epsilon), question(key))
            assert plan.lead.noise_scale == pytest.approx(scale / float(epsilon))


def test_a_rule_that_asks_for_epsilon_has_no_scale() -> None:
    counts = counts_of(CITY, data_of(CITY, Unit.VEHICLE).users)(0)
    for rule, fixed in (
        ("median", True),
        ("sqrt", True),
        ("simplified", True),
        ("optimal", False),
        (3, True),
    ):
        assert (STATISTIC.scale(counts, question("array-averaging", m_ub=rule)) is not None) is fixed
    assert np.isfinite(STATISTIC.plan(counts, Decimal(1), question("baseline")).lead.error_at_worst)


@pytest.mark.parametrize(("epsilon", "cap"), [("0.2", 0), ("0.3", 2)])
def test_a_constant_without_noise_has_no_narrow_interval(epsilon: str, cap: int) -> None:
    """Nine vehicles are too few for epsilon 0.2 (2 / epsilon = 10): U / 2 is all that bounding publishes."""
    asked, data = question("worst-case-bounding"), data_of(CITY, Unit.VEHICLE)
    plan = STATISTIC.plan(counts_of(CITY, data.users)(0), Decimal(epsilon), asked)
    assert plan.detail.plan.cap == cap
    records = HatRecords(users=data.users.hat_data(0), pairs=data.pairs.hat(0))
    (estimate,) = STATISTIC.draw(plan, records, RecordingNoise())
    if cap == 0:
        assert (estimate.value, estimate.low, estimate.high) == (U // 2, 0, U)
        assert estimate.bias_bound == U // 2
    else:
        assert 2 * estimate.value == estimate.low + estimate.high or {estimate.low, estimate.high} & {0, U}
