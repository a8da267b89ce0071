"""Which resolution suits the data: hexagons, HATs, and how many vehicles share a HAT (TR III.A, method 3).

Every resolution is indexed from the coordinates: a coarse cell is not the union of its children, so
no row of the table follows from another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.contributions import Contributions, contributions_of
from core.errors import InputError
from core.hats.cells import RESOLUTIONS, areas_km2
from core.hats.window import Window
from core.privacy import Confidential
from core.progress import Progress, part, silent
from core.records.records import Records
from core.selection.base import vehicle_days

_QUARTERS = 4


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Bins(Confidential):
    """A histogram as bars of equal width."""

    width: int
    """Values in one bar."""
    counts: NDArray[np.int64]
    """Shape (B,): bar i holds the values from `i * width + 1` to `(i + 1) * width`."""

    def range_of(self, bar: int) -> tuple[int, int]:
        """First and last value of a bar."""
        return bar * self.width + 1, (bar + 1) * self.width

    def bar_of(self, value: int) -> int | None:
        """The bar that holds a value; None for one beyond the bars."""
        bar = (value - 1) // self.width
        return bar if 0 <= bar < self.counts.size else None

    def share_of(self, bar: int) -> float:
        """The share of the items that a bar holds, 0..1."""
        return int(self.counts[bar]) / int(self.counts.sum())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Histogram(Confidential):
    """How often each whole number from 1 on occurs. What does not occur at all is not counted as 0."""

    counts: NDArray[np.int64]
    """Shape (maximum + 1,): `counts[v]` items have the value v; `counts[0]` is 0."""

    @property
    def total(self) -> int:
        """Number of items."""
        return int(self.counts.sum())

    @property
    def maximum(self) -> int:
        return self.counts.size - 1

    @property
    def mean(self) -> float:
        return int(self.counts @ np.arange(self.counts.size)) / self.total

    @property
    def median(self) -> int:
        return self.quartile(2)

    def quartile(self, number: int) -> int:
        """The least value that `number` quarters of the items do not exceed; always one that occurs."""
        return int(np.argmax(np.cumsum(self.counts) * _QUARTERS >= number * self.total))

    def bins(self, most: int) -> Bins:
        """At most that many bars of one width that is as small as it can be."""
        width = -(-self.maximum // most)
        starts = np.arange(1, self.counts.size, width)
        return Bins(width=width, counts=np.add.reduceat(self.counts, starts))

    def to_json(self) -> dict[str, Any]:
        """Figures, and the value -> number of items for values that occur."""
        return {
            "items": self.total,
            "mean": self.mean,
            "quartiles": [self.quartile(number) for number in (1, 2, 3)],
            "max": self.maximum,
            "histogram": {str(value): int(self.counts[value]) for value in np.flatnonzero(self.counts)},
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResolutionRow(Confidential):
    """One resolution over one window."""

    resolution: int
    mean_area_km2: float
    """Over the distinct cells. TR prints the mean over the whole Earth instead."""
    cells: int
    """Distinct cells with records in the window."""
    hats: int
    """HATs with records in the window, of `cells` times the slots."""
    vehicles_per_hat_day: Histogram
    """Distinct vehicles of each (HAT, day) that holds a record.

    Its mean is TR's "average number of unique buses per HAT per day": TR III.B prints least value 1,
    so a HAT on a day without any bus does not enter it.
    """
    hats_per_vehicle_day: Histogram
    """Distinct HATs of each (vehicle, day) with records; its maximum is K_day (TR III.F)."""
    least_vehicle_days: NDArray[np.int64]
    """Shape (cells,): vehicles summed over the days, in the cell's weakest slot of the window."""
    days: int
    """Dates listed in the window, with or without records."""

    @property
    def k_day(self) -> int:
        """The most HATs of one vehicle on one day (TR III.E)."""
        return self.hats_per_vehicle_day.maximum

    def busy_cells(self, threshold: int) -> int:
        """Cells that rule `every-slot` keeps: `days x threshold` vehicles or more in every slot."""
        return int((self.least_vehicle_days >= self.days * threshold).sum())

    def busy_share(self, threshold: int) -> float:
        """The share of the cells that rule `every-slot` keeps, 0..1."""
        return self.busy_cells(threshold) / self.cells


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResolutionTable(Confidential):
    """Rows in the order in which they were asked for."""

    window: Window
    threshold: int
    rows: tuple[ResolutionRow, ...]

    def to_json(self) -> dict[str, Any]:
        """The keys that `main.py table --help` explains."""
        window = self.window
        return {
            "confidential": True,
            "dates": [[str(first), str(last)] for first, last in window.date_ranges],
            "days": window.days,
            "hours": list(window.hours),
            "slot_minutes": window.slot_minutes,
            "threshold": self.threshold,
            "resolutions": [self._row(row) for row in self.rows],
        }

    def _row(self, row: ResolutionRow) -> dict[str, Any]:
        return {
            "resolution": row.resolution,
            "mean_area_km2": row.mean_area_km2,
            "cells": row.cells,
            "hats": row.hats,
            "mean_vehicles": row.vehicles_per_hat_day.mean,
            "busy_cells": row.busy_cells(self.threshold),
            "busy_share": row.busy_share(self.threshold),
            "k_day": row.k_day,
            "vehicles_per_hat_day": row.vehicles_per_hat_day.to_json(),
            "hats_per_vehicle_day": row.hats_per_vehicle_day.to_json(),
        }


def require_resolutions(resolutions: Iterable[int], *, where: str) -> tuple[int, ...]:
    """One or more different resolutions that are offered. Raises InputError otherwise."""
    chosen = tuple(resolutions)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(RESOLUTIONS):
        raise InputError(
            f"Resolutions are different whole numbers from {RESOLUTIONS.start} to {RESOLUTIONS.stop - 1}.",
            where=where,
            mend="write for instance 6,7,8",
        )
    return chosen


def resolution_row(contributions: Contributions) -> ResolutionRow:
    """The row of contributions that are indexed already."""
    window = contributions.window
    cells, first, slots = np.unique(contributions.cell, return_index=True, return_counts=True)
    # HATs are sorted by (cell, slot): those of one cell are neighbours
    least = np.minimum.reduceat(vehicle_days(contributions), first)
    return ResolutionRow(
        resolution=contributions.resolution,
        mean_area_km2=float(areas_km2(cells).mean()),
        cells=int(cells.size),
        hats=contributions.hats,
        vehicles_per_hat_day=_histogram(contributions.hat, contributions.day, window.days),
        hats_per_vehicle_day=_histogram(contributions.vehicle, contributions.day, window.days),
        least_vehicle_days=np.where(slots == len(window.slots), least, 0),
        days=window.days,
    )


def _histogram(item: NDArray[np.int32], day: NDArray[np.int16], days: int) -> Histogram:
    """Of the number of rows of each (item, day): rows are distinct (HAT, vehicle, day)."""
    _, rows = np.unique(item.astype(np.int64) * days + day, return_counts=True)
    return Histogram(counts=np.bincount(rows))


def resolution_table(
    records: Records,
    resolutions: Sequence[int],
    window: Window,
    threshold: int,
    progress: Progress = silent,
) -> ResolutionTable:
    """A row for each resolution, indexed from the coordinates.

    threshold: distinct vehicles a day that every slot of a cell must reach, at least 1. `progress` may
    raise `Cancelled`. Raises InputError for a resolution that is not offered or named twice, for a
    threshold below 1, and when the window holds no record.
    """
    chosen = require_resolutions(resolutions, where="resolutions")
    require_threshold(threshold, where="threshold")
    rows = []
    for number, resolution in enumerate(chosen):
        share = part(progress, number / len(chosen), (number + 1) / len(chosen))
        rows.append(resolution_row(contributions_of(records, resolution, window, share)))
    return ResolutionTable(window=window, threshold=threshold, rows=tuple(rows))


def require_threshold(threshold: int, *, where: str) -> int:
    """The threshold, if it asks for anything. Raises InputError below 1."""
    if threshold < 1:
        raise InputError("The threshold must be at least 1.", where=where, mend="write for instance 10")
    return threshold
