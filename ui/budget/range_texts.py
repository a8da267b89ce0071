"""Ranges of the value and percentiles, as people read them."""

from __future__ import annotations

from core.fixed_point import THOUSAND
from core.parameter_fields import Pair
from core.quantity import Quantity
from core.release.value_query import ReleasedNumber
from core.statistics.error_figures import unit_of_numbers
from core.statistics.ranges import EDGES, proposed_edges
from core.statistics.share import ShareParams
from ui.language.translation import core_text, translator

_tr = translator("RangeTexts")
_TEN = EDGES.index(10.0) + 1
"""Of the edges that are proposed, with the lower bound, the one at 10 km/h and its like."""
USUAL_PERCENTILES = (15.0, 50.0, 85.0)


def range_text(ends: Pair, quantity: Quantity) -> str:
    """`below 10 km/h`, or `50 to 65 km/h`; ends: in the value's unit."""
    low, high = (f"{end:.12g}" for end in ends)
    if round(ends[0] * THOUSAND) == quantity.lower:
        return _tr("below {high} {unit}").format(high=high, unit=quantity.unit)
    return _tr("{low} to {high} {unit}").format(low=low, high=high, unit=quantity.unit)


def percentile_text(percent: float) -> str:
    """`percentile 85`; percent: between 0 and 100."""
    return _tr("percentile {percent}").format(percent=f"{percent:g}")


def shares_text(params: ShareParams, quantity: Quantity) -> str:
    """What is asked of shares, in short."""
    asked = ", ".join(range_text(ends, quantity) for ends in params.ranges)
    if not params.ranges:
        asked = _tr("the proposed ranges")
    if not params.percentiles:
        return asked
    percents = ", ".join(f"{one:g}" for one in params.percentiles)
    return _tr("{ranges}; percentiles {percents}").format(ranges=asked, percents=percents)


def slow_and_fast(lower: int, upper_bound: int) -> tuple[Pair, Pair]:
    """One range at either end of the bounds, thousandths, by the edges that are proposed; never by values."""
    edges = proposed_edges(lower, upper_bound)
    low, high = edges[min(_TEN, len(edges) - 2)], edges[-2]
    return (edges[0], low), (max(low, high), edges[-1])


def number_name(number: ReleasedNumber, quantity: Quantity) -> str:
    """What a published number is called, in a title."""
    if number.ends is not None:
        return _tr("share {range}").format(range=range_text(number.ends, quantity))
    if number.percentile is not None:
        return _tr("{value}, {percentile}").format(
            value=core_text(quantity.title), percentile=percentile_text(number.percentile)
        )
    mean = _tr("mean {value} from shares") if number.from_shares else _tr("mean {value}")
    return mean.format(value=core_text(quantity.title))


def number_unit(number: ReleasedNumber) -> str:
    """In which it is read."""
    return unit_of_numbers(number.measure)
