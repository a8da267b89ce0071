"""A store built by blocks of days; no usable record is left, and what to check for that."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from io import FileIO
from operator import or_
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from core.clean.extent import Extent, extent_of
from core.clean.ingest_report import make_report
from core.clean.mapping import ReadingRules
from core.counted import count_of
from core.errors import InputError
from core.progress import Progress, part
from core.read.file_stamps import Stamp
from core.records.id_folds import other_texts, vehicle_id
from core.records.labels import code_type
from core.records.records import DAY_SECONDS
from core.store.column_files import ColumnLists, ColumnWriter
from core.store.derived_speed import SpeedDeriver
from core.store.read_files import PIECE_ROWS, Tally, read_into
from core.store.record_store import STORED_COLUMNS, StoredFacts, label_column, write_store
from core.store.sort_days import BLOCK_ROWS, DayBlock, sort_block, unsorted_blocks
from core.store.spill import SLAB_ROWS, Spill
from core.system.files import private_opener
from core.system.parallel import in_turn
from core.texts import text_of

_Columns = dict[str, NDArray[Any]]
_READING = 0.85
"""Share of the progress that reading and cleaning take; sorting takes the rest."""
_SORTED = 0.99


class NothingUsable(InputError):
    """The files could be read, and no record of theirs can be used."""

    def __init__(
        self, what: str, *, where: str = "", mend: str = "", rows: int = 0, dropped: Mapping[str, int]
    ) -> None:
        super().__init__(what, where=where, mend=mend)
        self.rows, self.dropped = rows, dropped


def build_store(
    folder: Path,
    stamps: Sequence[Stamp],
    rules: ReadingRules,
    now_ms: int,
    progress: Progress,
    *,
    in_memory: bool,
    empty_allowed: bool = False,
    slab_rows: int = SLAB_ROWS,
    piece_rows: int = PIECE_ROWS,
    block_rows: int = BLOCK_ROWS,
) -> tuple[StoredFacts, _Columns] | None:
    """Read files into a store in `folder`, complete and durable; then None.

    With `in_memory`, records that did not outgrow one slab are given back instead, and nothing is
    written. `empty_allowed` is that of `load_records`. Raises what that does, and OSError where the folder
    cannot be written.
    """
    spilled = folder / "spill"
    spill, zone, tally = read_into(
        lambda: Spill(partial(_open_spill, spilled), labels=rules.labels, slab_rows=slab_rows),
        stamps,
        rules,
        now_ms,
        part(progress, 0.0, _READING),
        empty_allowed=empty_allowed,
        piece_rows=piece_rows,
    )
    with contextlib.closing(spill):
        if not spill.names:
            if tally.nothing is not None and not empty_allowed:
                raise tally.nothing
            raise nothing_usable(tally.rows, tally.dropped, _names(stamps))
        in_memory_alone = in_memory and not spill.written
        writer = ColumnLists(_types(spill)) if in_memory_alone else ColumnWriter(folder, _types(spill))
        with contextlib.closing(writer):
            sorting = part(progress, _READING, _SORTED)
            facts = _sort(spill, writer, rules, zone, tally, stamps, sorting, block_rows)
            if isinstance(writer, ColumnLists):
                return facts, writer.columns()
            shapes = writer.sync()
    spilled.unlink(missing_ok=True)
    write_store(folder, facts, shapes)
    return None


def _open_spill(path: Path) -> BinaryIO:
    file = cast(BinaryIO, FileIO(path, "x+", opener=private_opener))
    if os.name != "nt":  # an open file needs no name: whatever happens, nothing of it stays
        path.unlink()
    return file


def _types(spill: Spill) -> dict[str, DTypeLike]:
    rest: dict[str, DTypeLike] = dict.fromkeys(STORED_COLUMNS[1:], np.int32)
    labels = {label_column(name): code_type(len(texts)) for name, texts in spill.label_texts.items()}
    return {STORED_COLUMNS[0]: code_type(len(spill.names))} | rest | labels


def _sort(
    spill: Spill,
    writer: ColumnWriter | ColumnLists,
    rules: ReadingRules,
    zone: str,
    tally: Tally,
    stamps: Sequence[Stamp],
    progress: Progress,
    block_rows: int,
) -> StoredFacts:
    """Append the records of a spill to the columns, in their order."""
    ids = [vehicle_id(text, folded=rules.mapping.vehicle_fold) for text in spill.names]
    names = sorted(set(ids))
    position = {name: code for code, name in enumerate(names)}
    codes = np.array([position[name] for name in ids], np.int32)
    deriver = SpeedDeriver(rules) if rules.mapping.derived else None
    total = sum(spill.days.values())
    done = repeats = far = 0
    counts: dict[int, int] = {}
    extents: list[Extent] = []
    present = np.zeros(len(names), bool)
    progress(0.0, "Sorting records")
    with contextlib.closing(
        in_turn(unsorted_blocks(spill, codes, block_rows=block_rows), partial(sort_block, codes=codes))
    ) as blocks:
        for found in blocks:
            done += int(found.counts.sum()) + found.repeats
            repeats += found.repeats
            far += found.repeats_far
            block = deriver.derive(found) if deriver else found
            if block.vehicle.size:
                for day, count in zip(block.days.tolist(), block.counts.tolist(), strict=True):
                    if count:  # a large day comes in several blocks
                        counts[day] = counts.get(day, 0) + count
                columns = stored_columns(block, rules, origin_day=next(iter(counts)))
                writer.append(columns)
                extents.append(_extent(columns, next(iter(counts)), zone))
                present[block.vehicle] = True
            progress(done / total, "Sorting records")
    dropped = tally.dropped + Counter(deriver.dropped if deriver else {})
    if not counts:
        raise nothing_usable(tally.rows, dropped, _names(stamps))
    if not present.all():  # every record of some vehicle was the first of its kind: no speed, no record
        names = list(itertools.compress(names, present))
        writer.recode(STORED_COLUMNS[0], (np.cumsum(present) - 1).astype(code_type(len(names))))
    return StoredFacts(
        vehicles=tuple(names),
        days=tuple(counts),
        first=(0, *itertools.accumulate(counts.values())),
        zone=zone,
        upper_bound=rules.upper_bound,
        labels=spill.label_texts,
        derived=deriver is not None,
        report=make_report(
            reduce(or_, extents),
            rows_read=tally.rows,
            rows_used=sum(counts.values()),
            vehicles=names,
            dropped=dropped,
            unreadable=tally.unreadable,
            clamped=tally.clamped + (deriver.clamped if deriver else 0),
            arrays_unread=tally.arrays_unread,
            missing_words=tally.missing_words,
            files_empty=tally.files_empty,
            files_damaged=tally.files_damaged,
            repeats=repeats,
            repeats_far=far,
            zone=zone,
            rules=rules,
        ),
        valid_until_ms=tally.valid_until_ms,
        other_texts=other_texts(
            pair for pair in zip(ids, spill.names, strict=True) if present[position[pair[0]]]
        ),
    )


def stored_columns(block: DayBlock, rules: ReadingRules, origin_day: int) -> _Columns:
    """The columns of a block as they are stored; seconds count from the first stored record's day."""
    second = block.time // 1000
    second += np.repeat((block.days - origin_day) * DAY_SECONDS, block.counts)
    columns = (block.vehicle, second, block.latitude, block.longitude, block.value, *block.labels)
    return dict(zip((*STORED_COLUMNS, *map(label_column, rules.labels)), columns, strict=True))


def _extent(columns: _Columns, origin_day: int, zone: str) -> Extent:
    return extent_of(
        columns["second"],
        columns["latitude"],
        columns["longitude"],
        origin=origin_day * DAY_SECONDS,
        zone=zone,
    )


def _names(stamps: Sequence[Stamp]) -> list[str]:
    return [Path(stamp.path).name for stamp in stamps]


_WHERE_ALL = {
    "no_id": "write the ids as text: a number in scientific notation (3.58E+14) has lost its digits",
    "time_limit": "check the column of the time: what lies before 2000 or in the future does not count, and "
    "years of another calendar are not read",
    "position_limit": "check the order of coordinates and the box; name numbers that are not degrees under "
    '[data.mapping], such as crs = "EPSG:25832" for metres, or position_unit = "1e-6"',
    "filtered": "compare the texts of [data.filter] with those of its columns, letter by letter",
    "position_outside_zones": "compare the layer's area and CRS (hats.zones) with the positions "
    "of the records",
}
"""Reason -> what helps where every row was dropped for it."""


def nothing_usable(rows: int, counts: Mapping[str, int], files: Sequence[str]) -> NothingUsable:
    """What to say where every row was dropped; counts: by reason, files: their names."""
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()) if count)
    return NothingUsable(
        text_of(
            "No usable record is left of {counted_rows}{value}",
            counted_rows=count_of(rows, "row"),
            value=f" ({reasons})." if reasons else ".",
        ),
        where=", ".join(files[:3]) + (" and others" if len(files) > 3 else ""),
        mend=next(
            (mend for reason, mend in _WHERE_ALL.items() if counts.get(reason) == rows),
            "check the column mapping, the order of coordinates, the unit and the box",
        )
        if rows
        else "choose a file with records",
        rows=rows,
        dropped=counts,
    )
