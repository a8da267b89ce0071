"""A HAT made up to 100 times larger, by more records a user or more users (P1 Sec. IV-C, P3 Sec. IV-C)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.evaluate.true_statistics import true_mean, true_variance
from core.fixed_point import THOUSAND

FACTOR = 10
"""lambda of the papers: how many times larger a scaled HAT is."""
MOST_FACTOR = 100
"""Beyond it a scaled set no longer fits the memory of any machine that people have."""


def sample_scaled(hat: HatData, seed: int, factor: int = FACTOR) -> HatData:
    """Every user has `factor` times as many records; values as `_drawn` says."""
    return _drawn(hat, hat.counts * factor, seed)


def user_scaled(hat: HatData, seed: int, factor: int = FACTOR) -> HatData:
    """Every user is there `factor` times; values as `_drawn` says."""
    return _drawn(hat, np.repeat(hat.counts, factor), seed)


SCALINGS: dict[str, Callable[[HatData, int, int], HatData]] = {
    "sample": sample_scaled,
    "user": user_scaled,
}
"""(hat, seed, factor) -> the scaled HAT."""


def _drawn(hat: HatData, counts: NDArray[np.int64], seed: int) -> HatData:
    """Values i.i.d. from `clip(N(mu, sigma^2), 0, U)`, mu and sigma^2 the hat's, before clipping."""
    rng = np.random.default_rng(seed)
    kmh = rng.normal(true_mean(hat), math.sqrt(true_variance(hat)), int(counts.sum()))
    values = np.clip(np.rint(kmh * THOUSAND), 0, hat.upper_bound).astype(np.int32)
    return HatData(
        counts=counts, starts=np.cumsum(counts) - counts, values=values, upper_bound=hat.upper_bound
    )
