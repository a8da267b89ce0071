"""JSON: an array of objects, one object a line, or objects that hold such an array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from core.errors import InputError
from core.ingest.encodings import Text, opened_text, wrong_encoding
from core.ingest.file_format import AS_FOUND, FileFormat
from core.ingest.files import base_name
from core.ingest.json_cells import LISTS, bulk_table, cells_table, flatten, kinds_of, pairs_of
from core.ingest.json_depth import cut_by_depth
from core.ingest.json_scan import Found, Malformed, Start, cut, find_start, one_by_one
from core.ingest.readers.base import MOST_LINES, PREVIEW_ROWS, Batch, Preview, as_text

BLOCK = 16 << 20
"""Bytes read at once."""
_HEAD = 1 << 20
_LONGEST_HEAD = 16 << 20
_LONGEST_RECORD = 64 << 20
_LINES = (".jsonl", ".ndjson")


class JsonReader:
    """Reads blocks of records in bulk, so that memory does not grow with the file; nested names have dots."""

    key: ClassVar[str] = "json"
    title: ClassVar[str] = "JSON"
    endings: ClassVar[tuple[str, ...]] = (".json", ".geojson", *_LINES)

    def reads(self, path: Path) -> bool:
        return base_name(path).endswith(self.endings)

    def preview(self, path: Path, form: FileFormat = AS_FOUND) -> Preview:
        records = [flatten(record) for record in _first(path, form)]
        names = tuple(dict.fromkeys(name for record in records for name in record))
        if not names:
            raise _no_objects(path)
        return Preview(
            columns=names,
            rows=tuple(tuple(as_text(record.get(name)) for name in names) for record in records),
        )

    def batches(self, path: Path, columns: Sequence[str], form: FileFormat = AS_FOUND) -> Iterator[Batch]:
        first = _first(path, form)
        wanted = _Wanted(columns=columns, pairs=pairs_of(first, columns))
        wanted.expect(first)
        seen: set[str] = set()
        for batch in _batches(path, form, wanted):
            seen |= {name for name in columns if batch.table.column(name).null_count < batch.table.num_rows}
            yield batch
        for name in columns:
            if name not in seen:
                raise InputError(
                    f"No record has the field {name!r}.",
                    where=str(path),
                    mend="map one of these fields: " + ", ".join(self.preview(path, form).columns),
                )


READER = JsonReader()


@dataclass(slots=True, kw_only=True)
class _Wanted:
    """What is wanted of each record, and of which kinds it has been so far."""

    columns: Sequence[str]
    pairs: frozenset[str]
    kinds: dict[str, str] = field(default_factory=dict)
    by_depth: bool = False
    """Cut by the depth of brackets first: a simpler cut has failed."""

    def expect(self, records: Sequence[dict[str, Any]]) -> None:
        """Expect the next records to be like these."""
        for name, kind in kinds_of(records[:PREVIEW_ROWS], self.columns).items():
            if kind not in LISTS or name in self.pairs:
                self.kinds[name] = kind


@dataclass(slots=True, kw_only=True)
class _Place:
    """Where reading stands."""

    buffer: bytes
    fresh: bool = True
    """No record of the array has been read yet."""
    line: int = 1
    """Of the buffer's beginning; counted for records that stand one a line."""
    ended: bool = False


def _batches(path: Path, form: FileFormat, wanted: _Wanted) -> Iterator[Batch]:
    start = _start(path, form)
    found_any = False
    with opened_text(path, form) as text:
        if not _is_utf8(text.read(start.offset)):
            raise wrong_encoding(path)
        place = _Place(buffer=b"")
        last = False
        while not (last and place.ended):
            raw = text.read(BLOCK)
            last = not raw
            place.buffer += raw
            table, others = _step(place, start, wanted, path, last=last)
            found_any = found_any or bool(table.num_rows)
            if table.num_rows or others:
                yield Batch(
                    table=table,
                    unreadable=len(others),
                    unreadable_lines=tuple(others[:MOST_LINES]) if start.shape == "lines" else (),
                    fraction=text.fraction,
                )
            if place.ended:
                _behind(place, start, text, path)
                last = place.ended
            elif len(place.buffer) > max(_LONGEST_RECORD, 4 * BLOCK):
                raise _broken(path)
    if not found_any:
        raise _no_objects(path)


def _step(
    place: _Place, start: Start, wanted: _Wanted, path: Path, *, last: bool
) -> tuple[pa.Table, list[int]]:
    """The records that are whole in the buffer, and the lines of what is none; moves the place on."""
    for by_depth in (wanted.by_depth, not wanted.by_depth):
        if by_depth and start.shape != "array":
            continue
        table = _in_bulk(place, start, wanted, path, by_depth=by_depth, last=last)
        if table is not None:
            wanted.by_depth = by_depth
            return table, []
    found = _one_by_one(place, start, path, last=last)
    wanted.expect(found.records)
    others = [place.line + number for number in found.others]
    place.line += place.buffer.count(b"\n") - found.rest.count(b"\n")
    place.fresh = place.fresh and not (found.records or found.others)
    place.buffer = found.rest
    place.ended = found.ended or (last and start.shape != "array")
    return cells_table(found.records, wanted.columns, wanted.pairs), others


def _in_bulk(
    place: _Place, start: Start, wanted: _Wanted, path: Path, *, by_depth: bool, last: bool
) -> pa.Table | None:
    """The records up to the last cut that is seen, if they can be read in bulk; moves the place on."""
    if by_depth:
        pieces = cut_by_depth(place.buffer, start.depth, last=last)
    else:
        pieces = cut(place.buffer, start.shape, start.depth, last=last)
    if not pieces or not pieces[0] or pieces[0].isspace():
        return None
    records, rest = pieces
    if not _is_utf8(records):
        raise wrong_encoding(path)
    table = bulk_table(records, wanted.columns, wanted.kinds)
    lines = start.shape == "lines"
    ends = records.count(b"\n") if lines else 0
    if table is None or (lines and not _is_one_a_line(records, table.num_rows, ends)):
        return None
    place.line += ends
    place.buffer, place.fresh, place.ended = rest, False, last
    return table


def _behind(place: _Place, start: Start, text: Text, path: Path) -> None:
    """What follows the end of an array: nothing, the rest of the objects around it, or another array."""
    if start.depth:
        final = place.buffer.rstrip()[-1:]
        while raw := text.read(BLOCK):
            final = raw.rstrip()[-1:] or final
        if final not in (b"", b"}"):
            raise _broken(path)
        return
    while not place.buffer.strip():
        place.buffer = text.read(BLOCK)
        if not place.buffer:
            return
    if start.shape != "array" or place.buffer.lstrip()[:1] != b"[":
        raise _broken(path)
    place.buffer = place.buffer.lstrip()[1:]
    place.fresh, place.ended = True, False


def _one_by_one(place: _Place, start: Start, path: Path, *, last: bool, most: int = -1) -> Found:
    try:
        return one_by_one(place.buffer, start.shape, fresh=place.fresh, last=last, most=most)
    except UnicodeDecodeError:
        raise wrong_encoding(path) from None
    except Malformed:
        raise _broken(path) from None


def _first(path: Path, form: FileFormat) -> list[dict[str, Any]]:
    """The first records; fewer where these are long. Raises InputError where there are none."""
    start = _start(path, form)
    size = _HEAD
    while True:
        with opened_text(path, form) as text:
            text.read(start.offset)
            buffer = text.read(size)
        last = len(buffer) < size
        found = _one_by_one(_Place(buffer=buffer), start, path, last=last, most=PREVIEW_ROWS)
        if found.records:
            return found.records
        if last or found.ended:
            raise _no_objects(path)
        if size >= _LONGEST_RECORD:
            raise _broken(path)
        size *= 8


def _start(path: Path, form: FileFormat) -> Start:
    size = _HEAD
    while True:
        with opened_text(path, form) as text:
            head = text.read(size)
        whole = len(head) < size
        if not head.strip():
            raise InputError("The file is empty.", where=str(path), mend="choose a file with records")
        if b"\0" in head[:256] and not form.encoding:
            raise wrong_encoding(path)
        start = find_start(head, whole=whole, named_lines=base_name(path).endswith(_LINES))
        if start is None:
            raise _no_objects(path)
        # an array may still begin further on in a text of one object
        if whole or start.shape != "objects" or size >= _LONGEST_HEAD:
            return start
        size *= 4


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_one_a_line(records: bytes, rows: int, ends: int) -> bool:
    """Whether there are as many records as lines that are not blank."""
    return rows == ends + (not records.endswith(b"\n")) or rows == sum(
        not line.isspace() for line in records.split(b"\n") if line
    )


def _no_objects(path: Path) -> InputError:
    return InputError(
        "The JSON is no array of objects.",
        where=str(path),
        mend='give records as [{...}, {...}], one {...} a line, or {"results": [{...}, {...}]};'
        " for delimited text, give the file the ending .csv",
    )


def _broken(path: Path) -> InputError:
    return InputError(
        "The JSON breaks off or is malformed.", where=str(path), mend="copy or export the file again"
    )
