"""Draws of the public model: what the mechanisms themselves make of synthetic records of the same model."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate
from scipy.stats import chisquare, kstest, laplace, norm, truncnorm

from core.contributions import HatData, HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms import model_draws
from core.mechanisms.array_plan import ArrayPlan
from core.mechanisms.model_draws import (
    CHOICES,
    DRAWS,
    FEW_DRAWS,
    SHIFTS,
    VALUES,
    array_draws,
    blocks,
    drawn_accuracy,
    drawn_hat_means,
    drawn_means,
    hat_means,
    laplace_error,
    laplace_half_width,
    mean_above,
    new_generator,
    noisy_best,
    part_means,
    vehicle_means,
)
from core.mechanisms.registry import all_mechanisms
from core.noise.laplace_normal import LN_20, half_width_95, mean_absolute
from core.noise.selection_law import selection_law
from core.noise.simulated import SimulatedNoise
from tests.strategies import U

UNEVEN = np.sort(np.random.default_rng(9).geometric(0.05, 60))[::-1]
STOOD = np.where(np.arange(60) % 3 == 0, 1, np.maximum(UNEVEN // 2, 1))
SEEN = HatUsers(counts=UNEVEN, visits=STOOD)
EVEN = HatUsers(counts=np.full(80, 12))
MANY = 40_000


def plan_of(key: str, users: HatUsers, epsilon: str = "1", upper_bound: int = U, **params: Any) -> ArrayPlan:
    mechanism = all_mechanisms()[key]
    plan = mechanism.plan(users, Decimal(epsilon), upper_bound, mechanism.Params(**params), PlanCache())
    assert isinstance(plan, ArrayPlan)
    return plan


# --- values --------------------------------------------------------------------------------------


def test_vehicles_scatter_about_their_hat_and_slow_ones_stand() -> None:
    """E X_l = mu (1 - 0.3 (h_l - hbar)), Var X_l = 25 + 324 / m_l, mu itself 22 +- 12 in [0, 65]."""
    sizes = np.arange(100, 40, -1)
    users = HatUsers(counts=sizes, visits=sizes // (2 + np.arange(60) % 5))
    assert users.dwell is not None
    rng = np.random.default_rng(1)
    hats = np.clip(rng.normal(22, 12, (MANY, 1)), 0, 65)
    means = vehicle_means(users, 65.0, hats, rng)
    assert means.shape == (MANY, 60)
    assert means.min() == 0.0
    assert means.max() == 65.0
    mu = hats[:, 0]
    middle = (mu > 32) & (mu < 42)  # far from both ends nothing is cut
    lean = 1 - 0.3 * users.dwell
    assert 0.8 < lean.min() < 0.95 < 1.1 < lean.max() < 1.3
    found = means[middle]
    assert (found / mu[middle, None]).mean(axis=0) == pytest.approx(lean, abs=0.01)
    away = found - mu[middle, None] * lean
    assert away.std(axis=0) == pytest.approx(np.sqrt(25 + 324 / sizes), rel=0.05)


def test_everything_scales_with_the_bound() -> None:
    mu = np.linspace(0.0, 65.0, 50)[:, None]
    one, double = (vehicle_means(SEEN, upper, mu, np.random.default_rng(2)) for upper in (65.0, 130.0))
    assert double == pytest.approx(2 * one)
    for key in ("levy", "fixed-quantile", "epsilon-quantile"):
        mechanism = all_mechanisms()[key]
        usual, wide = (
            mechanism.accuracy(plan_of(key, SEEN, upper_bound=bound), SEEN, PlanCache())
            for bound in (U, 2 * U)
        )
        # the quantiles' grid has steps of 0.05 km/h whatever the bound
        assert wide.typical_error == pytest.approx(2 * usual.typical_error, rel=0.03)
        assert wide.half_width == pytest.approx(2 * usual.half_width, rel=0.03)


def test_parts_scatter_about_their_vehicle_by_what_is_dropped() -> None:
    rng = np.random.default_rng(3)
    means = np.full((MANY, 60), 30.0)
    taken = np.minimum(UNEVEN, 5)
    parts = part_means(means, SEEN, np.arange(60), taken, 65.0, rng)
    spread = 14.1 * np.sqrt(1 / taken - 1 / UNEVEN)
    assert parts.std(axis=0) == pytest.approx(spread, rel=0.03, abs=1e-12)
    assert (parts[:, taken == UNEVEN] == 30.0).all(), "who is kept whole is what it is"


def test_arrays_are_the_means_of_their_records() -> None:
    """With nothing dropped both the arrays and the truth are weighted means of the same vehicles."""
    plan = plan_of("levy", SEEN, m_ub=int(UNEVEN[0]))
    arrays, truths = array_draws(plan.assignment, SEEN, 65.0)
    assert (arrays.shape, truths.shape) == ((DRAWS, plan.arrays), (DRAWS,))
    sizes = plan.assignment.sizes
    assert arrays @ sizes / sizes.sum() == pytest.approx(truths)
    assert ((arrays >= 0) & (arrays <= 65)).all()


def test_memory_is_bounded_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(blocks(0)) == sum(blocks(10)) == sum(blocks(60_000)) == DRAWS
    for width in (10, 60_000, 10**6):
        assert max(blocks(width)) * width <= 1 << 22
    # time is bounded too: a huge HAT has fewer draws
    assert sum(blocks(60_001)) == sum(blocks(500_000)) == FEW_DRAWS
    assert list(blocks(10**9)) == [1] * FEW_DRAWS
    plan = plan_of("levy", SEEN)
    _, at_once = array_draws(plan.assignment, SEEN, 65.0)
    monkeypatch.setattr(model_draws, "_LARGEST_BLOCK", 5_000)
    arrays, truths = array_draws(plan.assignment, SEEN, 65.0)
    assert (arrays.shape, truths.shape) == ((DRAWS, plan.arrays), (DRAWS,))
    assert truths.mean() == pytest.approx(at_once.mean(), abs=1.5)


def test_means_of_hats_are_those_of_the_model() -> None:
    """N(22, 12) in [0, 65]: of ordinary HATs drawn; of huge ones spread evenly over what is drawn."""
    usual = np.concatenate(list(hat_means(10, np.random.default_rng(6))))
    drawn = np.clip(np.random.default_rng(6).normal(22, 12, (DRAWS, 1)), 0, 65)
    assert usual.tolist() == drawn.tolist()
    assert kstest(usual[(usual > 0) & (usual < 65)], truncnorm(-22 / 12, 43 / 12, 22, 12).cdf).pvalue > 1e-4
    for width in (60_001, 10**6, 10**8):
        means = list(hat_means(width, np.random.default_rng(6)))
        assert [mu.shape for mu in means] == [(draws, 1) for draws in blocks(width)]
        few = np.concatenate(means)
        assert few.mean() == pytest.approx(drawn.mean(), rel=2e-3)
        assert few.std() == pytest.approx(drawn.std(), rel=1e-2)
        assert np.quantile(few, (0.1, 0.5, 0.9)) == pytest.approx(
            np.quantile(drawn, (0.1, 0.5, 0.9)), rel=0.02
        )


def test_a_few_at_a_time_are_what_is_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same order of the stream: means of the HAT, of all vehicles, of their parts."""
    taken = np.minimum(UNEVEN, 5)
    rng = np.random.default_rng(8)
    (mu,) = hat_means(120, rng)
    means = vehicle_means(SEEN, 65.0, mu, rng)
    parts = part_means(means, SEEN, np.arange(60), taken, 65.0, rng)
    for at_once in (1 << 10, 1 << 17, 1 << 30):
        monkeypatch.setattr(model_draws, "_IN_CACHE", at_once)
        rng, few, few_parts = np.random.default_rng(8), [], []
        for some in drawn_means(SEEN, 65.0, 120, rng):
            few.append(some)
            few_parts.append(part_means(some, SEEN, np.arange(60), taken, 65.0, rng))
        assert len(few) == -(-DRAWS // max(8, at_once // 120))
        assert np.array_equal(np.concatenate(few), means)
        assert np.array_equal(np.concatenate(few_parts), parts)


@pytest.mark.parametrize("key", ["levy", "fixed-quantile", "epsilon-quantile", "worst-case-bounding"])
def test_few_draws_of_many_users_say_what_all_say(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors of many users follow the HAT's mean, which the few draws take evenly."""
    counts = np.sort(np.random.default_rng(3).geometric(0.2, 4_000))[::-1]
    users = HatUsers(counts=counts, visits=np.maximum(counts // 2, 1))
    mechanism = all_mechanisms()[key]
    plan = mechanism.plan(users, Decimal(1), U, mechanism.Params(), PlanCache())
    usual = mechanism.accuracy(plan, users, PlanCache())
    monkeypatch.setattr(model_draws, "_MANY", users.size - 1)
    few = mechanism.accuracy(plan, users, PlanCache())
    assert few != usual
    assert few.typical_error == pytest.approx(usual.typical_error, rel=0.1)
    assert few.half_width == pytest.approx(usual.half_width, rel=0.05)


def test_what_is_drawn_is_the_same_for_everybody_and_each_part_its_own() -> None:
    """A shift that followed the HAT's mean would hide in what clipping takes from high means."""
    for part in (VALUES, CHOICES, SHIFTS):
        one, other = (new_generator(part).standard_normal(DRAWS) for _ in range(2))
        assert one.tolist() == other.tolist()
    streams = [new_generator(part).standard_normal(DRAWS) for part in (VALUES, CHOICES, SHIFTS)]
    assert np.abs(np.corrcoef(streams) - np.eye(3)).max() < 0.1


def test_an_interval_allows_for_a_shift_beside_errors_that_follow_the_mean() -> None:
    """Errors of a tenth of the mean's deviation, sd 1.1, beside a shift of sd 1.1: together 1.56."""
    _, truths = array_draws(plan_of("levy", EVEN).assignment, EVEN, 65.0)
    for sign in (-1, 1):
        estimates = truths + sign * 0.1 * (truths - truths.mean())
        shift = 0.1 * float(truths.std())
        width = drawn_accuracy(estimates, truths, 65.0, shift).half_width
        alone = drawn_accuracy(estimates, truths, 65.0, 0.0).half_width
        assert 1.25 < width / alone < 1.6


def test_accuracy_of_estimates_by_hand() -> None:
    """Typical: of what is published, in [0, 65]; the interval: about what was drawn before."""
    truths = np.full(DRAWS, 60.0)
    estimates = np.where(np.arange(DRAWS) % 2 == 0, 75.0, 58.0)
    accuracy = drawn_accuracy(estimates, truths, 65.0, 0.0)
    assert accuracy.typical_error == pytest.approx((5.0 + 2.0) / 2)
    assert accuracy.half_width == 15.0


# --- selection -----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_noisy_best_follows_the_selection_law(epsilon: float) -> None:
    scores = np.array([-7.0, -1.0, -3.0, 0.0, -1.0, -12.0])
    drawn = noisy_best(np.broadcast_to(scores, (MANY, 6)), 2.0, epsilon, np.random.default_rng(4))
    law = selection_law(scores.astype(np.int64), 2, epsilon)
    assert chisquare(np.bincount(drawn, minlength=6), MANY * law).pvalue > 1e-4


def test_a_pool_is_as_many_candidates_of_one_score() -> None:
    """Columns of 0, 3, 1 and 40 candidates are drawn as if each of the 44 stood there."""
    scores, pools = np.array([0.0, -1.0, 0.0, -4.0]), np.array([0, 3, 1, 40])
    drawn = noisy_best(
        np.broadcast_to(scores, (MANY, 4)),
        1.0,
        1.0,
        np.random.default_rng(5),
        np.broadcast_to(pools, (MANY, 4)),
    )
    each = np.repeat(np.arange(4), pools)
    law = np.bincount(each, selection_law(scores[each].astype(np.int64), 1, 1.0), minlength=4)
    assert law[0] == 0
    seen = np.bincount(drawn, minlength=4)
    assert seen[0] == 0
    assert chisquare(seen[1:], MANY * law[1:]).pvalue > 1e-4


# --- half-widths ---------------------------------------------------------------------------------


def test_half_widths_of_noise_beside_drawn_biases() -> None:
    biases = 3.0 * norm.ppf((np.arange(DRAWS) + 0.5) / DRAWS)
    assert laplace_half_width(2.0, biases) == pytest.approx(half_width_95(2.0, 3.0), rel=1e-3)
    assert laplace_half_width(2.0, np.zeros(5)) == pytest.approx(2.0 * LN_20)
    assert laplace_half_width(0.0, np.arange(100.0)) == pytest.approx(94.0, abs=1.0)
    one_sided = laplace_half_width(1.0, np.full(10, 7.0))
    assert np.exp(-(one_sided - 7)) / 2 + np.exp(-(one_sided + 7)) / 2 == pytest.approx(0.05)


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 0.3, 20.0, 1e6])
@pytest.mark.parametrize("seed", range(4))
def test_a_half_width_is_exceeded_once_in_twenty(seed: int, scale: float) -> None:
    """Biases of one kind, of two kinds far apart, and all the same; noise from next to none to far more."""
    rng = np.random.default_rng(seed)
    few = np.where(rng.random(DRAWS) < 0.07, 40.0, 0.5)
    for biases in (rng.normal(1.0, 3.0, DRAWS), few * rng.normal(1.0, 0.1, DRAWS), np.full(3, -2.0)):
        width = laplace_half_width(scale, biases)
        beyond = [
            laplace(biases, scale).sf(t).mean() + laplace(biases, scale).cdf(-t).mean()
            for t in (width * (1 - 1e-6), width * (1 + 1e-6))
        ]
        assert beyond[1] - 1e-9 <= 0.05 <= beyond[0] + 1e-9


def test_errors_of_noise_beside_drawn_biases() -> None:
    biases = 3.0 * norm.ppf((np.arange(DRAWS) + 0.5) / DRAWS)
    assert laplace_error(2.0, biases, 65.0) == pytest.approx(mean_absolute(2.0, 3.0), rel=1e-3)
    assert laplace_error(2.0, np.zeros(5), 65.0) == 2.0
    assert laplace_error(200.0, biases, 65.0) == 65.0
    one = integrate.quad(lambda x: abs(x + 7.0) * np.exp(-abs(x) / 4.0) / 8.0, -300, 300, points=[-7, 0])[0]
    assert laplace_error(4.0, np.full(3, 7.0), 65.0) == pytest.approx(one, rel=1e-8)


@pytest.mark.parametrize("z", [-30.0, -3.0, -0.5, 0.0, 0.7, 2.0, 30.0])
def test_what_a_normal_sample_has_above_nought(z: float) -> None:
    above = integrate.quad(lambda x: x * norm.pdf(x - z), 0.0, abs(z) + 40.0, points=[max(z, 0.0)])[0]
    assert mean_above(np.array([z]))[0] == pytest.approx(above, rel=1e-8, abs=1e-12)


# --- the mechanisms themselves, on records of the model ------------------------------------------


CASES: dict[str, tuple[HatUsers, dict[str, Any]]] = {
    "even": (EVEN, {}),
    "all kept": (SEEN, {"m_ub": int(UNEVEN[0])}),
    "dropped, with visits": (SEEN, {"m_ub": 8}),
    "wraparound": (EVEN, {"grouping": "wraparound", "m_ub": 12}),
}


def hat_of_model(users: HatUsers, most: int, rng: np.random.Generator) -> HatData:
    """Records of one HAT: those of a vehicle that are kept lie at their mean, the others at theirs."""
    means = vehicle_means(users, 65.0, drawn_hat_means(1, rng), rng)
    retained = np.minimum(users.counts, most)
    parts = part_means(means, users, np.arange(users.size), retained, 65.0, rng)[0]
    left = users.counts - retained
    rest = (users.counts * means[0] - retained * parts) / np.maximum(left, 1)
    flat = np.repeat(np.column_stack((parts, rest)).ravel(), np.column_stack((retained, left)).ravel())
    return HatData(
        counts=users.counts,
        starts=np.cumsum(users.counts) - users.counts,
        values=np.rint(np.clip(flat, 0, 65) * 1000).astype(np.int32),
        upper_bound=U,
        visits=users.visits,
    )


@lru_cache(maxsize=len(CASES))
def data_sets(case: str, most: int) -> list[HatData]:
    """1,000 of the model, the same for every mechanism."""
    rng = np.random.default_rng(77)
    return [hat_of_model(CASES[case][0], most, rng) for _ in range(1_000)]


def true_errors(key: str, case: str, plan: ArrayPlan) -> tuple[NDArray[Any], NDArray[Any]]:
    """Of the published and of the unclamped means, over 1,000 data sets of the model; km/h."""
    mechanism, published, unclamped = all_mechanisms()[key], [], []
    for number, hat in enumerate(data_sets(case, plan.m_ub)):
        draw = mechanism.run(plan, hat, SimulatedNoise(number, 4))
        truth = float(hat.values.mean())
        published.append(draw.estimates - truth)
        unclamped.append(draw.unclamped - truth)
    return np.concatenate(published) / 1000, np.concatenate(unclamped) / 1000


@pytest.mark.parametrize("key", ["levy", "fixed-quantile", "epsilon-quantile"])
@pytest.mark.parametrize("case", CASES)
def test_the_mechanism_misses_what_its_model_says(key: str, case: str) -> None:
    users, params = CASES[case]
    plan = plan_of(key, users, "2" if params else "0.5", **params)
    accuracy = all_mechanisms()[key].accuracy(plan, users, PlanCache())
    published, unclamped = true_errors(key, case, plan)
    assert accuracy.typical_error == pytest.approx(np.abs(published).mean(), rel=0.07)
    covered = (np.abs(unclamped) <= accuracy.half_width).mean()
    assert covered >= 0.94
    if users is EVEN and key == "levy":
        assert covered <= 0.965, "no weight is moved between vehicles, and nothing else is allowed for"
