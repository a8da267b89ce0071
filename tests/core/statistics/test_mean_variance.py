"""Mean and variance of a HAT: exact centres, sensitivities that hold, and pairs that can be."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData, HatPairs
from core.errors import InputError
from core.fixed_point import FINE
from core.grouping.m_ub import EPSILON_RULES, RULES, resolve_m_ub
from core.grouping.plan_cache import PlanCache
from core.mechanisms.public_model import accuracy_of, weights_bias
from core.noise.secure import SecureNoise
from core.privacy import Allowance, Relation, Unit
from core.statistics.base import Estimate, HatCounts, HatPlan, HatRecords, Question
from core.statistics.mean import SPEED_MEAN
from core.statistics.mean_variance import STATISTIC, exact_variance
from core.statistics.moments import hat_error, largest_variance, mean_sensitivity, variance_sensitivity
from core.statistics.registry import all_statistics, require_statistic
from core.statistics.variance_model import variance_accuracy
from tests.fakes import SCOPE, FakeReservation, RecordingNoise, ScriptedNoise
from tests.strategies import U, hat_data, hat_of, values

ALPHA = 1e-6
NO_PAIRS = HatPairs(
    vehicle=np.zeros(0, np.int32),
    counts=np.zeros(0, np.int64),
    sums=np.zeros(0, np.int64),
    maxima=np.zeros(0, np.int64),
)


def question(m_ub: str | int = "median") -> Question:
    return Question(statistic=STATISTIC, params=STATISTIC.Params(m_ub=m_ub))


def counts_of(
    users: NDArray[np.int64] | list[int],
    *,
    upper_bound: int = U,
    dropped: int = 0,
    visits: NDArray[np.int64] | None = None,
    cache: PlanCache | None = None,
) -> HatCounts:
    """Public counts of a HAT that lost `dropped` records to suppression."""
    sizes = np.array(users, np.int64)
    return HatCounts(
        users=sizes,
        visits=visits,
        records=int(sizes.sum()) + dropped,
        pairs=sizes.size,
        largest_pairs=1,
        days=3,
        upper_bound=upper_bound,
        unit=Unit.VEHICLE,
        cache=cache or PlanCache(),
    )


KEPT = PlanCache()
"""For plans of the same counts again and again: what the public model draws is the same."""


def plan_for(hat: HatData, epsilon: str | Decimal = "1", m_ub: str | int = "median") -> HatPlan:
    return STATISTIC.plan(
        counts_of(hat.counts, upper_bound=hat.upper_bound, visits=hat.visits, cache=KEPT),
        Decimal(epsilon),
        question(m_ub),
    )


def draw(
    hat: HatData, noise: Any, epsilon: str | Decimal = "1", m_ub: str | int = "median"
) -> list[Estimate]:
    return list(STATISTIC.draw(plan_for(hat, epsilon, m_ub), HatRecords(users=hat, pairs=NO_PAIRS), noise))


def kept_values(hat: HatData, m_ub: int) -> list[int]:
    """Record by record."""
    return [
        int(hat.values[start + index])
        for start, count in zip(hat.starts.tolist(), hat.counts.tolist(), strict=True)
        for index in range(min(count, m_ub))
    ]


def variance_of(flat: list[int]) -> Fraction:
    """Squared thousandths, by definition."""
    mean = Fraction(sum(flat), len(flat))
    return sum(((value - mean) ** 2 for value in flat), Fraction(0)) / len(flat)


def in_range(found: list[Estimate], upper_bound: int) -> None:
    """Every promise about a published pair, in exact integers."""
    mean, variance = found
    largest = (upper_bound, upper_bound**2 // 4_000)
    for one, most in zip(found, largest, strict=True):
        assert 0 <= one.low <= one.value <= one.high <= most
    assert 0 <= variance.value * 1000 <= mean.value * (upper_bound - mean.value)


def test_it_is_found_by_its_key_and_names_its_columns() -> None:
    assert require_statistic("mean_variance") is STATISTIC
    assert {"mean", "mean_variance"} <= set(all_statistics())
    assert question().key == "mean-variance"
    assert STATISTIC.relations == {Relation.VALUES}
    first, second = STATISTIC.measures
    columns = (SPEED_MEAN.name, SPEED_MEAN.low, SPEED_MEAN.high, SPEED_MEAN.bias)
    assert (first.name, first.low, first.high, first.bias) == columns
    names = [column for one in (first, second) for column in (one.name, one.low, one.high, one.bias)]
    assert len(set(names)) == 8


def test_the_largest_values_are_u_and_a_quarter_of_its_square() -> None:
    """65 km/h: 1056.25 km2/h2; 0.003 km/h: below a thousandth of km2/h2, rounded down."""
    assert [one.largest_for(65_000) for one in STATISTIC.measures] == [65_000, 1_056_250]
    assert [one.largest_for(3) for one in STATISTIC.measures] == [3, 0]
    assert dataclasses.replace(SPEED_MEAN, largest=1).largest_for(65_000) == 1_000
    assert dataclasses.replace(SPEED_MEAN, largest=None).largest_for(65_000) is None


WORKED = hat_of([3, 1], [10_000, 30_000, 60_000, 20_000])
"""Mean 30 km/h, variance (400 + 0 + 900 + 100) / 4 = 350 km2/h2."""


def test_a_worked_example() -> None:
    """n = 4, k = 3: the mean moves by 65 * 3/4 at most, the variance by 65^2 / 4."""
    plan = plan_for(WORKED, "0.5", 3)
    assert (plan.lead.sensitivity, plan.lead.noise_scale) == (48.75, 48.75 / 0.25)
    noise = RecordingNoise()
    mean, variance = draw(WORKED, noise, "0.5", 3)
    assert (mean.measure, mean.value) == ("speed_mean_kmh", 30_000)
    assert (variance.measure, variance.value) == ("speed_variance_km2_h2", 350_000)
    first, second = noise.draws
    assert (first.centre, first.sensitivity, first.spend) == (120_000, 3 * U, Decimal("0.25"))
    expected = (350 * FINE, 4225 * FINE // 4 + 1, Decimal("0.25"))
    assert (second.centre, second.sensitivity, second.spend) == expected


def test_noise_moves_the_numbers_that_are_published() -> None:
    """4 000 units on the sum of four records are 1 km/h; FINE units are 1 km2/h2."""
    mean, variance = draw(WORKED, ScriptedNoise(4_000, -FINE), m_ub=3)
    assert (mean.value, variance.value) == (31_000, 349_000)


def test_intervals_and_biases_are_of_each_number_in_its_own_unit() -> None:
    """200 users of 2 records, 100 suppressed: k / n = 1/400 of 2 * 65 / eps, and M = 600."""
    sizes = [2] * 200
    hat = hat_of(sizes, [20_000, 40_000] * 200)
    plan = STATISTIC.plan(counts_of(sizes, dropped=200), Decimal(4), question())
    mean, variance = STATISTIC.draw(plan, HatRecords(users=hat, pairs=NO_PAIRS), RecordingNoise())
    ln_20 = math.log(20)
    assert (mean.value, variance.value) == (30_000, 100_000)
    # of whoever is there all records count: the model has no bias beside the noise
    assert mean.high - mean.value == math.ceil(65_000 / 200 / 2 * ln_20 + 0.5)
    spread = float(variance_sensitivity(65, 400, 2)) / 2 * 1000 * ln_20
    assert abs(variance.high - variance.value - spread) <= 2
    assert (mean.value - mean.low, variance.value - variance.low) == (
        mean.high - mean.value,
        variance.high - variance.value,
    )
    assert mean.bias_bound == math.ceil(65_000 / 3)
    assert variance.bias_bound == math.ceil(65**2 * 1000 * 2 / 9)
    first, second = plan.measures
    assert first is plan.lead
    assert (first.bias_bound, second.bias_bound) == pytest.approx((65 / 3, 65**2 * 2 / 9))
    at_worst = first.error_at_worst + second.error_at_worst / 65
    assert at_worst == pytest.approx(hat_error(65.0, 400, 2, 600, Decimal(4)))
    assert second.sensitivity == pytest.approx(float(variance_sensitivity(65, 400, 2)), abs=2 / FINE)
    assert [one.noise_scale for one in plan.measures] == pytest.approx(
        [one.sensitivity / 2 for one in plan.measures]
    )


@given(hat=hat_data(), epsilon=st.decimals("0.001", "100", places=3))
def test_errors_and_intervals_are_of_each_measure(hat: HatData, epsilon: Decimal) -> None:
    plan = plan_for(hat, epsilon)
    retained = np.minimum(hat.counts, plan.m_ub)
    weights = retained / retained.sum()
    mean, variance = plan.measures
    expected = (
        accuracy_of(mean.noise_scale, weights_bias(hat.public, weights, 65.0, retained=retained), 65.0),
        variance_accuracy(hat.public, retained, variance.noise_scale, 65.0, PlanCache()),
    )
    for measure, accuracy, half_width, most in zip(
        plan.measures, expected, plan.detail.half_widths, (65.0, 65.0**2 / 4), strict=True
    ):
        assert (measure.typical_error, half_width) == (accuracy.typical_error, accuracy.half_width)
        assert measure.error_at_worst == min(measure.noise_scale + measure.bias_bound, most)
        assert 0 < measure.typical_error <= most


@given(
    hat=hat_data(),
    m_ub=st.sampled_from(tuple(RULES)) | st.integers(1, 12),
    epsilon=st.decimals("0.000001", "100", places=6),
)
def test_centres_are_exact_and_all_of_epsilon_is_spent(
    hat: HatData, m_ub: str | int, epsilon: Decimal
) -> None:
    noise = RecordingNoise()
    found = draw(hat, noise, epsilon, m_ub)
    resolved = resolve_m_ub(m_ub, hat.counts, epsilon)
    flat = kept_values(hat, resolved)
    mean, variance = noise.draws
    assert mean.centre == sum(flat)
    assert abs(variance.centre - variance_of(flat) * FINE / 10**6) <= Fraction(1, 2)
    assert mean.spend == variance.spend
    assert mean.spend + variance.spend == epsilon
    assert plan_for(hat, epsilon, m_ub).m_ub == resolved
    assert abs(found[0].value - Fraction(sum(flat), len(flat))) <= Fraction(1, 2) + Fraction(1, 10**6)
    possible = found[0].value * (U - found[0].value) // 1000
    assert abs(found[1].value - min(variance_of(flat) / 1000, possible)) <= 1
    in_range(found, hat.upper_bound)


def neighbours(hat: HatData, user: int, alternatives: list[list[int]]) -> Iterator[HatData]:
    """The HAT with other values of one user: all 0, all U, every part of them U, and those given."""
    size, start = int(hat.counts[user]), int(hat.starts[user])
    extremes = [[hat.upper_bound] * ones + [0] * (size - ones) for ones in range(size + 1)]
    for own in extremes + alternatives:
        flat = hat.values.copy()
        flat[start : start + size] = own
        yield dataclasses.replace(hat, values=flat)


@given(data=st.data())
def test_no_user_moves_a_centre_by_more_than_its_sensitivity(data: st.DataObject) -> None:
    """Any user, any values, any rule: between all versions of the HAT, not from the first alone."""
    hat = data.draw(hat_data(upper_bound=data.draw(st.sampled_from((1, 100, U, 1_000_000)))))
    m_ub = data.draw(st.sampled_from(tuple(RULES)) | st.integers(1, 9))
    for user in range(hat.counts.size):
        size = int(hat.counts[user])
        alternatives = data.draw(st.lists(values(size, hat.upper_bound), max_size=3))
        asked = []
        for version in (hat, *neighbours(hat, user, alternatives)):
            noise = RecordingNoise()
            draw(version, noise, "2", m_ub)
            asked.append(noise.draws)
        for step in zip(*asked, strict=True):
            assert len({(one.sensitivity, one.spend) for one in step}) == 1
            centres = [one.centre for one in step]
            assert max(centres) - min(centres) <= step[0].sensitivity


@pytest.mark.parametrize(
    ("sizes", "m_ub"), [([1] * 9, 1), ([4, 3, 2, 1], 4), ([4, 3, 2, 1], 2), ([5, 1], 5), ([7], 7)], ids=str
)
def test_the_sensitivities_are_reached_but_for_the_rounding(sizes: list[int], m_ub: int) -> None:
    """The first user goes from 0 to any number of U, the others stay together at 0 or at U."""
    reached = [0, 0]
    for others in (0, U):
        hat = hat_of(sizes, [0] * sizes[0] + [others] * (sum(sizes) - sizes[0]))
        asked = []
        for version in neighbours(hat, 0, []):
            noise = RecordingNoise()
            draw(version, noise, "1", m_ub)
            asked.append(noise.draws)
        for step, draws in enumerate(zip(*asked, strict=True)):
            centres = [one.centre for one in draws]
            reached[step] = max(reached[step], max(centres) - min(centres))
    covered = [one.sensitivity for one in asked[0]]
    assert reached[0] == covered[0]
    assert 0 <= covered[1] - reached[1] <= 2


NOISE = st.integers(-(2**61), 2**61) | st.integers(-(10**6), 10**6) | st.integers(-(2**40), 2**40)


@given(hat=hat_data(), mean_noise=NOISE, variance_noise=NOISE)
def test_every_published_pair_can_be(hat: HatData, mean_noise: int, variance_noise: int) -> None:
    in_range(draw(hat, ScriptedNoise(mean_noise, variance_noise)), U)


@pytest.mark.parametrize("users", [1, 2, 3])
def test_intervals_cover_even_where_the_variance_gives_way(users: int) -> None:
    """Values at both ends and little noise: half of the noisy pairs are none that values can have."""
    flat = [0, U] * users
    hat = hat_of([2] * users, flat)
    asked = RecordingNoise()
    draw(hat, asked, "20", 2)
    truth, trials = (U // 2, 1_056_250), 800
    generator = np.random.default_rng(11)
    offsets = [
        generator.laplace(0.0, one.sensitivity / float(one.spend), trials).astype(int).tolist()
        for one in asked.draws
    ]
    covered = np.zeros(2)
    for pair in zip(*offsets, strict=True):
        drawn = draw(hat, ScriptedNoise(*pair), "20", 2)
        covered += [one.low <= true <= one.high for one, true in zip(drawn, truth, strict=True)]
    assert (covered / trials > 0.95 - 4 * math.sqrt(0.95 * 0.05 / trials)).all()


LONE = {
    "one record": [10_000],
    "one user": [10_000, 20_000, 60_000],
    "all equal": [30_000] * 4,
    "all 0": [0] * 5,
    "all U": [U] * 5,
    "half and half": [0, 0, U, U],
}


@pytest.mark.parametrize("epsilon", ["0.000001", "0.001", "1", "100", "1000000"])
@pytest.mark.parametrize("flat", LONE.values(), ids=LONE)
@pytest.mark.parametrize("together", [True, False])
def test_odd_hats_give_numbers_in_range_with_real_noise(
    flat: list[int], epsilon: str, together: bool
) -> None:
    """All records of one user, or one record for each: at every budget, and not a step is left unspent."""
    hat = hat_of([len(flat)] if together else [1] * len(flat), flat)
    for _ in range(5):
        noise = SecureNoise(FakeReservation([Allowance(scope=SCOPE, epsilon=Decimal(epsilon))]))
        in_range(draw(hat, noise.scope(SCOPE), epsilon, len(flat)), U)
        assert noise.left(SCOPE) == 0


def test_one_record_has_no_variance_and_still_gets_noise() -> None:
    """Its variance is 0 whatever the record says: the least sensitivity that noise takes is spent on it."""
    noise = RecordingNoise()
    draw(hat_of([1], [10_000]), noise)
    assert (noise.draws[1].centre, noise.draws[1].sensitivity) == (0, 1)


def test_without_noise_extremes_come_out_as_they_are() -> None:
    for name, mean, variance in (("all 0", 0, 0), ("all U", U, 0), ("half and half", U // 2, 1_056_250)):
        found = draw(hat_of([1] * len(LONE[name]), LONE[name]), RecordingNoise())
        assert [one.value for one in found] == [mean, variance]


def test_squares_that_leave_64_bits_are_summed_exactly() -> None:
    """30 squares of 2^31 - 1 are beyond 2^63; the rest of the formula is in Python's integers."""
    top = 2**31 - 1
    flat = [top - index for index in range(30)]
    hat = hat_of([20, 10], flat, upper_bound=top)
    assert hat.sum_of_squares() == sum(value**2 for value in flat) > 2**63
    assert exact_variance(hat) == round(variance_of(flat) * FINE / 10**6)


def test_a_million_records_at_either_end_keep_their_exact_moments() -> None:
    sizes = np.full(1_000, 1_000, np.int64)
    flat = np.tile(np.array([0, U], np.int32), 500_000)
    hat = hat_of(sizes, flat)
    noise = RecordingNoise()
    found = draw(hat, noise)
    assert [one.centre for one in noise.draws] == [U * 500_000, 4225 * FINE // 4]
    assert [one.value for one in found] == [U // 2, 1_056_250]


def test_counts_of_a_billion_are_planned_and_impossible_ones_refused() -> None:
    """Sensitivities stay exact; what would leave 63 bits is refused before any budget is reserved."""
    plan = STATISTIC.plan(counts_of([10**9] * 3), Decimal("0.001"), question())
    assert plan.lead.sensitivity == pytest.approx(65 / 3)
    assert plan.detail.variance_sensitivity == math.floor(variance_sensitivity(65, 3, 1) * FINE) + 1
    with pytest.raises(InputError, match="too large for exact arithmetic"):
        STATISTIC.plan(counts_of([10**14]), Decimal(1), question())


@pytest.mark.parametrize("rule", [*RULES, 2, 100])
def test_the_scale_is_half_the_expected_noise_times_epsilon(rule: str | int) -> None:
    """Two draws of half the budget each: 2 c / eps, which is what the error of a HAT without bias is."""
    counts = counts_of([7, 7, 4, 2, 2, 1])
    c = STATISTIC.scale(counts, question(rule))
    if rule in EPSILON_RULES:
        assert c is None
        return
    assert c is not None
    for epsilon in ("0.5", "3"):
        plan = STATISTIC.plan(counts, Decimal(epsilon), question(rule))
        n, k = int(np.minimum(counts.users, plan.m_ub).sum()), min(7, plan.m_ub or 0)
        without_bias = hat_error(65.0, n, k, n, Decimal(epsilon))
        assert 2 * c / float(epsilon) == pytest.approx(without_bias)
    assert c == pytest.approx(float(mean_sensitivity(65, n, k) + variance_sensitivity(65, n, k) / 65))


def test_rules_that_ask_for_epsilon_get_the_whole_of_the_hat() -> None:
    """At epsilon 1 all 40 records of the busiest user pay off; at the half that each draw has, one does."""
    counts = counts_of([40, 9, 3, 1, 1, 1])
    assert [resolve_m_ub("optimal", counts.users, Decimal(share)) for share in ("1", "0.5")] == [40, 1]
    assert STATISTIC.plan(counts, Decimal(1), question("optimal")).m_ub == 40


def test_suppressed_records_widen_the_bias_and_change_no_noise() -> None:
    whole, less = (
        STATISTIC.plan(counts_of([3, 2, 2], dropped=dropped), Decimal(100), question(3)) for dropped in (0, 7)
    )
    assert (whole.lead.bias_bound, less.lead.bias_bound) == (0.0, 32.5)
    for one, other, wider in zip(whole.measures, less.measures, (32.5, 65**2 / 4), strict=True):
        assert (one.noise_scale, one.sensitivity) == (other.noise_scale, other.sensitivity)
        largest = 65 if one is whole.lead else 65**2 / 4
        assert other.error_at_worst == pytest.approx(min(one.error_at_worst + wider, largest))
    assert less.detail.biases == (32_500, 1000 * largest_variance(65, 14))
