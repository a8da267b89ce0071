"""Smoothing of shares: it helps, it stays in [0, 1], and what tiles adds up."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.testing import assert_allclose

from core.city.smoothing import SmoothingFacts, left_out
from core.shares.censored_posterior import share_posterior
from core.shares.share_smoothing import SmoothedShares, adding_up, foretold_share_errors, smooth_shares
from tests.strategies import CELLS

RANGES = (0.3, 0.7)


def facts(deviation: float, hats: int = 60) -> list[SmoothingFacts]:
    return [
        SmoothingFacts(
            cells=np.array([CELLS[number % len(CELLS)] for number in range(hats)], np.int64),
            hours=np.array([(number // len(CELLS)) % 24 + 0.5 for number in range(hats)]),
            noise_variance=np.full(hats, deviation**2),
            bias_variance=np.zeros(hats),
            gaussian=True,
            upper_kmh=65.0,
            ids=tuple(f"{number:03d}" for number in range(hats)),
            expected_share=share,
        )
        for share in RANGES
    ]


def noisy(deviation: float, hats: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    low = np.clip(0.25 + 0.02 * rng.standard_normal(hats), 0, 1)
    truth = np.column_stack((low, 1 - low))
    return truth, truth + deviation * rng.standard_normal(truth.shape)


def test_noise_is_divided_where_neighbours_are_alike() -> None:
    truth, drawn = noisy(0.3)
    found = smooth_shares(facts(0.3), drawn)
    assert np.abs(found.values - truth).mean() < np.abs(np.clip(drawn, 0, 1) - truth).mean() / 2.5
    assert np.all((found.lows >= 0) & (found.lows <= found.values) & (found.values <= found.highs))
    assert np.all(found.highs <= 1)
    assert np.mean((found.lows <= truth) & (truth <= found.highs)) > 0.95
    assert found.spreads.shape == (2, 4)


def test_a_share_without_noise_is_left_as_it_is() -> None:
    truth, _ = noisy(0.0)
    assert_allclose(smooth_shares(facts(0.0), truth).values, truth, atol=1e-4)


def test_intervals_take_what_others_say_as_less_certain_than_values_do() -> None:
    """1.3 times as wide: the published law (city-release 14)."""
    _, drawn = noisy(0.3)
    one = facts(0.3)[0]
    found, others = smooth_shares([one], drawn[:, :1]), left_out(one.with_values(drawn[:, 0]))
    narrow, wide = (
        share_posterior(
            drawn[:, 0], one.noise_variance, others.means, times * others.deviations, gaussian=True
        )
        for times in (1.0, 1.3)
    )
    assert_allclose(found.values[:, 0], narrow.medians)
    assert_allclose(found.lows[:, 0], np.minimum(wide.lows, narrow.medians))
    assert_allclose(found.highs[:, 0], np.maximum(wide.highs, narrow.medians))


def test_the_order_of_hexagon_slots_does_not_matter() -> None:
    _, drawn = noisy(0.2)
    turned = [one.only(np.arange(59, -1, -1)) for one in facts(0.2)]
    assert_allclose(
        smooth_shares(turned, drawn[::-1]).values, smooth_shares(facts(0.2), drawn).values[::-1], atol=1e-9
    )


def test_what_tiles_adds_up_and_keeps_its_intervals() -> None:
    given = SmoothedShares(
        values=np.array([[0.2, 0.5], [0.0, 0.4]]),
        lows=np.array([[0.2, 0.4], [0.0, 0.3]]),
        highs=np.array([[0.3, 0.6], [0.1, 0.9]]),
        typical=np.zeros((2, 2)),
        spreads=np.zeros((2, 4)),
    )
    found = adding_up(given)
    assert_allclose(found.values, [[0.35, 0.65], [0.3, 0.7]])
    assert_allclose(found.highs, [[0.35, 0.65], [0.3, 0.9]])
    assert_allclose(found.lows, given.lows)
    values = np.array([[0.8, 0.6]])
    found = adding_up(dataclasses.replace(given, values=values, lows=values - 0.1, highs=values))
    assert_allclose(found.values, found.lows, err_msg="moved below their intervals")


def test_more_noise_leaves_more_error() -> None:
    small, large = (foretold_share_errors(facts(deviation)) for deviation in (0.05, 0.5))
    assert small.shape == (60, 2)
    assert np.all(small < large)
    bias = [dataclasses.replace(one, bias_variance=one.bias_variance + 0.04) for one in facts(0.05)]
    assert np.all(foretold_share_errors(bias) > small)
