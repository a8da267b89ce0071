"""Reading files by threads: rows a step, waiting pieces, and the line on rows per second (architecture 3)."""

from __future__ import annotations

import contextlib
import itertools
import time as clock
from collections import Counter
from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.clean.clean_rows import CleanRows, clean_rows
from core.clean.drop_and_clamp import CleanBatch, parse_batch
from core.clean.ingest_report import Examples
from core.clean.mapping import ReadingRules
from core.counted import count_of
from core.errors import InputError
from core.privacy import Confidential
from core.progress import Progress
from core.read.file_batches import DamagedFiles, Faults, file_batches
from core.read.file_format import format_of_each
from core.read.file_stamps import Stamp
from core.read.readers.base import MOST_LINES, Batch
from core.records.zones import outermost, require_zone, suggest_zone
from core.system.parallel import in_turn, read_ahead
from core.texts import text_of

PIECE_ROWS = 1 << 16
"""Rows of a file that one worker takes in one step: few enough that cancelling need not wait."""
_SMALL = 1000
"""A piece of a file of fewer rows waits for others: ten are cleaned no faster than a thousand."""
_MOST_JOINED = 256
"""Pieces of files that wait at most, so that a stop is obeyed soon."""
_IN_FULL = 10_000
"""From here on a number of rows read is rounded in the line on progress."""
_SETTLED = 0.5
"""Seconds of reading before rows per second are worth telling."""


class Pace:
    """Counts rows and describes the rate and the time left."""

    def __init__(self, now: Callable[[], float] = clock.monotonic) -> None:
        self._now = now
        self._begun = now()
        self._rows = 0

    def text(self, name: str, rows: int, fraction: float) -> str:
        """After `rows` more rows of the file `name`, with this fraction of all files read."""
        self._rows += rows
        read = (
            count_of(self._rows, "row")
            if self._rows < _IN_FULL
            else text_of("{rows} rows", rows=_short(self._rows))
        )
        progress_text = text_of("Reading {name}: {read}", name=name, read=read)
        elapsed = self._now() - self._begun
        if elapsed < _SETTLED or not fraction > 0.0:
            return progress_text
        left = elapsed / fraction * (1.0 - min(fraction, 1.0))
        return text_of(
            "{progress}, {value} rows/s, about {left} left",
            progress=progress_text,
            value=_short(round(self._rows / elapsed)),
            left=_duration(left),
        )


def _short(count: int) -> str:
    if count < _IN_FULL:
        return f"{count:,}"
    if count < 999_500:
        return f"{count / 1000:.0f} k"
    return f"{count / 1_000_000:.1f} M"


def _duration(seconds: float) -> str:
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What became of the rows that were read."""

    rows: int
    dropped: Counter[str]
    clamped: int
    arrays_unread: int
    """Objects in lists that hold others than records."""
    missing_words: int
    unreadable: Examples
    """Where the first rows that were no records stand, by file and line."""
    files_empty: int
    """Files, and those inside archives, without a record."""
    files_damaged: tuple[str, ...]
    """Names of those that cannot be read and were left out."""
    nothing: InputError | None
    """What the reader said of the first file, where every file is without a record."""
    valid_until_ms: int | None
    """Before the first record that was dropped for lying in the future; None: there is none."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Piece(Confidential):
    """Some rows of a file, and how far that is."""

    name: str
    table: pa.Table
    unreadable: int
    arrays_unread: int
    examples: Examples
    """Where the first of the unreadable rows stand."""
    empty: int
    """Files that end with it without a record."""
    fault: InputError | None
    """What the reader said of the first of them."""
    done: float
    """Share of all files that has been read with it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Cleaned(Confidential):
    piece: _Piece
    rows: CleanRows


class Sink(Protocol):
    """Takes the usable records of all files, batch after batch."""

    def add(self, batch: CleanBatch, day: NDArray[np.int32]) -> None:
        """Take a batch; day: shape (retained,), its local days."""

    def finish(self) -> None:
        """Nothing more will come."""

    def close(self) -> None:
        """Let go of all that was taken."""


_Sink = TypeVar("_Sink", bound=Sink)


def read_into(
    make_sink: Callable[[], _Sink],
    stamps: Sequence[Stamp],
    rules: ReadingRules,
    now_ms: int,
    progress: Progress,
    *,
    empty_allowed: bool = False,
    piece_rows: int = PIECE_ROWS,
) -> tuple[_Sink, str, Tally]:
    """A sink with all usable records of all files; the zone; what became of the rows.

    A zone that is not named is suggested by the offsets of all rows. To know them is to have read
    everything, so the first rows' suggestion is used and, should all rows suggest another zone,
    everything is read again: the order of rows decides nothing. So it is without damaged files where the
    rules leave these out: what was read of one before it broke off is no part. Files without records are
    passed over. Raises InputError when a file cannot be used, or the zone is needed and not named.
    """
    left_out: dict[str, str] = {}

    def attempt(zone: str) -> tuple[_Sink, Tally, frozenset[tuple[int, int]]]:
        sink = make_sink()
        try:
            return sink, *_fill(
                sink, stamps, rules, zone, now_ms, progress, piece_rows, empty_allowed, left_out
            )
        except DamagedFiles as damaged:
            sink.close()
            if not rules.skip_damaged:
                raise
            left_out.update(damaged.names)
        except BaseException:
            sink.close()
            raise
        return attempt(zone)

    if rules.zone is not None:
        zone = require_zone(rules.zone)
        sink, tally, _ = attempt(zone)
        return sink, zone, tally
    guess = _first_suggestion(stamps, rules, piece_rows, empty_allowed)
    sink, tally, offsets = attempt(guess)
    try:
        zone = suggest_zone(offsets)
    except InputError:
        sink.close()
        raise
    if zone != guess:
        sink.close()
        sink, tally, _ = attempt(zone)
    return sink, zone, tally


def _fill(
    sink: Sink,
    stamps: Sequence[Stamp],
    rules: ReadingRules,
    zone: str,
    now_ms: int,
    progress: Progress,
    piece_rows: int,
    empty_allowed: bool,
    left_out: Mapping[str, str],
) -> tuple[Tally, frozenset[tuple[int, int]]]:
    rows = clamped = words = unread = empty = 0
    nothing: InputError | None = None
    dropped = Counter[str]()
    offsets: frozenset[tuple[int, int]] = frozenset()
    future: list[int] = []
    examples: Examples = ()
    pace = Pace()

    progress(0.0, f"Reading {Path(stamps[0].path).name}")

    def clean(piece: _Piece) -> _Cleaned:
        return _Cleaned(piece=piece, rows=clean_rows(piece.table, rules, zone, now_ms))

    with (
        contextlib.closing(_pieces(stamps, rules, piece_rows, empty_allowed, left_out)) as pieces,
        contextlib.closing(read_ahead(_joined(pieces))) as ready,
        contextlib.closing(in_turn(ready, clean)) as cleaned,
    ):
        for item in cleaned:
            found = item.rows
            sink.add(found.batch, found.day)
            read = item.piece.table.num_rows + item.piece.unreadable
            rows += read
            clamped += found.batch.clamped
            words += found.batch.missing_words
            unread += item.piece.arrays_unread
            empty += item.piece.empty
            nothing = nothing or item.piece.fault
            dropped.update(found.batch.dropped)
            dropped["unparsable"] += item.piece.unreadable
            # the smallest of all: neither the order of files nor that of batches decides
            examples = tuple(sorted({*examples, *item.piece.examples})[:MOST_LINES])
            offsets = outermost(offsets | found.offsets)
            if found.next_ms is not None:
                future.append(found.next_ms)
            progress(item.piece.done, pace.text(item.piece.name, read, item.piece.done))
    sink.finish()
    tally = Tally(
        rows=rows,
        dropped=dropped,
        clamped=clamped,
        arrays_unread=unread,
        missing_words=words,
        unreadable=examples,
        files_empty=empty,
        files_damaged=tuple(sorted(left_out.values())),
        nothing=nothing if empty + len(left_out) >= len(stamps) else None,
        valid_until_ms=min(future, default=None),
    )
    return tally, offsets


def _pieces(
    stamps: Sequence[Stamp],
    rules: ReadingRules,
    piece_rows: int,
    empty_allowed: bool,
    left_out: Container[str] = (),
) -> Generator[_Piece, None, None]:
    """left_out: paths of files that are passed over.

    Raises DamagedFiles at the end, or what is wrong with the first file where none can be read.
    """
    total = max(sum(stamp.size for stamp in stamps), 1)
    before = 0
    faults = Faults()
    for stamp in stamps:
        path = Path(stamp.path)
        for batch in () if stamp.path in left_out else batches_of(path, rules, empty_allowed):
            name = f"{path.name}/{batch.member}" if batch.member else path.name
            if str(path / batch.member) in left_out or faults.take(str(path / batch.member), name, batch):
                continue
            done = (before + stamp.size * batch.fraction) / total
            for start in range(0, max(batch.table.num_rows, 1), piece_rows):
                yield _Piece(
                    name=path.name,
                    table=batch.table.slice(start, piece_rows),
                    unreadable=0 if start else batch.unreadable,
                    arrays_unread=0 if start else batch.arrays_unread,
                    examples=() if start else tuple((name, line) for line in batch.unreadable_lines),
                    empty=int(batch.without_records and not start),
                    fault=batch.fault,
                    done=done,
                )
        before += stamp.size
    faults.require_none(may_skip=not empty_allowed)


def _joined(pieces: Iterator[_Piece]) -> Generator[_Piece, None, None]:
    """Small pieces of one schema that follow one another as one: a poll is a file, and has few rows."""
    waiting: list[_Piece] = []
    rows, schema = 0, None
    for piece in pieces:
        more = piece.table.num_rows
        alike = not more or schema in (None, piece.table.schema)
        small = rows + more <= PIECE_ROWS and max(more, rows if len(waiting) == 1 else 0) < _SMALL
        if waiting and not (alike and small and len(waiting) < _MOST_JOINED):
            yield _one_of(waiting)
            waiting, rows, schema = [], 0, None
        waiting.append(piece)
        rows, schema = rows + more, piece.table.schema if more else schema
    if waiting:
        yield _one_of(waiting)


def _one_of(pieces: Sequence[_Piece]) -> _Piece:
    *others, last = pieces
    if not others:
        return last
    tables = [piece.table for piece in pieces if piece.table.num_rows] or [last.table]
    return _Piece(
        name=last.name,
        table=pa.concat_tables(tables).combine_chunks(),
        unreadable=sum(piece.unreadable for piece in pieces),
        arrays_unread=sum(piece.arrays_unread for piece in pieces),
        examples=tuple(sorted({one for piece in pieces for one in piece.examples})[:MOST_LINES]),
        empty=sum(piece.empty for piece in pieces),
        fault=next((piece.fault for piece in pieces if piece.fault), None),
        done=last.done,
    )


def batches_of(path: Path, rules: ReadingRules, empty_allowed: bool) -> Iterator[Batch]:
    """What a file holds; with bytes that are no text, where it is private whether anybody was there."""
    file_format = format_of_each(rules.format) if empty_allowed else rules.format
    return file_batches(path, rules.mapping.columns, file_format)


def _first_suggestion(
    stamps: Sequence[Stamp], rules: ReadingRules, piece_rows: int, empty_allowed: bool
) -> str:
    """The zone that the first rows suggest, UTC where they suggest none."""
    with contextlib.closing(_pieces(stamps, rules, piece_rows, empty_allowed)) as pieces:
        for piece in itertools.islice(pieces, 1):
            with contextlib.suppress(InputError):
                return suggest_zone(parse_batch(piece.table, rules).times.offsets)
    return "UTC"
