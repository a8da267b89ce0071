"""What a stranger's Parquet file may unpack to, read before anything of it is unpacked (method 14.9).

A few bytes of Parquet may stand for gigabytes: in a footer of empty columns, in pages that claim any size, in
encodings that repeat. Page headers are read here, by the compact protocol of Thrift, and only the plain and
the dictionary encoding are let pass, with pages that come to as many rows and bytes as they may.

Source: the Parquet format's `parquet.thrift` and `Encodings.md`; Thrift's compact protocol.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.signed.findings import Finding, require

_MAGIC = b"PAR1"
_LARGEST_FOOTER = 1 << 18
_LARGEST_UNPACKED = 1 << 28
_MOST_COLUMNS = 200
_MOST_LIST = 10_000
_LARGEST_HEADER = 1 << 10
_LONGEST_NUMBER = 10
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _PLAIN_DICTIONARY, _RLE, _RLE_DICTIONARY = 0, 2, 3, 8
_PACKINGS = {"UNCOMPRESSED", "SNAPPY", "ZSTD"}
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _STRUCT = 1, 2, 3, 7, 8, 12
_INTEGERS = (4, 5, 6)
_DEEPEST = 4

_Fields = dict[int, Any]


def open_parquet(name: str, content: bytes, *, rows: int, dictionaries: list[str]) -> pq.ParquetFile:
    """The file, once its pages hold no more than they may. Raises Finding otherwise.

    rows: as many as it has to hold; dictionaries: columns that are read without repeating their values.
    """
    try:
        _check_footer(name, content)
        file = pq.ParquetFile(
            io.BytesIO(content),
            read_dictionary=dictionaries,
            thrift_string_size_limit=_LARGEST_FOOTER,
            thrift_container_size_limit=_MOST_LIST,
        )
        _check_pages(name, content, file.metadata, rows)
    except (pa.ArrowException, OSError, ValueError, IndexError, OverflowError):
        raise Finding(f"{name} is no sound Parquet file") from None
    return file


def _check_footer(name: str, content: bytes) -> None:
    require(content[:4] == _MAGIC == content[-4:] and len(content) > 12, f"{name} is no Parquet file")
    length = int.from_bytes(content[-8:-4], "little")
    require(length <= _LARGEST_FOOTER, f"{name}: its description is too large")


def _check_pages(name: str, content: bytes, metadata: pq.FileMetaData, rows: int) -> None:
    require(metadata.num_rows == rows, f"{name} holds {metadata.num_rows} rows, not {rows}")
    require(metadata.num_columns <= _MOST_COLUMNS, f"{name} has too many columns")
    require(metadata.num_row_groups <= max(1, rows), f"{name} has too many groups of rows")
    unpacked = 0
    for group in range(metadata.num_row_groups):
        for number in range(metadata.num_columns):
            column = metadata.row_group(group).column(number)
            require(column.compression in _PACKINGS, f"{name} is packed in a way that is not read")
            starts = [column.data_page_offset]
            if column.has_dictionary_page:
                starts.append(column.dictionary_page_offset)
            first, values = min(starts), 0
            for header in _headers(content, first, first + column.total_compressed_size):
                unpacked += header[2]
                values += _values_of(name, header)
            require(values <= rows and unpacked <= _LARGEST_UNPACKED, f"{name} unpacks to too much")


def _values_of(name: str, header: _Fields) -> int:
    """Rows of a data page, 0 of a dictionary."""
    kind, page = header[1], header.get(5) or header.get(7) or {}
    plain = {_DATA_PAGE: (_PLAIN, _PLAIN_DICTIONARY, _RLE_DICTIONARY), _DICTIONARY_PAGE: (_PLAIN, 2)}
    sound = kind in plain and page.get(2) in plain[kind] and header[2] >= 0 and header[3] >= 0
    sound = sound and page.get(1, -1) >= 0 and (kind != _DATA_PAGE or page.get(3) == page.get(4) == _RLE)
    require(sound, f"{name} is encoded in a way that is not read")
    # of a dictionary no value takes less than a byte
    require(kind == _DATA_PAGE or page[1] <= header[2], f"{name} unpacks to too much")
    return int(page[1]) if kind == _DATA_PAGE else 0


def _headers(content: bytes, start: int, end: int) -> Iterator[_Fields]:
    """The header of each page of a column."""
    if start < len(_MAGIC) or end > len(content):
        raise ValueError
    while start < end:
        reader = _Compact(content[start : min(start + _LARGEST_HEADER, end)])
        header = reader.struct(_DEEPEST)
        if not {1, 2, 3} <= header.keys() or header[3] < 0:
            raise ValueError
        yield header
        start += reader.place + header[3]


class _Compact:
    """Structs of integers in Thrift's compact protocol; texts and the like are passed over."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.place = 0

    def struct(self, deepest: int) -> _Fields:
        """Field id -> value. Raises ValueError or IndexError for what page headers do not hold."""
        if not deepest:
            raise ValueError
        fields: _Fields = {}
        last = 0
        while head := self._byte():
            kind, step = head & 0x0F, head >> 4
            last = last + step if step else self._integer()
            fields[last] = self._value(kind, deepest)
        return fields

    def _value(self, kind: int, deepest: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind in _INTEGERS:
            return self._integer()
        if kind == _STRUCT:
            return self.struct(deepest - 1)
        sizes = {_BYTE: 1, _DOUBLE: 8}
        if kind not in sizes and kind != _BINARY:
            raise ValueError
        passed = sizes[kind] if kind in sizes else self._number()
        self.place += passed
        return None

    def _byte(self) -> int:
        self.place += 1
        return self._content[self.place - 1]

    def _number(self) -> int:
        """An unsigned number in groups of seven bits."""
        number = 0
        for group in range(_LONGEST_NUMBER):
            byte = self._byte()
            number |= (byte & 0x7F) << 7 * group
            if byte < 0x80:
                return number
        raise ValueError

    def _integer(self) -> int:
        """A signed one, folded."""
        number = self._number()
        return number >> 1 ^ -(number & 1)
