"""The end of every engine's work: the report, what the file says of itself, and the file (method 2, 15)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.clean.ingest_report import Examples, IngestReport, make_report
from core.contributions.file_facts import TableFacts
from core.contributions.file_write import write_rows
from core.contributions.index import empty_window, require_few_in_groups
from core.contributions.slot_columns import table_schema
from core.contributions.table import changes
from core.engines.base import Made, TableJob
from core.engines.notes import Note
from core.engines.table_rows import table_blocks
from core.hats.places import PlaceChoice
from core.hats.window import Window
from core.privacy import Confidential
from core.records.id_folds import OtherTexts, other_texts
from core.store.store_build import nothing_usable


def report_of(
    note: Note,
    job: TableJob,
    zone: str,
    *,
    vehicles: Collection[str],
    examples: Examples,
    files: Sequence[str],
    files_damaged: Sequence[str] = (),
) -> IngestReport:
    """What was read, of all notes; files: their names. Raises NothingUsable where no record is left."""
    if note.extent is None:
        raise nothing_usable(note.rows, note.dropped, files)
    return make_report(
        note.extent,
        rows_read=note.rows,
        rows_used=note.used,
        vehicles=vehicles,
        dropped=note.dropped,
        unreadable=examples,
        clamped=note.clamped,
        arrays_unread=note.arrays_unread,
        missing_words=note.missing_words,
        files_empty=note.files_empty,
        files_damaged=files_damaged,
        repeats=note.repeats,
        repeats_far=note.repeats_far,
        zone=zone,
        rules=job.rules,
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Vehicles(Confidential):
    """Those with records."""

    rows: Mapping[str, bool]
    """Whether each has a row in the table."""
    other_texts: OtherTexts


def vehicles_of(answers: Iterable[tuple[str, bool, Iterable[str] | None]]) -> Vehicles:
    """From an engine's answer: id, whether it has a row, the other texts it was read as."""
    found = sorted((name, here, tuple(texts or ())) for name, here, texts in answers)
    return Vehicles(
        rows={name: here for name, here, _ in found},
        other_texts=other_texts((name, text) for name, _, texts in found for text in texts),
    )


def finish_table(
    rows: Iterable[pa.RecordBatch], job: TableJob, report: IngestReport, vehicles: Vehicles
) -> Made:
    """Write the sorted rows. Raises InputError where there is none."""
    if not any(vehicles.rows.values()):
        raise empty_window(job.window)
    rules = job.rules
    derived = rules.mapping.derived is not None
    facts = TableFacts(
        window=job.window,
        resolution=job.resolution,
        zone=report.zone,
        upper_bound=rules.upper_bound,
        measured=rules.quantity.measured,
        physical=rules.physical_limits,
        derived=derived,
        other_vehicles=tuple(name for name, here in vehicles.rows.items() if not here),
        other_texts=vehicles.other_texts,
        derived_by_day=derived,
        filters=rules.filters,
        choice=job.choice,
    )
    counted = _Counted(job.window, job.choice)
    schema = table_schema(job.window, job.choice, visits=rules.tell_dwell)
    blocks = table_blocks(counted.blocks(rows), job.window, schema)
    write_rows(blocks, facts, rules.tell_dwell, job.out, job.passphrase)
    return Made(rows=counted.rows, hats=counted.hats, values=counted.values, derived=derived, report=report)


class _Counted:
    """Counts what passes. Raises InputError for more HATs than groups may make."""

    def __init__(self, window: Window, choice: PlaceChoice) -> None:
        self._window, self._choice = window, choice
        self.rows = self.hats = self.values = 0
        self._last: tuple[object, int] | None = None

    def blocks(self, blocks: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for block in blocks:
            cell, slot = np.asarray(block.column("cell")), np.asarray(block.column("slot"))
            place = block.column("place")
            if not place.null_count:
                cell = np.asarray(place.dictionary_encode().indices)
            self.rows += len(block)
            self.values += int(np.asarray(block.column("count")).sum())
            self.hats += int(changes(cell, slot).sum()) - ((place[0], int(slot[0])) == self._last)
            self._last = place[-1], int(slot[-1])
            require_few_in_groups(self.hats, self._window, self._choice)
            yield block
