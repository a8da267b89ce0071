"""Sheets that span far more than they hold."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.readers.workbook_files import READER
from core.read.workbooks import workbook_extent
from core.read.workbooks.compound_file import compound_file
from core.read.workbooks.workbook_extent import require_extent
from tests.records import assert_tells
from tests.workbooks import ods, ods_cell, ods_row, part_of, xls, xls_cell, xls_record, xlsb, xlsx

SMALL = xlsx({"a": [["x", "y"], [1.0, 2.0]]})
PATH = Path("a.xlsx")


def _with_sheet(xml: bytes) -> bytes:
    """The small workbook with another sheet."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(SMALL)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, xml if name == "xl/worksheets/sheet1.xml" else old.read(name))
    return made.getvalue()


def _with_shared_text() -> bytes:
    """Twenty thousand cells whose text is one and the same."""
    rows = b"".join(
        b'<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>' % (row, row) for row in range(1, 20_001)
    )
    made = io.BytesIO(_with_sheet(b"<worksheet><sheetData>%b</sheetData></worksheet>" % rows))
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", f"<sst><si><t>{'a' * 30_000}</t></si></sst>")
    return made.getvalue()


def corners(last: bytes) -> bytes:
    """A sheet that holds its first cell and this one."""
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        b'<row r="1"><c r="A1"><v>1</v></c></row><row r="9"><c s="0" r="%b"><v>2</v></c></row>'
        b"</sheetData></worksheet>"
    )
    return _with_sheet(sheet % last)


def test_an_ordinary_workbook_and_what_is_none_pass() -> None:
    for content in (SMALL, b"\xd0\xcf\x11\xe0", SMALL[:-30]):
        require_extent(content, PATH, most_cells=4)
    with pytest.raises(InputError):
        require_extent(SMALL, PATH, most_cells=3)


def _marked(content: bytes, at: int, mark: bytes) -> bytes:
    """With two bytes of the first part's header changed, and of its entry in the list of parts."""
    first = content.index(b"PK\x01\x02")
    changed = bytearray(content)
    changed[at : at + 2] = mark
    changed[first + at + 2 : first + at + 4] = mark
    return bytes(changed)


@pytest.mark.parametrize(("at", "mark", "words"), [(8, b"\x08\xff", "damaged"), (6, b"\x01\x00", "password")])
def test_a_first_part_that_cannot_be_unpacked_hides_no_sheet(
    tmp_path: Path, at: int, mark: bytes, words: str
) -> None:
    """A part that no sheet needs, packed in an unknown way or marked as under a password."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(corners(b"XFD1048576"))) as old, zipfile.ZipFile(made, "w") as new:
        new.writestr("aside.xml", "<a/>")
        for name in old.namelist():
            new.writestr(name, old.read(name))
    (tmp_path / "a.xlsx").write_bytes(_marked(made.getvalue(), at, mark))
    with pytest.raises(InputError, match=words) as caught:
        READER.preview(tmp_path / "a.xlsx")
    assert_tells(caught.value)


def test_two_cells_in_the_corners_of_a_sheet_are_refused(tmp_path: Path) -> None:
    """Who holds that sheet as a rectangle asks for seventeen billion cells, and the process is gone."""
    (tmp_path / "a.xlsx").write_bytes(corners(b"XFD1048576"))
    with pytest.raises(InputError, match="a sheet spans more than") as caught:
        READER.preview(tmp_path / "a.xlsx")
    assert_tells(caught.value)


@pytest.mark.parametrize("part", ["xl/s.xml", "xl/Worksheets/sheet1.xml"])
def test_a_sheet_is_looked_at_wherever_it_stands(part: str) -> None:
    """The workbook names its part, in letters of any size."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(corners(b"AB9"))) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            new.writestr(part if name == "xl/worksheets/sheet1.xml" else name, old.read(name))
    with pytest.raises(InputError, match="251 cells"):
        require_extent(made.getvalue(), PATH, most_cells=28 * 9 - 1)


def _with_texts(tmp_path: Path, counts: str) -> Path:
    """The small workbook with the one text that its cells may have in common."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(SMALL)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="x" {counts}><si><t>a</t></si></sst>')
    return path


def test_texts_that_claim_to_be_more_than_there_are_bytes_are_refused(tmp_path: Path) -> None:
    """The library makes room for all of them first, and the process is gone."""
    with pytest.raises(InputError, match="damaged") as caught:
        READER.preview(_with_texts(tmp_path, 'count="1" uniqueCount="4294967295"'))
    assert_tells(caught.value)


def test_a_few_texts_may_stand_in_many_cells(tmp_path: Path) -> None:
    """A sheet of ten buses and a thousand rows was said to be damaged."""
    assert READER.preview(_with_texts(tmp_path, 'count="1000000" uniqueCount="1"')).columns == ("x", "y")


def test_a_workbook_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of four readings of a day's sheet took seconds more."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(xlsx({"a": [["p", "q"], [3.0, 4.0]]}))
    first = READER.preview(path)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    assert READER.preview(path) == first


def test_texts_that_fill_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = io.BytesIO(SMALL)
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("xl/sharedStrings.xml", "<sst><si><t>a</t></si></sst>")
    require_extent(made.getvalue(), PATH)
    monkeypatch.setattr(workbook_extent, "MOST_WHOLE", 20)
    with pytest.raises(InputError, match="its texts take more than"):
        require_extent(made.getvalue(), PATH)


def test_the_rectangle_is_what_counts() -> None:
    require_extent(corners(b"AB9"), PATH, most_cells=28 * 9)
    with pytest.raises(InputError, match="251 cells"):
        require_extent(corners(b"AB9"), PATH, most_cells=28 * 9 - 1)


@pytest.mark.parametrize(
    ("name", "book"),
    [
        ("a.xlsb", xlsb([], [(0, 0), (1048575, 16383)])),
        ("a.ods", ods(ods_row(ods_cell(1.0)) + ods_row(ods_cell(2.0, 16384), 1048575))),
    ],
)
def test_a_sheet_that_spans_too_much_is_told_so_in_every_kind(name: str, book: bytes, tmp_path: Path) -> None:
    """Unlooked at, the first ended the process, and the second was said to be not a readable workbook."""
    (tmp_path / name).write_bytes(book)
    with pytest.raises(InputError, match="a sheet spans more than") as caught:
        READER.preview(tmp_path / name)
    assert_tells(caught.value)


def test_a_sheet_that_is_mostly_empty_may_span_less() -> None:
    """Each empty cell is held like a full one: sixteen million of them took 1.6 GB."""
    require_extent(ods(ods_row(ods_cell(1.0, 100), 1000)), PATH)
    with pytest.raises(InputError, match="6,291,456 cells"):
        require_extent(ods(ods_row(ods_cell(1.0, 16384), 1000)), PATH)


def test_a_sheet_that_is_not_what_its_sum_says_is_refused() -> None:
    """The library of workbooks does not look at sums: a flipped bit was a cell in the corner."""
    book = bytearray(xlsb([["x"], [1.0]]))
    book[book.rindex(b"PK\x01\x02", 0, book.rindex(b"xl/worksheets/sheet1.bin")) + 16] ^= 1
    with pytest.raises(InputError, match="damaged") as caught:
        require_extent(bytes(book), PATH)
    assert_tells(caught.value)


def test_parts_that_unpack_to_too_much_are_refused() -> None:
    with pytest.raises(InputError, match="unpack to more than 1 MiB") as caught:
        require_extent(_with_sheet(bytes(1 << 20)), PATH, most_unpacked=1 << 20)
    assert_tells(caught.value)


def _numbers_in(last_row: int, last_column: int) -> bytes:
    return xls_cell(0, 0, "x") + xls_cell(last_row, last_column, 1.0)


@pytest.mark.parametrize(
    ("sheets", "said"),
    [
        ({"a": _numbers_in(65535, 255)}, "a sheet spans more than"),
        ({"a": _numbers_in(9, 65535), "b": _numbers_in(65535, 99)}, "a sheet spans more than"),
        ({"a": xls_record(0x200, struct.pack("<IIHHH", 0, 1 << 31, 0, 256, 0))}, "damaged"),
    ],
)
def test_an_old_workbook_that_claims_too_much_is_refused(
    sheets: dict[str, bytes], said: str, tmp_path: Path
) -> None:
    """A gigabyte for two cells; and for the last one the process was gone."""
    path = tmp_path / "a.xls"
    path.write_bytes(compound_file("Workbook", xls(sheets)))
    with pytest.raises(InputError, match=said) as caught:
        READER.preview(path)
    assert_tells(caught.value)


def test_a_workbook_under_a_password_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(compound_file("EncryptedPackage", b""))
    with pytest.raises(InputError, match="password"):
        READER.preview(path)
    path.write_bytes(compound_file("Other", b""))
    with pytest.raises(InputError, match="not a readable workbook"):
        READER.preview(path)


@pytest.mark.parametrize(
    "book",
    [
        _with_shared_text(),
        ods(ods_row(ods_cell("a" * 30_000, 1000), 200)),
        compound_file(
            "Workbook",
            xls(
                {"a": xls_record(0xFD, bytes(10)) * 80_000},
                xls_record(0xFC, struct.pack("<IIHB", 1, 1, 8000, 0) + b"a" * 8000),
            ),
        ),
    ],
)
def test_a_long_text_that_many_cells_have_is_refused(book: bytes, tmp_path: Path) -> None:
    """In memory each cell has its own: eight hundred bytes of .ods took thirteen gigabytes."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(book)
    with pytest.raises(InputError, match="the texts of its cells take more than 512 MiB") as caught:
        READER.preview(path)
    assert_tells(caught.value)


def test_a_binary_sheet_is_looked_at_wherever_it_stands() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsb([], [(0, 0), (9, 9)]))) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            content = old.read(name).replace(b"worksheets/sheet1.bin", b"elsewhere.dat")
            new.writestr("xl/elsewhere.dat" if name.endswith("sheet1.bin") else name, content)
    require_extent(made.getvalue(), PATH, most_cells=100)
    with pytest.raises(InputError, match="99 cells"):
        require_extent(made.getvalue(), PATH, most_cells=99)


def test_sheets_that_are_mostly_empty_count_together() -> None:
    one = ods_row(ods_cell(1.0)) + ods_row("", 8) + ods_row(ods_cell(2.0))
    content = part_of(ods(one), "content.xml")
    require_extent(ods(one), PATH, most_cells=10)
    table = content[content.index(b"<table:table ") : content.index(b"</office:spreadsheet>")]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("content.xml", content.replace(table, table * 2))
    with pytest.raises(InputError, match="spans more than 10 cells"):
        require_extent(made.getvalue(), PATH, most_cells=10)
