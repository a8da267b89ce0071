"""core.bundle.distribution_words: few round limits, and a mean of shares whose range holds the true one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.bundle.distribution_words import first_limit, mean_share, shown_limits
from core.quantity import SPEED, Quantity

DELAY = Quantity(name="delay", column_unit="s", unit="s", lower=-600_000)


@pytest.mark.parametrize(
    ("edges", "shown"),
    [
        (range(100, 65_001, 100), range(5_000, 65_000, 5_000)),
        (range(5_000, 65_001, 5_000), range(5_000, 65_000, 5_000)),
        (range(1_000, 65_001, 1_000), range(5_000, 65_000, 5_000)),
        (range(-540_000, 3_600_001, 60_000), range(-300_000, 3_300_001, 300_000)),
        ([7_000, 13_000, 20_000], [7_000, 13_000]),
        # no edge but the last is round: every third
        (
            [65_065 * number // 35 for number in range(1, 36)],
            [65_065 * number // 35 for number in range(3, 35, 3)],
        ),
    ],
)
def test_few_round_limits_are_shown_and_never_the_upper_bound(
    edges: range | list[int], shown: range | list[int]
) -> None:
    assert shown_limits(list(edges)) == tuple(shown)


@pytest.mark.parametrize(
    ("quantity", "span", "first"),
    [
        (SPEED, 65_000, 20_000),
        (SPEED, 130_000, 45_000),
        (DELAY, 4_200_000, 0),
        (dataclasses.replace(DELAY, lower=0), 120_000, 60_000),
    ],
)
def test_the_first_limit_follows_from_public_constants(quantity: Quantity, span: int, first: int) -> None:
    limits = range(quantity.lower, quantity.lower + span, 5_000)
    assert first_limit(limits, quantity, span) == first


@pytest.mark.parametrize("slots", [1, 3, 40])
def test_the_range_of_a_mean_share_holds_the_true_one_with_noise_and_the_worst_bias_alike(slots: int) -> None:
    """In 95 of 100 cases at least: of Laplace noise, and of a bias that is the same in all slots."""
    draws = np.random.default_rng(7)
    noise, bias, cases = 0.1, 0.04, 4_000
    deviations = np.full(slots, np.hypot(noise, bias))
    leans = draws.normal(0.0, bias, (cases, 1))
    shares = 0.4 + leans + draws.laplace(0.0, noise / np.sqrt(2.0), (cases, slots))
    means, halves = zip(*(mean_share(one, deviations, np.full(slots, bias)) for one in shares), strict=True)
    assert np.mean(np.abs(np.array(means) - 0.4) <= halves) >= 0.95
    # a larger bound only widens it, and never beyond what all the deviation being bias comes to
    widest = mean_share(shares[0], deviations, np.full(slots, 9.0))[1]
    assert halves[0] <= widest
    assert widest == pytest.approx(2.12 * deviations[0])
