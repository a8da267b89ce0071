"""The mean as a statistic is exactly its mechanism."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.evaluate.compared_curves import Series
from core.evaluate.evaluation import evaluate
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import Plan
from core.mechanisms.baseline import Baseline, BaselineParams
from core.mechanisms.registry import all_mechanisms
from core.planning.query_plan import counts_of
from core.planning.user_suppression import KeptUsers
from core.privacy import Unit
from core.statistics.base import HatRecords
from core.statistics.mean import SPEED_MEAN, STATISTIC, MeanQuestion
from tests.fakes import RecordingNoise
from tests.neighbours import data_of
from tests.strategies import U, presence

CITY = presence(*((0, vehicle, day) for vehicle in range(9) for day in range(2)))
EVERY_MECHANISM = pytest.mark.parametrize("key", all_mechanisms())
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
    own = asked.mechanism.plan(counts.users, Decimal(2), U, asked.params)
    assert (plan.noise_scale, plan.bias_bound, plan.m_ub) == (own.noise_scale, own.bias_bound, own.m_ub)
    assert (plan.epsilon, plan.sensitivity) == (Decimal(2), own.sensitivity_kmh)
    records = HatRecords(users=data.users.hat_data(0), pairs=data.pairs.hat(0))
    (estimate,) = STATISTIC.draw(plan, records, RecordingNoise())
    drawn = asked.mechanism.run(own, data.users.hat_data(0), RecordingNoise())
    assert (estimate.value, estimate.measure) == (int(drawn.estimates[0]), SPEED_MEAN.name)


class Dwelling(Baseline):
    """Notes what it is told of visits."""

    uses_visits: ClassVar[bool] = True

    def __init__(self) -> None:
        self.told: list[list[int] | None] = []

    def plan_with_visits(
        self,
        counts: NDArray[np.int64],
        visits: NDArray[np.int64] | None,
        epsilon: Decimal,
        upper_bound: int,
        params: BaselineParams,
        cache: PlanCache,
    ) -> Plan:
        self.told.append(None if visits is None else visits.tolist())
        return self.plan_cached(counts, epsilon, upper_bound, params, cache)


@pytest.mark.parametrize("known", [True, False])
def test_a_mechanism_hears_of_the_visits_of_the_users_that_are_kept(known: bool) -> None:
    mechanism = Dwelling()
    asked = MeanQuestion(statistic=STATISTIC, mechanism=mechanism, params=BaselineParams())
    assert asked.uses_visits
    city = dataclasses.replace(CITY, visits=np.ones(CITY.hat.size, np.int32) if known else None)
    users = data_of(city, Unit.VEHICLE).users
    some = np.arange(users.counts.size) < 3
    for kept in (None, KeptUsers(users=some, rows=np.ones(city.hat.size, bool), before=1, after=1)):
        STATISTIC.plan(counts_of(city, users, kept)(0), Decimal(2), asked)
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
            assert plan.noise_scale == pytest.approx(scale / float(epsilon))


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
    assert np.isfinite(STATISTIC.plan(counts, Decimal(1), question("baseline")).expected_error)
