"""Plans say what noise and bias to expect; noisy integers become clamped, rounded means."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatData, HatUsers
from core.errors import InputError
from core.grouping.assignment import Assignment
from core.grouping.plan_cache import PlanCache
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.base import NOISE, Draw, Mechanism, Plan, to_draw
from core.mechanisms.public_model import NO_BIAS, Accuracy, accuracy_of
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


def test_the_error_at_worst_is_noise_plus_bias() -> None:
    plan = dataclasses.replace(PLAN, epsilon=Decimal(10), budget_shares=((NOISE, Decimal(10)),))
    assert plan.error_at_worst == 3.25 + 1.5


def test_the_error_at_worst_never_exceeds_the_upper_bound() -> None:
    assert PLAN.upper_kmh == PLAN.error_at_worst == 65.0


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
    draw = to_draw(np.array([noisy], np.int64), PLAN)
    assert draw.estimates.tolist() == [expected]
    assert draw.unclamped.dtype == np.int64
    # a float holds 53 bits: the largest sums are exact to that, and never on the other side of a bound
    assert draw.unclamped[0] == pytest.approx(noisy / 4, abs=0.5, rel=1e-15)
    assert np.clip(draw.unclamped, 0, U).tolist() == [expected]


@pytest.mark.parametrize(("noisy", "unclamped"), [(-5, -1), (-4_000, -1_000), (4 * U + 400, U + 100)])
def test_an_interval_is_centred_on_what_was_drawn_before_it_was_cut(noisy: int, unclamped: int) -> None:
    assert to_draw(np.array([noisy], np.int64), PLAN).unclamped.tolist() == [unclamped]


def test_private_choices_may_tell_half_widths_of_their_own() -> None:
    noisy = np.zeros(2, np.int64)
    assert to_draw(noisy, PLAN).half_width is None
    widths = to_draw(noisy, PLAN, half_width=np.array([0.5, 2.0])).half_width
    assert widths is not None
    assert widths.tolist() == [0.5, 2.0]


def test_estimates_keep_the_shape_of_the_trials() -> None:
    estimates = to_draw(np.array([4_000, 8_000], np.int64), PLAN).estimates
    assert estimates.tolist() == [1_000, 2_000]
    assert estimates.dtype == np.int64


def test_a_draw_does_not_show_its_values() -> None:
    draw = to_draw(np.array([80_000], np.int64), PLAN)
    assert isinstance(draw, Confidential)
    assert repr(draw) == "<confidential Draw: unclamped=1, estimates=1, noise_scale=1>"
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
    """Says what it must."""

    key = "newcomer"
    title = "Newcomer"
    reference = "none"
    summary = "Nothing."
    Params = NoParams

    def plan(
        self, users: HatUsers, epsilon: Decimal, upper_bound: int, _: NoParams, _cache: PlanCache
    ) -> Plan:
        return dataclasses.replace(PLAN, users=users.size, epsilon=epsilon, upper_bound=upper_bound)

    def accuracy(self, plan: Plan, _: HatUsers, _cache: PlanCache) -> Accuracy:
        return accuracy_of(plan.noise_scale, NO_BIAS, plan.upper_kmh)

    def run(self, plan: Plan, _: HatData, noise: NoiseSource) -> Draw:
        return to_draw(noise.laplace(0, plan.sensitivity, spend=plan.epsilon), plan)


def test_what_a_newcomer_leaves_out_has_a_default() -> None:
    newcomer, users = Newcomer(), HatUsers(counts=np.array([3, 1]))
    assert (newcomer.version, newcomer.relations) == (1, {Relation.VALUES})
    assert newcomer.fixed_sensitivity(NoParams()) is False
    assert newcomer.uses_visits is False
    assert newcomer.complexity == 3, "as little advised as the least simple ones"
    plan = newcomer.plan(users, Decimal(1), U, NoParams(), PlanCache())
    assert newcomer.accuracy(plan, users, PlanCache()).typical_error == 65.0


@pytest.mark.parametrize("missing", ["plan", "accuracy", "run"])
def test_a_mechanism_must_plan_run_and_say_how_accurate_it_is(missing: str) -> None:
    members = {name: getattr(Newcomer, name) for name in ("plan", "accuracy", "run") if name != missing}
    with pytest.raises(TypeError, match=missing):
        type("Unfinished", (Mechanism,), members)()
