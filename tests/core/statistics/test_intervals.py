"""Intervals: about the number before it was clamped, rounded outwards, cut to what is possible."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.noise.laplace_normal import LN_20, half_width_95
from core.statistics.intervals import interval_around, outwards

LARGEST = 10**6


@given(half_width=st.floats(0.0, 1e9))
def test_a_half_width_is_rounded_outwards(half_width: float) -> None:
    """The half unit is what rounding the centre may have cost: no end comes nearer to the exact centre."""
    reach = outwards(half_width)
    assert Fraction(reach) >= Fraction(half_width) + Fraction(1, 2)
    assert reach - half_width < 1.5 + 1e-6


@pytest.mark.parametrize(("half_width", "reach"), [(0.0, 1), (0.5, 1), (0.501, 2), (1.0, 2), (12.5, 13)])
def test_half_widths_by_hand(half_width: float, reach: int) -> None:
    assert outwards(half_width) == reach


@given(
    centre=st.integers(-3 * LARGEST, 3 * LARGEST),
    reach=st.integers(0, 3 * LARGEST),
    largest=st.just(LARGEST) | st.integers(1, 10**7),
)
def test_it_is_centred_before_it_is_cut(centre: int, reach: int, largest: int) -> None:
    low, high, informative = interval_around(centre, reach, largest=largest)
    assert 0 <= low <= high <= largest
    inside = [point for point in (0, largest, min(max(centre, 0), largest)) if abs(point - centre) <= reach]
    if informative:
        assert (low, high) == (max(0, centre - reach), min(largest, centre + reach))
        if 0 <= centre <= largest:
            assert low <= centre <= high
        if low > 0 and high < largest:
            assert low + high == 2 * centre, "symmetric where no end is at a bound"
    else:
        assert (low, high) == (0, largest)
    assert informative is bool(inside)


@pytest.mark.parametrize(
    ("centre", "reach", "found"),
    [
        (500, 100, (400, 600, True)),
        (50, 100, (0, 150, True)),
        (-50, 100, (0, 50, True)),
        (-100, 100, (0, 0, True)),
        (-101, 100, (0, 1_000, False)),
        (1_050, 100, (950, 1_000, True)),
        (1_100, 100, (1_000, 1_000, True)),
        (1_101, 100, (0, 1_000, False)),
        (-50, 5_000, (0, 1_000, True)),
    ],
)
def test_where_nothing_is_left_the_range_is_the_interval_and_tells_nothing(
    centre: int, reach: int, found: tuple[int, int, bool]
) -> None:
    assert tuple(interval_around(centre, reach, largest=1_000)) == found


@pytest.mark.parametrize("truth", [500_000, 1_500, 0, LARGEST])
@pytest.mark.parametrize("deviation", [0.0, 700.0, 5_000.0])
def test_it_covers_the_truth_in_95_percent_of_draws(truth: int, deviation: float) -> None:
    """Also where most draws are clamped: centred on what is clamped it would cover too often."""
    scale, trials = 1_000.0, 20_000
    rng = np.random.default_rng(4)
    noisy = truth + rng.laplace(0.0, scale, trials) + deviation * rng.standard_normal(trials)
    reach = outwards(half_width_95(scale, deviation))
    ends = [interval_around(round(one), reach, largest=LARGEST) for one in noisy.tolist()]
    covered = sum(low <= truth <= high for low, high, informative in ends) / trials
    told = sum(informative for *_, informative in ends) / trials
    if truth in (0, LARGEST):
        # what is beyond the bound by more than its reach is the whole range, and says so
        assert covered == pytest.approx(0.975, abs=4 * math.sqrt(0.975 * 0.025 / trials))
        assert told == pytest.approx(0.975, abs=4 * math.sqrt(0.975 * 0.025 / trials))
    else:
        assert covered == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / trials) + 0.025 * (told < 1))


def test_noise_alone_reaches_ln_20_scales() -> None:
    assert half_width_95(1_000.0, 0.0) == 1_000.0 * LN_20
