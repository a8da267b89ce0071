"""Steps that shift shares of vehicles' budgets until an error gains nothing any more (city-release 5).

Each share grows with what another bit of budget is worth there, against what the vehicle's budget is worth on
average; rows are then normalised. At the best shares all bits of a budget are worth the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.progress import Progress

LEAST_SHARE = 1e-30
"""A share of a vehicle's budget that a long stride took to 0 counts as this: its HAT has much noise, not
none.
"""
_MOST_ITERATIONS = 300
_USUAL_ITERATIONS = 20
_LEAST_SLACK = 1e-3
"""What a vehicle keeps of its budget at first, so that no share begins at all of it."""
_LARGEST_ETA, _GROWTH = 2.0, 1.1
_LEAST_ETA = 0.004
"""Steps of shares this short gain nothing any more: biases of single HATs bend the error too sharply."""
_WORTHLESS = 0.1
"""Of a vehicle's average worth of shares: below it, and where one does harm, steps are an exponential's."""
_DEEPEST = -3.0
_LEAST_FACTOR, _LARGEST_FACTOR = math.log(0.02), math.log(30.0)
_LATELY, _LITTLE, _LONG = 10, 3e-4, 0.2
"""It ends where so many steps gained so little of the error, the last of them at least so long."""
_LONG_AGO, _NOTHING = 20, 1e-4
"""It is stuck where so many steps of any length gained so little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorDescent:
    """Where the steps ended."""

    shares: Floats
    """Shape (n,): sums over a vehicle are at most 1."""
    error: float
    stuck: bool
    """They ended since no step gained, not since little was left to gain."""


def mirror_descent(
    error_at: Callable[[Floats], tuple[float, Floats]],
    vehicle: NDArray[np.intp],
    start: Floats,
    progress: Progress,
) -> MirrorDescent:
    """Steps from `start`, shape (n,), to shares of less error.

    error_at: shares -> error, and its slope by each share's logarithm, shape (n,). vehicle: shape (n,), of
    each pair. Raises what `progress` raises.
    """
    spent = np.bincount(vehicle, start)
    slack = np.maximum(1.0 - spent, _LEAST_SLACK)
    shares, slack = _normalised(start, slack, vehicle)
    error, slope = error_at(shares)
    errors, eta = [error], 1.0
    while (
        eta >= _LEAST_ETA
        and len(errors) <= _MOST_ITERATIONS
        and not _little_gained(errors, _LONG_AGO, _NOTHING)
    ):
        progress(len(errors) / (len(errors) + _USUAL_ITERATIONS))
        worth = slope / -np.bincount(vehicle, np.abs(slope))[vehicle] / shares
        tried = _normalised(shares * _factor(worth, eta), slack * _factor(np.zeros(1), eta), vehicle)
        reached, slope_there = error_at(tried[0])
        if reached < error:
            (shares, slack), error, slope = tried, reached, slope_there
            eta = min(_LARGEST_ETA, _GROWTH * eta)
        else:
            eta /= 2.0
        errors.append(error)
        if eta > _LONG and _little_gained(errors, _LATELY, _LITTLE):
            return MirrorDescent(shares=shares, error=error, stuck=False)
    return MirrorDescent(shares=shares, error=error, stuck=len(errors) <= _MOST_ITERATIONS)


def _little_gained(errors: list[float], lately: int, little: float) -> bool:
    """By so many last steps, where there were as many."""
    return len(errors) > lately and errors[-1 - lately] - errors[-1] < little * errors[-1 - lately]


def _normalised(shares: Floats, slack: Floats, vehicle: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Shares and slack of each vehicle that sum to 1."""
    shares = np.maximum(shares, LEAST_SHARE)
    whole = np.bincount(vehicle, shares) + slack
    return shares / whole[vehicle], slack / whole


def _factor(worth: Floats, eta: float) -> Floats:
    """What a step multiplies shares by; worth: against the average of the vehicle's budget."""
    power = eta * np.log(np.maximum(worth, _WORTHLESS))
    power += np.maximum(eta * np.minimum(worth - _WORTHLESS, 0.0), _DEEPEST)
    return np.exp(np.clip(power, _LEAST_FACTOR, _LARGEST_FACTOR))
