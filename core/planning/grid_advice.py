"""Advises a resolution and a slot from counts, which relation `values` makes public (method 3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from core.counted import count_of
from core.errors import InputError
from core.hats.window import Window
from core.privacy import Confidential
from core.texts import text_of

ENOUGH_RECORDS = 0.75
"""Of the window's records, those that must lie in busy HATs."""
_ENOUGH = f"{100 * ENOUGH_RECORDS:.0f} %"


class GridCounts(Protocol):
    """What the counts of one resolution over one window must tell."""

    @property
    def resolution(self) -> int: ...

    @property
    def window(self) -> Window: ...

    @property
    def k_day(self) -> int:
        """The most HATs of one vehicle on one day."""
        ...

    def busy_hats(self, threshold: int) -> int:
        """HATs with `days x threshold` vehicles or more."""
        ...

    def busy_records(self, threshold: int) -> float:
        """The share of the window's records in them, 0..1."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GridAdvice(Confidential):
    """The pair to take, and why."""

    row: GridCounts
    threshold: int
    enough: bool
    """Whether its busy HATs hold enough of the records; otherwise no pair's do."""

    @property
    def reason(self) -> str:
        """One sentence for the analyst."""
        row, window = self.row, self.row.window
        if not row.busy_hats(self.threshold):
            return text_of(
                "No grid compared has a hexagon slot with {counted_vehicles} a day: compare coarser grids, "
                "or lower the threshold.",
                counted_vehicles=count_of(self.threshold, "vehicle"),
            )
        if len(window.slots) == 1:
            name = text_of(
                "resolution {resolution} with one slot of {counted_minutes}",
                resolution=row.resolution,
                counted_minutes=count_of(window.slot_minutes, "minute"),
            )
        else:
            name = text_of(
                "resolution {resolution} with slots of {counted_minutes}",
                resolution=row.resolution,
                counted_minutes=count_of(window.slot_minutes, "minute"),
            )
        holds = text_of(
            "{value} % of the records are in {counted_hexagon_slots} with {counted_vehicles} a day or more",
            value=f"{100 * row.busy_records(self.threshold):.0f}",
            counted_hexagon_slots=count_of(row.busy_hats(self.threshold), "hexagon slot"),
            counted_vehicles=count_of(self.threshold, "vehicle"),
        )
        if self.enough:
            return text_of(
                "Take {name}: {holds}, the most such hexagon slots of all grids compared where they hold at "
                "least {enough}; a vehicle is in up to {counted_hexagon_slots} a day.",
                name=name,
                holds=holds,
                enough=_ENOUGH,
                counted_hexagon_slots=count_of(row.k_day, "hexagon slot"),
            )
        return text_of(
            "No grid compared has {enough} of the records in hexagon slots with {counted_vehicles} a day; "
            "nearest comes {name}, where {holds}: compare coarser grids, or lower the threshold.",
            enough=_ENOUGH,
            counted_vehicles=count_of(self.threshold, "vehicle"),
            name=name,
            holds=holds,
        )


def advise_grid(rows: Iterable[GridCounts], threshold: int) -> GridAdvice:
    """The finest grid that still keeps enough of the records where vehicles are many.

    Of the pairs with at least `ENOUGH_RECORDS` of their records in busy HATs, that with the most busy HATs;
    of equal ones that with the fewest HATs a vehicle and day, since each costs budget, then the coarser one.
    Where no pair has so many, the one with the largest share. threshold: distinct vehicles a day.
    Raises InputError without any row.
    """
    compared = list(rows)
    if not compared:
        raise InputError("There is no grid to compare.", where="table", mend="name a resolution and a slot")
    good = [row for row in compared if row.busy_records(threshold) >= ENOUGH_RECORDS]

    def order(row: GridCounts) -> tuple[float, ...]:
        first = row.busy_hats(threshold) if good else row.busy_records(threshold)
        return first, -row.k_day, -row.resolution, row.window.slot_minutes

    return GridAdvice(row=max(good or compared, key=order), threshold=threshold, enough=bool(good))
