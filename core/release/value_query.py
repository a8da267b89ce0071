"""What of a release maps and tables show: a mean of the value, one row a HAT, and the smoothed one."""

from __future__ import annotations

from core.bundle.release_result import QueryResult, Release
from core.statistics.base import UPPER_BOUND
from core.statistics.registry import require_statistic


def value_query(release: Release) -> QueryResult | None:
    """The first query whose HATs have one value each; None where there is none."""
    for query in release.queries:
        statistic = require_statistic(query.statistic)
        if statistic.label is None and statistic.measures[0].largest == UPPER_BOUND:
            return query
    return None


def smoothed_name(release: Release, query: QueryResult) -> str | None:
    """What the smoothed numbers of a query are called; None where it has none."""
    measure = require_statistic(query.statistic).of(release.quantity).smoothed
    return measure.name if measure is not None and query.smoothing is not None else None
