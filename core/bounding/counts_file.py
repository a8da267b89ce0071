"""A CSV file of public counts: header, cells, slots, labels, speeds, and what is wrong (method 12.5)."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.arrays import Floats, Ints
from core.bounding.candidates import CandidateHats
from core.bounding.public_counts import PublicCounts
from core.counted import count_of
from core.errors import InputError
from core.hats.cells import parse_cell
from core.hats.places import HEXAGONS, PlaceIds
from core.hats.slots import clock, parse_clock
from core.hats.window import Window
from core.read.unreadable_files import unreadable_as_input_error
from core.selection.columns_by_name import order_of_columns
from core.system.regular_files import read_regular
from core.texts import text_of

COLUMNS = ("h3_cell", "slot_start", "vehicles", "records")
"""Cell, local time of the slot's start, vehicles there, records of one of them."""
PLACE_COLUMN = "place_id"
"""In the place of the cell, where places are no hexagons."""
SPEED_COLUMN = "speed_kmh"
"""A fifth column, where a timetable or another public source tells it."""
_MOST = 10**9
_SPEED, _FASTEST = re.compile(r"[0-9]{1,4}(\.[0-9]{1,6})?"), 1_000.0
"""As it is written, and km/h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedHat:
    """What is publicly known of one HAT."""

    cell: int
    minute: int
    """Start of its slot, minutes since midnight."""
    vehicles: int
    """At least 1."""
    records: int
    """Of one vehicle, at least 1."""
    speed: float | None = None
    """Public mean speed there, km/h, above 0; None: unknown. A source has it of all HATs, or of none."""
    groups: tuple[str, ...] = ()
    """Its label in each of the release's groups."""


CountedHats = tuple[CountedHat, ...]
"""Each HAT once, sorted: the one form that every source of public counts takes."""


def columns_of_counts(window: Window | None, places: PlaceIds = HEXAGONS) -> tuple[str, ...]:
    """The columns of a file for a window: its periods and groups in place of starts of slots."""
    cell, start, *numbers = COLUMNS if places.hexagons else (PLACE_COLUMN, *COLUMNS[1:])
    if window is None:
        return (cell, start, *numbers)
    return (cell, "period" if window.periods else start, *(group.name for group in window.groups), *numbers)


def read_counts(
    path: Path,
    resolution: int | Sequence[int],
    places: PlaceIds = HEXAGONS,
    window: Window | None = None,
) -> CountedHats:
    """The HATs of a CSV file; of places that are no hexagons those that are listed. window: of the release.

    resolution: or several, of a release with hexagons of each.

    Raises InputError that names file and line.
    """
    columns = columns_of_counts(window, places)
    resolutions = (resolution,) if isinstance(resolution, int) else resolution
    with unreadable_as_input_error(path):
        lines = read_regular(path).decode("utf-8-sig", "replace").splitlines()
    header, *rows = list(csv.reader(lines)) or [[]]
    names = tuple(name.strip() for name in header)
    wanted = (*columns, SPEED_COLUMN) if SPEED_COLUMN in names else columns
    if (order := order_of_columns(wanted, names)) is None:
        raise InputError(
            "The file of public counts has other columns.",
            where=text_of("{path}, line {number}", path=path, number=1),
            mend=text_of(
                "write the header {columns}, followed by {speed} where you know public speeds",
                columns=",".join(columns),
                speed=SPEED_COLUMN,
            ),
        )
    found: dict[tuple[int, int, tuple[str, ...]], CountedHat] = {}
    for number, row in enumerate(rows, start=2):
        if not row:
            continue
        where = text_of("{path}, line {number}", path=path, number=number)
        cells = [row[place].strip() for place in order] if len(row) == len(names) else row
        if not places.hexagons and cells[0] not in places.numbers:
            continue
        one = _counted(cells, wanted, resolutions, window, where, places)
        if (one.cell, one.minute, one.groups) in found:
            raise InputError(
                "This hexagon slot is listed twice.",
                where=where,
                mend="leave one line per hexagon slot",
            )
        found[one.cell, one.minute, one.groups] = one
    if not found:
        raise InputError(
            "The file of public counts lists no hexagon slot.",
            where=str(path),
            mend="write one line per hexagon slot",
        )
    return tuple(found[place] for place in sorted(found))


def _counted(
    row: list[str],
    names: tuple[str, ...],
    resolutions: Sequence[int],
    window: Window | None,
    where: str,
    places: PlaceIds,
) -> CountedHat:
    if len(row) != len(names):
        raise InputError(
            "This line has {counted_cells}.",
            counted_cells=count_of(len(row), "cell"),
            where=where,
            mend=text_of("write {columns}", columns=", ".join(names)),
        )
    groups = window.groups if window else ()
    cell, start, *rest = row
    labels, (vehicles, records, *speed) = tuple(rest[: len(groups)]), rest[len(groups) :]
    for group, label in zip(groups, labels, strict=True):
        if label not in group.labels:
            raise InputError(
                "This is not a label of {name}.",
                name=group.name,
                where=where,
                mend=text_of("write one of {labels}", labels=", ".join(group.labels)),
            )
    return CountedHat(
        cell=parse_cell(cell, *resolutions, where=where) if places.hexagons else places.numbers[cell],
        minute=_minute(start, window, where),
        groups=labels,
        vehicles=_whole(vehicles, where),
        records=_whole(records, where),
        speed=_speed(speed[0], where) if speed else None,
    )


def _minute(text: str, window: Window | None, where: str) -> int:
    """Start of a slot, by its time or by the name of its period."""
    if window is None or not window.periods:
        return parse_clock(text, where=where)
    starts = {one.name: one.start for one in window.periods}
    if text not in starts:
        raise InputError(
            "This is not a period of the release.",
            where=where,
            mend=text_of("write one of {periods}", periods=", ".join(starts)),
        )
    return starts[text]


def _speed(text: str, where: str) -> float:
    if not (_SPEED.fullmatch(text) and 0.0 < float(text) <= _FASTEST):
        raise InputError(
            "A public speed is a number of km/h above 0.",
            where=where,
            mend="write for instance 17.5, or leave the column out",
        )
    return float(text)


def _whole(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= _MOST):
        raise InputError(
            "A public count must be a whole number above 0.",
            where=where,
            mend="write for instance 12, and leave hexagon slots without vehicles out",
        )
    return int(text)


def _speeds(listed: list[CountedHat]) -> Floats | None:
    known = [one.speed for one in listed if one.speed is not None]
    return np.array(known) if len(known) == len(listed) else None


def counts_of_hats(counted: CountedHats, candidates: CandidateHats, fleet: int) -> tuple[PublicCounts, Ints]:
    """The counts of those candidates that are listed, and their columns among all candidates.

    fleet: how many units there are in all. Raises InputError where no candidate is listed, for a slot that
    does not start where those of the window do, and for a fleet that is too small.
    """
    grid = candidates.window.grid
    for one in counted:
        if not grid.starts_at(one.minute):
            raise InputError(
                "The public counts have a slot that starts at {minute}.",
                minute=clock(one.minute),
                where="query.public_counts",
                mend="write the release's own slots or periods (hats.slot_minutes, hats.periods, hats.hours)",
            )
    cells = np.array([one.cell for one in counted], np.uint64)
    slots = np.array([grid.slot_in(grid.slot_of(one.minute), one.groups) for one in counted], np.int16)
    columns = candidates.columns_at(cells, slots)
    order = np.argsort(columns)
    order = order[columns[order] >= 0]
    if not order.size:
        raise InputError(
            "No hexagon slot of the public counts is a candidate.",
            where="query.public_counts",
            mend="compare its cells and slots with selection.file and [hats]",
        )
    listed = [counted[place] for place in order.tolist()]
    public = PublicCounts(
        units=np.array([one.vehicles for one in listed], np.int64),
        records=np.array([one.records for one in listed], np.int64),
        fleet=fleet,
        speeds=_speeds(listed),
    )
    return public, columns[order]
