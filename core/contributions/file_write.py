"""A contribution table as a Parquet file, written block by block. Confidential: it holds true values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.contributions.file_facts import TABLE_SCHEMA, VISITS, PhysicalLimits, TableFacts, facts_of
from core.contributions.table import Contributions
from core.files import atomic_file
from core.progress import Progress, silent

_EPOCH = dt.date(1970, 1, 1)
_PRIVATE = 0o600


def write_contributions(
    contributions: Contributions,
    path: Path,
    progress: Progress = silent,
    *,
    physical: PhysicalLimits | None = None,
) -> None:
    """Write the table, whole or not at all, readable by its owner only; an older file is replaced.

    physical: which values were dropped as impossible. Raises InputError when the folder cannot be
    written, and what `progress` raises.
    """
    present = set(np.unique(contributions.vehicle).tolist())
    blocks = row_batches(contributions, progress)
    write_rows(blocks, facts_of(contributions, present, physical), contributions.visits is not None, path)


def write_rows(blocks: Iterable[pa.RecordBatch], facts: TableFacts, visits: bool, path: Path) -> None:
    """Write the rows of a table that `facts` describe, block after block, as `write_contributions` does.

    blocks: cut as `Contributions.row_blocks` cuts, since how a table is cut shows in the file; visits:
    whether they have that column. Raises what taking a block raises; then there is no file.
    """
    columns = TABLE_SCHEMA.append(VISITS) if visits else TABLE_SCHEMA
    schema = columns.with_metadata(facts.to_metadata())
    with atomic_file(path, mode=_PRIVATE) as file, pq.ParquetWriter(file, schema) as writer:
        for block in blocks:
            writer.write_batch(block)


def row_batches(contributions: Contributions, progress: Progress = silent) -> Iterator[pa.RecordBatch]:
    """The rows of a table as its file holds them, block by block. Raises what `progress` raises."""
    schema = TABLE_SCHEMA if contributions.visits is None else TABLE_SCHEMA.append(VISITS)
    names = pa.array(contributions.vehicles, pa.string())
    days = np.array([(date - _EPOCH).days for date in contributions.window.dates], np.int32)
    for rows in contributions.row_blocks():
        progress(rows.start / contributions.hat.size, "Writing contributions")
        yield _batch(contributions, rows, names, days, schema)


def _batch(
    contributions: Contributions, rows: slice, names: pa.Array, days: np.ndarray, schema: pa.Schema
) -> pa.RecordBatch:
    hat = contributions.hat[rows]
    first, last = int(contributions.start[rows.start]), int(contributions.start[rows.stop])
    values = contributions.values[first:last] + np.int32(contributions.measured.lower)
    begin = contributions.start[rows] - first
    grid = contributions.window.grid
    slot_start = contributions.slot[hat] * np.int16(grid.minutes) + np.int16(grid.offset)
    offsets = np.append(begin, last - first).astype(np.int32)
    columns = [
        pa.array(contributions.cell[hat]),
        pa.array(slot_start),
        names.take(pa.array(contributions.vehicle[rows])),
        pa.array(days[contributions.day[rows]]).cast(pa.date32()),
        pa.array(contributions.counts[rows]),
        pa.array(np.add.reduceat(values, begin, dtype=np.int64)),
        pa.ListArray.from_arrays(pa.array(offsets), pa.array(values), type=schema.field("values").type),
    ]
    if contributions.visits is not None:
        columns.append(pa.array(contributions.visits[rows]))
    return pa.record_batch(columns, schema=schema)
