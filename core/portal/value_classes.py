"""Limits of classes for pictures and tables of a release: round numbers that follow from the bounds alone.

Of speeds they are fixed; of another value they are of the same size as parts of its range. Never from the
values, so that pictures of different budgets compare.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain

from core.fixed_point import THOUSAND
from core.quantity import Quantity

WIDTH_EDGES = (1, 2, 5, 10, 20)
"""Edges between classes of the width of an interval, km/h."""
_USUAL_U = 65 * THOUSAND
"""Widths are stated in these classes for about this U, thousandths."""
_MOST_LIMITS = 5
"""Round limits inside the bounds, between classes of means."""
_ROUND_WIDTHS = (1, 2, 5)


def decade(quantity: Quantity, upper_bound: int) -> int:
    """The power of ten by which values are larger than speeds; upper_bound: U in thousandths."""
    return 0 if quantity.is_speed else round(math.log10(upper_bound / _USUAL_U))


def scaled_edges(
    edges: Sequence[int | Fraction], quantity: Quantity, upper_bound: int
) -> tuple[Fraction, ...]:
    """Edges given for speeds, of about the same part of the range of this value; in its unit."""
    return tuple(edge * Fraction(10) ** decade(quantity, upper_bound) for edge in edges)


def mean_limits(quantity: Quantity, upper_bound: int) -> tuple[Fraction, ...]:
    """Limits between classes of means, ascending, in the unit: at most 5 round numbers between the bounds."""
    lower, upper = (Fraction(end, THOUSAND) for end in (quantity.lower, quantity.lower + upper_bound))
    power = math.floor(math.log10(float(upper - lower) / (_MOST_LIMITS + 1)))
    for step in chain.from_iterable(
        (digit * Fraction(10) ** exponent for digit in _ROUND_WIDTHS) for exponent in (power, power + 1)
    ):
        limits = range(math.floor(lower / step) + 1, math.ceil(upper / step))
        if len(limits) <= _MOST_LIMITS:
            break
    return tuple(number * step for number in limits)
