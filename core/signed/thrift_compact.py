"""Values in Thrift's compact protocol, as Parquet writes its descriptions: read in bounded depth and memory.

Source: Apache Thrift, `thrift-compact-protocol.md`.
"""

from __future__ import annotations

import struct
from typing import Any

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _STRUCT = 1, 2, 3, 7, 8, 9, 12
_INTEGERS = (4, 5, 6)
_DEEPEST = 8
_MOST_SEVENTHS = 10
_LONG_LIST = 15

ThriftFields = dict[int, Any]
"""Field id -> value: an integer, bool, float, bytes, a list, or fields again."""


class ThriftReader:
    """One after the other; what is cut off or malformed is a ValueError, an IndexError or a struct.error."""

    def __init__(self, content: bytes, place: int = 0) -> None:
        self._content = content
        self.place = place
        """Of the next byte."""

    def fields(self, deepest: int = _DEEPEST) -> ThriftFields:
        """A struct."""
        if not deepest:
            raise ValueError
        found: ThriftFields = {}
        last = 0
        while head := self._bytes(1)[0]:
            kind, step = head & 0x0F, head >> 4
            last = last + step if step else self._integer()
            found[last] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, deepest)
        return found

    def number(self) -> int:
        """An unsigned number in groups of seven bits."""
        total = 0
        for group in range(_MOST_SEVENTHS):
            byte = self._bytes(1)[0]
            total |= (byte & 0x7F) << 7 * group
            if byte < 0x80:
                return total
        raise ValueError

    def _value(self, kind: int, deepest: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _STRUCT:
            return self.fields(deepest - 1)
        if kind == _BINARY:
            return self._bytes(self.number())
        if kind == _LIST:
            return self._list(deepest - 1)
        if kind == _DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._bytes(1)[0]
        raise ValueError

    def _list(self, deepest: int) -> list[Any]:
        head = self._bytes(1)[0]
        size, kind = head >> 4, head & 0x0F
        size = self.number() if size == _LONG_LIST else size
        if size > len(self._content):
            raise ValueError
        return [self._value(kind, deepest) for _ in range(size)]

    def _integer(self) -> int:
        """A signed one, folded."""
        number = self.number()
        return number >> 1 ^ -(number & 1)

    def _bytes(self, count: int) -> bytes:
        found = self._content[self.place : self.place + count]
        if len(found) != count:
            raise IndexError
        self.place += count
        return found
