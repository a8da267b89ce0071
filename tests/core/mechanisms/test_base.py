"""Plans say what noise and bias to expect; noisy integers become clamped, rounded means."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest
from numpy.typing import NDArray

from core.contributions import HatData
from core.errors import InputError
from core.grouping.assignment import Assignment
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import NOISE, CachedMechanism, Draw, Mechanism, Plan, to_draw
from core.noise.source import NoiseSource
from core.privacy import Confidential, Relation

U = 65_000
PLAN = Plan(
    mechanism="any",
    epsilon=Decimal("0.5"),
    upper_bound=U,
    users=3,
    records=4,
    sensitivity=130_000,
    divisor=4_000,
    bias_bound=1.5,
    budget_shares=((NOISE, Decimal("0.5")),),
)


def test_a_plan_translates_its_integers_to_kmh() -> None:
    assert PLAN.sensitivity_kmh == 32.5
    assert PLAN.noise_scale == 65.0


def test_expected_error_is_noise_plus_bias() -> None:
    plan = dataclasses.replace(PLAN, epsilon=Decimal(10), budget_shares=((NOISE, Decimal(10)),))
    assert plan.expected_error == 3.25 + 1.5


def test_expected_error_never_exceeds_the_upper_bound() -> None:
    assert PLAN.expected_error == 65.0


def test_arrays_and_a_cap_are_those_of_a_plan_on_arrays() -> None:
    one = np.ones(3, np.int64)
    assignment = Assignment(
        user=np.arange(3), first=0 * one, taken=one, array=np.arange(3), sizes=one, touched=1
    )
    assert PLAN.arrays is None
    assert PLAN.m_ub is None
    facts = {field.name: getattr(PLAN, field.name) for field in dataclasses.fields(PLAN)}
    plan = ArrayPlan(**facts, m_ub=1, assignment=assignment)
    assert (plan.arrays, plan.m_ub) == (3, 1)


@pytest.mark.parametrize(
    ("noisy", "expected"),
    [
        (0, 0),
        (4, 1),
        (5, 1),
        (7, 2),
        (80_001, 20_000),
        (4 * U, U),
        (4 * U + 1, U),
        (2**63 - 1, U),
        (-1, 0),
        (-(2**63), 0),
    ],
)
def test_estimates_are_clamped_and_rounded_to_thousandths(noisy: int, expected: int) -> None:
    assert to_draw(np.array([noisy], np.int64), PLAN).estimates.tolist() == [expected]


def test_estimates_keep_the_shape_of_the_trials() -> None:
    estimates = to_draw(np.array([4_000, 8_000], np.int64), PLAN).estimates
    assert estimates.tolist() == [1_000, 2_000]
    assert estimates.dtype == np.int64


def test_a_draw_does_not_show_its_values() -> None:
    draw = to_draw(np.array([80_000], np.int64), PLAN)
    assert isinstance(draw, Confidential)
    assert repr(draw) == "<confidential Draw: estimates=1, noise_scale=1>"
    assert isinstance(draw, Draw)


@pytest.mark.parametrize("field", ["sensitivity", "divisor"])
def test_a_plan_that_would_leave_the_integers_is_refused(field: str) -> None:
    """A sum that wraps around would move by far more than the sensitivity."""
    with pytest.raises(InputError, match="too large"):
        dataclasses.replace(PLAN, **{field: 1 << 62})


def test_the_noise_scale_follows_the_last_share() -> None:
    steps = (("interval", Decimal("0.375")), (NOISE, Decimal("0.125")))
    plan = dataclasses.replace(PLAN, budget_shares=steps)
    assert plan.noise_epsilon == Decimal("0.125")
    assert plan.noise_scale == 260.0
    assert to_draw(np.zeros(2, np.int64), plan).noise_scale.tolist() == [260.0, 260.0]


def test_a_private_interval_has_its_own_scale_in_each_trial() -> None:
    draw = to_draw(np.zeros(2, np.int64), PLAN, np.array([0, 4_000]))
    assert draw.noise_scale.tolist() == [0.0, 2.0]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NoParams:
    """Nothing to choose."""


class Newcomer(Mechanism[NoParams, Plan]):
    """Says what it must, and knows of no cache."""

    key = "newcomer"
    title = "Newcomer"
    reference = "none"
    summary = "Nothing."
    Params = NoParams

    def plan(self, counts: NDArray[np.int64], epsilon: Decimal, upper_bound: int, _: NoParams) -> Plan:
        return dataclasses.replace(PLAN, users=counts.size, epsilon=epsilon, upper_bound=upper_bound)

    def run(self, plan: Plan, _: HatData, noise: NoiseSource) -> Draw:
        return to_draw(noise.laplace(0, plan.sensitivity, spend=plan.epsilon), plan)


def test_what_a_newcomer_leaves_out_has_a_default() -> None:
    newcomer, counts = Newcomer(), np.array([3, 1])
    assert (newcomer.version, newcomer.relations) == (1, {Relation.VALUES})
    assert newcomer.fixed_sensitivity(NoParams()) is False
    plain = newcomer.plan(counts, Decimal(1), U, NoParams())
    assert newcomer.plan_cached(counts, Decimal(1), U, NoParams(), PlanCache()) == plain


def test_a_mechanism_that_cannot_plan_is_none() -> None:
    class Unfinished(Mechanism[NoParams, Plan]):
        """Plans nothing."""

    with pytest.raises(TypeError, match="plan"):
        Unfinished()  # type: ignore[abstract]


def test_a_plain_call_of_a_cached_mechanism_has_a_cache_of_its_own() -> None:
    caches: list[PlanCache] = []

    class Watched(CachedMechanism[NoParams, Plan]):
        """Remembers the caches that it is handed."""

        def plan_cached(
            self, _: NDArray[np.int64], __: Decimal, ___: int, ____: NoParams, cache: PlanCache
        ) -> Plan:
            caches.append(cache)
            return PLAN

        def run(self, plan: Plan, _: HatData, noise: NoiseSource) -> Draw:
            return to_draw(noise.laplace(0, plan.sensitivity, spend=plan.epsilon), plan)

    for _ in range(2):
        assert Watched().plan(np.array([1]), Decimal(1), U, NoParams()) is PLAN
    assert caches[0] is not caches[1]
