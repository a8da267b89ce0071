"""What of a release maps and tables show: numbers of which each row has one, raw and smoothed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.bundle.release_result import HatRow, QueryResult, Release
from core.fixed_point import THOUSAND
from core.parameter_fields import Pair
from core.statistics.base import UPPER_BOUND, Estimate, Measure
from core.statistics.error_figures import error_scale
from core.statistics.registry import require_statistic
from core.statistics.share import MEAN_LABEL, PERCENTILES, STATISTIC, ends_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedNumber:
    """A mean of the value, the share of one range, one percentile, or the mean that follows from shares."""

    query: QueryResult
    measure: Measure
    smoothed: Measure | None
    """None where nothing is smoothed."""
    label: int | None = None
    """Of its rows where a HAT has several."""
    ends: Pair | None = None
    """The range of a share, in the value's unit; None of other numbers."""
    percentile: float | None = None
    """Between 0 and 100; None of other numbers."""
    from_shares: bool = False
    """The mean that follows from shares."""
    line: int = 0
    """Which of a HAT's `lines` in its data file is its."""
    lines: int = 1

    @property
    def parts(self) -> float:
        """A unit as it is read, in integers of the number: of shares a percent."""
        parts: float = 10**self.measure.decimals / error_scale(self.measure)
        return parts

    def of(self, row: HatRow) -> Estimate | None:
        """As it was drawn; None where a row has none."""
        return row.number(self.measure.name, self.label)

    def smoothed_of(self, row: HatRow) -> Estimate | None:
        return None if self.smoothed is None else row.number(self.smoothed.name, self.label)


def released_numbers(release: Release) -> tuple[ReleasedNumber, ...]:
    """All that can be shown, in the order of the queries: of means the first alone."""
    found = [number for query in release.queries for number in _numbers_of(release, query)]
    means = [number for number in found if number.label is None]
    return tuple(number for number in found if number.label is not None or number is means[0])


def released_number(release: Release, chosen: int) -> ReleasedNumber | None:
    """The chosen one, or the first where there are fewer; None where there is none."""
    numbers = released_numbers(release)
    return next(iter(numbers[chosen : chosen + 1] or numbers), None)


def _numbers_of(release: Release, query: QueryResult) -> Iterator[ReleasedNumber]:
    statistic = require_statistic(query.statistic).of(release.quantity)
    number = ReleasedNumber(
        query=query,
        measure=statistic.measures[0],
        smoothed=statistic.smoothed if query.smoothing is not None else None,
    )
    if query.statistic == STATISTIC.key:
        for one in _by_label(number):
            low, high = ends_of(one.label or 0)
            yield replace(one, ends=(low / THOUSAND, high / THOUSAND))
        beside = PERCENTILES.of(release.quantity)
        smoothed = number.smoothed and beside.smoothed
        for one in _by_label(replace(number, measure=beside.measures[0], smoothed=smoothed)):
            if one.label == MEAN_LABEL:
                yield replace(one, from_shares=True, smoothed=None)
            else:
                yield replace(one, percentile=(one.label or 0) / THOUSAND)
    elif statistic.label is None and statistic.measures[0].largest == UPPER_BOUND:
        yield number


def _by_label(number: ReleasedNumber) -> Iterator[ReleasedNumber]:
    """One for each label that rows have of the measure, ascending as in its file."""
    name = number.measure.name
    every = (item for row in number.query.rows for item in row.estimates if item.measure == name)
    labels = sorted({item.label for item in every if item.label is not None})
    for place, label in enumerate(labels):
        yield replace(number, label=label, line=place, lines=len(labels))
