"""The plan of two-step clipping against two-step-clipping 3 read word by word, user by user."""

from __future__ import annotations

import dataclasses
import itertools
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import erfcx
from scipy.stats import norm

from core.contributions import HatUsers
from core.fixed_point import FINE, FINE_BITS
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE
from core.mechanisms.public_model import LEAN, LEAN_CORRECTED
from core.mechanisms.two_step_clipping import MECHANISM, TwoStepClippingParams, case_of, two_step_plan
from core.mechanisms.two_step_clipping_plan import (
    CENTRE,
    SPREAD,
    WEIGHT,
    WEIGHT_BITS,
    LinearPlan,
    TwoStepPlan,
    dwell_correction,
    linear_bias,
    linear_options,
    linear_terms,
    spread_guess,
    two_step_bias,
    two_step_budgets,
    whole_weights,
)
from core.mechanisms.water_filling import group_counts
from tests.core.mechanisms.test_clipping_threshold import literal_threshold, literal_thresholds
from tests.core.mechanisms.test_water_filling import literal
from tests.strategies import U, counts, hat_users

EPSILONS = st.sampled_from(("0.001", "0.123457", "0.5", "1", "2", "17.3", "100")).map(Decimal)
UPPER = U / 1000


def plan_for(
    sizes: NDArray[np.int64] | list[int],
    epsilon: Decimal | str,
    *,
    visits: NDArray[np.int64] | list[int] | None = None,
    upper_bound: int = U,
    **params: Any,
) -> LinearPlan | TwoStepPlan:
    users = HatUsers(
        counts=np.array(sizes, np.int64), visits=None if visits is None else np.array(visits, np.int64)
    )
    return MECHANISM.plan(users, Decimal(epsilon), upper_bound, TwoStepClippingParams(**params), PlanCache())


def two_step_for(
    sizes: NDArray[np.int64] | list[int],
    epsilon: str,
    *,
    visits: NDArray[np.int64] | list[int] | None = None,
    upper_bound: int = U,
) -> TwoStepPlan:
    """TWO-STEP planned for all of epsilon, whatever LINEAR would be worth."""
    users = HatUsers(
        counts=np.array(sizes, np.int64), visits=None if visits is None else np.array(visits, np.int64)
    )
    cache = PlanCache()
    case = case_of(users, Decimal(epsilon), upper_bound, TwoStepClippingParams(), cache)
    return two_step_plan(case, Decimal(epsilon), case.threshold_biases(cache))


def literal_dwell(users: HatUsers) -> list[float]:
    """`h_l - hbar`, user by user; nothing where visits are not known."""
    sizes = users.counts.tolist()
    if users.visits is None:
        return [0.0] * len(sizes)
    dwell = [math.log(m / v) for m, v in zip(sizes, users.visits.tolist(), strict=True)]
    mean = sum(m * h for m, h in zip(sizes, dwell, strict=True)) / sum(sizes)
    return [h - mean for h in dwell]


def literal_size(b: float, B: float) -> float:  # noqa: N803 - as printed
    """E|Lap(b) + N(0, B)|, by scipy's scaled erfc."""
    return B * math.sqrt(2 / math.pi) + b * float(erfcx(B / b / math.sqrt(2)))


def laplace_normal_density(x: NDArray[np.float64], b: float, B: float) -> NDArray[np.float64]:  # noqa: N803
    """Of Lap(b) + N(0, B), by the normal's moment over each half of the Laplace density."""
    shift = B / b
    halves = [np.exp(shift**2 / 2 + sign * x / b + norm.logcdf(-(sign * x / B + shift))) for sign in (1, -1)]
    density: NDArray[np.float64] = (halves[0] + halves[1]) / (2 * b)
    return density


def guess_of(sizes: NDArray[np.int64]) -> float:
    return spread_guess(group_counts(sizes), UPPER, vehicle_spread=4.0, record_spread=20.0)


def literal_linear(users: HatUsers, epsilon: float) -> list[tuple[float, float]]:
    """Noise scale and modelled bias of each of the 25 caps, smallest first; user by user."""
    sizes = users.counts
    shares, dwell = sizes / sizes.sum(), literal_dwell(users)
    least, most = 1 / sizes.size, max(1.0001 / sizes.size, float(shares.max()))
    found = []
    for k in range(25):
        weights = literal(sizes, least * (most / least) ** (k / 24))
        moved = [a - w for a, w in zip(weights, shares, strict=True)]
        variance = sum(d * d * (25 + 324 / m) for d, m in zip(moved, sizes.tolist(), strict=True))
        away = sum(d * h for d, h in zip(moved, dwell, strict=True))
        variance += ((7.2 if 1 - 0.3 * away < 0.8 else 4) * away) ** 2
        found.append((UPPER * max(weights) / epsilon / max(0.8, 1 - 0.3 * away), math.sqrt(variance)))
    return found


def test_the_spread_guess_has_two_digits() -> None:
    """sqrt(16 + 400 * 3 / 30) = 7.4833; at U = 32.5 half of it, 3.7417."""
    groups = group_counts(np.array([20, 5, 5]))
    assert spread_guess(groups, 65.0, vehicle_spread=4.0, record_spread=20.0) == 7.5
    assert spread_guess(groups, 32.5, vehicle_spread=4.0, record_spread=20.0) == 3.7
    assert spread_guess(groups, 65_000.0, vehicle_spread=4.0, record_spread=20.0) == 7500.0


@pytest.mark.parametrize(
    ("sizes", "epsilon"),
    [([3] * 89, "1"), ([3] * 89 + [2], "1"), ([3] * 900, "0.099999"), ([3], "89")],
)
def test_small_hats_are_linear(sizes: list[int], epsilon: str) -> None:
    assert isinstance(plan_for(sizes, epsilon), LinearPlan)


def literal_plan(sizes: NDArray[np.int64], epsilon: float) -> tuple[float, str]:
    """The least typical error: of LINEAR, and of TWO-STEP for every power of 1.01 up to epsilon."""
    size, guess = sizes.size, guess_of(sizes)
    found = [(min(literal_size(*one) for one in literal_linear(HatUsers(counts=sizes), epsilon)), "LINEAR")]
    thresholds = [literal_thresholds(sizes, guess * factor) for factor in (1 / 8, 1 / 4, 1 / 2, 1, 2)]
    for planned in (1.01**k for k in range(-1000, 1000) if 1.01**k <= epsilon):
        if size * planned < 90 or sizes.sum() < 3 * size:
            continue
        first = max(40 / size, planned / 10)
        second = max(24 / size, planned / 20) if 24 / size <= planned / 5 else 0.0
        own, noise = planned - first - second, epsilon - first - second
        chosen = [min(one, key=lambda row: row[1] / own + row[2]) for one in thresholds]
        taken = chosen if second else [one[thresholds[3].index(chosen[3])] for one in thresholds]
        sizes_ = [literal_size(moved / noise, math.sqrt(math.pi / 2) * bias) for _, moved, bias in taken]
        found.append((sum(sizes_) / 5, "TWO-STEP"))
    return min(found)


@pytest.mark.parametrize(
    ("sizes", "epsilon"),
    [([40] * 30 + [4] * 90, "0.8"), ([40] * 30 + [4] * 90, "1.3"), ([9] * 200, "1"), ([60, 30, 9, 5], "2")],
)
def test_the_plan_is_the_least_typical_error_of_all_powers_of_1_01(sizes: list[int], epsilon: str) -> None:
    plan, users = plan_for(sizes, epsilon), HatUsers(counts=np.array(sizes))
    error, kind = literal_plan(users.counts, float(epsilon))
    assert isinstance(plan, LinearPlan) is (kind == "LINEAR")
    assert MECHANISM.accuracy(plan, users, PlanCache()).typical_error == pytest.approx(error, rel=1e-5)


@example(users=HatUsers(counts=np.array([60] + [6] * 9)), times=20)
@given(users=hat_users(counts(most_users=12, most_records=60)), times=st.integers(1, 40))
def test_the_foretold_error_never_rises_with_epsilon(users: HatUsers, times: int) -> None:
    """A law; fixed limits of epsilon made it jump where another way to release began."""
    sizes = np.repeat(users.counts, times)
    visits = None if users.visits is None else np.repeat(users.visits, times)
    crowd, cache = HatUsers(counts=sizes, visits=visits), PlanCache()
    errors = []
    for step in range(60):
        epsilon = Decimal(round(0.05 * 1.1**step, 6)).quantize(Decimal("1E-6"))
        plan = MECHANISM.plan(crowd, epsilon, U, TwoStepClippingParams(), cache)
        errors.append(MECHANISM.accuracy(plan, crowd, cache).typical_error)
    for before, after in itertools.pairwise(errors):
        assert after <= before * (1 + 1e-6)


@pytest.mark.parametrize(
    ("users", "epsilon", "shares"),
    [
        (200, "1", ("0.2", "0.12", "0.68")),
        (100, "1", ("0.4", "0", "0.6")),
        (120, "1", ("0.333333333", "0.2", "0.466666667")),
        (1000, "2", ("0.2", "0.1", "1.7")),
        (90_000, "0.001", ("0.000444444", "0", "0.000555556")),
    ],
)
def test_budgets_are_those_of_the_spec(users: int, epsilon: str, shares: tuple[str, ...]) -> None:
    whole = Decimal(epsilon)
    first, second, last = map(Decimal, shares)
    assert two_step_budgets(users, whole, whole) == (first, second, last)
    assert two_step_budgets(users, whole, whole + 3) == (first, second, last + 3), "more is for the noise"


@given(users=st.integers(1, 10**7), epsilon=st.integers(1, 10**8).map(lambda n: Decimal(n) / 10**6))
def test_budgets_sum_to_epsilon_exactly(users: int, epsilon: Decimal) -> None:
    if users * epsilon < 90:
        return
    first, second, last = two_step_budgets(users, epsilon, epsilon)
    assert first + second + last == epsilon
    assert first > 0
    assert second >= 0
    assert last > epsilon / 3
    assert float(first) == pytest.approx(max(40 / users, float(epsilon) / 10), abs=1e-9)


@given(users=hat_users(counts(most_users=20, most_records=60)), epsilon=EPSILONS)
def test_the_linear_weights_are_the_best_of_25(users: HatUsers, epsilon: Decimal) -> None:
    options = linear_options(group_counts(users.counts), users.dwell, UPPER)
    literally = literal_linear(users, float(epsilon))
    assert UPPER * options.largest / float(epsilon) == pytest.approx([b for b, _ in literally], rel=1e-9)
    assert options.bias == pytest.approx([B for _, B in literally], rel=1e-6, abs=1e-7)
    errors = [literal_size(*one) for one in literally]
    error, chosen = options.best(epsilon, UPPER)
    (taken, *_) = np.flatnonzero((options.weights == chosen).all(axis=1)).tolist()
    assert error == pytest.approx(errors[taken], rel=1e-5)
    assert error == pytest.approx(min(errors), rel=1e-5)
    assert chosen.max() >= 1 / users.size * (1 - 1e-12)


@given(users=hat_users(counts(most_users=20, most_records=60)))
def test_the_modelled_bias_scales_with_the_bound(users: HatUsers) -> None:
    groups = group_counts(users.counts)
    usual, double = (linear_options(groups, users.dwell, upper).bias for upper in (65.0, 130.0))
    assert double == pytest.approx(2 * usual)


def test_a_tie_goes_to_the_smallest_cap() -> None:
    """Equal counts: every cap gives the same weights."""
    _, weights = linear_options(group_counts(np.array([4, 4, 4])), None, UPPER).best(Decimal(1), UPPER)
    assert weights.tolist() == [1 / 3]


# --- dwell time ----------------------------------------------------------------------------------


@given(users=hat_users(counts(most_users=20, most_records=60)))
def test_dwell_is_the_log_of_records_a_visit_about_its_mean(users: HatUsers) -> None:
    if users.visits is None:
        assert users.dwell is None
        return
    assert users.dwell == pytest.approx(literal_dwell(users), abs=1e-12)
    assert users.shares @ users.dwell == pytest.approx(0, abs=1e-12)


@given(users=hat_users(counts(most_users=20, most_records=60)), epsilon=EPSILONS)
def test_linear_divides_by_what_its_weights_lean(users: HatUsers, epsilon: Decimal) -> None:
    groups = group_counts(users.counts)
    weights = whole_weights(groups, linear_options(groups, users.dwell, UPPER).best(epsilon, UPPER)[1])
    dwell = literal_dwell(users)
    moved = [
        int(a) / WEIGHT - m / users.records
        for a, m in zip(weights.tolist(), users.counts.tolist(), strict=True)
    ]
    wanted = 1 - 0.3 * sum(d * h for d, h in zip(moved, dwell, strict=True))
    correction, lean = dwell_correction(users, weights)
    assert correction == pytest.approx(max(0.8, wanted), abs=1e-9)
    assert lean == (7.2 if wanted < 0.8 else 4.0) or wanted == pytest.approx(0.8)


def test_weights_that_leave_out_dwell_time_are_divided_by_more_than_one() -> None:
    """Half of 60 records stood: h = ln 30, 0 and 0, hbar = ln 30 / 2; with equal weights z = -ln 30 / 6."""
    users = HatUsers(counts=np.array([30, 15, 15]), visits=np.array([1, 15, 15]))
    weights = np.array([1, 1, 1]) * (WEIGHT // 3)
    correction, lean = dwell_correction(users, weights)
    assert correction == pytest.approx(1 + 0.3 * math.log(30) / 6, abs=1e-9)
    assert lean == LEAN_CORRECTED == 4.0


def test_no_more_than_a_fifth_is_corrected_upwards() -> None:
    """All weight on a vehicle that stood: 1 - 0.3 z would be 0.49."""
    users = HatUsers(counts=np.array([30, 30]), visits=np.array([1, 30]))
    weights = np.array([WEIGHT, 0])
    assert 1 - 0.3 * math.log(30) / 2 == pytest.approx(0.49, abs=0.001)
    assert dwell_correction(users, weights) == (0.8, LEAN)
    assert LEAN == 7.2


@given(sizes=counts(most_users=20, most_records=60), epsilon=EPSILONS)
def test_without_visits_nothing_is_corrected(sizes: NDArray[np.int64], epsilon: Decimal) -> None:
    """k = 0: shifts are 0 and q is 1. A visit for each record says as little: all h are 0."""
    unknown, alike = plan_for(sizes, epsilon), plan_for(sizes, epsilon, visits=sizes)
    for plan in (unknown, alike):
        if isinstance(plan, LinearPlan):
            assert plan.divisor == FINE
            assert plan.lean == 4.0
        else:
            assert plan.divisor == FINE
            assert all(not np.any(plan.two_step.shifts(c)) for c in plan.two_step.centres.tolist())
    if isinstance(unknown, LinearPlan):
        assert isinstance(alike, LinearPlan)
        assert unknown.weights.tolist() == alike.weights.tolist()
        assert unknown.bias_bound == alike.bias_bound
    assert (unknown.sensitivity, unknown.noise_scale) == (alike.sensitivity, alike.noise_scale)


@given(users=hat_users(counts(most_users=12, most_records=60).map(lambda sizes: np.maximum(sizes, 3))))
def test_shifts_are_whole_thousandths_that_leave_the_mean_where_it_is(users: HatUsers) -> None:
    plan = two_step_for(users.counts, "100", visits=users.visits)
    for centre in plan.two_step.centres.tolist():
        shifts = np.broadcast_to(plan.two_step.shifts(centre), users.counts.shape)
        wanted = [0.3 * centre * h for h in literal_dwell(users)]
        assert np.abs(shifts - wanted).max() <= 0.5 + 1e-9
        assert abs(float(users.shares @ shifts)) <= 0.5 + 1e-9
        assert shifts.dtype.kind == "i"
    for few in plan.two_step.few_centres(500):
        together = np.broadcast_to(plan.two_step.shifts(few[:, None]), (few.size, users.size))
        for centre, shifts in zip(few.tolist(), together, strict=True):
            assert (shifts == plan.two_step.shifts(centre)).all()


def test_each_spread_has_its_modelled_bias_and_half_width() -> None:
    """B = sqrt(pi/2) of what the plan minimises beside the noise; 2 B + 0.3 b for the interval."""
    plan = two_step_for([4] * 200, "1")
    choice, sizes = plan.two_step, np.full(200, 4)
    for number, spread in enumerate(choice.spreads.tolist()):
        least, threshold = literal_threshold(sizes, float(plan.noise_epsilon), spread)
        scale = float(choice.sensitivities[number]) / FINE / float(plan.noise_epsilon)
        bias = least - min(2 * threshold, UPPER / 200) / float(plan.noise_epsilon)
        assert choice.biases[number] == pytest.approx(math.sqrt(math.pi / 2) * bias, rel=1e-6)
        width = choice.half_width(number, plan.noise_epsilon)
        deviation = 2 * choice.biases[number] + 0.3 * scale
        x = np.linspace(-width, width, 20_001)
        inside = np.trapezoid(laplace_normal_density(x, scale, deviation), x)
        assert inside == pytest.approx(0.95, abs=1e-6)
    assert choice.guess == 3
    assert choice.spreads[choice.guess] == guess_of(sizes)


@given(sizes=counts(most_users=30, most_records=60), upper_bound=st.integers(1, 1_000_000))
def test_whole_weights_sum_to_one_and_terms_fit(sizes: NDArray[np.int64], upper_bound: int) -> None:
    groups = group_counts(sizes)
    weights = whole_weights(groups, groups.shares)
    assert int(weights.sum()) == WEIGHT
    assert np.abs(weights / WEIGHT - sizes / sizes.sum()).max() <= 1.01 / WEIGHT
    terms = linear_terms(weights, np.full(sizes.size, upper_bound))
    exact = [
        (2 * int(weight) * upper_bound * FINE + WEIGHT * 1000) // (2 * WEIGHT * 1000) for weight in weights
    ]
    assert terms.tolist() == exact


@given(sizes=counts(most_users=12, most_records=30), upper_bound=st.sampled_from((1, 37, U, 64_999, 10**6)))
def test_two_step_choices_scale_with_the_bound(sizes: NDArray[np.int64], upper_bound: int) -> None:
    plan = two_step_for(np.concatenate((sizes + 3, [3])), "100", upper_bound=upper_bound)
    choice = plan.two_step
    assert choice.centres.size == 32
    assert choice.centres / 1000 == pytest.approx(np.arange(1, 64, 2) * upper_bound / 65_000, abs=0.0005)
    assert choice.reach == max(1, round(3 * upper_bound / 65))
    assert [name for name, _ in plan.budget_shares] == [CENTRE, SPREAD, NOISE]
    assert choice.spreads.size == 5
    assert choice.spreads / choice.spreads[3] == pytest.approx([0.125, 0.25, 0.5, 1, 2])
    assert plan.sensitivity == choice.sensitivities.max()
    assert (choice.thresholds >= 1).all()
    assert (choice.sensitivities <= 2 * choice.thresholds).all()


def test_without_a_share_for_the_spread_it_is_the_guess() -> None:
    plan = two_step_for([4] * 100, "1")
    assert [name for name, _ in plan.budget_shares] == [CENTRE, NOISE]
    assert plan.two_step.spreads.tolist() == [guess_of(np.full(100, 4))]


def test_parameters_move_the_guess_only() -> None:
    usual, other = plan_for([4] * 200, "1"), plan_for([4] * 200, "1", vehicle_spread=8.0)
    assert isinstance(usual, TwoStepPlan)
    assert isinstance(other, TwoStepPlan)
    assert usual.two_step.spreads[3] == 11.0
    assert other.two_step.spreads[3] == 13.0
    assert usual.budget_shares == other.budget_shares


@pytest.mark.parametrize(
    ("sizes", "visits"),
    [
        ([1], None),
        ([3, 1], None),
        ([2, 2, 1], None),
        ([4, 2, 1], None),
        ([4, 2, 1], [1, 2, 1]),
        ([9, 1, 1], [1, 1, 1]),
        ([9, 2, 2], [9, 1, 1]),
        ([40, 30, 2, 1], [1, 30, 1, 1]),
    ],
)
def test_the_linear_bias_bound_is_attained(sizes: list[int], visits: list[int] | None) -> None:
    """Over users at 0 or U, nothing is worse, and something is just as bad."""
    plan = plan_for(sizes, "1", visits=visits)
    assert isinstance(plan, LinearPlan)
    errors = []
    for ends in itertools.product((0, U), repeat=len(sizes)):
        estimate = int(linear_terms(plan.weights, np.array(ends)).sum()) / plan.divisor
        errors.append(
            abs(estimate - sum(m * x for m, x in zip(sizes, ends, strict=True)) / sum(sizes) / 1000)
        )
    assert max(errors) <= plan.bias_bound <= max(errors) + 0.000501 / min(1.0, plan.divisor / FINE)


@given(users=hat_users(counts(most_users=9, most_records=60)), correction=st.floats(0.8, 3.0))
def test_no_ends_exceed_the_linear_bias_bound(users: HatUsers, correction: float) -> None:
    """Whatever the weights are divided by; and the bound is in [0, U]."""
    groups = group_counts(users.counts)
    weights = whole_weights(groups, linear_options(groups, users.dwell, UPPER).best(Decimal(1), UPPER)[1])
    bound = linear_bias(users, weights, correction, UPPER)
    ends = np.array(list(itertools.product((0, UPPER), repeat=users.size)))
    errors = np.abs(ends @ (weights / WEIGHT / correction) - ends @ users.shares)
    assert min(float(errors.max()), UPPER) <= bound + 1e-9
    assert bound <= min(float(errors.max()) + 0.000501 / min(1.0, correction), UPPER) + 1e-9


def literal_two_step_bias(users: HatUsers, plan: TwoStepPlan) -> float:
    """Over all candidates, all thresholds and all users at 0 or at U, in km/h, unrounded."""
    choice, worst, upper = plan.two_step, 0.0, plan.upper_kmh
    for centre, threshold, end in itertools.product(
        (choice.centres / 1000).tolist(), (choice.thresholds / FINE).tolist(), (0.0, upper)
    ):
        estimate = centre
        for w, h in zip(users.shares.tolist(), literal_dwell(users), strict=True):
            estimate += min(max(w * (end + 0.3 * centre * h - centre), -threshold), threshold)
        worst = max(worst, abs(estimate - end))
    return min(worst, upper)


@given(
    users=hat_users(counts(most_users=12, most_records=90).map(lambda sizes: np.maximum(sizes, 3))),
    epsilon=st.sampled_from(("100", "1000")),
)
def test_the_two_step_bias_bound_is_the_worst_of_all_ends(users: HatUsers, epsilon: str) -> None:
    plan = two_step_for(users.counts, epsilon, visits=users.visits)
    assert plan.bias_bound == two_step_bias(users, plan.two_step, U)
    assert plan.bias_bound == pytest.approx(literal_two_step_bias(users, plan), abs=0.0021)


def test_the_two_step_bias_bound_tries_every_threshold() -> None:
    """Eleven vehicles stood for weeks, 346 passed by: the smallest T cuts both, a larger one only those."""
    sizes = np.array([138_977] * 11 + [5_190] * 346)
    users = HatUsers(counts=sizes, visits=np.array([1] * 11 + [5_190] * 346))
    plan = two_step_for(sizes, "50", visits=users.visits)
    smallest = dataclasses.replace(plan.two_step, thresholds=plan.two_step.thresholds.min(keepdims=True))
    assert plan.bias_bound == pytest.approx(literal_two_step_bias(users, plan), abs=0.0021)
    assert plan.bias_bound > 1.15 * two_step_bias(users, smallest, U)


@pytest.mark.parametrize(("epsilon", "seen"), [("0.001", False), ("100", False), ("1", True)])
def test_very_many_users_are_planned(epsilon: str, seen: bool) -> None:
    sizes = np.sort(np.random.default_rng(3).geometric(0.02, 200_000))[::-1]
    plan = plan_for(sizes, epsilon, visits=np.maximum(sizes // 3, 1) if seen else None)
    assert isinstance(plan, TwoStepPlan)
    assert plan.noise_scale > 0
    assert np.isfinite(plan.error_at_worst)


@given(
    weights=st.lists(st.integers(-WEIGHT, WEIGHT), min_size=1, max_size=5),
    mean=st.integers(0, 2_000_000_000),
)
def test_terms_of_the_largest_bound_are_exact(weights: list[int], mean: int) -> None:
    """A product of weight and mean has up to 67 bits there: cut off, it hides how far a user moves it."""
    terms = linear_terms(np.array(weights), np.full(len(weights), mean))
    unit = 1000 << (WEIGHT_BITS - FINE_BITS)
    assert terms.tolist() == [(weight * mean + unit // 2) // unit for weight in weights]
