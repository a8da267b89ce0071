"""core.mechanisms.clipping_threshold: the best of its candidates, user by user; the most a term moves."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.fixed_point import FINE
from core.mechanisms.clipping_threshold import (
    CLIP_PARTS,
    best_thresholds,
    largest_move,
    threshold_bias,
    threshold_moves,
)
from core.mechanisms.water_filling import group_counts
from tests.strategies import U, counts

EPSILONS = st.sampled_from(("0.001", "0.123457", "0.5", "1", "2", "17.3", "100")).map(Decimal)
UPPER = U / 1000


def literal_thresholds(sizes: NDArray[np.int64], spread: float) -> list[tuple[float, float, float]]:
    """Of the 56: T, what noise must cover and the modelled bias, km/h; user by user."""
    shares = [float(size) / float(sizes.sum()) for size in sizes]
    widest = UPPER * max(shares)
    found = []
    for k in range(56):
        t_kmh = widest * 0.01 ** ((55 - k) / 55)
        first = second = 0.0
        for share in shares:
            sigma = 0.85 * spread * share
            t = t_kmh / sigma
            q = math.erfc(t / math.sqrt(2)) / 2
            phi = math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
            first += max(0.0, 2 * sigma * (phi - t * q))
            second += max(0.0, 2 * sigma**2 * ((1 + t * t) * q - t * phi))
        found.append((t_kmh, min(2 * t_kmh, widest), math.sqrt(2 / math.pi * second + first**2)))
    return found


def literal_threshold(sizes: NDArray[np.int64], epsilon: float, spread: float) -> tuple[float, float]:
    """Smallest objective over the 56 thresholds, and its T in km/h."""
    return min((moved / epsilon + bias, t) for t, moved, bias in literal_thresholds(sizes, spread))


@given(sizes=counts(most_users=20, most_records=60), epsilon=EPSILONS, spread=st.floats(0.5, 30))
def test_the_threshold_is_the_best_of_56(sizes: NDArray[np.int64], epsilon: Decimal, spread: float) -> None:
    groups, noise = group_counts(sizes), float(epsilon)
    bias, moves = threshold_bias(groups, UPPER, spread), threshold_moves(groups, UPPER)
    (found,) = best_thresholds(groups, np.array([noise]), UPPER, bias[None])[0].tolist()
    best, threshold = literal_threshold(sizes, noise, spread)
    error = moves[found] / noise + bias[found]
    assert error == pytest.approx(best, rel=1e-9)
    widest = UPPER * float(sizes[0]) / float(sizes.sum())
    assert CLIP_PARTS[found] * widest == pytest.approx(threshold) or error == pytest.approx(best)


@given(sizes=counts(most_users=20, most_records=60), upper_bound=st.integers(1, 1_000_000))
def test_no_rounded_term_moves_more_than_the_largest_move(sizes: NDArray[np.int64], upper_bound: int) -> None:
    """Of the busiest vehicle: both ends of `w (X - c)` rounded as integers of 2^-30 km/h, c anywhere."""
    most = largest_move(group_counts(sizes), upper_bound)
    share = int(sizes.max()) * FINE / (1000 * int(sizes.sum()))
    for centre in (0, upper_bound // 3, upper_bound):
        ends = [round(share * (end - centre)) for end in (0, upper_bound)]
        assert ends[1] - ends[0] <= most
    assert most <= share * upper_bound + 1
