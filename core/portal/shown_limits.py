"""Limits between classes of released numbers on a map: round, and where the numbers lie.

They follow from the released numbers, which are public: of speeds from 8 to 20 km/h every hexagon would
have one colour in classes of 10 km/h. What compares releases (errors, widths, maps in a bundle) keeps the
limits of `value_classes`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

CLASSES = 6
"""About as many: the nearest that round steps give, which is 4 to 8."""
FINEST = Fraction(1, 1000)
"""No smaller step: limits are shown with three decimals."""
_APART = 0.05
"""The part of the numbers at each end that may lie far from the others: noise takes some there."""
_ROUND_WIDTHS = (1, 2, 5)


def shown_limits(numbers: Iterable[float]) -> tuple[float, ...]:
    """Limits inside the bulk of the numbers, ascending; none where these are too much alike."""
    low, high = _bulk(sorted(numbers))
    if high - low < FINEST:
        return ()
    power = math.floor(math.log10((high - low) / CLASSES))
    widths = (digit * Fraction(10) ** exponent for exponent in (power, power + 1) for digit in _ROUND_WIDTHS)
    offered = [_between(low, high, step) for step in widths if step >= FINEST]
    return min(offered, key=lambda limits: abs(len(limits) + 1 - CLASSES), default=())


def _bulk(ordered: Sequence[float]) -> tuple[float, float]:
    """Ends of all numbers but the outermost ones."""
    if not ordered:
        return 0.0, 0.0
    left_out = int(_APART * len(ordered))
    return ordered[left_out], ordered[-1 - left_out]


def _between(low: float, high: float, step: Fraction) -> tuple[float, ...]:
    """Multiples of the step strictly between two numbers."""
    return tuple(float(number * step) for number in range(math.floor(low / step) + 1, math.ceil(high / step)))
