"""A black-box audit of a privacy claim: a lower bound on epsilon from draws on two neighbours.

On the first half of the draws the event is chosen that tells the neighbours apart best; on the
second half its probabilities are bounded by Clopper and Pearson. An audit never proves privacy;
it catches noise that is too small. Source: RECIPES C.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import opendp.prelude as dp
from numpy.typing import NDArray
from scipy.stats import beta

from core.noise.secure import laplace_scale

dp.enable_features("contrib")

GRID = 60
"""Quantiles of the pooled draws that events start and end at."""
Sample = NDArray[np.float64] | NDArray[np.int64]


@dataclass(frozen=True)
class Event:
    """The draws in [low, high)."""

    low: float
    high: float

    def count(self, sample: Sample) -> int:
        return int(((sample >= self.low) & (sample < self.high)).sum())


def clopper_pearson(
    hits: NDArray[np.int64], size: int, alpha: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One-sided bounds on a probability, below and above, each wrong with probability `alpha` at most."""
    low = np.where(hits == 0, 0.0, beta.ppf(alpha, np.maximum(hits, 1), size - hits + 1))
    high = np.where(hits == size, 1.0, beta.ppf(1 - alpha, hits + 1, np.maximum(size - hits, 1)))
    return low, high


def choose_event(more: Sample, less: Sample, alpha: float) -> Event:
    """The interval of the quantile grid, half-lines included, that bounds `more` against `less` best."""
    quantiles = np.quantile(np.concatenate([more, less]), np.linspace(0, 1, GRID))
    edges = np.concatenate(([-np.inf], np.unique(quantiles), [np.inf]))
    low, high = np.triu_indices(edges.size, 1)
    hits = []
    for sample in (more, less):
        below = np.searchsorted(np.sort(sample), edges)
        hits.append(below[high] - below[low])
    sure, _ = clopper_pearson(hits[0], more.size, alpha)
    _, possible = clopper_pearson(hits[1], less.size, alpha)
    best = int(np.argmax(sure / possible))
    return Event(float(edges[low[best]]), float(edges[high[best]]))


def certify(event: Event, more: Sample, less: Sample, alpha: float) -> float:
    """ln (p / q) for the event's probabilities p and q, at least; -inf when nothing is certain."""
    sure, _ = clopper_pearson(np.array(event.count(more)), more.size, alpha)
    _, possible = clopper_pearson(np.array(event.count(less)), less.size, alpha)
    return float(np.log(sure / possible)) if sure > 0 else -np.inf


def epsilon_lower_bound(first: Sample, second: Sample, alpha: float) -> float:
    """An epsilon that the mechanism has at least, wrong with probability `alpha` at most.

    first, second: draws on two neighbours. Both directions are tried, so that each of the four
    bounds gets a quarter of alpha.
    """
    bounds = []
    for more, less in ((first, second), (second, first)):
        half, other = more.size // 2, less.size // 2
        event = choose_event(more[:half], less[:other], alpha / 4)
        bounds.append(certify(event, more[half:], less[other:], alpha / 4))
    return max(bounds)


class VectorNoise:
    """OpenDP's noise at the product's scale, `trials` draws in one call; `stretch` spoils the scale."""

    def __init__(self, trials: int, *, stretch: float = 1.0) -> None:
        self._trials = trials
        self._stretch = stretch

    def laplace(self, centre: int, sensitivity: int, *, spend: Decimal) -> NDArray[np.int64]:
        measurement = dp.m.make_laplace(
            dp.vector_domain(dp.atom_domain(T="i64")),
            dp.l1_distance(T="i64"),
            scale=laplace_scale(sensitivity, spend) * self._stretch,
        )
        return np.array(measurement([centre] * self._trials), np.int64)
