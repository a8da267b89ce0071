"""A contribution table read from its parts: missing columns, rows, dates, resolutions, vanished parts.

Of a folder only the parts that the asked dates and resolution need are opened, and beside the table one block
of rows at a time is in memory.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.contributions.encryption import AskPassphrase, TableLock, damage_as_input_error
from core.contributions.file_columns import Rows, read_block
from core.contributions.file_facts import FIRST_VERSION, VISITS, read_facts
from core.contributions.part_facts import (
    PartFacts,
    dates_of,
    merged_groups,
    merged_window,
    require_agreement,
)
from core.contributions.parts import DATE, Part, table_parts
from core.contributions.slot_columns import table_schema
from core.contributions.table import Contributions
from core.contributions.table_build import TableBuild
from core.errors import InputError
from core.hats.groups import Groups
from core.hats.window import Window, build_window
from core.progress import Progress, part, silent
from core.read.file_stamps import require_unchanged, stamp_of
from core.read.unreadable_files import unreadable_as_input_error
from core.system.regular_files import open_regular
from core.texts import text_of

_ROWS = 1 << 16
_HEADS = 0.1
"""Share of the progress of reading a contribution table that the metadata of its parts take."""


def read_contributions(
    path: Path,
    progress: Progress = silent,
    *,
    resolution: int | None = None,
    window: Window | None = None,
    empty_allowed: bool = False,
    passphrase: AskPassphrase | None = None,
    vehicle_fold: bool = False,
    listed: tuple[str, ...] = (),
) -> Contributions:
    """The table of a file or folder, checked in full; the order of parts and rows does not matter.

    resolution, window: what is wanted of it; of the window its dates, since hours and slots are as the table
    was made. None: all there is. empty_allowed: where it is private whether anybody was there. passphrase:
    asked where the table is encrypted. vehicle_fold: as a spec has it. listed: ids of places that a file
    names. Raises InputError for anything that
    does not fit, by its file and row, for parts that differ in what all must share, for dates that the table
    was not made for, and for a table without rows otherwise; and what `progress` and `passphrase` raise.
    """
    lock = TableLock(path, passphrase)
    parts = _needed(path, resolution, window, lock, part(progress, 0.0, _HEADS))
    whole = merged_window(parts) if window is None else _within(parts, window)
    build = TableBuild(whole, parts[0].facts, folded=vehicle_fold, listed=listed)
    # every part numbers its slots by all labels, the table by those of its dates
    read_as, number = merged_window(parts), None
    if whole.groups:
        grid, of_part = read_as.grid, [group.name for group in read_as.groups]
        place = [of_part.index(group.name) for group in whole.groups]
        number = np.array(
            [
                whole.grid.slot_in(grid.timeslot(slot), tuple(grid.labels(slot)[one] for one in place))
                for slot in read_as.slots
            ]
        )
    rows, done = max(sum(one.rows for one in parts), 1), 0
    for one in parts:
        build.add_others(one.facts.other_vehicles)
        build.add_texts(one.facts.other_texts)
        begin, done = done / rows, done + one.rows
        part_progress = part(progress, _HEADS + (1 - _HEADS) * begin, _HEADS + (1 - _HEADS) * done / rows)
        _read_rows(one, path, build, lock, part_progress, read_as.groups, number)
    for one in parts:
        with _vanished_named(one.part.path, path):
            require_unchanged([one.stamp])
    if build.empty and not empty_allowed:
        raise InputError("The contribution table has no rows.", where=str(path), mend="write it again")
    return build.table()


def _needed(
    path: Path, resolution: int | None, window: Window | None, lock: TableLock, progress: Progress
) -> Sequence[PartFacts]:
    """The parts of a table that may hold rows of what is wanted; at least one, and they agree."""
    listed = table_parts(path)
    lock.require_whole(listed)
    dates = None if window is None else frozenset(window.dates)
    named = [one for one in listed if one.may_hold(resolution, dates)]
    # where nobody was seen on any of the dates, engines write no partition: another part says what was asked
    named = named or [one for one in listed if one.may_hold(resolution, None)][:1]
    read = []
    for number, one in enumerate(named):
        progress(number / len(named), "Reading contributions")
        read.append(_part_facts(one, path, lock))
    found = [one for one in read if resolution is None or one.facts.resolution == resolution] or read[:1]
    if not found:
        raise InputError(
            "The contribution table contains no part of this resolution.",
            where="hats.resolution",
            mend=text_of(
                "choose a resolution of the table: {value}",
                value=", ".join(str(number) for number in sorted({one.resolution or 0 for one in listed})),
            ),
        )
    require_agreement(found)
    return [one for one in found if dates is None or dates & set(one.facts.window.dates)] or found[:1]


def _within(parts: Sequence[PartFacts], wanted: Window) -> Window:
    """The window of the table, cut to the wanted dates, its groups in the wanted order.

    Raises InputError where it was not made for a date.
    """
    window = parts[0].facts.window
    missing = sorted(set(wanted.dates) - dates_of(parts))
    if missing:
        raise InputError(
            "The contribution table was made for another choice: it does not cover {missing}.",
            missing=missing[0],
            where="hats.dates",
            mend="write dates of the table's metadata, or make the table again",
        )
    groups, order = merged_groups(parts), [group.name for group in wanted.groups]
    if sorted(order) == sorted(group.name for group in groups):
        groups = tuple(sorted(groups, key=lambda group: order.index(group.name)))
    return build_window(wanted.date_ranges, window.hours, window.slot_length, groups)


def _part_facts(one: Part, table: Path, lock: TableLock) -> PartFacts:
    """The metadata of a part. Raises InputError where folder and file say different things."""
    with _vanished_named(one.path, table):
        stamp = stamp_of(one.path)
        with _opened(one.path, lock) as file:
            facts = read_facts(file.metadata.metadata or {}, one.path)
            schema, rows = file.schema_arrow, file.metadata.num_rows
    _require_columns(schema.names, one, table_schema(facts.window, facts.choice).names)
    for right, what in (
        (one.resolution in (None, facts.resolution), "resolution"),
        (one.date is None or one.date in facts.window.dates, "date"),
    ):
        if not right:
            raise InputError(
                "The folder of this part names another {what} than its metadata.",
                what=what,
                where=str(one.path),
                mend="move the file to the folder it belongs to, or write it again",
            )
    return PartFacts(part=one, facts=facts, schema=schema, rows=rows, stamp=stamp)


def _require_columns(names: list[str], one: Part, wanted: list[str]) -> None:
    for name in (*wanted, VISITS.name):
        count = names.count(name)
        optional = name == VISITS.name or (name == DATE and one.date is not None)
        if count > 1 or (count == 0 and not optional):
            value = "no" if count == 0 else "more than one"
            raise InputError(
                "The contribution table has {value} column {name}.",
                value=value,
                name=name,
                where=str(one.path),
                mend=text_of("write the columns {names}, each once", names=", ".join(wanted)),
            )


@contextlib.contextmanager
def _vanished_named(path: Path, table: Path) -> Iterator[None]:
    """Say of a file that was listed, and is gone, that it vanished."""
    try:
        yield
    except InputError:
        if path == table or path.exists():
            raise
        raise InputError(
            "A part of the contribution table vanished while the table was read; none of it was used.",
            where=str(path),
            mend="wait until nothing writes to the table, restore the part, then read it again",
        ) from None


@contextlib.contextmanager
def _opened(path: Path, lock: TableLock) -> Iterator[pq.ParquetFile]:
    keys = lock.opened(path)
    with (
        unreadable_as_input_error(path),
        open_regular(path) as stream,
        damage_as_input_error(path, encrypted=keys is not None),
        # what is read beforehand stays until the end: a copy of the whole part
        pq.ParquetFile(stream, decryption_properties=keys, pre_buffer=False) as file,
    ):
        yield file


def _read_rows(
    one: PartFacts,
    table: Path,
    build: TableBuild,
    lock: TableLock,
    progress: Progress,
    groups: Groups,
    number: NDArray[np.int64] | None,
) -> None:
    """Add all rows of a part. groups: of all parts; number: slot by these -> slot of the table.

    Raises InputError.
    """
    facts = dataclasses.replace(one.facts, window=dataclasses.replace(one.facts.window, groups=groups))
    path, dates = one.part.path, one.facts.window.dates
    visits = VISITS.name in one.schema.names and one.facts.version != FIRST_VERSION
    wanted = table_schema(one.facts.window, one.facts.choice, visits=visits).names
    columns = [name for name in wanted if name in one.schema.names]
    done = 0
    with _vanished_named(path, table), _opened(path, lock) as file:
        for batch in file.iter_batches(batch_size=_ROWS, columns=columns):
            progress(done / max(one.rows, 1), "Reading contributions")
            if batch.num_rows:
                rows = Rows(str(path), done + 1)
                block = read_block(_with_date(batch, one.part), facts, rows, one.part.date)
                if number is not None:
                    block = dataclasses.replace(block, slot=number[block.slot].astype(np.int16))
                build.add(block, rows, dates)
            done += batch.num_rows


def _with_date(batch: pa.RecordBatch, one: Part) -> pa.RecordBatch:
    """The rows with their date, which engines leave to the folder's name."""
    if one.date is None or DATE in batch.schema.names:
        return batch
    return batch.append_column(DATE, pa.repeat(pa.scalar(one.date, pa.date32()), batch.num_rows))
