"""Which places a release serves worse: usable numbers, ranges of the highest tenth (method 14.10)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median

from core.bundle.public_tables import PublicTable
from core.bundle.release_result import PUBLISHED
from core.counted import count_of
from core.portal.shown_numbers import as_shown, numbers_in, shown_unit
from core.statistics.base import Measure
from core.texts import text_of

_FEWEST = 20
"""Rows with numbers from which on the tenth of them that is served worse is spoken of."""
_TENTH = 10


def served_worse(tables: Sequence[PublicTable]) -> tuple[str, ...]:
    """Of the first table: where it has no number, and how wide its ranges are where values are large and
    where ranges are widest, against all rows. Raises ValueError for cells that are no numbers.
    """
    if not tables:
        return ()
    public, measure = tables[0], tables[0].statistic.measures[0]
    rows = [row for row in public.rows if row["status"] == PUBLISHED]
    gone = len(public.rows) - len(rows)
    said = [
        text_of(
            "No usable number: {counted} of {total}, mostly because too few vehicles were there.",
            counted=count_of(gone, "row"),
            total=f"{len(public.rows):,}",
        )
        if gone
        else text_of("All rows have a usable number: {counted}.", counted=count_of(len(rows), "row"))
    ]
    if len(rows) < _FEWEST:
        return (*said, "Too few rows have numbers to compare parts of them.")
    values, halves = _numbers(rows, measure), _half_ranges(rows, measure)
    many = math.ceil(len(rows) / _TENTH)
    fast = sorted(range(len(rows)), key=lambda number: values[number])[-many:]
    widest = sorted(halves)[-many:]
    unit, digits = shown_unit(measure), _digits(median(halves))
    usual, high, least = (
        f"{one:.{digits}f} {unit}".rstrip()
        for one in (median(halves), median([halves[one] for one in fast]), widest[0])
    )
    said.append(
        text_of(
            "The middle range of all rows is ±{usual}; of the tenth with the highest values it is ±{high}; "
            "of the tenth with the widest ranges, where vehicles are few, it is ±{least} or more.",
            usual=usual,
            high=high,
            least=least,
        )
    )
    smoothed = public.statistic.smoothed
    if smoothed is not None and smoothed.name in public.table.header:
        said.append(
            "Smoothed numbers lean towards those of their neighbours, so that what is unusually high or low "
            "looks more usual there: use the raw ones."
        )
    return tuple(said)


def _numbers(rows: Sequence[Mapping[str, str]], measure: Measure, column: str = "") -> list[float]:
    return [one or 0.0 for one in as_shown(numbers_in(column or measure.name, rows), measure)]


def _half_ranges(rows: Sequence[Mapping[str, str]], measure: Measure) -> list[float]:
    low, high = (_numbers(rows, measure, column) for column in (measure.low, measure.high))
    return [(end - start) / 2 for start, end in zip(low, high, strict=True)]


def _digits(half: float) -> int:
    """Two figures."""
    return max(0, 1 - math.floor(math.log10(half))) if half > 0.0 else 0
