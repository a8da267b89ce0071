"""A contribution table from a Parquet file, made by `contributions` or by another engine (architecture 3)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.contributions.file_columns import Block, Rows, read_block
from core.contributions.file_facts import FIRST_VERSION, TABLE_SCHEMA, VISITS, TableFacts, read_facts
from core.contributions.order import order_of
from core.contributions.table import Contributions, changes
from core.contributions.values import run_values
from core.errors import InputError
from core.progress import Progress, silent
from core.read.input_files import unreadable_as_input_error

_ROWS = 1 << 16


def read_contributions(
    path: Path, progress: Progress = silent, *, empty_allowed: bool = False
) -> Contributions:
    """The table of a file, checked in full; the order of its rows does not matter.

    empty_allowed: where it is private whether anybody was there. Raises InputError for anything that does
    not fit, by its row, and for a table without rows otherwise; and what `progress` raises.
    """
    with _opened(path) as file:
        facts = read_facts(file.metadata.metadata or {}, path)
        _require_columns(file.schema_arrow.names, path)
        blocks = list(_blocks(file, facts, path, progress))
    if not blocks and not empty_allowed:
        raise InputError("The contribution table has no rows.", where=str(path), mend="write it again")
    if not blocks:
        nothing = pa.RecordBatch.from_pylist([], schema=TABLE_SCHEMA)
        blocks = [read_block(nothing, facts, Rows(str(path), 1))]
    return _table(blocks, facts, path)


def _require_columns(names: list[str], path: Path) -> None:
    for name in (*TABLE_SCHEMA.names, VISITS.name):
        count = names.count(name)
        if count > 1 or (count == 0 and name != VISITS.name):
            raise InputError(
                f"The contribution table has {'no' if count == 0 else 'more than one'} column {name}.",
                where=str(path),
                mend="write the columns " + ", ".join(TABLE_SCHEMA.names) + ", each once",
            )


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    with unreadable_as_input_error(path), path.open("rb") as stream:
        try:
            with pq.ParquetFile(stream) as file:
                yield file
        except (pa.ArrowException, UnicodeDecodeError):  # a name of a column is no text
            raise InputError(
                "The file is no readable Parquet.", where=str(path), mend="copy or write the file again"
            ) from None


def _blocks(file: pq.ParquetFile, facts: TableFacts, path: Path, progress: Progress) -> Iterator[Block]:
    done, total = 0, file.metadata.num_rows
    told = VISITS.name in file.schema_arrow.names and facts.version != FIRST_VERSION
    columns = [*TABLE_SCHEMA.names, *([VISITS.name] if told else [])]
    for batch in file.iter_batches(batch_size=_ROWS, columns=columns):
        progress(done / max(total, 1), "Reading contributions")
        if batch.num_rows:
            yield read_block(batch, facts, Rows(str(path), done + 1))
        done += batch.num_rows


def _table(blocks: list[Block], facts: TableFacts, path: Path) -> Contributions:
    """The rows of all blocks, sorted. Raises InputError when two are of one place, vehicle and day."""
    vehicles = tuple(sorted({name for block in blocks for name in block.names} | set(facts.other_vehicles)))
    code = {name: number for number, name in enumerate(vehicles)}
    vehicle = np.concatenate(
        [np.array([code[name] for name in block.names], np.int32)[block.vehicle] for block in blocks]
    )
    cells, cell = np.unique(np.concatenate([block.cell for block in blocks]), return_inverse=True)
    slot, day = (np.concatenate([getattr(block, name) for block in blocks]) for name in ("slot", "day"))
    counts = np.concatenate([block.counts for block in blocks])
    visits = [block.visits for block in blocks if block.visits is not None]
    first = np.cumsum(counts) - counts
    order = order_of(cell, slot, vehicle, day)
    cell, slot, vehicle, day = cell[order], slot[order], vehicle[order], day[order]
    _require_distinct(changes(cell, slot, vehicle, day), order, path)
    values = run_values(np.concatenate([block.values for block in blocks]), first[order], counts[order])
    new_hat = changes(cell, slot)
    return Contributions(
        window=facts.window,
        resolution=facts.resolution,
        zone=facts.zone,
        upper_bound=facts.upper_bound,
        vehicles=vehicles,
        cell=cells[cell[new_hat]],
        slot=slot[new_hat],
        hat=np.cumsum(new_hat, dtype=np.int32) - np.int32(1),
        vehicle=vehicle,
        day=day,
        start=values.before,
        values=values,
        measured=facts.measured,
        derived=facts.derived,
        visits=np.concatenate(visits)[order] if visits else None,
    )


def _require_distinct(new: NDArray[np.bool_], order: NDArray[np.int64], path: Path) -> None:
    if not new.all():
        row = int(order[np.argmax(~new)]) + 1
        raise InputError(
            "Two rows are of the same cell, slot, vehicle and date (ids are trimmed and case-folded).",
            where=f"{path}, row {row}",
            mend="group the records by cell, slot, folded vehicle and date",
        )
