"""All that a plan follows from, as a key by which it is found again (architecture 4)."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from decimal import Decimal

from core.bounding.constants import BoundingConstants
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query
from core.selection.base import CellColumns


def inputs_by_counts(city: CountedCity, query: Query) -> Hashable:
    """Of relation `values`: who was where and how often, and what is asked; no value of a record."""
    digest = hashlib.sha256()
    contributions, users, selection = city.contributions, city.users, city.selection
    for column in (
        *(contributions.cell, contributions.slot, contributions.hat, contributions.vehicle),
        *(contributions.day, contributions.start, contributions.visits),
        *(users.hat, users.vehicle, users.place, users.counts, users.visits),
        *(selection.cell, selection.slot, selection.index),
    ):
        digest.update(b"-" if column is None else f"{column.dtype}{column.size}".encode() + column.tobytes())
    window, places = contributions.window, contributions.places
    public = digest.digest(), window, places, len(contributions.vehicles), users.unit, users.upper_bound
    return public, _columns(selection.columns), query, city.minimum_vehicles, city.delta


def inputs_by_constants(
    query: Query, constants: BoundingConstants, threshold: int, delta: Decimal, columns: CellColumns
) -> Hashable:
    """Of relation `user`: public constants and public counts, and nothing that follows from records."""
    return query, constants, threshold, delta, _columns(columns)


def _columns(columns: CellColumns) -> Hashable:
    return tuple((name, tuple(of_cells.items())) for name, of_cells in columns.items())
