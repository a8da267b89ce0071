"""Where the ticks of an axis stand, and from where to where it reaches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_DIGITS = (1.0, 2.0, 5.0)
_MOST_TICKS = 8
_CLOSE = 1e-12
"""Values on an axis nearer to each other than this share of the larger one, or of 1, are one value."""
_FEW_DECADES = 3.0
"""Logarithmic axes of fewer decades have ticks at 1, 2 and 5; longer ones at powers of ten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """From values to a share of the axis, 0 at its beginning and 1 at its end."""

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool

    def share(self, value: float) -> float:
        """Where a value stands; above zero on a logarithmic axis."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def linear_scale(values: Sequence[float], *, from_zero: bool) -> Scale:
    """From the least value, or from 0, to the largest, both at a tick; values: at least one."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    least = _CLOSE * max(abs(low), abs(high), 1.0)
    if high - low < least:
        high = low + max(1.0, least)
    step = _step((high - low) / _MOST_TICKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(number * step for number in range(first, last + 1))
    return Scale(low=ticks[0], high=ticks[-1], ticks=ticks, log=False)


def log_scale(values: Sequence[float]) -> Scale:
    """A little beyond the values at both ends; values: at least one, all above zero."""
    low, high = min(values), max(values)
    room = (high / low) ** 0.04 if high > low else 1.5
    low, high = low / room, high * room
    digits = _DIGITS if math.log10(high / low) < _FEW_DECADES else _DIGITS[:1]
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = tuple(
        tick for power in powers for digit in digits if low <= (tick := digit * 10.0**power) <= high
    )
    return Scale(low=low, high=high, ticks=ticks, log=True)


def tick_label(value: float) -> str:
    """As people read it: no needless zeros, thousands apart."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6g}"


def _step(least: float) -> float:
    """1, 2 or 5 times a power of ten, not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(digit * power for digit in (*_DIGITS, 10.0) if digit * power >= least * (1.0 - 1e-9))
