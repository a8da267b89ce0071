"""Notes: what workers tell besides rows. They travel as rows themselves, so that each counts exactly once.

A counter that tasks add to would count twice what is computed twice, after a lost worker for instance.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from core.clean.clean_rows import CleanRows
from core.clean.extent import Extent
from core.clean.ingest_report import Examples
from core.errors import HexveilError
from core.privacy import Confidential
from core.read.readers.base import MOST_LINES
from core.records.zones import outermost
from core.store.sort_days import DayBlock
from core.system.nested_texts import json_value


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Stretch:
    """Rows that stand one after another in a file that was cut: numbered within it, until all are known."""

    file: int
    start: int
    """Where the part of the file begins, in bytes."""
    rows: int
    lines: tuple[int, ...]
    """Which of these rows were no records: the first few, counted from 1."""
    seen: tuple[str, ...] = ()
    """Columns that have been filled in some record."""

    def then(self, later: Stretch) -> Stretch:
        """This and what follows it in the same part of the file."""
        lines = (*self.lines, *(self.rows + line for line in later.lines))
        return dataclasses.replace(
            self,
            rows=self.rows + later.rows,
            lines=lines[:MOST_LINES],
            seen=tuple(sorted({*self.seen, *later.seen})),
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Note(Confidential):
    """What became of some rows. Notes add up, in any order."""

    rows: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    clamped: int = 0
    arrays_unread: int = 0
    missing_words: int = 0
    files_empty: int = 0
    examples: Examples = ()
    offsets: frozenset[tuple[int, int]] = frozenset()
    stretches: tuple[Stretch, ...] = ()
    repeats: int = 0
    repeats_far: int = 0
    used: int = 0
    extent: Extent | None = None
    failure: tuple[str, str, str] | None = None
    """What, where and how to mend it: why a worker stopped. Never anything of a record."""
    software: frozenset[str] = frozenset()
    """What the workers compute with, where it decides results."""

    def __add__(self, other: Note) -> Note:
        extents = [one for one in (self.extent, other.extent) if one is not None]
        return Note(
            rows=self.rows + other.rows,
            dropped=self.dropped + other.dropped,
            clamped=self.clamped + other.clamped,
            arrays_unread=self.arrays_unread + other.arrays_unread,
            missing_words=self.missing_words + other.missing_words,
            files_empty=self.files_empty + other.files_empty,
            examples=tuple(sorted({*self.examples, *other.examples})[:MOST_LINES]),
            offsets=outermost(self.offsets | other.offsets),
            stretches=self.stretches + other.stretches,
            repeats=self.repeats + other.repeats,
            repeats_far=self.repeats_far + other.repeats_far,
            used=self.used + other.used,
            extent=reduce(lambda one, two: one | two, extents) if extents else None,
            failure=min(filter(None, (self.failure, other.failure)), default=None),
            software=self.software | other.software,
        )

    def joined(self) -> Note:
        """The same with one stretch for all that follow one another in a part of a file, in their order."""
        joined: dict[tuple[int, int], Stretch] = {}
        for one in self.stretches:
            place = one.file, one.start
            joined[place] = joined[place].then(one) if place in joined else one
        return dataclasses.replace(self, stretches=tuple(joined.values()))

    def to_text(self) -> str:
        """As JSON; what is empty is left out."""
        fields = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        return json.dumps({name: _plain(value) for name, value in fields.items() if value})


def note_of(text: str) -> Note:
    """The inverse of `to_text`."""
    fields: dict[str, Any] = json_value(text)
    if "extent" in fields:
        fields["extent"] = Extent(**fields["extent"] | {"hours": frozenset(fields["extent"]["hours"])})
    stretches = (
        Stretch(**one | {"lines": tuple(one["lines"]), "seen": tuple(one["seen"])})
        for one in fields.get("stretches", ())
    )
    return Note(
        **fields
        | {
            "dropped": Counter(fields.get("dropped", {})),
            "examples": tuple((name, line) for name, line in fields.get("examples", ())),
            "offsets": frozenset((minutes, instant) for minutes, instant in fields.get("offsets", ())),
            "stretches": tuple(stretches),
            "failure": tuple(fields["failure"]) if "failure" in fields else None,
            "software": frozenset(fields.get("software", ())),
        }
    )


def total(notes: Iterable[Note]) -> Note:
    """All notes in one."""
    return reduce(lambda one, two: one + two, notes, Note())


def note_of_rows(rows: CleanRows, read: int) -> Note:
    """The note of some rows that were cleaned; read: how many these were."""
    batch = rows.batch
    return Note(
        rows=read,
        dropped=Counter({reason: count for reason, count in batch.dropped.items() if count}),
        clamped=batch.clamped,
        missing_words=batch.missing_words,
        offsets=rows.offsets,
    )


def note_of_block(block: DayBlock, extent: Extent | None, dropped: Counter[str], clamped: int) -> Note:
    """The note of sorted records; dropped, clamped: what deriving their speeds came to."""
    return Note(
        dropped=dropped,
        clamped=clamped,
        repeats=block.repeats,
        repeats_far=block.repeats_far,
        used=int(block.vehicle.size),
        extent=extent,
    )


def failure_of(error: HexveilError) -> Note:
    """The note of a worker that cannot go on."""
    return Note(failure=(error.what, error.where, error.mend))


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Extent):
        return dataclasses.asdict(value) | {"hours": sorted(value.hours)}
    if isinstance(value, tuple):
        return [dataclasses.asdict(one) if isinstance(one, Stretch) else one for one in value]
    return value
