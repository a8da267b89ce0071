"""Two-step clipping: steps in fractions, lemmas by force, audits by the law (docs/two-step-clipping.md)."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData, HatUsers
from core.fixed_point import FINE
from core.grouping.plan_cache import PlanCache
from core.mechanisms import two_step_clipping
from core.mechanisms.two_step_clipping import (
    MECHANISM,
    centre_move,
    centre_scores,
    clipped_sum,
    deviations,
    rounded_means,
    spread_scores,
)
from core.mechanisms.two_step_clipping_plan import (
    CENTRE,
    SPREAD,
    LinearPlan,
    TwoStepPlan,
    dwell_correction,
    linear_terms,
)
from core.noise.selection_law import selection_law
from core.noise.simulated import SimulatedNoise
from core.statistics.intervals import outwards
from tests.audit import SharedNoise, epsilon_lower_bound
from tests.core.mechanisms.test_two_step_clipping_plan import literal_dwell, plan_for, two_step_for
from tests.fakes import secure_noise
from tests.strategies import U, counts, hat_data, hat_of, values

ALPHA = 1e-6
TRIALS = 20_000
BOUNDS = st.sampled_from((U, 64_999, 1_000, 37, 1))


@dataclass
class StepNoise:
    """Selects the given candidates, adds nothing, and keeps what it was asked."""

    picks: list[int] = field(default_factory=list)
    scores: list[tuple[NDArray[np.int64], int, Decimal]] = field(default_factory=list)
    centres: list[tuple[int, int, Decimal]] = field(default_factory=list)

    def select(
        self, scores: NDArray[np.int64], sensitivity: int, *, spend: Decimal, size: int | None = None
    ) -> NDArray[np.int64]:
        assert size in (None, 1)
        self.scores.append((scores, sensitivity, spend))
        return np.array([self.picks[len(self.scores) - 1]], np.int64)

    def laplace(
        self, centre: int | NDArray[np.int64], sensitivity: int | NDArray[np.int64], *, spend: Decimal
    ) -> NDArray[np.int64]:
        only, moved = (int(np.asarray(one).reshape(-1)[0]) for one in (centre, sensitivity))
        self.centres.append((only, moved, spend))
        return np.array([only], np.int64)

    @property
    def spent(self) -> Decimal:
        return sum((spend for *_, spend in [*self.scores, *self.centres]), Decimal(0))


def plan_of(hat: HatData, epsilon: str) -> LinearPlan | TwoStepPlan:
    return plan_for(hat.counts, epsilon, visits=hat.visits, upper_bound=hat.upper_bound)


def two_step_of(hat: HatData, epsilon: str = "100") -> TwoStepPlan:
    return two_step_for(hat.counts, epsilon, visits=hat.visits, upper_bound=hat.upper_bound)


@st.composite
def neighbours(draw: st.DrawFn, *, least: int = 1) -> tuple[HatData, HatData]:
    """Two HATs that differ in the values of one user, with runs of 0 and U; `least` records a user."""
    upper_bound = draw(BOUNDS)
    sizes = counts().map(lambda found: np.maximum(found, least))
    hat = draw(hat_data(sizes, upper_bound=upper_bound))
    user = draw(st.integers(0, hat.counts.size - 1))
    begin, size = int(hat.starts[user]), int(hat.counts[user])
    flat = hat.values.copy()
    flat[begin : begin + size] = draw(values(size, upper_bound))
    return hat, dataclasses.replace(hat, values=flat)


def cut(value: Fraction, most: Fraction) -> Fraction:
    return max(-most, min(most, value))


def literal_means(hat: HatData) -> list[int]:
    """X_l in thousandths: exact mean, halves up."""
    found = []
    for start, size in zip(hat.starts.tolist(), hat.counts.tolist(), strict=True):
        mean = Fraction(int(hat.values[start : start + size].sum()), size)
        found.append(int(mean + Fraction(1, 2)))
    return found


def literal_shifted(hat: HatData, centre: int) -> list[int]:
    """X_l with its shift for a candidate c, both in thousandths: `k c (h_l - hbar)` to the nearest."""
    dwell = literal_dwell(hat.public)
    return [mean + round(0.3 * centre * h) for mean, h in zip(literal_means(hat), dwell, strict=True)]


# --- each step against two-step-clipping 3, in fractions -----------------------------------------


@given(hat=hat_data())
def test_means_are_rounded_to_thousandths(hat: HatData) -> None:
    assert rounded_means(hat).tolist() == literal_means(hat)


@given(hat=hat_data(counts().map(lambda sizes: np.maximum(sizes, 3))))
def test_centre_scores_are_those_of_the_spec(hat: HatData) -> None:
    choice = two_step_of(hat).two_step
    wanted = [
        -abs(
            sum((cut(Fraction(mean - c, 3000), Fraction(1)) for mean in literal_shifted(hat, c)), Fraction(0))
        )
        for c in range(1_000, 64_000, 2_000)
    ]
    assert centre_scores(rounded_means(hat), choice).tolist() == [score * choice.reach for score in wanted]


@given(hat=hat_data(counts().map(lambda sizes: np.maximum(sizes, 3))), centre=st.integers(0, 31))
def test_spread_scores_are_those_of_the_spec(hat: HatData, centre: int) -> None:
    choice = two_step_of(hat).two_step
    c = int(choice.centres[centre])
    means = literal_shifted(hat, c)
    wanted = [
        -abs(sum(abs(mean - c) <= 0.6745 * 1000 * s for mean in means) - len(means) / 2)
        for s in choice.spreads
    ]
    found = spread_scores(rounded_means(hat) + choice.shifts(c), c, choice)
    assert found.tolist() == [2 * score for score in wanted]


@given(
    hat=hat_data(counts().map(lambda sizes: np.maximum(sizes, 3))), pick=st.tuples(*[st.integers(0, 4)] * 2)
)
def test_two_step_releases_the_clipped_sum(hat: HatData, pick: tuple[int, int]) -> None:
    plan = two_step_of(hat)
    choice = plan.two_step
    noise = StepNoise([7 * pick[0], pick[1]])
    MECHANISM.run(plan, hat, noise)
    ((centre, sensitivity, _),) = noise.centres
    c = Fraction(int(choice.centres[7 * pick[0]]), 1000)
    spread = pick[1] if SPREAD in dict(plan.budget_shares) else 0
    threshold = Fraction(int(choice.thresholds[spread]), FINE)
    records = int(hat.counts.sum())
    wanted = c + sum(
        cut(Fraction(size, records) * (Fraction(mean, 1000) - c), threshold)
        for size, mean in zip(hat.counts.tolist(), literal_shifted(hat, int(1000 * c)), strict=True)
    )
    assert abs(Fraction(centre, plan.divisor) - wanted) <= Fraction(hat.counts.size + 1, 2 * FINE)
    assert sensitivity == choice.sensitivities[spread]
    assert plan.divisor == FINE
    drawn = MECHANISM.run(plan, hat, StepNoise([7 * pick[0], pick[1]]))
    assert drawn.half_width is not None
    assert drawn.half_width.tolist() == [choice.half_width(spread, plan.noise_epsilon)]


@given(hat=hat_data(), epsilon=st.sampled_from(("0.001", "0.5", "1")))
def test_linear_releases_the_weighted_sum(hat: HatData, epsilon: str) -> None:
    plan = plan_of(hat, epsilon)
    assert isinstance(plan, LinearPlan)
    noise = StepNoise()
    MECHANISM.run(plan, hat, noise)
    ((centre, sensitivity, spend),) = noise.centres
    weights = plan.weights
    wanted = sum(
        Fraction(weight, 2**36) * Fraction(mean, 1000)
        for weight, mean in zip(weights.tolist(), literal_means(hat), strict=True)
    )
    correction, _ = dwell_correction(hat.public, weights)
    assert abs(Fraction(centre, FINE) - wanted) <= Fraction(hat.counts.size, 2 * FINE)
    assert plan.divisor == round(FINE * correction)
    assert (sensitivity, spend) == (plan.sensitivity, Decimal(epsilon))
    assert plan.sensitivity_kmh == pytest.approx(65 * float(weights.max()) / 2**36 / correction, abs=1e-7)
    assert MECHANISM.run(plan, hat, StepNoise()).half_width is None


# --- sensitivities by force ----------------------------------------------------------------------


@settings(max_examples=300)
@given(pair=neighbours(), epsilon=st.sampled_from(("0.001", "1", "3")))
def test_no_user_moves_a_linear_sum_beyond_its_sensitivity(
    pair: tuple[HatData, HatData], epsilon: str
) -> None:
    plan = plan_of(pair[0], epsilon)
    assert isinstance(plan, LinearPlan)
    asked = [StepNoise(), StepNoise()]
    for hat, noise in zip(pair, asked, strict=True):
        MECHANISM.run(plan, hat, noise)
    (one, moved, _), (other, _, _) = asked[0].centres[0], asked[1].centres[0]
    assert abs(one - other) <= moved == plan.sensitivity


def test_the_sensitivity_of_a_linear_sum_covers_weights_of_any_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats choose the weights; should they ever fall below 0, privacy must not hang on it."""
    monkeypatch.setattr(two_step_clipping, "whole_weights", lambda *_: np.array([-3, 2, 2]) << 36)
    assert plan_for([2, 1, 1], "1").sensitivity == 3 * U * FINE // 1000


@given(pair=neighbours(least=3))
def test_no_user_moves_a_score_beyond_its_sensitivity(pair: tuple[HatData, HatData]) -> None:
    plan = two_step_of(pair[0])
    choice = plan.two_step
    means = [rounded_means(hat) for hat in pair]
    move = np.abs(centre_scores(means[0], choice) - centre_scores(means[1], choice)).max()
    assert move <= centre_move(choice, plan.upper_bound) <= 2 * choice.reach
    for centre in choice.centres.tolist():
        near = [spread_scores(one + choice.shifts(centre), centre, choice) for one in means]
        assert np.abs(near[0] - near[1]).max() <= 2


@given(pair=neighbours(least=3), picked=st.sets(st.integers(0, 31), min_size=1, max_size=6))
def test_no_user_moves_a_clipped_sum_beyond_its_sensitivity(
    pair: tuple[HatData, HatData], picked: set[int]
) -> None:
    """For every spread, and any centre, that may have been selected."""
    plan = two_step_of(pair[0])
    choice = plan.two_step
    means = [rounded_means(hat) for hat in pair]
    for centre in choice.centres[sorted(picked)].tolist():
        terms = [deviations(pair[0].counts, one + choice.shifts(centre), centre) for one in means]
        for threshold, moved in zip(choice.thresholds, choice.sensitivities, strict=True):
            one, other = (clipped_sum(term, centre, int(threshold)) for term in terms)
            assert abs(one - other) <= moved <= plan.sensitivity


def test_some_user_moves_each_step_by_its_whole_sensitivity() -> None:
    """A thousandth less would not do."""
    hat = hat_of([3] * 12, [0] * 36)
    other = hat_of([3] * 12, [U] * 3 + [0] * 33)
    plan = two_step_of(hat)
    choice = plan.two_step
    means = [rounded_means(one) for one in (hat, other)]
    scores = [centre_scores(one, choice) for one in means]
    assert np.abs(scores[0] - scores[1]).max() == centre_move(choice, U) == 6000
    # within 0.6745 s of the centre 1, then not
    near = [spread_scores(one, 1000, choice) for one in means]
    assert np.abs(near[0] - near[1]).max() == 2
    terms = [deviations(hat.counts, one, 33_000) for one in means]
    for threshold, moved in zip(choice.thresholds, choice.sensitivities, strict=True):
        one, two = (clipped_sum(term, 33_000, int(threshold)) for term in terms)
        assert 0.999 * moved < abs(one - two) <= moved


@given(
    hat=hat_data(counts().map(lambda sizes: np.maximum(sizes, 3)), upper_bound=U), centre=st.integers(0, 31)
)
def test_no_values_exceed_the_bias_bound(hat: HatData, centre: int) -> None:
    plan = two_step_of(hat)
    truth = float(hat.values.mean()) / 1000
    for spread in range(plan.two_step.spreads.size):
        noise = StepNoise([centre, spread])
        MECHANISM.run(plan, hat, noise)
        estimate = noise.centres[0][0] / FINE
        if hat.visits is None:
            assert -1e-6 <= estimate <= U / 1000 + 1e-6
        # with shifts it may lie outside of [0, U] until it is clamped
        assert abs(min(max(estimate, 0.0), U / 1000) - truth) <= plan.bias_bound + 1e-9


# --- plan, spending and extremes -----------------------------------------------------------------


@given(data=st.data(), epsilon=st.sampled_from(("0.001", "1", "7.5", "100")))
def test_the_plan_follows_from_counts_and_a_run_spends_it_all(data: st.DataObject, epsilon: str) -> None:
    hat = data.draw(hat_data())
    other = dataclasses.replace(hat, values=np.array(data.draw(values(hat.values.size)), np.int32))
    plan = plan_of(hat, epsilon)
    assert repr(plan) == repr(plan_of(other, epsilon))
    for one in (hat, other):
        noise = StepNoise([3, 0])
        MECHANISM.run(plan, one, noise)
        assert noise.spent == plan.epsilon == sum(share for _, share in plan.budget_shares)


@pytest.mark.parametrize("epsilon", ["0.001", "0.5", "1", "33.333333", "100"])
@pytest.mark.parametrize(
    ("sizes", "flat"),
    [
        ([1], [12_345]),
        ([5], [0, U, 1, 2, 3]),
        ([3] * 40, [7_000] * 120),
        ([4, 3, 3], [0] * 10),
        ([4, 3, 3], [U] * 10),
        ([9, 1, 1], [0] * 9 + [U, U]),
    ],
    ids=["one-record", "one-user", "equal", "all-0", "all-U", "busy-at-0"],
)
def test_real_estimates_are_sane(epsilon: str, sizes: list[int], flat: list[int]) -> None:
    hat = hat_of(sizes, flat)
    plan = plan_of(hat, epsilon)
    drawn = MECHANISM.run(plan, hat, secure_noise(plan.epsilon))
    assert drawn.estimates.shape == drawn.noise_scale.shape == (1,)
    assert 0 <= drawn.estimates[0] <= U
    assert 0 < drawn.noise_scale[0] <= plan.noise_scale
    assert 0 <= plan.bias_bound <= U / 1000
    assert np.isfinite(plan.error_at_worst)
    accuracy = MECHANISM.accuracy(plan, hat.public, PlanCache())
    assert 0 < accuracy.typical_error <= U / 1000
    assert accuracy.half_width > 0


@pytest.mark.parametrize("epsilon", ["0.001", "0.01", "1", "100"])
def test_ten_thousand_users(epsilon: str) -> None:
    rng = np.random.default_rng(5)
    sizes = np.sort(rng.geometric(0.02, 10_000))[::-1]
    flat = np.clip(rng.normal(20_668, 10_700, sizes.sum()), 0, U).astype(int)
    hat = hat_of(sizes.tolist(), flat.tolist())
    plan = plan_of(hat, epsilon)
    drawn = MECHANISM.run(plan, hat, SimulatedNoise(1, 500))
    assert drawn.estimates.shape == (500,)
    error = np.abs(drawn.estimates - flat.mean()).mean() / 1000
    typical = MECHANISM.accuracy(plan, hat.public, PlanCache()).typical_error
    assert error < 3 * typical + 0.001
    if drawn.half_width is not None:
        reach = [outwards(1_000 * width) for width in drawn.half_width.tolist()]
        covered = np.abs(drawn.unclamped - flat.mean()) <= reach
        assert covered.mean() >= 0.95


def test_trials_are_what_one_draw_at_a_time_gives() -> None:
    """Vectorised over selections: 4,000 trials at once have the quantiles of 300 one by one."""
    rng = np.random.default_rng(2)
    sizes = np.sort(rng.integers(3, 40, 60))[::-1]
    hat = hat_of(sizes.tolist(), rng.integers(0, U, sizes.sum()).tolist())
    plan = two_step_of(hat, "2")
    assert SPREAD in dict(plan.budget_shares)
    many = MECHANISM.run(plan, hat, SimulatedNoise(1, 4_000))
    singles = [MECHANISM.run(plan, hat, SimulatedNoise(seed, 1)) for seed in range(300)]
    estimates = np.array([one.estimates[0] for one in singles])
    scales = np.array([one.noise_scale[0] for one in singles])
    for part in (0.1, 0.5, 0.9):
        cut_at = np.quantile(many.estimates, part)
        assert (estimates <= cut_at).mean() == pytest.approx(part, abs=0.1)
    for scale in np.unique(many.noise_scale):
        usual = (many.noise_scale == scale).mean()
        assert (scales == scale).mean() == pytest.approx(usual, abs=0.1)


# --- audits of each step with its own share (method 17) ------------------------------------------

AUDIT_EPSILON = "10"
"""With 12 users: 10/3 for the centre, 2 for the spread, 14/3 for the noise."""


SEEN = pytest.mark.parametrize("seen", [False, True], ids=["no-visits", "visits"])


def audit_pair(step: str, seen: bool) -> tuple[HatData, HatData]:
    """One of 12 users at the place that favours few candidates, and at the place that favours the rest.

    seen: that user stood, and counts as faster the higher the candidate; the others passed by.
    """
    ends = {
        # without the user, scores tie at one user too many above (below 60 km/h) or below (from there on)
        CENTRE: ([0] * 5 + [U] * 5 + [60_000], 0, U),
        # five at the centre 33, one only within the widest spread: counts 5 5 5 5 6 of 12;
        # who stood has 0.3 x 33 x ln 3 x 11/12 = 9.97 km/h added there
        SPREAD: ([33_000] * 5 + [43_000] + [0] * 5, 23_030 if seen else 33_000, 0),
    }
    others, one, two = ends[step]
    visits = np.array([1] + [3] * 11) if seen else None
    low, high = (
        dataclasses.replace(hat_of([3] * 12, np.repeat([own, *others], 3).tolist()), visits=visits)
        for own in (one, two)
    )
    return low, high


def audited_scores(step: str, seen: bool) -> tuple[list[NDArray[np.int64]], int, Decimal]:
    """Scores on both neighbours, their declared sensitivity and share, as a run asks for them."""
    found, asked = [], (0, Decimal(0))
    for hat in audit_pair(step, seen):
        noise = StepNoise([16, 0])
        MECHANISM.run(two_step_of(hat, AUDIT_EPSILON), hat, noise)
        scores, *asked = noise.scores[(CENTRE, SPREAD).index(step)]
        found.append(scores)
    return found, asked[0], asked[1]


@SEEN
@pytest.mark.parametrize("step", [CENTRE, SPREAD])
def test_a_selection_costs_no_more_than_its_share_by_the_law(step: str, seen: bool) -> None:
    scores, moved, share = audited_scores(step, seen)
    laws = [selection_law(one, moved, float(share)) for one in scores]
    worst = np.abs(np.log(laws[0]) - np.log(laws[1])).max()
    assert 0.6 * float(share) < worst <= float(share) + 1e-9
    for exponent in (2.0, 4.0):
        laws = [selection_law(one, moved, exponent * float(share)) for one in scores]
        assert np.abs(np.log(laws[0]) - np.log(laws[1])).max() > float(share)


@SEEN
@pytest.mark.parametrize(("stretch", "caught"), [(1.0, False), (2.0, True)])
@pytest.mark.parametrize("step", [CENTRE, SPREAD])
def test_a_selection_is_audited_by_its_draws(step: str, stretch: float, caught: bool, seen: bool) -> None:
    """`stretch` 2 is an exponent without its half."""
    scores, moved, share = audited_scores(step, seen)
    noise = SimulatedNoise(11, TRIALS)
    draws = [noise.select(one, moved, spend=share * Decimal(stretch)) for one in scores]
    found = epsilon_lower_bound(*draws, ALPHA)
    assert (found > float(share)) is caught
    assert found > 0.3 * float(share)


@SEEN
@pytest.mark.parametrize(("stretch", "caught"), [(1.0, False), (0.5, True)])
@pytest.mark.parametrize("spread", range(5))
def test_the_noise_given_the_selections_is_audited(
    spread: int, stretch: float, caught: bool, seen: bool
) -> None:
    low, high = audit_pair(CENTRE, seen)
    plan = two_step_of(low, AUDIT_EPSILON)
    draws = []
    for neighbour, hat in enumerate((low, high)):
        noise = SharedNoise(TRIALS, neighbour, stretch=stretch)
        asked = StepNoise([16, spread])
        MECHANISM.run(plan, hat, asked)
        centre, moved, share = asked.centres[0]
        draws.append(noise.laplace(centre, moved, spend=share))
    found = epsilon_lower_bound(*draws, ALPHA)
    assert (found > float(share)) is caught
    assert found > 0.3 * float(share)


@SEEN
@pytest.mark.parametrize("epsilon", ["3", AUDIT_EPSILON])
def test_the_whole_release_is_audited(epsilon: str, seen: bool) -> None:
    """LINEAR at 3 (12 users), TWO-STEP at 10."""
    noise = SimulatedNoise(12, TRIALS)
    for pair in (audit_pair(CENTRE, seen), audit_pair(SPREAD, seen)):
        plan = plan_of(pair[0], epsilon)
        draws = [MECHANISM.run(plan, hat, noise).estimates for hat in pair]
        assert epsilon_lower_bound(*draws, ALPHA) <= float(epsilon)


def test_all_small_data_sets_of_ends_keep_every_sensitivity() -> None:
    """Every assignment of 0 and U to three users of 5, 4 and 3 records, and every neighbour of it."""
    sizes = np.array([5, 4, 3])
    choice = two_step_for(sizes, "100").two_step
    ends = [np.array(one) for one in itertools.product((0, U), repeat=3)]
    for one, other in itertools.permutations(ends, 2):
        if (one != other).sum() != 1:
            continue
        move = np.abs(centre_scores(one, choice) - centre_scores(other, choice)).max()
        assert move <= centre_move(choice, U)


# --- dwell time by force -------------------------------------------------------------------------


def seen_hat(rng: np.random.Generator) -> HatUsers:
    """Up to 40 users, from few records to thousands, each in visits of any number."""
    sizes = np.sort(np.maximum(3, rng.geometric(rng.choice([0.5, 0.1, 0.01]), rng.integers(1, 40))))[::-1]
    once = rng.random(sizes.size) < rng.random()
    return HatUsers(counts=sizes, visits=np.where(once, 1, rng.integers(1, sizes, endpoint=True)))


@pytest.mark.audit
def test_1500_hats_with_visits_keep_every_sensitivity_and_the_bias_bound() -> None:
    """One user's X goes anywhere in [0, U], the others stay where they are: nothing declared is exceeded.

    Every score, every count for a spread, every clipped sum, with its own shift for each candidate.
    """
    rng = np.random.default_rng(1_500)
    hats, reached = 0, np.zeros(3)
    while hats < 1_500:
        users = seen_hat(rng)
        bound = int(rng.choice([U, 64_999, 1_000, 37, 1_000_000]))
        epsilon = str(rng.choice([3, 10, 100]))
        if users.size * float(epsilon) < 90:
            continue
        plan = two_step_for(users.counts, epsilon, visits=users.visits, upper_bound=bound)
        hats += 1
        choice, user = plan.two_step, int(rng.integers(users.size))
        others = np.where(rng.random(users.size) < 0.5, rng.choice([0, bound]), rng.integers(0, bound + 1))
        own = np.array([0, bound, *rng.integers(0, bound + 1, 2)])
        versions = [np.where(np.arange(users.size) == user, x, others) for x in own.tolist()]
        scores = np.array([centre_scores(one, choice) for one in versions])
        reached[0] = max(reached[0], np.ptp(scores, axis=0).max() / centre_move(choice, bound))
        for centre in rng.choice(choice.centres, 3).tolist():
            shifted = [one + choice.shifts(centre) for one in versions]
            near = np.array([spread_scores(one, centre, choice) for one in shifted])
            reached[1] = max(reached[1], np.ptp(near, axis=0).max() / 2)
            terms = [deviations(users.counts, one, centre) for one in shifted]
            for threshold, moved in zip(choice.thresholds.tolist(), choice.sensitivities, strict=True):
                sums = [clipped_sum(one, centre, threshold) for one in terms]
                reached[2] = max(reached[2], (max(sums) - min(sums)) / int(moved))
                for one, estimate in zip(versions, sums, strict=True):
                    error = abs(min(max(estimate / FINE, 0.0), bound / 1000) - users.shares @ one / 1000)
                    assert error <= plan.bias_bound + 1e-9
    assert (reached <= 1).all()
    assert (reached > 0.999).all()


def test_500_linear_hats_with_visits_keep_the_sensitivity_and_the_bias_bound() -> None:
    rng, reached = np.random.default_rng(500), 0.0
    for _ in range(500):
        users = seen_hat(rng)
        bound = int(rng.choice([U, 64_999, 1_000, 37]))
        plan = plan_for(users.counts, "0.5", visits=users.visits, upper_bound=bound)
        assert isinstance(plan, LinearPlan)
        sums = [
            int(linear_terms(plan.weights, np.where(np.arange(users.size) == user, x, 0)).sum())
            for user in range(users.size)
            for x in (0, bound)
        ]
        reached = max(reached, (max(sums) - min(sums)) / plan.sensitivity)
        for _ in range(20):
            means = rng.choice([0, bound], users.size)
            estimate = int(linear_terms(plan.weights, means).sum()) / plan.divisor
            error = abs(min(max(estimate, 0.0), bound / 1000) - users.shares @ means / 1000)
            assert error <= plan.bias_bound + 1e-9
    assert 0.999 < reached <= 1


def test_a_shift_is_of_its_own_candidate_and_enters_every_step() -> None:
    """One of twelve stood (h = ln 30): its X counts as 0.3 c (ln 30 - hbar) more in each step."""
    users = HatUsers(counts=np.array([30] + [3] * 11), visits=np.array([1] + [3] * 11))
    hat = dataclasses.replace(
        hat_of(users.counts.tolist(), [5_000] * 30 + [20_000] * 33), visits=users.visits
    )
    plan = two_step_of(hat)
    choice = plan.two_step
    h = np.log(30) * 33 / 63
    assert [int(choice.shifts(c)[0]) for c in (1_000, 21_000)] == [round(300 * h), round(6_300 * h)]
    without = dataclasses.replace(choice, dwell=None)
    means = rounded_means(hat)
    assert centre_scores(means, choice).tolist() != centre_scores(means, without).tolist()
    seen, unseen = StepNoise([10, 4]), StepNoise([10, 4])
    MECHANISM.run(plan, hat, seen)
    MECHANISM.run(dataclasses.replace(plan, two_step=without), hat, unseen)
    assert seen.scores[1][0].tolist() != unseen.scores[1][0].tolist()
    assert seen.centres[0][0] != unseen.centres[0][0]
    assert seen.centres[0][1:] == unseen.centres[0][1:]


def test_dwell_time_is_corrected_where_slow_vehicles_stand() -> None:
    """Values of the public model itself: with visits the estimate leans less, and the errors are smaller."""
    rng = np.random.default_rng(8)
    sizes = np.sort(np.concatenate((np.full(30, 200), rng.integers(5, 20, 170))))[::-1].astype(np.int64)
    visits = np.where(sizes >= 200, 4, np.maximum(sizes // 2, 1))
    users = HatUsers(counts=sizes, visits=visits)
    assert users.dwell is not None
    means = np.clip(25_000 * (1 - 0.3 * users.dwell) + rng.normal(0, 2_000, 200), 0, U)
    flat = np.repeat(np.rint(means).astype(int), sizes)
    hat = dataclasses.replace(hat_of(sizes.tolist(), flat.tolist()), visits=visits)
    for epsilon in ("0.2", "1"):
        errors = []
        for one in (hat, dataclasses.replace(hat, visits=None)):
            drawn = MECHANISM.run(plan_of(one, epsilon), one, SimulatedNoise(3, 4_000)).estimates
            errors.append(float(np.abs(drawn - flat.mean()).mean()))
        assert errors[0] < 0.8 * errors[1]
