"""What a release says of one HAT."""

from __future__ import annotations

from core.bundle.release_result import HatRow, QueryResult, Release
from core.statistics.cdf import STATISTIC as CDF


def released_query(release: Release | None, statistic: str) -> QueryResult | None:
    """The query of this statistic; None where the release holds none, or there is no release."""
    queries = () if release is None else release.queries
    return next((query for query in queries if query.statistic == statistic), None)


def released_distribution(release: Release | None) -> QueryResult | None:
    """The query of a distribution, over records or over vehicles; None where there is none."""
    keys = (CDF.key, *(variant.key for variant in CDF.variants))
    return next((query for key in keys if (query := released_query(release, key)) is not None), None)


def released_row(release: Release, query: QueryResult, hat: tuple[str, int]) -> HatRow | None:
    """The row of a HAT (cell, slot); None for one that is not in the release."""
    cell, slot = hat
    start = release.grid.text(slot)
    return next((row for row in query.rows if cell in row.hexagons and row.holds(start)), None)
