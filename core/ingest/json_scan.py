"""Where records stand in a JSON text, and how it is cut between them, block by block.

Bulk reading is exact though its cuts are only likely: within a valid text `}` `,` `{` stands between
two records, between two objects of one record, or in a string. Wherever it was not the first, the
pieces end inside a value, and no beginning of a JSON object is one: the bulk reader refuses them, and
the records are read one by one.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

_LINE_ENDS = bytes.maketrans(b"\r\n", b"  ")
_BETWEEN = re.compile(rb"\}\s*,\s*\{")
_NEXT_LINE = re.compile(rb"\}[ \t\r]*\n\s*\{")
_MARK = b"\x1e"
_MARK_TO_LINE_END = bytes.maketrans(b"\r\n\x1e", b"  \n")
_TOKEN = re.compile(
    rb'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<mark>[\[\]{}:,])|(?P<word>[^\s\[\]{}:,"]+))', re.DOTALL
)
_SPACE = re.compile(r"[ \t\r\n]*")
_TAIL = 1 << 16
_LINES_LOOKED_AT = 20

Shape = Literal["array", "lines", "objects"]


class Malformed(Exception):
    """The text is no JSON from here on."""


def _integer(digits: str) -> int | str:
    # Python refuses to convert thousands of digits; as a number it would be none of use either
    return int(digits) if len(digits) < 4000 else digits


_DECODER = json.JSONDecoder(parse_int=_integer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The shape of a text, where its first record begins (bytes), and the objects around the array."""

    shape: Shape
    offset: int
    depth: int = 0


@dataclass(slots=True, kw_only=True)
class Found:
    """Records read one by one, and how far that went."""

    records: list[dict[str, Any]]
    others: list[int]
    """Values that are no objects, or lines that are no JSON: 0-based line within the text, or 0."""
    rest: bytes = b""
    ended: bool = False
    """The array was closed; `rest` is what follows."""


def find_start(head: bytes, *, whole: bool, named_lines: bool) -> Start | None:
    """Where the records are; None where there are none, or not within the head.

    `whole`: the head is the whole text. `named_lines`: the file's name says one record a line.
    """
    begin = len(head) - len(head.lstrip())
    if head[begin : begin + 1] == b"[":
        return Start(shape="array", offset=begin + 1)
    lines = head[begin:].split(b"\n", _LINES_LOOKED_AT)
    if not whole and len(lines) > 1:
        lines.pop()
    alone = [_is_object(line) for line in lines[:_LINES_LOOKED_AT]]
    if (named_lines and any(alone)) or (alone[0] and any(line.strip() for line in lines[1:])):
        return Start(shape="lines", offset=begin)
    if head[begin : begin + 1] != b"{":
        return None
    objects = Start(shape="objects", offset=begin)
    return objects if _another_follows(head[begin:]) else _array_inside(head, begin) or objects


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _another_follows(head: bytes) -> bool:
    """Whether the first object ends within the head and another one follows: then it is a record."""
    text = head.decode(errors="ignore")
    try:
        _, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return text[_skip(text, end) :].startswith("{")


def _array_inside(head: bytes, begin: int) -> Start | None:
    """The first array of objects that lies in objects only, as `results` or `data.results` do."""
    around: list[bytes] = []
    before = b""
    for token in _TOKEN.finditer(head, begin):
        mark = token["mark"] or b""
        if mark == b"[" and before == b":" and b"[" not in around:
            following = _TOKEN.match(head, token.end())
            if following and following["mark"] == b"{":
                return Start(shape="array", offset=token.end(), depth=len(around))
        if mark in (b"{", b"["):
            around.append(mark)
        elif mark in (b"}", b"]") and around:
            around.pop()
            if not around:
                return None
        before = mark
    return None


def cut(buffer: bytes, shape: Shape, depth: int, *, last: bool) -> tuple[bytes, bytes] | None:
    """(records for bulk reading, what follows them), or None where no cut is seen."""
    if last:
        whole = before_closing(buffer, depth) if shape == "array" else buffer
        return None if whole is None else (_separate(whole, shape), b"")
    if shape == "lines":
        end = buffer.rfind(b"\n") + 1
        return (buffer[:end], buffer[end:]) if end else None
    separator = _BETWEEN if shape == "array" else _NEXT_LINE
    for start in (max(len(buffer) - _TAIL, 0), 0):
        places = list(separator.finditer(buffer, start))
        if places:
            return _separate(buffer[: places[-1].start() + 1], shape), buffer[places[-1].end() - 1 :]
    return None


def before_closing(buffer: bytes, depth: int) -> bytes | None:
    """What stands before the closing bracket, where only the ends of `depth` objects follow it."""
    rest = buffer.rstrip()
    for _ in range(depth):
        if not rest.endswith(b"}"):
            return None
        rest = rest[:-1].rstrip()
    return rest[:-1] if rest.endswith(b"]") else None


def _separate(records: bytes, shape: Shape) -> bytes:
    """One record a line, as far as can be told; line ends have no other meaning in JSON."""
    if shape == "array":
        apart, cuts = _BETWEEN.subn(b"}\n{", records)
        if apart.count(b"\n") == cuts:
            return apart
        # line ends inside records: those are no cuts
        return _BETWEEN.sub(b"}\n{", records.translate(_LINE_ENDS))
    if shape == "objects":
        return _NEXT_LINE.sub(b"}" + _MARK + b"{", records).translate(_MARK_TO_LINE_END)
    return records


def one_by_one(buffer: bytes, shape: Shape, *, fresh: bool, last: bool, most: int = -1) -> Found:
    """Read records without any guess, at most `most`.

    `fresh`: the array has just been opened. Raises Malformed where the text ends or is no JSON, and
    UnicodeDecodeError where it is not UTF-8.
    """
    if shape == "lines":
        return _lines(buffer, last=last, most=most)
    # a character may be cut at the end
    text = buffer.decode() if last else buffer.decode(errors="ignore")
    found = Found(records=[], others=[])
    place = _skip(text, 0)
    while place < len(text) and len(found.records) != most:
        if shape == "array" and text[place] == "]":
            if not fresh:
                raise Malformed
            found.ended, place = True, place + 1
            break
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            break
        end = _skip(text, end)
        closed = False
        if shape == "array":
            if end == len(text):
                break  # a number might go on
            closed = text[end] == "]"
            if not closed and text[end] != ",":
                raise Malformed
            end = _skip(text, end + 1)
        fresh = False
        if isinstance(value, dict):
            found.records.append(value)
        else:
            found.others.append(0)
        place = end
        if closed:
            found.ended = True
            break
    found.rest = buffer[len(text[:place].encode()) :]
    if last and not found.ended and len(found.records) != most and (found.rest.strip() or shape == "array"):
        raise Malformed
    return found


def _skip(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return space.end() if space else place


def _lines(buffer: bytes, *, last: bool, most: int) -> Found:
    end = len(buffer) if last else buffer.rfind(b"\n") + 1
    found = Found(records=[], others=[], rest=buffer[end:])
    *lines, unfinished = buffer[:end].split(b"\n")
    for number, line in enumerate(lines):
        if len(found.records) == most:
            return found
        _line(line, number, found)
    if unfinished.strip():
        before = len(found.others)
        _line(unfinished, len(lines), found)
        if len(found.others) > before and not _is_json(unfinished):
            raise Malformed
    return found


def _line(line: bytes, number: int, found: Found) -> None:
    text = line.decode()
    values = []
    place = _skip(text, 0)
    try:
        while place < len(text):
            value, place = _DECODER.raw_decode(text, place)
            values.append(value)
            place = _skip(text, place)
    except (ValueError, RecursionError):
        values = [None]
    found.records += [value for value in values if isinstance(value, dict)]
    found.others += [number for value in values if not isinstance(value, dict)]


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
