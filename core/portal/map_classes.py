"""Classes of a map's colours: round limits that follow from bounds, so that maps of two releases compare."""

from __future__ import annotations

from collections.abc import Sequence

from core.fixed_point import THOUSAND
from core.portal.value_classes import mean_limits
from core.quantity import Quantity
from core.statistics.base import UPPER_BOUND, Measure

_SPEEDS = (10.0, 20.0, 30.0, 40.0, 50.0)
"""Limits between classes of speeds, km/h, the same for every upper bound."""
_PARTS, _PARTS_OF_PERCENT = 6, 5
"""Classes of what is in no unit of the value."""


def class_limits(
    measure: Measure, quantity: Quantity, span: int, values: Sequence[float]
) -> tuple[float, ...]:
    """Ends of the classes of a measure's values, ascending; span: U, thousandths.

    values: the published ones; they decide where the measure has no largest one, and nowhere else.
    """
    unit: int = 10**measure.decimals
    least, largest = measure.range_for(span)
    if measure.largest == UPPER_BOUND:
        ends = least / unit, (quantity.lower + span) / THOUSAND
        inner = _SPEEDS if quantity.is_speed else tuple(map(float, mean_limits(quantity, span)))
        return ends[0], *(limit for limit in inner if ends[0] < limit < ends[1]), ends[1]
    low = least / unit
    high = max(values, default=low + 1.0) if largest is None else largest / unit
    parts = _PARTS_OF_PERCENT if measure.percent else _PARTS
    step = ((high - low) or 1.0) / parts
    return tuple(round(low + step * number, measure.decimals) for number in range(parts + 1))
