"""The mean that follows from shares of ranges that tile the bounds (city-release 14).

Post-processing of released shares. Where records lie inside of a range nobody knows: a public model says how
far that moves the mean, from the edges alone.
"""

from __future__ import annotations

import math

import numpy as np

from core.arrays import Floats
from core.fixed_point import THOUSAND
from core.shares.share_model import expected_shares
from core.shares.share_plan import SharePlan, reach_in_deviations
from core.statistics.ranges import Ranges

_OF_LAST = 0.35
"""How far into the last range of shares its records lie, on average: at 52 of 65 km/h, from 45 on."""


def gives_mean(ranges: Ranges) -> bool:
    """Whether intervals of the mean are true: a first range of who stands and who drives hides too much."""
    return ranges.tile and ranges.begins_standing


def middles_of(ranges: Ranges) -> Floats:
    """What stands for the records of each range, in thousandths above the lower bound; shape (J,).

    Its middle; of who stands the lower bound; of the fastest a little less. ranges: that tile.
    """
    lows, highs = np.array(ranges.listed, np.float64).T
    middles: Floats = (lows + highs) / 2.0
    middles[-1] = lows[-1] + _OF_LAST * (highs[-1] - lows[-1])
    if ranges.begins_standing:
        middles[0] = 0.0
    return middles


def hidden_by_ranges(ranges: Ranges) -> float:
    """Standard deviation of what ranges hide of a mean, in thousandths of the unit.

    The records of each range lie together at a place of it that is as likely as any other (a uniform law has
    the width over the root of 12), and the model says how many of a HAT's they are. Scales with U.
    """
    lows, highs = np.array(ranges.listed, np.float64).T
    return float(np.linalg.norm(expected_shares(ranges) * (highs - lows))) / math.sqrt(12.0)


def mean_half_widths(plan: SharePlan) -> Floats:
    """Of the 95 % interval around each HAT's mean, in thousandths of the unit; shape (G,).

    Noise of shares that were made to add up to 1, the bias of a mean with the same weights, and what ranges
    hide.
    """
    middles, city = middles_of(plan.ranges), plan.city
    noise = city.noise.variance(plan.drawn_scale) * ((middles - middles.mean()) ** 2).sum()
    bias = city.bias.interval * THOUSAND
    _, reach = reach_in_deviations(gaussian=city.noise.squared, tile=True)
    half: Floats = reach * np.sqrt(noise + bias**2 + hidden_by_ranges(plan.ranges) ** 2)
    return half
