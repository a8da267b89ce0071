"""The mean that follows from shares: what stands for each range, and what ranges hide, by edges alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.shares.mean_of_shares import gives_mean, hidden_by_ranges, mean_half_widths, middles_of
from core.shares.share_model import expected_shares
from core.shares.share_plan import SharePlan
from core.statistics.ranges import Ranges, proposed_edges
from tests.count_tables import TOWN, pairs_of, plan_of
from tests.strategies import U


def tiled(*edges: float, upper: int = U) -> Ranges:
    return Ranges(tuple((round(low * 1000), round(high * 1000)) for low, high in pairwise(edges)), upper)


PROPOSED = tiled(*proposed_edges(0, U))


def test_the_middles_are_those_of_the_published_table() -> None:
    assert_allclose(middles_of(PROPOSED), [0, 3_000, 7_500, 15_000, 25_000, 37_500, 52_000])
    assert_allclose(middles_of(tiled(0, 1, 30, 65))[1:], [15_500, 42_250])
    assert middles_of(tiled(0, 10, 65))[0] == 5_000, "some stand, some drive"


@pytest.mark.parametrize("times", [2, 10])
def test_what_ranges_hide_scales_with_the_span_and_nothing_else(times: int) -> None:
    assert hidden_by_ranges(PROPOSED) == pytest.approx(1_440, abs=5)
    wider = tiled(*(edge * times for edge in proposed_edges(0, U)), upper=times * U)
    assert hidden_by_ranges(wider) == pytest.approx(times * hidden_by_ranges(PROPOSED), rel=1e-4)
    assert (
        hidden_by_ranges(tiled(0, 1, 30, 65))
        > 3 * hidden_by_ranges(PROPOSED)
        > 9 * hidden_by_ranges(tiled(*range(66)))
    )


def test_records_anywhere_in_their_ranges_miss_as_much_as_is_said() -> None:
    """Uniform places in ranges that hold what the model expects: the deviation of what middles miss."""
    rng, halves = np.random.default_rng(1), tiled(*range(0, 70, 5))
    lows, highs = np.array(halves.listed).T
    places = rng.uniform(lows, highs, (20_000, len(halves)))
    missed = (places - (lows + highs) / 2) @ expected_shares(halves)
    assert missed.std() == pytest.approx(hidden_by_ranges(halves), rel=0.02)


@pytest.mark.parametrize(
    ("ranges", "found"),
    [
        (PROPOSED, True),
        (tiled(0, 1, 65), True),
        (tiled(0, 1.001, 65), False),
        (tiled(0, 10, 20, 65), False),
        (Ranges(((0, 1000), (1000, 20_000)), U), False),
        (Ranges(((0, 1000), (0, U - 1), (1000, U)), U), False),
    ],
)
def test_a_mean_takes_ranges_that_tile_and_a_first_one_of_who_stands(ranges: Ranges, found: bool) -> None:
    assert gives_mean(ranges) is found


@pytest.mark.parametrize(("noise", "reach"), [("laplace", 2.16), ("gauss", 1.96)])
def test_an_interval_allows_for_noise_bias_and_what_is_hidden(noise: str, reach: float) -> None:
    """With an ample budget only what ranges hide is left; noise is that of simulated shares."""
    ample = SharePlan(city=plan_of(pairs_of(TOWN), "1e9", noise=noise, mode="exact"), ranges=PROPOSED)
    assert_allclose(mean_half_widths(ample), reach * hidden_by_ranges(PROPOSED), rtol=1e-3)
    split = SharePlan(city=plan_of(pairs_of(TOWN), "20", noise=noise, mode="split"), ranges=PROPOSED)
    assert split.city.bias.interval.min() > 0
    of_shares = split.city.noise.variance(split.drawn_scale) * np.var(middles_of(PROPOSED)) * len(PROPOSED)
    of_bias = (1000 * split.city.bias.interval) ** 2  # of km/h
    assert_allclose(
        (mean_half_widths(split) / reach) ** 2,
        of_shares + of_bias + hidden_by_ranges(PROPOSED) ** 2,
        rtol=1e-3,
    )
    scarce = SharePlan(city=plan_of(pairs_of(TOWN), "2", noise=noise, mode="exact"), ranges=PROPOSED)
    rng, size = np.random.default_rng(3), (40_000, len(PROPOSED))
    drawn = rng.laplace(size=size) if noise == "laplace" else rng.normal(size=size)
    least_squares = drawn - drawn.mean(axis=1, keepdims=True)
    spread = (least_squares @ middles_of(PROPOSED)).std() * scarce.drawn_scale
    assert_allclose(mean_half_widths(scarce), reach * np.hypot(spread, hidden_by_ranges(PROPOSED)), rtol=0.02)
