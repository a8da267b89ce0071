"""From files to clean records and the ingest report."""

from __future__ import annotations

import dataclasses
import time as clock
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.ingest.clean import CleanBatch, ParsedBatch, clean_batch, parse_batch
from core.ingest.files import no_file_named, total_size
from core.ingest.formats import reader_for
from core.ingest.mapping import ReadingRules
from core.ingest.records import DAY_SECONDS, Records
from core.ingest.report import IngestReport, summarise
from core.ingest.zones import local_days_and_ms, require_zone, suggest_zone
from core.privacy import Confidential
from core.progress import Progress, part, silent

COLUMNS = ("vehicle", "instant", "latitude", "longitude", "value")
_READING = 0.9
"""Share of the progress that reading and cleaning take; sorting takes the rest."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Loaded(Confidential):
    """Clean records and what happened on the way to them."""

    records: Records
    report: IngestReport


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Parsed(Confidential):
    batch: ParsedBatch
    rows: int
    unreadable: int


def load_records(files: Sequence[Path], rules: ReadingRules, progress: Progress = silent) -> Loaded:
    """Read, clean and sort all files as one data set.

    The result does not depend on the order of rows or files. Raises InputError when a file
    cannot be used, the zone is needed and not named, or no usable record is left.
    """
    if not files:
        raise no_file_named()
    zone = require_zone(rules.zone) if rules.zone is not None else ""
    now_ms = int(clock.time() * 1000)
    tally = Counter[str]()
    cleaned: list[CleanBatch] = []
    waiting: list[ParsedBatch] = []
    for parsed in _parsed_batches(files, rules, part(progress, 0.0, _READING)):
        tally.update(rows=parsed.rows + parsed.unreadable, unreadable=parsed.unreadable)
        if zone:
            cleaned.append(clean_batch(parsed.batch, rules, zone, now_ms))
        else:
            waiting.append(parsed.batch)
    # without a named zone every offset of the data set is needed before the first row is judged,
    # else the order of rows could decide the zone
    zone = zone or _zone_of(waiting)
    cleaned += [clean_batch(batch, rules, zone, now_ms) for batch in waiting]
    dropped = Counter(unparsable=tally["unreadable"])
    for batch in cleaned:
        dropped.update(batch.dropped)
    progress(_READING, "Sorting records")
    records, repeats = _assemble(cleaned, zone, rules.upper_bound)
    if not len(records):
        raise _nothing_usable(tally["rows"], dropped, files)
    report = summarise(
        records,
        rows_read=tally["rows"],
        dropped=dict(dropped),
        clamped=sum(batch.clamped for batch in cleaned),
        repeats=repeats,
        mapping=rules.mapping,
    )
    progress(1.0, "Records loaded")
    return Loaded(records=records, report=report)


def _parsed_batches(files: Sequence[Path], rules: ReadingRules, progress: Progress) -> Iterator[_Parsed]:
    total = max(total_size(files), 1)
    before = 0
    for path in files:
        size = path.stat().st_size
        step = part(progress, before / total, (before + size) / total)
        text = f"Reading {path.name}"
        step(0.0, text)
        for batch in reader_for(path).batches(path, rules.mapping.columns, rules.format):
            yield _Parsed(
                batch=parse_batch(batch.table, rules),
                rows=batch.table.num_rows,
                unreadable=batch.unreadable,
            )
            step(batch.fraction, text)
        before += size


def _zone_of(batches: Sequence[ParsedBatch]) -> str:
    """The zone that the offsets of all batches suggest; none does when some time has no offset."""
    if any(bool(batch.times.naive.any()) for batch in batches):
        return suggest_zone(())
    return suggest_zone(pair for batch in batches for pair in batch.times.offsets)


def _assemble(cleaned: list[CleanBatch], zone: str, upper_bound: int) -> tuple[Records, int]:
    """All batches as sorted records without repeats, and the number of repeats."""
    names = sorted({batch.names[code] for batch in cleaned for code in np.unique(batch.vehicle).tolist()})
    code_type = np.int16 if len(names) <= np.iinfo(np.int16).max else np.int32
    code_of = {name: code for code, name in enumerate(names)}
    recoded = [
        dataclasses.replace(
            batch,
            vehicle=np.array([code_of.get(name, -1) for name in batch.names], np.int32)[batch.vehicle],
        )
        for batch in cleaned
        if batch.vehicle.size
    ]
    columns = {
        name: np.concatenate([getattr(batch, name) for batch in recoded] or [np.zeros(0, np.int32)])
        for name in COLUMNS
    }
    day = local_days_and_ms(columns["instant"].astype(np.int64), zone)[0]
    order = np.lexsort([*(columns[name] for name in reversed(COLUMNS)), day])
    day = day[order]
    columns = {name: column[order] for name, column in columns.items()}
    keep = _first_of_instant(columns["vehicle"], columns["instant"])
    columns = {name: column[keep] for name, column in columns.items()}
    days, first = np.unique(day[keep], return_index=True)
    records = Records(
        vehicles=tuple(names),
        vehicle=columns["vehicle"].astype(code_type),
        second=(columns["instant"] // 1000 - int(days[0] if days.size else 0) * DAY_SECONDS).astype(np.int32),
        latitude=columns["latitude"],
        longitude=columns["longitude"],
        value=columns["value"],
        days=days.astype(np.int32),
        first=np.append(first, np.count_nonzero(keep)),
        zone=zone,
        upper_bound=upper_bound,
    )
    return records, int(keep.size - keep.sum())


def _first_of_instant(vehicle: NDArray[np.int32], instant: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True for the first of several records with one (vehicle, instant): the smallest, as sorted."""
    keep = np.ones(vehicle.size, bool)
    keep[1:] = (vehicle[1:] != vehicle[:-1]) | (instant[1:] != instant[:-1])
    return keep


def _nothing_usable(rows: int, counts: Counter[str], files: Sequence[Path]) -> InputError:
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()) if count)
    return InputError(
        f"No usable record is left of {rows} rows" + (f" ({reasons})." if reasons else "."),
        where=", ".join(path.name for path in files[:3]) + (" and others" if len(files) > 3 else ""),
        mend="check the column mapping, the order of coordinates, the unit and the box",
    )
