"""A list of places that are no hexagons, by id: zones not in the layer, labels not typed (method 3.1)."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.clean.record_filter import is_public_text
from core.errors import InputError
from core.hats.places import WHOLE, WHOLE_ID, PlaceChoice
from core.hats.slots import ID_PARTS
from core.hats.window import Window
from core.read.unreadable_files import unreadable_as_input_error
from core.selection.base import SelectionRequest
from core.selection.columns_by_name import order_of_columns
from core.system.regular_files import read_regular
from core.texts import Name, text_of

_HEADER = "place_id"
MOST_PLACES = 5_000


def listed_places(
    path: Path,
    rule: str,
    choice: PlaceChoice,
    known: Sequence[str] | None = None,
    window: Window | None = None,
) -> SelectionRequest:
    """What a spec selects whose file lists such places, or, as CSV, HATs of the window.

    known: the ids that there are, where the spec alone tells them; None: it does not. Raises InputError for a
    rule that takes no list, and for a place that is not known.
    """
    if rule != "cells":
        raise InputError(
            "This rule chooses hexagons alone.",
            where="selection.rule",
            mend=text_of('write rule = "cells" and a file of ids, one per line, or place = "h3"'),
        )
    rows, whole = None if window is None else _rows_of_hats(path, window), choice.place_kind == WHOLE
    ids = tuple(sorted({row[0] for row in rows or ()}))
    if not ids:
        ids = (WHOLE_ID,) if whole else read_place_ids(path)
    if whole and ids != (WHOLE_ID,):
        raise InputError(
            "The whole area is one place, {whole}, and the list names others.",
            whole=WHOLE_ID,
            where=str(path),
            mend=text_of("write {whole} as the {column} of each line", whole=WHOLE_ID, column=_HEADER),
        )
    unknown = [] if known is None else sorted({*ids} - {*known})
    if unknown:
        raise InputError(
            "The layer has no zone {zone}.",
            zone=f"{unknown[0]!r}",
            where=str(path),
            mend="list ids of the layer's zones (hats.zones.id), one per line",
        )
    request = SelectionRequest(rule=rule, cells=tuple(range(len(ids))), ids=ids)
    if not rows or window is None:
        return request
    number = {place: place_number for place_number, place in enumerate(ids)}
    hats = sorted({(number[row[0]], _slot(row, window)) for row in rows})
    return replace(request, hats=tuple(hats), hat_names=tuple(sorted(ID_PARTS.join(row) for row in rows)))


def _rows_of_hats(path: Path, window: Window) -> list[tuple[str, ...]]:
    """The cells of each line but the header; empty where the file is a list of ids alone.

    Raises InputError for other columns, groups whose labels nobody typed, a place, period, time or label that
    is none, and a HAT listed twice.
    """
    if not path.exists():
        return []
    columns = columns_of_hats(window)
    with unreadable_as_input_error(path):
        lines = read_regular(path).decode("utf-8-sig", "replace").splitlines()
    header, *rows = csv.reader(lines) if lines else [[]]
    names = tuple(name.strip() for name in header)
    if len(names) < 2 or _HEADER not in names:
        return []
    if (places := order_of_columns(columns, names)) is None:
        raise InputError(
            "The list of places has other columns.",
            where=text_of("{path}, line {number}", path=path, number=1),
            mend=text_of("write the header {columns}, or ids alone, one per line", columns=",".join(columns)),
        )
    for group in window.groups:
        if group.is_open:
            raise InputError(
                "The labels of {name} are not typed, and the list names some.",
                name=Name(group.name),
                where="hats.labels",
                mend="type the labels that count, or list ids alone, one per line",
            )
    found: dict[tuple[str, ...], int] = {}
    for number, cells in enumerate(rows, start=2):
        stripped = [cell.strip() for cell in cells]
        if not any(stripped):
            continue
        where = text_of("{path}, line {number}", path=path, number=number)
        row = tuple(stripped[place] for place in places) if len(stripped) == len(columns) else ()
        if not row or not is_public_text(row[0]) or _slot(row, window) < 0:
            raise InputError(
                "This is not a place with a timeslot and labels of the release.",
                where=where,
                mend=text_of("write {columns}, as [hats] names them", columns=", ".join(columns)),
            )
        if row in found:
            raise InputError("This line appears twice.", where=where, mend="leave one of the two out")
        found[row] = number
    return list(found)


def columns_of_hats(window: Window) -> tuple[str, ...]:
    """The columns of a list of HATs: as those of public counts, without the counts."""
    time = "period" if window.periods else "slot_start"
    return (_HEADER, time, *(group.name for group in window.groups))


def _slot(row: Sequence[str], window: Window) -> int:
    """The slot in the window's grid that a line names; -1 where there is none."""
    _, time, *labels = row
    grid, wanted = window.grid, (time, tuple(labels))
    times = grid.period if window.periods else grid.text
    return next((slot for slot in window.slots if (times(slot), grid.labels(slot)) == wanted), -1)


def read_place_ids(path: Path) -> tuple[str, ...]:
    """The ids, sorted, each once; a header and blank lines are passed over. Raises InputError."""
    with unreadable_as_input_error(path):
        lines = read_regular(path).decode("utf-8-sig", "replace").splitlines()
    ids = set()
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not is_public_text(text):
            raise InputError(
                "This is not the id of a place.",
                where=text_of("{path}, line {number}", path=path, number=number),
                mend="write at most 80 visible characters",
            )
        ids.update({text} - {"", _HEADER})
    if not 0 < len(ids) <= MOST_PLACES:
        raise InputError(
            "The file lists {count} places; it needs 1 to {most}.",
            count=f"{len(ids):,}",
            most=f"{MOST_PLACES:,}",
            where=str(path),
            mend="list the ids of places, one per line",
        )
    return tuple(sorted(ids))
