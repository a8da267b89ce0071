"""Where records stand in a JSON text, where it may be cut, and how one is read alone, however deep.

A cut between blocks is only likely: `}` `,` `{` stands between two records, between two objects of one
record, or in a string. Wherever it was not the first, the block ends inside a value and is refused by
whatever reads it whole (see `json_marks`); `one_by_one` then tells how far its records go.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

_BETWEEN = re.compile(rb"\}\s*,\s*\{")
_NEXT_LINE = re.compile(rb"\}[ \t\r]*\n\s*\{")
# A string without an end is one token up to the end of the text: were it none, each quotation mark
# within would be tried as a string anew.
_TOKEN = re.compile(rb'"(?:[^"\\]+|\\.)*+"?|(?P<mark>[\[\]{}:,])|[^\s\[\]{}:,"]+', re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*")
_ODD_NUMBERS = {"Inf": "Infinity", "-Inf": "-Infinity", "-NaN": "NaN"}
"""What Arrow takes for numbers and Python does not."""
_ODD_NUMBER = re.compile(r"-?Inf(?!inity)|-NaN")
_PIECE = re.compile(rf'"(?:[^"\\]+|\\.)*+"?|[\[\]{{}}]|(?P<odd>{_ODD_NUMBER.pattern})', re.DOTALL)
_JSON_AHEAD = re.compile(r"[\[\]\"}]")
_OPENS = {b"{": b"}", b"[": b"]"}
_BLANKS = b" \t\n\r\v\f"
_DEEPEST = 100
"""Levels that are retained of a JSON record that is nested deeper than Python can read."""
_TAIL = 1 << 16
_LINES_LOOKED_AT = 20

JsonLayout = Literal["array", "lines", "objects"]


class Malformed(Exception):
    """The text is no JSON from here on."""


def _integer(digits: str) -> int | str:
    # Python refuses to convert thousands of digits; as a number it would be none of use either
    return int(digits) if len(digits) < 4000 else digits


_DECODER = json.JSONDecoder(parse_int=_integer, strict=False)
"""Takes line ends and the like within strings as they stand: they are a fault of their record alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The shape of a text, and where its first record begins (bytes)."""

    shape: JsonLayout
    offset: int
    depth: int = 0
    """Objects around the array."""
    like: frozenset[str] = frozenset()
    """Names in the records."""
    inner: bool = False
    """The records lie in lists within what is read as one."""
    name: str = ""
    """Of the only list that is meant, with dots; empty: each with records alike."""


@dataclass(slots=True, kw_only=True)
class FoundRecord:
    """Records read one by one, and how far that went."""

    records: list[dict[str, Any]]
    others: list[int]
    """Values that are no objects, or lines that are no JSON: 0-based line within the text, or 0."""
    rest: bytes = b""
    ended: bool = False
    """The array was closed; `rest` is what follows."""
    around: tuple[str, ...] = ()
    """Names of plain fields of the first object that holds others, which are the records."""


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
    return Start(shape="objects", offset=begin)


def is_json(text: bytes) -> bool:
    """Whether a text is one JSON value, or several one after the other, of whatever kind."""
    return _count(text) > 0


def _is_object(line: bytes) -> bool:
    try:
        values = _values_of_line(line.decode())
    except ValueError:
        return False
    return len(values) == 1 and isinstance(values[0], dict)


def another_follows(head: bytes) -> bool:
    """Whether the first object ends within the head and another one follows: then it is a record."""
    text = head.decode(errors="ignore")
    try:
        _, end = _Values(text).read(0)
    except ValueError:
        return False
    return text[_skip(text, end) :].startswith("{")


@dataclass(slots=True)
class ArraySearch:
    """Looks, piece by piece, for arrays of objects that lie in objects alone, as `data.results` does."""

    around: list[tuple[bytes, bytes]] = field(default_factory=list)
    """What is open: its bracket, and the name that it stands under."""
    arrays: int = 0
    """How many of them are arrays."""
    passed: int = 0
    """Objects in arrays that were not asked for, so far."""
    name: bytes = b""
    before: bytes = b""

    @property
    def found(self) -> str:
        """The dotted name of the array that begins."""
        return b".".join(name for _, name in self.around if name).decode(errors="replace")

    @property
    def depth(self) -> int:
        """How many objects are open around it."""
        return len(self.around) - self.arrays

    def find(self, text: bytes, place: int, *, last: bool) -> tuple[bool, int]:
        """Whether an array begins, and where its first object does; else how far that is known.

        The next call passes that array by, unless it was `closed`. Raises Malformed where brackets do
        not fit.
        """
        for token in _TOKEN.finditer(text, place):
            mark = token["mark"] or b""
            if not mark and token.end() == len(text) and not last:
                return False, token.start()  # it may go on
            if mark == b"{" and self.arrays == 1 and self.around[-1][0] == b"[":
                if self.before == b"[" and self.around[-1][1]:
                    self.before = b""
                    return True, token.start()
                self.passed += 1
            if mark in (b"{", b"["):
                if not self.around and mark == b"[":
                    raise Malformed
                self.around.append((mark, self.name if self.before == b":" else b""))
                self.arrays += mark == b"["
            elif mark in (b"}", b"]"):
                if not self.around or _OPENS[self.around.pop()[0]] != mark:
                    raise Malformed
                self.arrays -= mark == b"]"
            elif not self.around:
                raise Malformed
            elif token[0].startswith(b'"'):
                self.name = token[0][1:-1]
            self.before = mark
            place = token.end()
        if last and self.around:
            raise Malformed
        return False, len(text)

    def closed(self) -> None:
        """The array that was found has been read to its end."""
        self.around.pop()
        self.arrays -= 1
        self.before = b"]"


def last_cut(buffer: bytes | bytearray, shape: JsonLayout) -> tuple[int, int] | None:
    """(end of the last record that a cut is seen behind, begin of what follows), or None without one."""
    if shape == "lines":
        end = buffer.rfind(b"\n") + 1
        return (end, end) if end else None
    separator = _BETWEEN if shape == "array" else _NEXT_LINE
    for start in (max(len(buffer) - _TAIL, 0), 0):
        found = list(separator.finditer(buffer, start))
        if found:
            return found[-1].start() + 1, found[-1].end() - 1
    return None


def before_closing(buffer: bytes | bytearray, depth: int) -> int | None:
    """Where the closing bracket stands, where only the ends of `depth` objects follow it."""
    place = _before_blanks(buffer, len(buffer))
    for _ in range(depth):
        if buffer[place : place + 1] != b"}":
            return None
        place = _before_blanks(buffer, place)
    return place if buffer[place : place + 1] == b"]" else None


def _before_blanks(buffer: bytes | bytearray, end: int) -> int:
    """Where the last byte before `end` stands that is not blank, or `len(buffer)` where there is none."""
    for place in range(end - 1, -1, -1):
        if buffer[place] not in _BLANKS:
            return place
    return len(buffer)


def one_by_one(
    buffer: bytes | bytearray, shape: JsonLayout, *, fresh: bool, last: bool, most: int = -1
) -> FoundRecord:
    """Read records without any guess, at most `most`.

    `fresh`: the array has just been opened. Raises Malformed where the text ends or is no JSON, and
    UnicodeDecodeError where it is not UTF-8.
    """
    if shape == "lines":
        return _lines(buffer, last=last, most=most)
    # a character may be cut at the end
    text = codecs.getincrementaldecoder("utf-8")().decode(buffer, last)
    found = FoundRecord(records=[], others=[])
    values = _Values(text)
    place = _skip(text, 0)
    while place < len(text) and len(found.records) != most:
        if shape == "array" and text[place] == "]":
            if not fresh:
                raise Malformed
            found.ended, place = True, place + 1
            break
        try:
            value, end = values.read(place)
        except ValueError:
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
    found.rest = bytes(buffer[len(text[:place].encode()) :])
    if last and not found.ended and len(found.records) != most and (found.rest.strip() or shape == "array"):
        raise Malformed
    return found


def _skip(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return space.end() if space else place


def _lines(buffer: bytes | bytearray, *, last: bool, most: int) -> FoundRecord:
    end = len(buffer) if last else buffer.rfind(b"\n") + 1
    found = FoundRecord(records=[], others=[], rest=bytes(buffer[end:]))
    *lines, unfinished = bytes(buffer[:end]).split(b"\n")
    for number, line in enumerate(lines):
        if len(found.records) == most:
            return found
        _line(line, number, found)
    if unfinished.strip():
        before = len(found.others)
        _line(unfinished, len(lines), found)
        if len(found.others) > before and _count(unfinished) != 1:
            raise Malformed
    return found


def _line(line: bytes, number: int, found: FoundRecord) -> None:
    try:
        values = _values_of_line(line.decode())
    except UnicodeDecodeError:
        raise
    except ValueError:
        values = [None]
    found.records += [value for value in values if isinstance(value, dict)]
    found.others += [number for value in values if not isinstance(value, dict)]


def _values_of_line(line: str) -> list[Any]:
    """Values of a line, where a topic, a time or a sign between records may stand before an object."""
    ahead, brace, text = line.partition("{")
    text = line if not brace or not ahead.strip(" \t\r") or _JSON_AHEAD.search(ahead) else brace + text
    return _values(text)


def _count(text: bytes) -> int:
    """Values that stand one after the other; 0 where the text is anything else."""
    try:
        return len(_values(text.decode()))
    except ValueError:
        return 0


def _values(text: str) -> list[Any]:
    """Values that stand one after the other. Raises ValueError where the text is anything else."""
    values = _Values(text)
    found = []
    place = _skip(text, 0)
    while place < len(text):
        value, place = values.read(place)
        found.append(value)
        place = _skip(text, place)
    return found


@dataclass(slots=True)
class _Values:
    """Reads values where they stand in a text, each in time that grows with its own length alone."""

    text: str
    by_pieces: bool = False
    """An odd number was met: to refuse one, the decoder counts all lines of the text before it."""

    def read(self, place: int) -> tuple[Any, int]:
        """The value that begins there, and where it ends. Raises ValueError where there is none."""
        if odd := _ODD_NUMBER.match(self.text, place):
            return float(odd[0]), odd.end()
        if not self.by_pieces or self.text[place] not in "[{":
            try:
                return _DECODER.raw_decode(self.text, place)
            except RecursionError:
                pass
            except json.JSONDecodeError as error:
                if not _ODD_NUMBER.match(self.text, error.pos):
                    raise
                self.by_pieces = True
        plain, end = _plain(self.text, place)
        return _DECODER.raw_decode(plain)[0], end


def _plain(text: str, place: int) -> tuple[str, int]:
    """The value that begins there with null for what lies too deep, and where it ends.

    Odd numbers get the names that Python takes; where no number may stand, neither name is JSON. Raises
    ValueError where the value does not end.
    """
    pieces: list[str] = []
    depth, copied_to = 0, place
    for token in _PIECE.finditer(text, place):
        if token["odd"] and depth < _DEEPEST:
            pieces += [text[copied_to : token.start()], _ODD_NUMBERS[token["odd"]]]
            copied_to = token.end()
        elif token[0] in ("[", "{"):
            depth += 1
            if depth == _DEEPEST:
                pieces += [text[copied_to : token.start()], "null"]
        elif token[0] in ("]", "}"):
            depth -= 1
            if depth == _DEEPEST - 1:
                copied_to = token.end()
        if depth == 0:
            return "".join([*pieces, text[copied_to : token.end()]]), token.end()
    raise ValueError("no end")
