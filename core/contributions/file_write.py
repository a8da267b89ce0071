"""A contribution table as Parquet, a file or a folder of parts, written block by block.

Confidential: it holds true values. Where a passphrase is given, nothing of it reaches the disk in the clear.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.contributions.encryption import new_cipher
from core.contributions.file_facts import VISITS, PhysicalLimits, TableFacts, facts_of
from core.contributions.parts import DATE, PARTITION_KEYS, RESOLUTION, SUFFIX
from core.contributions.row_order import reordered
from core.contributions.slot_columns import slot_arrays, table_schema
from core.contributions.table import Contributions
from core.errors import InputError
from core.hats.joined_cells import cells_of_texts
from core.hats.window import Window
from core.progress import Progress, silent
from core.system.files import PRIVATE, atomic_file, atomic_private_folder

_EPOCH = dt.date(1970, 1, 1)
_PART = f"part-0{SUFFIX}"


def write_contributions(
    contributions: Contributions,
    path: Path,
    progress: Progress = silent,
    *,
    physical: PhysicalLimits | None = None,
    passphrase: str | None = None,
) -> None:
    """Write the table, whole or not at all, readable by its owner only; an older file is replaced.

    physical: which values were dropped as impossible. passphrase: encrypt the file under it. Raises
    InputError when the folder cannot be written or the passphrase is too short, and what `progress` raises.
    """
    keys = _keys_of(passphrase, contributions.window)
    with atomic_file(path, mode=PRIVATE) as file:
        _Writer(contributions, physical).write(file, slice(0, contributions.hat.size), progress, keys())


def write_rows(
    blocks: Iterable[pa.RecordBatch],
    facts: TableFacts,
    visits: bool,
    path: Path,
    passphrase: str | None = None,
) -> None:
    """Write the rows of a table that `facts` describe, block after block, as `write_contributions` does.

    blocks: cut as `Contributions.row_blocks` cuts, since how a table is cut shows in the file; visits:
    whether they have that column. Raises what taking a block raises; then there is no file.
    """
    keys = _keys_of(passphrase, facts.window)
    with atomic_file(path, mode=PRIVATE) as file:
        _write_blocks(file, blocks, facts, table_schema(facts.window, facts.choice, visits=visits), keys())


def row_batches(contributions: Contributions, progress: Progress = silent) -> Iterator[pa.RecordBatch]:
    """The rows of a table as its file holds them, block by block. Raises what `progress` raises."""
    return _Rows(contributions).batches(slice(0, contributions.hat.size), progress)


def write_partitioned(
    contributions: Contributions,
    folder: Path,
    by: Sequence[str],
    progress: Progress = silent,
    *,
    physical: PhysicalLimits | None = None,
    passphrase: str | None = None,
) -> None:
    """Write the table as a new folder of parts, whole or not at all, readable by its owner only.

    by: of `PARTITION_KEYS`, at least one. By date each date of the window has a part, with rows or without,
    so that a lost one is noticed. The rest is as for `write_contributions`; raises InputError also where
    the folder is there already, or the partitions are none.
    """
    if not by or not set(by) <= set(PARTITION_KEYS) or len(set(by)) < len(by):
        raise InputError(
            "A contribution table can only be partitioned by resolution and date.",
            where="partitions",
            mend=f"write {DATE}, {RESOLUTION}, or both",
        )
    keys = _keys_of(passphrase, contributions.window)
    with atomic_private_folder(folder) as root:
        inside = root
        if RESOLUTION in by:
            inside = _new_folder(inside, f"{RESOLUTION}={contributions.resolution}")
        if DATE in by:
            _write_by_date(contributions, root, inside, physical, keys, progress)
        else:
            with atomic_file(inside / _PART, mode=PRIVATE) as file:
                key = keys((inside / _PART).relative_to(root).as_posix())
                _Writer(contributions, physical).write(file, slice(0, contributions.hat.size), progress, key)


def _keys_of(passphrase: str | None, window: Window) -> Callable[..., object | None]:
    """Gives each new file of a table its key, by name and number of parts; none without a passphrase."""
    return (lambda *_: None) if passphrase is None else partial(new_cipher(passphrase).of_new_file, window)


def _write_by_date(
    contributions: Contributions,
    root: Path,
    folder: Path,
    physical: PhysicalLimits | None,
    keys: Callable[..., object | None],
    progress: Progress,
) -> None:
    by_day = reordered(contributions, np.argsort(contributions.day, kind="stable"))
    writer = _Writer(by_day, physical)
    dates = contributions.window.dates
    ends = np.searchsorted(writer.table.day, np.arange(len(dates) + 1)).tolist()
    # vehicles without a row are listed once, not in every part
    others, writer.facts = writer.facts.other_vehicles, dataclasses.replace(writer.facts, other_vehicles=())
    for number, date in enumerate(dates):
        window = dataclasses.replace(contributions.window, date_ranges=((date, date),))
        facts = dataclasses.replace(writer.facts, window=window, other_vehicles=others if number == 0 else ())
        inside = _new_folder(folder, f"{DATE}={date}")
        with atomic_file(inside / _PART, mode=PRIVATE) as file:
            key = keys((inside / _PART).relative_to(root).as_posix(), len(dates))
            writer.write(file, slice(ends[number], ends[number + 1]), progress, key, facts)


def _new_folder(above: Path, name: str) -> Path:
    folder = above / name
    folder.mkdir(mode=0o700)
    return folder


class _Rows:
    """Rows of a table as its files hold them."""

    def __init__(self, table: Contributions) -> None:
        self._table = table
        self.columns = table_schema(table.window, table.choice, visits=table.visits is not None)
        self._places = pa.array(table.places.ids, pa.string())
        self._cells = cells_of_texts(table.places.ids if table.choice.mixed else (), len(table.choice.mixed))
        self._names = pa.array(table.vehicles, pa.string())
        self._days = np.array([(date - _EPOCH).days for date in table.window.dates], np.int32)

    def batches(self, rows: slice, progress: Progress) -> Iterator[pa.RecordBatch]:
        for block in self._table.row_blocks(rows):
            progress(block.start / self._table.hat.size, "Writing contributions")
            yield self._batch(block)

    def _batch(self, rows: slice) -> pa.RecordBatch:
        table = self._table
        hat = table.hat[rows]
        first, last = int(table.start[rows.start]), int(table.start[rows.stop])
        values = table.values[first:last] + np.int32(table.measured.lower)
        begin = table.start[rows] - first
        offsets = np.append(begin, last - first).astype(np.int32)
        listed = self.columns.field("values").type
        columns = [
            *self._place_columns(table.cell[hat]),
            *slot_arrays(table.window, table.slot[hat]),
            self._names.take(pa.array(table.vehicle[rows])),
            pa.array(self._days[table.day[rows]]).cast(pa.date32()),
            pa.array(np.diff(begin, append=last - first)),
            pa.array(np.add.reduceat(values, begin, dtype=np.int64)),
            pa.ListArray.from_arrays(pa.array(offsets), pa.array(values), type=listed),
        ]
        if table.visits is not None and VISITS.name in self.columns.names:
            columns.append(pa.array(table.visits[rows]))
        return pa.record_batch(columns, schema=self.columns)

    def _place_columns(self, places: NDArray[np.uint64]) -> list[pa.Array]:
        if self._table.places.hexagons:
            return [pa.array(places)]
        if self._table.choice.mixed:
            return [pa.array(column[places]) for column in self._cells.T]
        return [self._places.take(pa.array(places))]


class _Writer:
    """Writes rows of a table as one file after the other."""

    def __init__(self, table: Contributions, physical: PhysicalLimits | None) -> None:
        present = set(np.unique(table.vehicle).tolist())
        self.table = table
        self.facts: TableFacts = facts_of(table, present, physical)
        self._rows = _Rows(table)

    def write(
        self,
        file: BinaryIO,
        rows: slice,
        progress: Progress,
        key: object | None,
        facts: TableFacts | None = None,
    ) -> None:
        """Those rows as a file, with the facts of the whole table where the file itself has none."""
        blocks = self._rows.batches(rows, progress)
        _write_blocks(file, blocks, facts or self.facts, self._rows.columns, key)


def _write_blocks(
    file: BinaryIO,
    blocks: Iterable[pa.RecordBatch],
    facts: TableFacts,
    columns: pa.Schema,
    key: object | None,
) -> None:
    schema = columns.with_metadata(facts.to_metadata())
    with pq.ParquetWriter(file, schema, encryption_properties=key) as writer:
        for block in blocks:
            writer.write_batch(block)
