"""Which resolution and slot suit the data by the report's rule, busy hexagons and thresholds (TR III).

Every resolution is indexed from the coordinates: a coarse cell is not the union of its children, so
no row of the table follows from another.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.contributions import Contributions, contributions_of
from core.counted import count_of
from core.errors import InputError
from core.hats.cells import RESOLUTIONS, areas_km2
from core.hats.slots import SlotLength
from core.hats.window import Window, build_window, fitted_hours
from core.planning.hours_of_day import HoursOfDay, hours_of_day
from core.privacy import Confidential
from core.progress import Progress, part, silent
from core.records.records import Records
from core.selection.base import vehicle_days
from core.texts import text_of

_QUARTERS = 4
ENOUGH_CELLS = 0.25
"""Of the hexagons, those that the report wants busy in every slot: it takes 26 % and refuses 11.6 %."""


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
    def minimum(self) -> int:
        return int(np.flatnonzero(self.counts)[0])

    @property
    def maximum(self) -> int:
        return self.counts.size - 1

    @property
    def deviation(self) -> float:
        """Standard deviation of these items: root of their mean squared distance from the mean."""
        values = np.arange(self.counts.size)
        return math.sqrt(float(self.counts @ (values - self.mean) ** 2) / self.total)

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
            "min": self.minimum,
            "quartiles": [self.quartile(number) for number in (1, 2, 3)],
            "mean": self.mean,
            "deviation": self.deviation,
            "max": self.maximum,
            "histogram": {str(value): int(self.counts[value]) for value in np.flatnonzero(self.counts)},
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResolutionRow(Confidential):
    """One resolution over one window, which has one length of slot."""

    resolution: int
    window: Window
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
    hats_at: NDArray[np.int64]
    """Shape (V + 1,): HATs whose vehicles, summed over the days, are so many; V is the most of them."""
    records_at: NDArray[np.int64]
    """Shape (V + 1,): the records of those HATs."""

    @property
    def records(self) -> int:
        """Records in the window."""
        return int(self.records_at.sum())

    @property
    def k_day(self) -> int:
        """The most HATs of one vehicle on one day (TR III.E)."""
        return self.hats_per_vehicle_day.maximum

    def busy_cells(self, threshold: int) -> int:
        """Cells that rule `every-slot` keeps: `days x threshold` vehicles or more in every slot."""
        return int((self.least_vehicle_days >= self.window.days * threshold).sum())

    def busy_share(self, threshold: int) -> float:
        """The share of the cells that rule `every-slot` keeps, 0..1."""
        return self.busy_cells(threshold) / self.cells

    def busy_hats(self, threshold: int) -> int:
        """HATs that rule `hat` keeps: `days x threshold` vehicles or more."""
        return int(self.hats_at[self.window.days * threshold :].sum())

    def busy_records(self, threshold: int) -> float:
        """The share of the window's records that lie in those HATs, 0..1."""
        return int(self.records_at[self.window.days * threshold :].sum()) / self.records

    def to_json(self, threshold: int) -> dict[str, Any]:
        """The figures; threshold: distinct vehicles a day."""
        return {
            "resolution": self.resolution,
            **self.window.slot_facts,
            "hours": list(self.window.hours),
            "mean_area_km2": self.mean_area_km2,
            "records": self.records,
            "cells": self.cells,
            "hats": self.hats,
            "busy_hats": self.busy_hats(threshold),
            "busy_records": self.busy_records(threshold),
            "mean_vehicles": self.vehicles_per_hat_day.mean,
            "busy_cells": self.busy_cells(threshold),
            "busy_share": self.busy_share(threshold),
            "k_day": self.k_day,
            "vehicles_per_hat_day": self.vehicles_per_hat_day.to_json(),
            "hats_per_vehicle_day": self.hats_per_vehicle_day.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResolutionTable(Confidential):
    """Resolutions and lengths of slots side by side, over the same dates."""

    window: Window
    threshold: int
    rows: tuple[ResolutionRow, ...]
    """Of the window, in the order in which the resolutions were asked for."""
    others: tuple[ResolutionRow, ...]
    """Of the other lengths of slots, each with all resolutions, in the order in which they were asked for."""
    hours: HoursOfDay
    loaded: int
    """Records of all dates and hours."""

    @property
    def all_rows(self) -> tuple[ResolutionRow, ...]:
        """Every pair of a resolution and a length of slot."""
        return self.rows + self.others

    @property
    def reports_choice(self) -> ResolutionRow:
        """The report's answer (TR III.A): the finest resolution where hexagons enough are busy in every slot.

        The report prefers resolution 7, with more than 26 % of them, to 8, with 11.6 %, and to 6, whose
        hexagons are too large. Where none has so many, the one with the largest share.
        """
        enough = [row for row in self.rows if row.busy_share(self.threshold) >= ENOUGH_CELLS]
        if enough:
            return max(enough, key=lambda row: row.resolution)
        return max(self.rows, key=lambda row: (row.busy_share(self.threshold), -row.resolution))

    @property
    def reports_reason(self) -> str:
        """Why, in one sentence."""
        row = self.reports_choice
        return text_of(
            "By the report's rule: resolution {resolution}, where {share} % of the hexagons have "
            "{counted_vehicles} a day in every slot. The finest with {enough} % or more is best.",
            resolution=row.resolution,
            share=f"{100 * row.busy_share(self.threshold):.1f}",
            counted_vehicles=count_of(self.threshold, "vehicle"),
            enough=f"{100 * ENOUGH_CELLS:.0f}",
        )

    def to_json(self) -> dict[str, Any]:
        """The keys that `hexveil table --help` explains."""
        window = self.window
        return {
            "confidential": True,
            "dates": [[str(first), str(last)] for first, last in window.date_ranges],
            "days": window.days,
            "hours": list(window.hours),
            **window.slot_facts,
            "threshold": self.threshold,
            "records": {
                "loaded": self.loaded,
                "on_dates": self.hours.total,
                "kept": self.rows[0].records,
            },
            "resolutions": [row.to_json(self.threshold) for row in self.rows],
            "slots": [row.to_json(self.threshold) for row in self.others],
            "hours_of_day": self.hours.to_json(),
        }


def require_resolutions(resolutions: Iterable[int], *, where: str) -> tuple[int, ...]:
    """One or more different resolutions that are offered. Raises InputError otherwise."""
    chosen = tuple(resolutions)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(RESOLUTIONS):
        raise InputError(
            "Resolutions are different whole numbers from {start} to {value}.",
            start=RESOLUTIONS.start,
            value=RESOLUTIONS.stop - 1,
            where=where,
            mend="write for instance 6,7,8",
        )
    return chosen


def resolution_row(contributions: Contributions) -> ResolutionRow:
    """The row of contributions that are indexed already."""
    window = contributions.window
    cells, first, slots = np.unique(contributions.cell, return_index=True, return_counts=True)
    days = vehicle_days(contributions)
    return ResolutionRow(
        resolution=contributions.resolution,
        window=window,
        mean_area_km2=float(areas_km2(cells).mean()),
        cells=int(cells.size),
        hats=contributions.hats,
        vehicles_per_hat_day=_histogram(contributions.hat, contributions.day, window.days),
        hats_per_vehicle_day=_histogram(contributions.vehicle, contributions.day, window.days),
        # HATs are sorted by (cell, slot): those of one cell are neighbours
        least_vehicle_days=np.where(slots == len(window.slots), np.minimum.reduceat(days, first), 0),
        hats_at=np.bincount(days),
        records_at=_summed(days, contributions.records),
    )


def _summed(place: NDArray[np.int64], amounts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The amounts of each place, added exactly."""
    sums = np.zeros(int(place.max()) + 1, np.int64)
    np.add.at(sums, place, amounts)
    return sums


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
    *,
    lengths: Sequence[SlotLength] = (),
    hours_at: int | None = None,
) -> ResolutionTable:
    """A row for each resolution, indexed from the coordinates; the same of other lengths of slots.

    threshold: distinct vehicles a day that every slot of a cell must reach, at least 1. lengths: of slots,
    to be compared with that of `window`; each has the window's hours, made longer where they are no whole
    slots. hours_at: resolution of the HATs by hour of day, otherwise the first. `progress` may raise
    `Cancelled`. Raises InputError for a resolution or length that is not offered or named twice, for a
    threshold below 1, and when the window holds no record.
    """
    chosen = require_resolutions(resolutions, where="resolutions")
    require_threshold(threshold, where="threshold")
    windows = [window, *(other for other in windows_of(window, lengths) if other != window)]
    pairs = [(over, resolution) for over in windows for resolution in chosen]
    parts = len(pairs) + 1
    rows = []
    for number, (over, resolution) in enumerate(pairs):
        share = part(progress, number / parts, (number + 1) / parts)
        rows.append(resolution_row(contributions_of(records, resolution, over, share)))
    return ResolutionTable(
        window=window,
        threshold=threshold,
        rows=tuple(rows[: len(chosen)]),
        others=tuple(rows[len(chosen) :]),
        hours=hours_of_day(
            records,
            chosen[0] if hours_at is None else hours_at,
            window.date_ranges,
            part(progress, len(pairs) / parts, 1.0),
        ),
        loaded=len(records),
    )


def windows_of(window: Window, lengths: Sequence[SlotLength]) -> tuple[Window, ...]:
    """The window with slots of those lengths, each once; its hours are longer where it needs them to be.

    Of two that are alike it is the later one, so that one slot of all hours is called that.
    Raises InputError for a length that is not offered.
    """
    fitted = (
        build_window(window.date_ranges, fitted_hours(window.hours, length), length) for length in lengths
    )
    return tuple({one: one for one in fitted}.values())


def require_threshold(threshold: int, *, where: str) -> int:
    """The threshold, if it asks for anything. Raises InputError below 1."""
    if threshold < 1:
        raise InputError("The threshold must be at least 1.", where=where, mend="write for instance 10")
    return threshold
