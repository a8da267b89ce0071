"""One HAT by tokens: weights under a cap, and a sensitivity that no values pass."""

from __future__ import annotations

import dataclasses
import itertools
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import HatData, HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms.tokens import BOUNDED, EXACT, MECHANISM, SPLIT, TOKENS, OneHatPlan, TokensParams
from tests.fakes import RecordingNoise
from tests.strategies import U, counts, hat_data, hat_of

MODES = (EXACT, SPLIT, BOUNDED)
EVERY_MODE = pytest.mark.parametrize("mode", MODES)
EPSILONS = st.sampled_from(("0.01", "1", "50")).map(Decimal)


def planned(
    sizes: np.ndarray, mode: str, epsilon: Decimal = Decimal(1), visits: np.ndarray | None = None
) -> OneHatPlan:
    users = HatUsers(counts=sizes, visits=visits)
    return MECHANISM.plan(users, epsilon, U, TokensParams(mode=mode), PlanCache())


@EVERY_MODE
@given(sizes=counts(), epsilon=EPSILONS)
def test_the_heaviest_vehicle_has_all_its_tokens_in_it(
    mode: str, sizes: np.ndarray, epsilon: Decimal
) -> None:
    plan = planned(sizes, mode, epsilon)
    assert TOKENS - 1 <= plan.tokens.max() <= TOKENS
    assert (plan.tokens >= 0).all()
    assert plan.weights.sum() == pytest.approx(1)
    assert plan.sensitivity == plan.grid.largest * plan.grid.step * int(plan.tokens.max())
    assert plan.noise_scale == pytest.approx(65 * float(plan.weights.max()) / float(epsilon), rel=1e-6)


@EVERY_MODE
@given(
    hat=hat_data(counts(most_users=4, most_records=3)), mine=st.integers(0, 3), value=st.sampled_from((0, U))
)
def test_no_vehicle_moves_the_sum_further_than_its_tokens(
    mode: str, hat: HatData, mine: int, value: int
) -> None:
    plan = planned(hat.counts, mode)
    other = hat.values.copy()
    user = mine % hat.counts.size
    other[hat.starts[user] : hat.starts[user] + hat.counts[user]] = value
    centres = []
    for values in (hat.values, other):
        noise = RecordingNoise()
        MECHANISM.run(plan, dataclasses.replace(hat, values=values), noise)
        centres.append(noise.draws[0].centre)
    assert abs(centres[0] - centres[1]) <= int(plan.tokens[user]) * plan.grid.largest * plan.grid.step
    assert abs(centres[0] - centres[1]) <= plan.sensitivity


@EVERY_MODE
@pytest.mark.parametrize("sizes", [[1], [5, 1], [4, 3, 2, 1], [9, 1, 1, 1]])
@pytest.mark.parametrize("seen", [False, True])
def test_the_bias_bound_is_the_worst_over_zero_and_u(mode: str, sizes: list[int], seen: bool) -> None:
    plan = planned(np.array(sizes), mode, visits=np.ones(len(sizes), np.int64) if seen else None)
    worst = 0.0
    for ends in itertools.product((0, U), repeat=len(sizes)):
        hat = hat_of(sizes, np.repeat(ends, sizes))
        noise = RecordingNoise()
        drawn = MECHANISM.run(plan, hat, noise)
        true = int(hat.sums().sum()) / sum(sizes)
        worst = max(worst, abs(int(drawn.estimates[0]) - true) / 1000)
    assert worst <= plan.bias_bound + 0.001
    assert plan.bias_bound <= worst + plan.grid.step_kmh + 0.001


@given(sizes=counts(), epsilon=EPSILONS)
def test_each_mode_is_best_by_what_it_counts(sizes: np.ndarray, epsilon: Decimal) -> None:
    plans = {mode: planned(sizes, mode, epsilon) for mode in MODES}
    users = HatUsers(counts=sizes)
    typical = {
        mode: MECHANISM.accuracy(plan, users, PlanCache()).typical_error for mode, plan in plans.items()
    }
    assert typical[SPLIT] <= min(typical.values()) * (1 + 1e-6) + 0.02
    assert plans[BOUNDED].error_at_worst <= min(plan.error_at_worst for plan in plans.values()) + 0.02
    assert plans[EXACT].bias_bound <= 0.005 + 65 * sizes.size / TOKENS


def test_it_stands_alone_only_where_one_hat_does() -> None:
    assert MECHANISM.joint
    assert MECHANISM.title == "Tokens"
