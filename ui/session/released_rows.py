"""What a release says of one HAT."""

from __future__ import annotations

from core.hats.slots import clock
from core.release.release_result import HatRow, QueryResult, Release


def released_query(release: Release | None, statistic: str) -> QueryResult | None:
    """The query of this statistic; None where the release holds none, or there is no release."""
    queries = () if release is None else release.queries
    return next((query for query in queries if query.statistic == statistic), None)


def released_row(release: Release, query: QueryResult, hat: tuple[str, int]) -> HatRow | None:
    """The row of a HAT (cell, slot); None for one that is not in the release."""
    cell, slot = hat
    start = clock(slot * release.slot_minutes)
    return next((row for row in query.rows if row.cell == cell and row.slot_start == start), None)
