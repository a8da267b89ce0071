"""The rectangles of all sheets of an .xls, and the texts that their cells share."""

from __future__ import annotations

import contextlib
import struct

import pytest

from core.read.workbooks.sheet_span import Span
from core.read.workbooks.xls_span import xls_span
from tests.workbooks import xls, xls_cell, xls_record

SMALL = xls_cell(0, 0, "x") + xls_cell(1, 1, 2.0)


def _shared(row: int, place: int) -> bytes:
    return xls_record(0xFD, struct.pack("<HHHI", row, 0, 0, place))


def _size(*numbers: int) -> bytes:
    return xls_record(0x200, struct.pack("<IIHHH", *numbers, 0))


def test_all_sheets_count() -> None:
    assert xls_span(xls({"a": SMALL, "b": SMALL + xls_cell(4, 2, 1.0)})) == (4 + 15, 5, 0)


def test_a_row_of_numbers_reaches_to_its_last() -> None:
    numbers = xls_record(0xBD, struct.pack("<HH", 6, 1) + bytes(6 * 3) + struct.pack("<H", 3))
    assert xls_span(xls({"a": numbers})) == (7 * 4, 4, 0)


@pytest.mark.parametrize("size", [(0, 0xFFFFFFFF, 0, 0xFFFF), (5, 3, 5, 3), (0, 65537, 0, 256)])
def test_a_size_that_no_sheet_has_is_refused(size: tuple[int, ...]) -> None:
    """The library makes room for it first, and the process is gone."""
    with pytest.raises(ValueError, match="size"):
        xls_span(xls({"a": _size(*size) + SMALL}))
    for sound in ((0, 65536, 0, 256), (0, 0, 0, 0), (0, 2, 0, 2)):
        assert xls_span(xls({"a": _size(*sound) + SMALL})).rectangle == 4


def test_sheets_within_each_other_are_refused() -> None:
    """A thousand names of one sheet take as long and as much as a thousand sheets."""
    stream = xls({"a": SMALL * 50})
    place = stream.index(struct.pack("<HH", 0x85, 9))
    again = stream[place : place + 13]
    moved = bytearray(again)
    moved[4:8] = struct.pack("<I", struct.unpack("<I", again[4:8])[0] + 13 * 100)
    with pytest.raises(ValueError, match="within each other"):
        xls_span(stream[:place] + bytes(moved) * 101 + stream[place + 13 :])


def test_shared_texts_count_for_each_cell_wherever_their_letters_stand() -> None:
    plain = struct.pack("<HB", 3, 0) + b"abc"
    rich = struct.pack("<HBHI", 4, 13, 1, 5) + "wide".encode("utf-16-le") + bytes(4 + 5)
    cut = struct.pack("<HB", 6, 0) + b"lo"
    rest = b"\1" + "ng e".encode("utf-16-le") + struct.pack("<HB", 2, 0) + b"zz"
    shared = xls_record(0xFC, struct.pack("<II", 4, 4) + plain + rich + cut) + xls_record(0x3C, rest)
    for place, letters in enumerate((3, 4, 6, 2, 0)):
        assert xls_span(xls({"a": _shared(0, place) + _shared(1, place)}, shared)).text == 2 * letters


def test_texts_that_claim_to_be_more_are_those_that_stand_there() -> None:
    shared = xls_record(0xFC, struct.pack("<II", 1, 0x7FFFFFFF) + struct.pack("<HB", 1, 0) + b"a")
    assert xls_span(xls({"a": _shared(0, 0)}, shared)).text == 1


def test_a_stream_that_is_cut_anywhere_is_read_or_refused() -> None:
    stream = xls({"a": SMALL}, xls_record(0xFC, struct.pack("<II", 1, 1) + struct.pack("<HB", 1, 0) + b"a"))
    for end in range(len(stream)):
        found = Span(0, 0)
        with contextlib.suppress(ValueError, struct.error):
            found = xls_span(stream[:end])
        assert found.rectangle <= 4
