"""A stranger's Parquet file read by hand: damaged, a description too large, not as in bundles.

Columns are flat, or groups of flat ones without gaps, each then called `<group>.<column>`.

Libraries trust what a file says of itself: a few bytes of Parquet may stand for gigabytes, and a flipped bit
ends the process (of Arrow 26, in our tests). Here every length is checked against what is there, every page
against what it may unpack to, and no other form is read than the one that bundles are written in.

Source: Apache Parquet, `parquet.thrift` and `Encodings.md`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from core.counted import count_of
from core.signed.findings import Finding, require
from core.signed.thrift_compact import ThriftFields, ThriftReader

_MAGIC = b"PAR1"
_END = 8
"""Bytes at the end of a stranger's Parquet file: the footer's length and the last magic."""
_LARGEST_FOOTER = 1 << 18
_LARGEST_UNPACKED = 1 << 28
_LARGEST_ROW = 1 << 14
_INT64, _DOUBLE, _BYTE_ARRAY = 2, 5, 6
_KINDS = {_INT64: "int64", _DOUBLE: "double", _BYTE_ARRAY: "binary"}
_TEXT = 0
"""The converted type of UTF-8 in a stranger's Parquet file."""
_REQUIRED, _OPTIONAL = 0, 1
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _PLAIN_DICTIONARY, _RLE_DICTIONARY = 0, 2, 8
_NOT_PACKED, _ZSTD = 0, 6
_MOST_BITS = 32
_WRONG = (
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    AttributeError,
    struct.error,
    pa.ArrowException,
    OSError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetRows:
    """What a file holds."""

    kinds: Mapping[str, str]
    """Column -> `int64`, `double`, `string` or `binary`, in the file's order."""
    columns: Mapping[str, list[Any]]
    """Column -> its values; None where there is none."""
    metadata: Mapping[str, bytes]
    """Key -> value of what the file says of itself."""


@dataclass(slots=True)
class _Budget:
    """Bytes that may still be unpacked."""

    left: int

    def take(self, count: int) -> int:
        if not 0 <= count <= self.left:
            raise ValueError
        self.left -= count
        return count


def read_parquet_rows(name: str, content: bytes, rows: int) -> ParquetRows:
    """The columns of a file that has to hold so many rows. Raises Finding for any other file."""
    require(
        content[:4] == _MAGIC == content[-4:] and len(content) > 2 * _END,
        "{name} is not a Parquet file",
        name=name,
    )
    length = int.from_bytes(content[-_END:-4], "little")
    require(
        length <= min(_LARGEST_FOOTER, len(content) - _END), "{name}: its description is too large", name=name
    )
    try:
        footer = ThriftReader(content[-_END - length : -_END]).fields()
        require(
            footer[3] == rows,
            "{name} holds {footer}, not {counted_rows}",
            name=name,
            footer=footer[3],
            counted_rows=count_of(rows, "row"),
        )
        return _rows(content, footer, _Budget(min(_LARGEST_UNPACKED, _LARGEST_FOOTER + rows * _LARGEST_ROW)))
    except _WRONG:
        raise Finding("{name} is a damaged Parquet file, or not written as in bundles", name=name) from None


def _rows(content: bytes, footer: ThriftFields, budget: _Budget) -> ParquetRows:
    named = list(_leaves(footer[2]))
    names, leaves = [name for name, _ in named], [leaf for _, leaf in named]
    if len(set(names)) != len(names):
        raise ValueError
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for group in footer[4]:
        for leaf, name, chunk in zip(leaves, names, group[1], strict=True):
            columns[name] += _Chunk(content, leaf, chunk[3], budget).values(group[3])
    if any(len(values) != footer[3] for values in columns.values()):
        raise ValueError
    return ParquetRows(
        kinds={name: _kind(leaf) for name, leaf in zip(names, leaves, strict=True)},
        columns=columns,
        metadata={item[1].decode("utf-8"): item.get(2, b"") for item in footer.get(5, [])},
    )


def _leaves(elements: list[ThriftFields]) -> Iterator[tuple[str, ThriftFields]]:
    """Each column with its name; one of a group is there wherever the group is. Raises ValueError."""
    root, *rest = elements
    tops = 0
    while rest:
        element = rest.pop(0)
        name, tops = element[4].decode("utf-8"), tops + 1
        if 5 not in element:
            yield name, element
            continue
        inside, rest = rest[: element[5]], rest[element[5] :]
        if len(inside) != element[5] or any(5 in one or one[3] != _REQUIRED for one in inside):
            raise ValueError
        yield from ((f"{name}.{one[4].decode('utf-8')}", {**one, 3: element[3]}) for one in inside)
    if root[5] != tops:
        raise ValueError


def _kind(leaf: ThriftFields) -> str:
    return "string" if leaf[1] == _BYTE_ARRAY and leaf.get(6) == _TEXT else _KINDS[leaf[1]]


class _Chunk:
    """A column's values of one group of rows."""

    def __init__(self, content: bytes, leaf: ThriftFields, facts: ThriftFields, budget: _Budget) -> None:
        self._content, self._budget = content, budget
        self._type, self._optional = leaf[1], leaf[3] == _OPTIONAL
        self._text = _kind(leaf) == "string"
        self._packing = facts[4]
        self._place = min(facts[9], facts.get(11, facts[9]))
        self._dictionary: list[Any] | None = None

    def values(self, count: int) -> list[Any]:
        """All of them: as many as the group has rows."""
        found: list[Any] = []
        while len(found) < count:
            found += self._page(count - len(found))
        return found

    def _page(self, most: int) -> list[Any]:
        reader = ThriftReader(self._content, self._place)
        header = reader.fields()
        packed = self._content[reader.place : reader.place + header[3]]
        if len(packed) != header[3] or self._place < len(_MAGIC):
            raise ValueError
        self._place = reader.place + header[3]
        page = self._unpacked(packed, header[2])
        if header[1] == _DICTIONARY_PAGE and self._dictionary is None:
            header_of_page = header[7]
            if header_of_page[2] not in (_PLAIN, _PLAIN_DICTIONARY):
                raise ValueError
            self._dictionary = self._plain(page, header_of_page[1])
            return []
        header_of_page = header[5]
        if header[1] != _DATA_PAGE or not 0 < header_of_page[1] <= most:
            raise ValueError
        return self._data(page, header_of_page[1], header_of_page[2])

    def _unpacked(self, packed: bytes, size: int) -> bytes:
        self._budget.take(size)
        if self._packing == _NOT_PACKED and size == len(packed):
            return packed
        if self._packing != _ZSTD:
            raise ValueError
        page = (
            bytes(pa.decompress(packed, decompressed_size=size, codec="zstd", asbytes=True)) if size else b""
        )
        if len(page) != size:
            raise ValueError
        return page

    def _data(self, page: bytes, count: int, encoding: int) -> list[Any]:
        there = [1] * count
        if self._optional:
            (length,) = struct.unpack_from("<I", page)
            there = _hybrid(page[4 : 4 + length], 1, count)
            page = page[4 + length :]
        present = sum(there)
        if encoding == _PLAIN:
            values = iter(self._plain(page, present))
        elif encoding in (_PLAIN_DICTIONARY, _RLE_DICTIONARY) and self._dictionary is not None:
            known = self._dictionary
            values = (known[place] for place in (_hybrid(page[1:], page[0], present) if present else []))
        else:
            raise ValueError
        return [next(values) if one else None for one in there]

    def _plain(self, page: bytes, count: int) -> list[Any]:
        if self._type in (_INT64, _DOUBLE):
            kind = "<i8" if self._type == _INT64 else "<f8"
            return list(np.frombuffer(page, kind, count).tolist())
        found = list(_byte_arrays(page, count))
        return [one.decode("utf-8") for one in found] if self._text else found


def _byte_arrays(page: bytes, count: int) -> Iterator[bytes]:
    place = 0
    for _ in range(count):
        (length,) = struct.unpack_from("<I", page, place)
        place += 4 + length
        if place > len(page):
            raise ValueError
        yield page[place - length : place]


def _hybrid(page: bytes, bits: int, count: int) -> list[int]:
    """Small numbers as runs of one of them, or packed by eight; `count` of them."""
    if not 0 <= bits <= _MOST_BITS:
        raise ValueError
    found: list[int] = []
    reader, weights = ThriftReader(page), 1 << np.arange(bits, dtype=np.int64)
    width = (bits + 7) // 8
    while len(found) < count:
        head, wanted = reader.number(), count - len(found)
        size = (head >> 1) * bits if head & 1 else width
        part = page[reader.place : reader.place + size]
        if len(part) != size or not head >> 1:
            raise ValueError
        reader.place += size
        if head & 1 and bits:
            ones = np.unpackbits(np.frombuffer(part, np.uint8), bitorder="little").reshape(-1, bits)
            found += (ones[:wanted] @ weights).tolist()
        else:
            found += [int.from_bytes(part, "little")] * min((head >> 1) * (8 if head & 1 else 1), wanted)
    return found
