"""Runs: consecutive records of one vehicle in one cell and slot, found in blocks of days (architecture 3).

Records come sorted by (day, vehicle, instant), in which a vehicle stays in a cell and slot for many of
them: there are many times fewer runs than records, and only the runs are sorted.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.contributions.order import order_of
from core.hats.cell_codes import CellCodes
from core.hats.groups import Group
from core.hats.slots import DAY_MINUTES
from core.hats.wall_clock import WallClock, wall_clock
from core.hats.window import Window
from core.privacy import Confidential
from core.progress import Progress
from core.records.mapped_pages import let_go
from core.records.records import Records
from core.system.parallel import cut, each

EPOCH_ORDINAL = 719_163
_MINUTE = 60
_BLOCK = 1 << 18
"""Records cut into runs together: the columns of a block stay in the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Runs(Confidential):
    """Runs of the window's records, all shapes (R,)."""

    code: NDArray[np.signedinteger[Any]]
    """The cell, as a code."""
    slot: NDArray[np.int16]
    vehicle: NDArray[np.signedinteger[Any]]
    day: NDArray[np.int16]
    """Index into the window's dates."""
    first: NDArray[np.int64]
    """The first record."""
    length: NDArray[np.int64]
    """Number of records, one after another."""
    arrives: NDArray[np.bool_]
    """Whether the vehicle comes here with it: False where a block cut a run, and it goes on."""

    def sorted(self) -> Runs:
        """The same runs by (cell, slot, vehicle); those of each stay in (day, instant) order."""
        order = order_of(self.code, self.slot, self.vehicle)
        return Runs(**{field.name: getattr(self, field.name)[order] for field in fields(self)})


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block of records of one day of the window."""

    day: int
    clock: WallClock
    first: int
    """The day's first record."""
    records: slice
    codes: tuple[int | Labelled, ...] = ()
    """Of each group the label of all of them, or of each."""


def runs_of(records: Records, codes: CellCodes, window: Window, progress: Progress) -> Runs:
    """The runs of all records in the window, in the records' order. Raises what `progress` raises.

    Runs end at blocks too: one that a block cuts is two runs, one after the other, and one arrival.
    """
    pieces = _pieces(records, window)

    def find(piece: _Piece) -> Runs:
        return _runs_in(piece, records, codes, window)

    found = list(each(find, pieces, progress, "Sorting contributions"))
    return Runs(
        **{
            field.name: np.concatenate([getattr(runs, field.name) for runs in found])
            for field in fields(Runs)
        }
        if found
        else {field.name: np.zeros(0, np.int64) for field in fields(Runs)}
    )


def _pieces(records: Records, window: Window) -> list[_Piece]:
    """The days of the window, cut into blocks."""
    number = {date.toordinal() - EPOCH_ORDINAL: day for day, date in enumerate(window.dates)}
    pieces = []
    labelled = {group.name: _labelled(records, group) for group in window.groups if not group.by_day}
    for day, local_day in enumerate(records.days.tolist()):
        if local_day in number:
            clock = wall_clock(records, day)
            first, last = int(records.first[day]), int(records.first[day + 1])
            date = dt.date.fromordinal(local_day + EPOCH_ORDINAL)
            codes = tuple(
                group.labels.index(group.kind_of(date)) if group.by_day else labelled[group.name]
                for group in window.groups
            )
            blocks = cut(first, last, _BLOCK)
            pieces += [_Piece(number[local_day], clock, first, block, codes) for block in blocks]
    return pieces


def _runs_in(piece: _Piece, records: Records, codes: CellCodes, window: Window) -> Runs:
    slot = _slots(piece, piece.records, window)
    code, vehicle = codes.code[piece.records], records.vehicle[piece.records]
    begins = np.ones(slot.size, bool)
    begins[1:] = slot[1:] != slot[:-1]
    begins[1:] |= code[1:] != code[:-1]
    begins[1:] |= vehicle[1:] != vehicle[:-1]
    first = np.flatnonzero(begins)
    arrives = np.ones(first.size, bool)
    arrives[0] = not _goes_on(piece, records, codes, window)
    length = np.diff(first, append=slot.size)
    # the window's hours are whole slots: what lies outside is left out by runs, not by records
    slots = window.slots
    inside = np.flatnonzero((slot[first] >= slots.start) & (slot[first] < slots.stop))
    first = first[inside]
    found = Runs(
        code=np.asarray(code[first]),
        slot=slot[first].astype(np.int16),
        vehicle=np.asarray(vehicle[first]),
        day=np.full(first.size, piece.day, np.int16),
        first=first + piece.records.start,
        length=length[inside],
        arrives=arrives[inside],
    )
    let_go(piece.records, codes.code, records.vehicle, records.second)
    return found


def _goes_on(piece: _Piece, records: Records, codes: CellCodes, window: Window) -> bool:
    """Whether the first record of a block is of the run that ended the block before."""
    here = piece.records.start
    if here == piece.first:
        return False
    around = slice(here - 1, here + 1)
    slot = _slots(piece, around, window)
    columns = slot, codes.code[around], records.vehicle[around]
    return all(column[0] == column[1] for column in columns)


def _slots(piece: _Piece, records: slice, window: Window) -> NDArray[np.int32]:
    """The slot of each record, -1 where it has none."""
    time = _timeslots(piece, records, window)
    if not window.groups:
        return time
    combination = np.zeros(time.size, np.int32)
    outside = (time < 0) | (time >= window.grid.a_day)
    for group, code in zip(window.groups, piece.codes, strict=True):
        here = code if isinstance(code, int) else code[records]
        combination *= len(group.labels)
        combination += here
        outside |= here < 0
    slot = combination * np.int32(window.grid.a_day) + time
    slot[outside] = -1
    return slot


def _labelled(records: Records, group: Group) -> Labelled:
    column, place = records.labels[group.name], {text: number for number, text in enumerate(group.labels)}
    return Labelled(column.code, np.array([place.get(text, -1) for text in column.texts], np.int32))


@dataclass(frozen=True, slots=True, repr=False)
class Labelled(Confidential):
    """What a column says of each record, as numbers of a group's labels."""

    code: NDArray[np.signedinteger[Any]]
    number: NDArray[np.int32]
    """Code -> the label's number."""

    def __getitem__(self, records: slice) -> NDArray[np.int32]:
        return np.take(self.number, self.code[records])


def _timeslots(piece: _Piece, records: slice, window: Window) -> NDArray[np.int32]:
    """The timeslot of each record, -1 before the first whole one of the day, and outside of all periods."""
    seconds = piece.clock.seconds(records)
    grid = window.grid
    if grid.periods:
        of_minute = np.array([grid.slot_of(minute) for minute in range(DAY_MINUTES)], np.int32)
        return np.take(of_minute, seconds // np.int32(_MINUTE))
    if grid.offset:
        seconds = seconds - np.int32(grid.offset * _MINUTE)
    return seconds // np.int32(grid.minutes * _MINUTE)
