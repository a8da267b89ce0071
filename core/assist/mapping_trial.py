"""Trying a mapping on some rows of a file, so that a person sees what it does before all is loaded."""

from __future__ import annotations

import dataclasses
import time as clock
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.assist.clock_changes import gap_and_overlap
from core.assist.coordinate_order import CoordinateCheck, check_coordinates
from core.assist.example_rows import Example, example_of
from core.assist.suggested_choices import suggested_zone
from core.clean.drop_and_clamp import CleanBatch, ParsedBatch, clean_batch, judged_rows, parse_batch
from core.clean.ingest_report import OUTSIDE_ZONES
from core.clean.mapping import ReadingRules, UnitRange
from core.clean.read_times import MISSING
from core.privacy import Confidential
from core.progress import Progress, silent
from core.read.file_batches import Faults
from core.read.preview_rows import Preview
from core.store.read_files import batches_of
from core.texts import text_of

EXAMPLES = 3
_DERIVED = "\0derived"
"""Stands for a value that only whole tracks have: each row is then judged by all else."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Spread(Confidential):
    """Smallest, middle and largest number of a column as it was read: a value in the unit that is published.

    Of the rows that are retained, or of all where none is: then they may tell why.
    """

    part: str
    least: float
    median: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trial(Confidential):
    """What a mapping makes of the preview's rows."""

    rows: int
    usable: int
    clamped: int
    dropped: dict[str, int]
    dropped_rows: dict[str, tuple[int, ...]]
    """Reason -> the first rows that it drops, counted from 0; at most `EXAMPLES` each."""
    dropped_cells: dict[str, str]
    """Reason -> the cells in question of the first such row, as they stand."""
    zone: str
    """The zone that the local times are in; empty when the rules and the file name none."""
    no_time_read: bool
    """Times are there, and none of them can be read."""
    in_gap: int
    """Times without offset that the zone's spring change skips."""
    in_overlap: int
    """Times without offset that the zone has twice in autumn."""
    spreads: tuple[Spread, ...]
    coordinates: CoordinateCheck
    examples: tuple[Example, ...]


def try_mapping(preview: Preview, rules: ReadingRules) -> Trial:
    """Read the preview's rows as a load would.

    Where neither rules nor file name a zone, naive times are judged as if they were UTC. A speed that
    is derived from positions is not tried: it takes whole tracks.
    """
    zone = rules.zone or suggested_zone(preview, rules.mapping.time, rules.mapping.date)
    now_ms = int(clock.time() * 1000)
    everything = range(len(preview.rows))
    parsed, judged = _parsed(preview, everything, rules)
    cleaned = clean_batch(parsed, judged, zone or "UTC", now_ms)
    retained, values = judged_rows(parsed, judged, zone or "UTC", now_ms)
    in_gap, in_overlap = gap_and_overlap(parsed.times.instants, parsed.times.naive, zone) if zone else (0, 0)
    dropped_rows = _dropped_rows(preview, rules, zone, now_ms)
    return Trial(
        rows=len(everything),
        usable=int(cleaned.instant.size),
        clamped=cleaned.clamped,
        dropped={reason: count for reason, count in cleaned.dropped.items() if count},
        dropped_rows=dropped_rows,
        dropped_cells={
            reason: _cells_in_question(preview, rules, reason, rows[0])
            for reason, rows in dropped_rows.items()
        },
        zone=zone,
        no_time_read=bool(parsed.times.present.any() and (parsed.times.instants == MISSING).all()),
        in_gap=in_gap,
        in_overlap=in_overlap,
        spreads=_spreads(
            parsed, None if rules.mapping.derived else values, retained if retained.any() else ~retained
        ),
        coordinates=check_coordinates(
            parsed.positions.latitude, parsed.positions.longitude, rules.mapping.box, zone
        ),
        examples=tuple(_example(preview, row, rules, zone, now_ms) for row in _spread(len(everything))),
    )


def require_shape(
    files: Sequence[Path], rules: ReadingRules, progress: Progress = silent, *, empty_allowed: bool = False
) -> None:
    """Read each file until every mapped column has been seen in it.

    Mostly that is its beginning; only a file none of whose records has a field is read to its end. Files
    without records are passed over. Raises InputError that names the files that cannot be read, such as for
    the mapped column that one lacks, unless the rules leave these out.
    """
    faults = Faults()
    for number, path in enumerate(files):
        unseen = set(rules.mapping.columns)
        progress(number / len(files), text_of("Looking into {name}", name=path.name))
        for batch in batches_of(path, rules, empty_allowed):
            if faults.take(str(path / batch.member), path.name, batch):
                continue
            unseen -= {name for name in unseen if batch.table.column(name).null_count < batch.table.num_rows}
            if not unseen:
                break
            progress((number + batch.fraction) / len(files), text_of("Looking into {name}", name=path.name))
    if not rules.skip_damaged:
        faults.require_none(may_skip=not empty_allowed)


def _read(
    preview: Preview, rows: Sequence[int], rules: ReadingRules, zone: str, now_ms: int
) -> tuple[ParsedBatch, CleanBatch]:
    parsed, rules = _parsed(preview, rows, rules)
    return parsed, clean_batch(parsed, rules, zone or "UTC", now_ms)


def _parsed(preview: Preview, rows: Sequence[int], rules: ReadingRules) -> tuple[ParsedBatch, ReadingRules]:
    """The rows as they are read, and the rules by which they are judged: all but a speed that is derived."""
    columns = {name: preview.columns.index(name) for name in rules.mapping.columns}
    cells = {name: [preview.rows[row][index] for row in rows] for name, index in columns.items()}
    if rules.mapping.derived:
        cells[_DERIVED] = ["0"] * len(rows)
        mapping = dataclasses.replace(
            rules.mapping, value=_DERIVED, derived=None, units=(UnitRange(unit="km/h"),)
        )
        rules = dataclasses.replace(rules, mapping=mapping)
    table = pa.table({name: pa.array(column, pa.string()) for name, column in cells.items()})
    return parse_batch(table, rules), rules


def _dropped_rows(
    preview: Preview, rules: ReadingRules, zone: str, now_ms: int
) -> dict[str, tuple[int, ...]]:
    """The first rows of each reason, by halving: whole parts without a new example are passed over."""
    found: dict[str, list[int]] = {}
    waiting = [range(len(preview.rows))]
    while waiting:
        part = waiting.pop()
        dropped = +Counter(_read(preview, part, rules, zone, now_ms)[1].dropped)
        if all(len(found.get(reason, ())) >= EXAMPLES for reason in dropped):
            continue
        if len(part) == 1:
            found.setdefault(next(iter(dropped)), []).append(part.start)
            continue
        middle = (part.start + part.stop) // 2
        waiting += [range(middle, part.stop), range(part.start, middle)]
    return {reason: tuple(rows[:EXAMPLES]) for reason, rows in found.items()}


def _cells_in_question(preview: Preview, rules: ReadingRules, reason: str, row: int) -> str:
    """The cells that a reason is about; of an unreadable row all that had to be read.

    Of several an empty one is called empty: between commas it would be missed.
    """
    mapping = rules.mapping
    value = (mapping.value,) if mapping.value else ()
    about = {
        "no_id": mapping.vehicle_columns,
        "no_time": mapping.time_columns,
        "time_limit": mapping.time_columns,
        "filtered": tuple(column for _, column in mapping.public_columns),
        "no_position": mapping.position_columns,
        "position_limit": mapping.position_columns,
        OUTSIDE_ZONES: mapping.position_columns,
        "no_value": value,
        "value_limit": value,
    }.get(reason, (*mapping.time_columns, *mapping.position_columns, *value))
    cells = [preview.rows[row][preview.columns.index(name)] for name in about]
    return ", ".join(cells if len(cells) == 1 else (cell or "“”" for cell in cells))


def _spreads(
    parsed: ParsedBatch, values: NDArray[np.float64] | None, rows: NDArray[np.bool_]
) -> tuple[Spread, ...]:
    columns = {"latitude": parsed.positions.latitude, "longitude": parsed.positions.longitude}
    if values is not None:
        columns = {"value": values} | columns
    made = []
    for part, numbers in columns.items():
        known: NDArray[np.float64] = numbers[rows & np.isfinite(numbers)]
        if known.size:
            least, median, most = np.quantile(known, [0.0, 0.5, 1.0]).tolist()
            made.append(Spread(part=part, least=least, median=median, most=most))
    return tuple(made)


def _spread(rows: int) -> tuple[int, ...]:
    """First, middle and last row: neighbours tend to be alike."""
    return tuple(dict.fromkeys((rows - 1) * step // (EXAMPLES - 1) for step in range(EXAMPLES) if rows))


def _example(preview: Preview, row: int, rules: ReadingRules, zone: str, now_ms: int) -> Example:
    raw = dict(zip(preview.columns, preview.rows[row], strict=True))
    return example_of(raw, *_read(preview, (row,), rules, zone, now_ms), rules, zone)
