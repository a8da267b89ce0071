"""A distribution as people read it: how many speeds are offered, round steps, a mean and its interval.

What a program reads has every edge. A person reads a few round ones, and asks first about one in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np

from core.arrays import Floats
from core.mechanisms.public_model import HAT_MEAN, scaled
from core.quantity import Quantity
from core.statistics.base import AnyStatistic

MOST_LIMITS = 13
"""Speeds at most whose shares a person is offered from a distribution."""
_FEWEST_LIMITS = 4
_MOST_APART = 100
"""Round steps from the first edge of a distribution to the last; multiples of finer ones are not round."""
_DIGITS = (1, 2, 5)
_REACH = 2.12
"""Deviations in half the 95 % interval of a distribution's mean, however few Laplace noises are added."""


def is_distribution(statistic: AnyStatistic) -> bool:
    """Whether its rows are shares at or below one value after the other."""
    return statistic.method == "cdf"


def shown_limits(edges: Sequence[int]) -> tuple[int, ...]:
    """Those of the edges of the bins that people are shown, thousandths, ascending. edges: at least two.

    The multiples of the smallest round step that leaves few; edges that are not round are taken at equal
    distances. The last edge is the upper bound, at or below which everything is.
    """
    inner = tuple(sorted(edges))[:-1]
    if len(inner) <= MOST_LIMITS:
        return inner
    round_distances = (step for step in _round_distances() if step * _MOST_APART >= inner[-1] - inner[0])
    step = next(step for step in round_distances if sum(edge % step == 0 for edge in inner) <= MOST_LIMITS)
    found = tuple(edge for edge in inner if edge % step == 0)
    if len(found) >= _FEWEST_LIMITS:
        return found
    apart = math.ceil(len(inner) / MOST_LIMITS)
    return inner[apart - 1 :: apart]


def _round_distances() -> Iterator[int]:
    return (digit * 10**power for power in count() for digit in _DIGITS)


def first_limit(limits: Sequence[int], quantity: Quantity, span: int) -> int:
    """The one that a person is shown first; span: U, thousandths.

    It follows from public constants alone: near the mean speed of a city by the public model; of what may
    be negative 0; else the one in the middle.
    """
    middle = quantity.lower + span // 2
    if quantity.is_speed:
        middle = round(scaled(HAT_MEAN, float(span)))
    elif quantity.lower < 0 < quantity.lower + span:
        middle = 0
    return min(limits, key=lambda limit: (abs(limit - middle), limit))


def mean_share(shares: Floats, deviations: Floats, bounds: Floats) -> tuple[float, float]:
    """Mean of the shares of several hexagon slots, each counting alike, and half of its 95 % interval.

    shares: before they were cut, shape (n,); deviations: of noise and modelled bias of each; bounds: the
    largest possible bias of each. Noise of different hexagon slots is independent. How much of a deviation
    is bias is not published: no more than all of it, nor than the bound, and as much as can be is taken as
    the same everywhere, which makes the interval wider than it need be.
    """
    biases = np.minimum(deviations, bounds)
    noise = float((deviations**2 - biases**2).sum()) / shares.size**2
    return float(shares.mean()), _REACH * math.sqrt(noise + float(biases.mean()) ** 2)
