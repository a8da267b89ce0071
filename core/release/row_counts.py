"""Exact counts behind the rows of a release of relation `values`, which calls them public (method 14.1)."""

from __future__ import annotations

import numpy as np

from core.bundle.release_result import PlaceOfRow, Release, RowCounts
from core.contributions import Contributions


def counts_of_rows(contributions: Contributions, release: Release) -> dict[PlaceOfRow, RowCounts]:
    """Of each row with numbers; those of a region are of all of its HATs together.

    A vehicle counts once in a row and a date once; vehicles that left before the draw count too, as they did
    in the records. Suppressed rows have none: of what is too little the publisher says nothing.
    """
    grid, places = contributions.window.grid, contributions.places
    numbers = {
        (places.id_text(cell), slot): number
        for number, (cell, slot) in enumerate(
            zip(contributions.cell.tolist(), contributions.slot.tolist(), strict=True)
        )
    }
    before, counts = contributions.rows_before(), contributions.counts
    found: dict[PlaceOfRow, RowCounts] = {}
    for query in release.queries:
        for row in query.rows:
            if row.estimates and row.key not in found:
                hats = [numbers[hat] for hat in row.hats(grid) if hat in numbers]
                parts = [np.arange(before[hat], before[hat + 1]) for hat in hats]
                rows = np.concatenate(parts) if parts else np.zeros(0, np.int64)
                visits = contributions.visits
                found[row.key] = RowCounts(
                    vehicles=np.unique(contributions.vehicle[rows]).size,
                    visits=None if visits is None else int(visits[rows].sum()),
                    records=int(counts[rows].sum()),
                    days=np.unique(contributions.day[rows]).size,
                )
    return found
