"""What a selection rule gets and gives, and lists with too many hexagon slots (method 3, TR III.C)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from core.contributions import Contributions
from core.counted import count_of
from core.errors import InputError
from core.hats.larger_rows import larger_rows
from core.texts import text_of

MOST_HATS = 2_500_000
"""Rows of a fixed list: each is planned and written one by one, with records or not."""


ListedHats = tuple[tuple[int, int], ...]
"""Cell, or number of another place, and slot in the window's grid; sorted, each once."""
CellColumns = Mapping[str, Mapping[int, float]]
"""Name of a column -> cell -> a positive number: public, from the analyst's own file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionRequest:
    """Which rule, with what threshold (distinct vehicles a day) or which cells."""

    rule: str
    threshold: int | None = None
    cells: tuple[int, ...] = ()
    """Cells of a fixed list or boundary, as integers."""
    columns: CellColumns = field(default_factory=dict)
    """What the file of a boundary says about its cells."""
    ids: tuple[str, ...] = ()
    """Ids of places that are no hexagons, which `cells` then number: of a fixed list."""
    hats: ListedHats = ()
    """Those that the list names with their slots; empty: every slot of each place."""
    hat_names: tuple[str, ...] = ()
    """The same as the list writes them."""

    @property
    def listed(self) -> tuple[int | str, ...]:
        """The places, or HATs, of a fixed list, as a request is known by them."""
        return self.hat_names or self.ids or self.cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The chosen HATs, sorted by (cell, slot). Public in relation `values`."""

    cell: NDArray[np.uint64]
    slot: NDArray[np.int16]
    index: NDArray[np.int64]
    """Shape (H,): the HAT's number in the contributions, -1 where it has no records."""
    columns: CellColumns = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.cell.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellFile:
    """The file that names a rule's hexagons: a public constant, never made from the data (method 12)."""

    title: str
    """What a person is asked to choose."""
    suffixes: tuple[str, ...]
    """Usual endings of its name, in lower case."""
    read: Callable[..., tuple[int, ...]]
    """(path, *resolutions) to cells, sorted, each once. Raises InputError."""
    read_columns: Callable[[Path, int], CellColumns] | None = None
    """(path, resolution) to what the file says about the cells; None for a file that says nothing."""

    def request(self, rule: str, path: Path, *resolutions: int) -> SelectionRequest:
        """All that the file holds, of hexagons of these resolutions. Raises InputError."""
        cells = self.read(path, *resolutions)
        columns = self.read_columns(path, resolutions[-1]) if self.read_columns else {}
        return SelectionRequest(rule=rule, cells=cells, columns=columns)


class SelectionRule(Protocol):
    """One way to choose HATs."""

    key: ClassVar[str]
    title: ClassVar[str]
    cell_file: ClassVar[CellFile | None]
    """None for a rule that takes a threshold instead."""

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        """Choose HATs by counts only, perhaps none. Raises InputError for a request that lacks something."""
        ...


def vehicle_days(contributions: Contributions) -> NDArray[np.int64]:
    """Shape (G,): distinct vehicles of each HAT and day, summed over the days."""
    return np.bincount(contributions.hat, minlength=contributions.hats)


def required(contributions: Contributions, request: SelectionRequest) -> NDArray[np.int64]:
    """Shape (G,): the sum over its days that a HAT must reach: at least `days x threshold`."""
    if request.threshold is None:
        raise InputError(
            "This rule needs a threshold.", where="selection.threshold", mend="write threshold = 10"
        )
    return days_of_hats(contributions) * request.threshold


def days_of_hats(contributions: Contributions) -> NDArray[np.int64]:
    """Shape (G,): how many dates each HAT is of."""
    window = contributions.window
    return window.days_by_slot[contributions.slot - window.slots.start]


def chosen(contributions: Contributions, keep: NDArray[np.bool_]) -> Selection:
    """The HATs with records that are retained."""
    index = np.flatnonzero(keep)
    return Selection(cell=contributions.cell[index], slot=contributions.slot[index], index=index)


def listed(contributions: Contributions, cells: tuple[int, ...], hats: ListedHats = ()) -> Selection:
    """Every slot of the window for each of the cells, with records or not; hats: these alone.

    Raises InputError for more than `MOST_HATS`.
    """
    slots = np.array(contributions.window.slots, np.int16)
    hexagons = np.unique(np.array(cells, np.uint64))
    if hexagons.size * slots.size > MOST_HATS:
        raise InputError(
            "{counted_hexagons} with {counted_slots} each are more than {most_hats} hexagon slots.",
            counted_hexagons=count_of(hexagons.size, "hexagon"),
            counted_slots=count_of(slots.size, "slot"),
            most_hats=f"{MOST_HATS:,}",
            where="selection.file",
            mend=text_of(
                "list fewer hexagons, or choose {larger}",
                larger=larger_rows(contributions.choice.place_kind, contributions.window),
            ),
        )
    cell, slot = np.repeat(hexagons, slots.size), np.tile(slots, hexagons.size)
    if hats:
        cell = np.array([cell for cell, _ in hats], np.uint64)
        slot = np.array([slot for _, slot in hats], np.int16)
    # HATs come sorted by (cell, slot): the place of a cell and the slot make one sorted number
    places = np.unique(contributions.cell)
    each = contributions.window.slots.stop
    known = np.searchsorted(places, contributions.cell) * each + contributions.slot
    wanted = np.searchsorted(places, cell) * each + slot
    found = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    same = (contributions.cell[found] == cell) & (contributions.slot[found] == slot)
    return Selection(cell=cell, slot=slot, index=np.where(same, found, -1))
