"""The 95 % interval around a noisy number, cut to what the number can be (method 14.2)."""

from __future__ import annotations

import math
from typing import NamedTuple


class Interval(NamedTuple):
    """Both ends, integers of the number's last decimal, and whether they tell anything."""

    low: int
    high: int
    informative: bool = True
    """False where noise carried the whole interval out of the range: it is then the range itself."""


def outwards(half_width: float) -> int:
    """A half-width rounded up, with the half unit that rounding the centre may have cost."""
    return math.ceil(half_width + 0.5)


def interval_around(centre: int, reach: int, *, largest: int) -> Interval:
    """Centred on the noisy number *before* it was clamped, then cut to [0, largest]; all in one unit."""
    if centre + reach < 0 or centre - reach > largest:
        return Interval(0, largest, informative=False)
    return Interval(max(0, centre - reach), min(largest, centre + reach))
