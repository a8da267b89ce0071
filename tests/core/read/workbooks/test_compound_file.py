"""Streams of compound files, and what a damaged or hostile one claims."""

from __future__ import annotations

import contextlib
import io
import struct

import pytest
from python_calamine import CalamineWorkbook

from core.read.workbooks.compound_file import COMPOUND_FILE, compound_file, first_stream
from tests.workbooks import xls, xls_cell

FREE, END, TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def small_file(stream: bytes) -> bytes:
    """A file of sectors of 512 bytes whose stream stands in the small ones, built by hand."""
    held = -(-len(stream) // 64)
    sectors = -(-len(stream) // 512)
    following = [TABLE, END, END, *range(4, 3 + sectors), END]
    header = struct.pack(
        "<8s16x5H6x9I", COMPOUND_FILE, 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, 2, 1, END, 0
    ) + struct.pack("<109I", 0, *[FREE] * 108)
    names = [("Root Entry", 5, 3, sectors * 512), ("Workbook", 2, 0, len(stream))]
    directory = b"".join(
        struct.pack(
            "<64sHBB3I36xIQ", name.encode("utf-16-le"), 2 * len(name) + 2, kind, 1, FREE, FREE, 1, at, size
        )
        for name, kind, at, size in names
    )
    small = [*range(1, held), END]
    return (
        header
        + struct.pack("<128I", *following, *[FREE] * (128 - len(following)))
        + directory.ljust(512, b"\0")
        + struct.pack("<128I", *small, *[FREE] * (128 - len(small)))
        + stream.ljust(sectors * 512, b"\0")
    )


STREAM = xls({"a": xls_cell(0, 0, "x") + xls_cell(1, 0, 5.5)})


@pytest.mark.parametrize("length", [0, 5000, 4096 * 1022, 4096 * 1023, 9_000_000])
def test_what_is_written_is_read_again(length: int) -> None:
    stream = STREAM + bytes(length)
    assert first_stream(compound_file("Workbook", stream), ("Book", "Workbook")) == (
        "Workbook",
        stream.ljust(4096, b"\0"),
    )


@pytest.mark.parametrize("content", [small_file(STREAM), compound_file("Book", STREAM + bytes(5_000_000))])
def test_the_library_of_workbooks_reads_the_same(content: bytes) -> None:
    found = first_stream(content, ("Workbook", "Book"))
    assert found is not None
    for book in (content, compound_file(*found)):
        assert CalamineWorkbook.from_filelike(io.BytesIO(book)).get_sheet_by_index(0).to_python() == [
            ["x"],
            [5.5],
        ]
    assert first_stream(content, ("EncryptedPackage",)) is None


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (30, 7),  # the size of a sector
        (48, 0x7FFFFFF0),  # where the directory begins
        (68, 0),  # where the table goes on
        (76, 900),  # where the table stands
        (512 + 4 * 3, 3),  # a sector that follows on itself
    ],
)
def test_claims_that_the_bytes_do_not_bear_are_refused(place: int, value: int) -> None:
    content = bytearray(small_file(STREAM))
    struct.pack_into("<I" if place != 30 else "<H", content, place, value)
    with pytest.raises((ValueError, struct.error)):
        first_stream(bytes(content), ("Workbook",))


def test_lengths_that_are_claimed_take_no_room() -> None:
    content = bytearray(small_file(STREAM))
    for place in (40, 44, 64):
        struct.pack_into("<I", content, place, FREE)
    assert first_stream(bytes(content), ("Workbook",)) == ("Workbook", STREAM)


def test_a_file_that_is_cut_anywhere_is_read_or_refused() -> None:
    content = small_file(STREAM)
    for end in range(0, len(content), 13):
        found = None
        with contextlib.suppress(ValueError, struct.error):
            found = first_stream(content[:end], ("Workbook",))
        assert found is None or STREAM.startswith(found[1])
