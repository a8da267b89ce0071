"""JSON: an array of objects, one a line, or a named list; cut off, or wrapped in a call (JSONP)."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from core.errors import InputError
from core.read.encodings import DecodedText, no_text, not_utf8, opened_text, wrong_encoding
from core.read.file_format import AS_FOUND, FileFormat
from core.read.input_files import NoRecord, base_name, empty_file
from core.read.json_cells import (
    LISTS,
    bulk_table,
    cells_table,
    flatten,
    kinds_of,
    paired_columns,
    whole_characters,
)
from core.read.json_depth import commas_by_depth, last_cut_by_depth
from core.read.json_marks import behind_objects, commas_between, lines_are_whole, mark, only_objects, unmark
from core.read.json_records import (
    BOTH,
    EACH,
    MOST_LOOKED_AT,
    RecordLists,
    alike,
    holds_columns,
    lists_in,
    members_are_alike,
    names_of,
    score,
)
from core.read.json_scan import (
    ArraySearch,
    FoundRecord,
    Malformed,
    Start,
    another_follows,
    before_closing,
    find_start,
    is_json,
    last_cut,
    one_by_one,
)
from core.read.preview_rows import PREVIEW_ROWS, Preview, as_text, some_names
from core.read.readers.base import MOST_LINES, Batch
from core.system.parallel import in_turn
from core.texts import text_of

_BLOCK = 4 << 20
"""Bytes of JSON read in one step: few, as one odd record slows its whole block and several are under way."""
_HEAD = 1 << 20
_LONGEST_HEAD = 16 << 20
_FEW = 1 << 16
"""Bytes of a JSON file in which the first records of an array are looked for at first."""
_MOST_ARRAYS = 64
"""Arrays of a JSON file looked at before records are taken for missing."""
_LONGEST_RECORD = 64 << 20
_LINES = (".jsonl", ".ndjson")
_EMPTY_ARRAYS = re.compile(rb"\A(?:\s*\]\s*\[)+")
"""What stands between the beginning of an array and that of the first one, of several, that is not empty."""
_CALL = re.compile(rb"\s*(/\*.*?\*/)?\s*[A-Za-z_$][\w.$]*\s*\(\s*[\[{]")
_NO_ARRAY = "The JSON is not an array of objects."
_ARRAYS = (
    'give records as [{...}, {...}], one {...} per line, or {"results": [{...}, {...}]};'
    " for delimited text, give the file the ending .csv"
)


class JsonReader:
    """Reads blocks of records in bulk, so that memory does not grow with the file; nested names have dots."""

    key: ClassVar[str] = "json"
    title: ClassVar[str] = "JSON"
    endings: ClassVar[tuple[str, ...]] = (".json", ".geojson", *_LINES)
    options: ClassVar[tuple[str, ...]] = ("encoding", "decimal", "date_order", "records")

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:
        first = _first(path, file_format, _start(path, file_format))
        records = [flatten(record) for record in first.records]
        names = tuple(dict.fromkeys(name for record in records for name in record))
        if not names:
            raise _no_objects(path)
        return Preview(
            columns=names,
            around=first.around,
            rows=tuple(
                tuple(whole_characters(as_text(record.get(name))) for name in names) for record in records
            ),
        )

    def batches(
        self, path: Path, columns: Sequence[str], file_format: FileFormat = AS_FOUND
    ) -> Iterator[Batch]:
        start = _start(path, file_format)
        first = _first(path, file_format, start).records
        if not first:
            return
        wanted = _Wanted(columns=columns, pairs=paired_columns(first, columns))
        wanted.expect(first)
        seen: set[str] = set()
        for batch in _batches(path, file_format, start, wanted):
            seen |= {name for name in columns if batch.table.column(name).null_count < batch.table.num_rows}
            yield batch
        for name in columns:
            if name not in seen:
                raise no_field(path, name, file_format)


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
        for name, kind in kinds_of(records, self.columns).items():
            if kind not in LISTS or name in self.pairs:
                self.kinds[name] = kind


@dataclass(slots=True, kw_only=True)
class _Block:
    """Records up to a cut that is likely, and what stands between it and the next block."""

    records: bytearray
    gap: bytes
    kinds: dict[str, str]
    line: int
    """In which it begins; counted for records that stand one a line."""
    fraction: float
    final: bool = False
    """Nothing follows."""
    table: pa.Table | None = None
    by_depth: bool = False
    """Its boundaries were seen by the depth of brackets alone."""

    @property
    def whole(self) -> bytes:
        return bytes(self.records) + self.gap


@dataclass(slots=True, kw_only=True)
class _Source:
    """What is left of a text: blocks in the order they were cut, then what is pending, then the stream."""

    text: DecodedText
    start: Start
    wanted: _Wanted
    path: Path
    pending: bytes = b""
    line: int = 1
    fresh: bool = True
    """No record of the array has been read yet."""
    search: ArraySearch = field(default_factory=ArraySearch)
    """Where in the objects around arrays the text has been read to."""
    under_way: deque[_Block] = field(default_factory=deque)

    def blocks(self) -> Iterator[_Block]:
        """Cut what is left. Raises InputError where no record ends for too long."""
        while True:
            if len(self.pending) > max(_LONGEST_RECORD, 4 * _BLOCK):
                raise _broken(self.path)
            most = max(_BLOCK, len(self.pending))
            raw = self.text.read(most)
            buffer = bytearray(self.pending)
            buffer += raw
            end: int | None = len(buffer)
            if self.start.shape == "array" and len(raw) < most:
                end = before_closing(buffer, self.start.depth)
            # a small file is one block: of several, each would start threads
            last = len(raw) < most if end is not None else not raw
            found = (len(buffer) if end is None else end, len(buffer)) if last else self._cut(buffer)
            if found:
                yield self._block(buffer, *found, final=last)
            else:
                self.pending = bytes(buffer)
            if last:
                return

    def _cut(self, buffer: bytearray) -> tuple[int, int] | None:
        found = last_cut_by_depth(buffer) if self.wanted.by_depth else None
        return found or last_cut(buffer, self.start.shape)

    def _block(self, buffer: bytearray, end: int, begin: int, *, final: bool) -> _Block:
        gap, self.pending = bytes(buffer[end:begin]), bytes(buffer[begin:])
        del buffer[end:]
        block = _Block(
            records=buffer,
            gap=gap,
            kinds=dict(self.wanted.kinds),
            line=self.line,
            fraction=self.text.fraction,
            final=final,
            by_depth=self.wanted.by_depth,
        )
        if self.start.shape == "lines":
            self.line += buffer.count(b"\n")
        self.under_way.append(block)
        return block

    def put_back(self, rest: bytes) -> None:
        """What was left of the first block stands before all that was cut from it on."""
        self.pending = b"".join([rest, *(block.whole for block in self.under_way), self.pending])
        self.under_way.clear()


def _batches(path: Path, file_format: FileFormat, start: Start, wanted: _Wanted) -> Iterator[Batch]:
    found_any = False
    with opened_text(path, file_format) as text:
        before = text.read(start.offset)
        if not _is_utf8(before):
            raise wrong_encoding(path)
        source = _Source(text=text, start=start, wanted=wanted, path=path)
        place = 0
        while place < start.offset and start.depth:
            _, place = source.search.find(before + b"{", place, last=False)
        with contextlib.closing(_in_order(source)) as batches:
            for batch in batches:
                found_any = found_any or bool(batch.table.num_rows)
                if batch.table.num_rows or batch.unreadable or batch.arrays_unread:
                    yield batch
        if source.search.passed:
            nothing = cells_table([], wanted.columns)
            yield Batch(table=nothing, unreadable=0, arrays_unread=source.search.passed, fraction=1.0)
    if not found_any:
        raise _no_objects(path)


def _in_order(source: _Source) -> Generator[Batch, None, None]:
    """Blocks are read ahead as they were cut; a cut that proves wrong undoes all that follow it."""

    def read(block: _Block) -> _Block:
        return _read(block, source)

    while True:
        left: FoundRecord | None = None
        with contextlib.closing(in_turn(source.blocks(), read)) as blocks:
            for block in blocks:
                source.under_way.popleft()
                if block.table is None and block.kinds != source.wanted.kinds:
                    block.kinds = source.wanted.kinds
                    block = read(block)
                if block.table is not None:
                    source.wanted.by_depth = block.by_depth
                    source.fresh = False
                    yield Batch(table=block.table, unreadable=0, fraction=block.fraction)
                    continue
                batch, found = _alone(block, source)
                yield batch
                if found.ended or found.rest.strip():
                    left = found
                    break
        if left is None:
            return
        # only now does no worker have marks in what follows
        source.put_back(left.rest)
        if left.ended and not _another_array(source):
            return
        source.wanted.by_depth = source.wanted.by_depth or (not left.ended and source.start.shape == "array")


def _read(block: _Block, source: _Source) -> _Block:
    """The block with its table, where its records can be read in bulk; changes no other state."""
    if source.start.inner:
        return block
    if not _is_utf8(block.records):
        raise wrong_encoding(source.path)
    data = np.frombuffer(block.records, np.uint8)
    behind = behind_objects(data)
    if not only_objects(data, behind):
        return block
    if source.start.shape != "array":
        if source.start.shape == "objects" or lines_are_whole(data):
            block.table = bulk_table(block.records, source.wanted.columns, block.kinds)
        return block
    tried = -1
    for by_depth in (block.by_depth, not block.by_depth):
        commas = commas_by_depth(data) if by_depth else commas_between(data, behind)
        if commas.size == tried:
            break
        tried = commas.size
        mark(data, commas)
        table = bulk_table(block.records, source.wanted.columns, block.kinds)
        unmark(data, commas)
        if table is not None and table.num_rows == commas.size + 1:
            block.table, block.by_depth = table, by_depth
            break
    return block


def _alone(block: _Block, source: _Source) -> tuple[Batch, FoundRecord]:
    """The records of a block, each read for itself, as far as the block goes."""
    shape = source.start.shape
    found = _one_by_one(block.whole, source.start, source.path, fresh=source.fresh, last=block.final)
    source.fresh = source.fresh and not (found.records or found.others)
    unread = _take_apart(found, source.start)
    source.wanted.expect(found.records)
    others = [block.line + number for number in found.others[:MOST_LINES]] if shape == "lines" else []
    batch = Batch(
        table=cells_table(found.records, source.wanted.columns, source.wanted.pairs),
        unreadable=len(found.others),
        unreadable_lines=tuple(others),
        arrays_unread=unread,
        fraction=block.fraction,
    )
    return batch, found


def _take_apart(found: FoundRecord, start: Start) -> int:
    """Put the records that lie within what was read in its place; how many other objects lie there."""
    if not start.inner:
        return 0
    lists = RecordLists(start.like, start.name)
    found.around = tuple(
        key for value in found.records[:1] for key, cell in value.items() if not isinstance(cell, dict | list)
    )
    items = [item for value in found.records for item in lists.records(value)]
    found.records = [item for item in items if isinstance(item, dict)]
    found.others += [0] * (len(items) - len(found.records))
    return lists.unread


def _another_array(source: _Source) -> bool:
    """Whether another array follows one that has ended, and nothing else than what may; begins it."""
    if source.start.depth:
        return _another_inside(source)
    while not source.pending.strip():
        source.pending = source.text.read(_BLOCK)
        if not source.pending:
            return False
    if source.pending.lstrip()[:1] != b"[":
        raise _broken(source.path)
    source.pending, source.fresh = _EMPTY_ARRAYS.sub(b"", source.pending.lstrip()[1:]), True
    return True


def _another_inside(source: _Source) -> bool:
    """The same of arrays within objects: one with other names is passed by."""
    source.search.closed()
    place, ended = 0, False
    try:
        while True:
            found, place = source.search.find(source.pending, place, last=ended)
            if found and _reads(source, place):
                source.pending, source.fresh = source.pending[place:], True
                source.start = dataclasses.replace(source.start, depth=source.search.depth)
                return True
            if not found and ended:
                return False
            if not found:
                raw = source.text.read(_BLOCK)
                source.pending, place, ended = source.pending[place:] + raw, 0, not raw
    except Malformed:
        raise _broken(source.path) from None


def _reads(source: _Source, place: int) -> bool:
    """Whether the array that begins there holds records like those before."""
    if source.start.name:
        return source.search.found == source.start.name
    while True:
        first = _elements(source.pending, dataclasses.replace(source.start, shape="array", offset=place))
        if first:
            return alike(names_of(first), source.start.like)
        raw = source.text.read(_BLOCK)
        if not raw or len(source.pending) > _LONGEST_RECORD:
            return False
        source.pending += raw


def _one_by_one(
    buffer: bytes, start: Start, path: Path, *, fresh: bool, last: bool, most: int = -1
) -> FoundRecord:
    try:
        return one_by_one(buffer, start.shape, fresh=fresh, last=last, most=most)
    except UnicodeDecodeError:
        raise wrong_encoding(path) from None
    except Malformed:
        raise _broken(path) from None


def _first(path: Path, file_format: FileFormat, start: Start) -> FoundRecord:
    """The first records, fewer where these are long; none of an empty array. Raises InputError."""
    size = _HEAD
    while True:
        with opened_text(path, file_format) as text:
            text.read(start.offset)
            buffer = text.read(size)
        last = len(buffer) < size
        if not start.depth:
            buffer = _EMPTY_ARRAYS.sub(b"", buffer)
        found = _one_by_one(buffer, start, path, fresh=True, last=last, most=PREVIEW_ROWS)
        _take_apart(found, start)
        if found.records:
            found.records = found.records[:PREVIEW_ROWS]
            return found
        if start.shape == "array" and buffer.lstrip().startswith(b"]"):
            return found
        if last or found.ended:
            raise _no_objects(path)
        if size >= _LONGEST_RECORD:
            raise _broken(path)
        size *= 8


def _start(path: Path, file_format: FileFormat) -> Start:
    size = _HEAD
    while True:
        with opened_text(path, file_format) as text:
            head = text.read(size)
        whole = len(head) < size
        if not head.strip():
            raise empty_file(path)
        if b"\0" in head[:256] and not file_format.encoding:
            raise no_text(path, "utf-8", head)
        begin = find_start(head, whole=whole, named_lines=base_name(path.name).endswith(_LINES))
        if begin is None:
            raise _no_objects(path) if whole and is_json(head) else _no_json(path, head)
        if not (file_format.seeks_lists or file_format.records):
            return _outermost(head, begin)
        start, found = _chosen(head, begin, file_format.records, whole=whole)
        # a list of records may still begin further on
        if whole or found or size >= _LONGEST_HEAD:
            if not found and file_format.records:
                raise _no_list(path, head, file_format.records)
            return start
        size *= 4


def _outermost(head: bytes, begin: Start) -> Start:
    """Of a text where no record decides what another one is: its first array, else what it is itself."""
    if begin.shape != "objects" or another_follows(head[begin.offset :]):
        return begin
    search = ArraySearch()
    with contextlib.suppress(Malformed):
        there, place = search.find(head, begin.offset, last=False)
        if there:
            return Start(shape="array", offset=place, depth=search.depth)
    return begin


def _chosen(head: bytes, begin: Start, name: str, *, whole: bool) -> tuple[Start, bool]:
    """Where the records are: the first of all lists whose objects have both a position and a time.

    Without such a list, the first with one of the two, else the first. And whether none further on can be
    better.
    """
    if begin.shape != "objects" or another_follows(head[begin.offset :]):
        start, points = _within(_elements(head, begin), begin, name)
        return start, points == BOTH
    found: list[tuple[Start, int]] = []
    search, place, there = ArraySearch(), begin.offset, True
    with contextlib.suppress(Malformed):
        while there and len(found) < _MOST_ARRAYS and not (found and found[-1][1] == BOTH and not whole):
            there, place = search.find(head, place, last=whole)
            if there:
                array = Start(shape="array", offset=place, depth=search.depth)
                elements = _elements(head, array)
                if not name or search.found == name:
                    found.append(_within(elements, dataclasses.replace(array, name=name), ""))
                elif name.startswith(f"{search.found}."):
                    found.append(_within(elements, array, name.removeprefix(f"{search.found}.")))
    if whole and (name or len(found) != 1 or found[0][1] < BOTH):
        inside = _within(_elements(head, begin), begin, name)
        if inside[1] > max((points for _, points in found), default=-1) or (
            inside[0].inner and len(found) > 1
        ):
            found = [inside]
    best = max(found, key=lambda one: one[1], default=(begin, 0))
    return best[0], best[1] == BOTH


def _elements(text: bytes, start: Start) -> list[dict[str, Any]]:
    """The first objects from there on, as far as they are whole."""
    for size in (_FEW, _LONGEST_RECORD):
        with contextlib.suppress(Malformed, UnicodeDecodeError):
            piece = text[start.offset : start.offset + size]
            few = one_by_one(piece, start.shape, fresh=True, last=False, most=MOST_LOOKED_AT)
            if few.records:
                return few.records
    return []


def _within(elements: list[dict[str, Any]], start: Start, name: str) -> tuple[Start, int]:
    """The start with what its records are like, which may lie in lists within; and their `score`."""
    if name:
        items = [item for value in elements for item in RecordLists(frozenset(), name).records(value)]
        return dataclasses.replace(start, inner=True, name=name), BOTH if items else -1
    like = names_of(elements)
    maps = [members_are_alike(value) for value in elements]
    # a page of one vehicle is known by those with several
    by_columns = any(map(holds_columns, elements))
    named = any(maps) and all(is_map or len(value) < 2 for is_map, value in zip(maps, elements, strict=True))
    points, inner = 0 if named or by_columns else score(like), False
    if points < BOTH:
        for _, items in [found for value in elements for found in lists_in(value)]:
            names = names_of(items)
            if score(names) > points:
                like, points, inner = names, score(names), True
    return dataclasses.replace(start, like=like, inner=inner), points


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonLines:
    """How lines of a file are read apart from it: what its first records have decided."""

    columns: tuple[str, ...]
    pairs: frozenset[str]
    kinds: dict[str, str]
    where: str
    """The file, for messages."""


def json_lines(
    path: Path, columns: Sequence[str], file_format: FileFormat, where: str
) -> tuple[JsonLines, int] | None:
    """What the head of a file decides, and how many lines precede its first record.

    None where its records do not stand one a line. Raises InputError as `batches` does.
    """
    start = _start(path, file_format)
    if start.shape != "lines" or start.inner:
        return None
    with opened_text(path, file_format) as text:
        before = text.read(start.offset).count(b"\n")
    first = _first(path, file_format, start).records
    wanted = _Wanted(columns=columns, pairs=paired_columns(first, columns))
    wanted.expect(first)
    how = JsonLines(columns=tuple(columns), pairs=wanted.pairs, kinds=wanted.kinds, where=where)
    return how, before


def records_of_lines(lines: Sequence[bytes], how: JsonLines) -> tuple[pa.Table, list[int]]:
    """The records of whole lines, and which lines have none: from 1, once for each other value.

    Raises InputError for text that is no UTF-8.
    """
    text = b"".join(line + b"\n" for line in lines)
    if not _is_utf8(text):
        raise not_utf8(how.where)
    data = np.frombuffer(text, np.uint8)
    if only_objects(data, behind_objects(data)) and lines_are_whole(data):
        table = bulk_table(text, how.columns, how.kinds)
        if table is not None:
            return table, []
    found = one_by_one(text, "lines", fresh=False, last=False)
    return cells_table(found.records, how.columns, how.pairs), [line + 1 for line in found.others]


def require_whole_end(last: bytes, path: Path) -> None:
    """Raise InputError where the last line, which has no end, breaks off."""
    try:
        one_by_one(last, "lines", fresh=False, last=True)
    except (Malformed, UnicodeDecodeError):
        raise _broken(path) from None


def no_field(path: Path, name: str, file_format: FileFormat) -> NoRecord:
    """What to say of a file in which no record has a field."""
    return NoRecord(
        "No record has the field {name}.",
        name=f"{name!r}",
        where=str(path),
        mend=text_of(
            "map one of these fields: {columns}",
            columns=some_names(
                list(dict.fromkeys(map(_without_ids, READER.preview(path, file_format).columns)))
            ),
        ),
    )


def _is_utf8(data: bytes | bytearray) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _without_ids(name: str) -> str:
    """A dotted name for a message, which quotes no vehicle's id: a part but the last that holds a digit."""
    *outer, last = name.split(".")
    return ".".join([*(EACH if re.search(r"\d", part) else part for part in outer), last])


def _no_list(path: Path, head: bytes, name: str) -> NoRecord:
    search, place = ArraySearch(), 0
    names: list[str] = []
    with contextlib.suppress(Malformed):
        while len(names) < _MOST_ARRAYS:
            there, place = search.find(head, place, last=False)
            if not there:
                break
            names.append(_without_ids(f"{search.found}.").removesuffix("."))
    return NoRecord(
        "The file has no list {name} of objects.",
        name=f"{name!r}",
        where=str(path),
        mend=text_of(
            "name one of these as data.format.records: {names}", names=some_names(list(dict.fromkeys(names)))
        )
        if names
        else "leave data.format.records out",
    )


def _no_objects(path: Path) -> NoRecord:
    """Of JSON without a single object."""
    return NoRecord(_NO_ARRAY, where=str(path), mend=_ARRAYS)


def _no_json(path: Path, head: bytes) -> InputError:
    """Of what only the file's name calls JSON, as far as one can see."""
    if _CALL.match(head):
        return InputError(
            "The JSON is wrapped in a JavaScript call (JSONP).",
            where=str(path),
            mend="remove the name in front and the parentheses, or ask for the feed without a callback",
        )
    return InputError(_NO_ARRAY, where=str(path), mend=_ARRAYS)


def _broken(path: Path) -> InputError:
    return InputError(
        "The JSON is cut off or malformed.", where=str(path), mend="copy or export the file again"
    )
