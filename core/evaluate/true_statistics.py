"""The true statistics of a HAT: what errors are measured against, never published."""

from __future__ import annotations

import numpy as np

from core.contributions import HatData
from core.fixed_point import THOUSAND


def true_mean(hat: HatData) -> float:
    """f, the mean of all records, km/h."""
    return int(hat.sums().sum()) / (int(hat.counts.sum()) * THOUSAND)


def true_variance(hat: HatData) -> float:
    """Population variance of all records, (km/h)^2."""
    index = np.repeat(hat.starts - (np.cumsum(hat.counts) - hat.counts), hat.counts)
    values = hat.values[index + np.arange(index.size)]
    return float(np.var(values / THOUSAND))
