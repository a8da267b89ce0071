"""Why rows could not be read: which column, how up to 200 cells look, in which file they begin.

The report of a load counts such rows only. Here the files are looked into once more, as far as it takes to
tell what most of the first ones have in common. No cell is quoted, only its form is shown. Confidential.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.assist.time_shapes import cell_shape
from core.clean.drop_and_clamp import ParsedBatch, parse_batch
from core.clean.mapping import ReadingRules
from core.clean.read_times import MISSING
from core.clean.split_times import joined_times
from core.privacy import Confidential
from core.progress import Progress, silent
from core.read.file_batches import file_batches
from core.read.file_format import EITHER_MARK
from core.texts import Name, joined, text_of

_ENOUGH = 200
"""Unreadable cells of one column that tell what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnreadCells(Confidential):
    """The column most of whose cells could not be read, of those that were looked at."""

    column: str
    shape: str
    """The commonest form of such cells: a digit as 9, a letter as a."""
    file: str
    """Name of the file in which the first one stands; a member of an archive behind the archive's name."""
    other_mark: bool
    """The cells are numbers with the other decimal mark than the one that is named."""


@dataclass(slots=True)
class _Found:
    """What has been seen of one column."""

    file: str
    cells: int = 0
    shapes: Counter[str] = field(default_factory=Counter)
    other_marks: int = 0


def unread_cells(
    files: Sequence[Path], rules: ReadingRules, progress: Progress = silent
) -> UnreadCells | None:
    """None where every cell of a mapped column can be read, or is empty."""
    found: dict[str, _Found] = {}
    for number, path in enumerate(files):
        progress(number / len(files), text_of("Looking into {name}", name=path.name))
        for batch in file_batches(path, rules.mapping.columns, rules.format):
            file = f"{path.name}/{batch.member}" if batch.member else path.name
            for column, rows in _unread(parse_batch(batch.table, rules), rules).items():
                if rows.size:
                    seen = found.setdefault(column, _Found(file=file))
                    _look(seen, _cells(batch.table, column, rules), rows, rules)
            if any(seen.cells >= _ENOUGH for seen in found.values()):
                return _summary(found)
            progress((number + batch.fraction) / len(files), text_of("Looking into {name}", name=path.name))
    return _summary(found) if found else None


def _unread(batch: ParsedBatch, rules: ReadingRules) -> dict[str, NDArray[np.intp]]:
    """Rows by the mapped column whose cell is there and cannot be read."""
    mapping, here = rules.mapping, batch.positions
    unread = {_times(rules): batch.times.present & (batch.times.instants == MISSING)}
    if mapping.position:
        unread[mapping.position] = here.present & np.isnan(here.latitude)
    else:
        unread[mapping.latitude] = here.present & np.isnan(here.latitude)
        unread[mapping.longitude] = here.present & np.isnan(here.longitude)
    if mapping.value:
        unread[mapping.value] = batch.value_present & np.isnan(batch.values)
    return {column: np.flatnonzero(rows) for column, rows in unread.items()}


def _times(rules: ReadingRules) -> str:
    """What the times are called: by their column, or by both."""
    return joined(", ", map(Name, rules.mapping.time_columns))


def _cells(table: pa.Table, column: str, rules: ReadingRules) -> pa.Array | pa.ChunkedArray:
    """The cells as they were read."""
    if rules.mapping.date and column == _times(rules):
        date, time = (table.column(name).combine_chunks() for name in rules.mapping.time_columns)
        return joined_times(date, time, rules.mapping.time)
    return table.column(column)


def _look(
    seen: _Found, column: pa.Array | pa.ChunkedArray, rows: NDArray[np.intp], rules: ReadingRules
) -> None:
    seen.cells += int(rows.size)
    cells = [str(cell) for cell in column.take(pa.array(rows[:_ENOUGH])).to_pylist()]
    seen.shapes.update(map(cell_shape, cells))
    mark, other = rules.format.decimal, "," if rules.format.decimal == "." else "."
    if mark != EITHER_MARK:
        seen.other_marks += sum(
            cell.count(other) == 1 and mark not in cell and _is_number(cell) for cell in cells
        )


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _summary(found: dict[str, _Found]) -> UnreadCells:
    column, seen = max(found.items(), key=lambda item: item[1].cells)
    ((shape, _),) = seen.shapes.most_common(1)
    return UnreadCells(
        column=column,
        shape=shape,
        file=seen.file,
        other_mark=seen.other_marks * 2 > seen.shapes.total(),
    )
