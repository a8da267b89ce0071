"""The rectangle of a sheet, as stored in the three kinds of zipped workbooks."""

from __future__ import annotations

import io
import random
from collections.abc import Callable

import pytest
from python_calamine import CalamineWorkbook

from core.read.workbooks import sheet_span
from core.read.workbooks.sheet_span import ods_span, xlsb_span, xlsx_lengths, xlsx_span, xlsx_text
from tests.workbooks import ods, ods_cell, ods_row, part_of, xlsb, xlsb_record, xlsx

SPANS = {
    "xlsx": (xlsx_span, "xl/worksheets/sheet1.xml"),
    "xlsb": (xlsb_span, "xl/worksheets/sheet1.bin"),
    "ods": (ods_span, "content.xml"),
}
FILL_UP = ods_row(ods_cell(None, 16384), 1048574)
"""What programs write below the last row."""


Rows = list[list[float | str | None]]
BOOKS: dict[str, Callable[[Rows], bytes]] = {
    "xlsx": lambda rows: xlsx({"a": rows}),
    "xlsb": xlsb,
    "ods": lambda rows: ods("".join(ods_row("".join(map(ods_cell, row))) for row in rows) + FILL_UP),
}


def _random_sheet(chance: random.Random) -> Rows:
    rows: Rows = [
        [chance.choice((None, None, 1.5, "text")) for _ in range(chance.randint(1, 6))]
        for _ in range(chance.randint(1, 6))
    ]
    rows[0][0] = "x"
    return rows


@pytest.mark.parametrize("kind", SPANS)
def test_the_rectangle_is_that_of_the_library(kind: str) -> None:
    chance = random.Random(7)
    span, part = SPANS[kind]
    for _ in range(20):
        rows = _random_sheet(chance)
        book = BOOKS[kind](rows)
        held = CalamineWorkbook.from_filelike(io.BytesIO(book)).get_sheet_by_index(0).to_python()
        assert span(io.BytesIO(part_of(book, part))).rectangle == len(held) * len(held[0])


def test_repeated_rows_and_cells_count_up_to_the_last_that_holds_anything() -> None:
    empty = ods_cell(None, 7)
    book = ods(
        ods_row(ods_cell(1.0)) + ods_row("", 4) + ods_row(empty + ods_cell(2.0, 3) + empty, 5) + FILL_UP
    )
    assert ods_span(io.BytesIO(part_of(book, "content.xml")))[:2] == (10 * 10, 2)


def test_all_tables_count() -> None:
    """A reader of one holds all of them."""
    one, two = ods_row(ods_cell(1.0), 9), ods_row(ods_cell("a", 9))
    content = part_of(ods(one), "content.xml") + part_of(ods(two), "content.xml")
    assert ods_span(io.BytesIO(content)).rectangle == 18


def test_a_long_record_is_passed_over_and_a_cut_one_ends_the_part(monkeypatch: pytest.MonkeyPatch) -> None:
    part = part_of(xlsb([["long" * 300, None, 1.0], [2.0]]), "xl/worksheets/sheet1.bin")
    for piece in (3, 11, 64, 1 << 20):
        monkeypatch.setattr(sheet_span, "PIECE", piece)
        assert xlsb_span(io.BytesIO(part))[:2] == (6, 3)
    for end in range(len(part)):
        assert xlsb_span(io.BytesIO(part[:end])).rectangle in (0, 1, 3, 6)
    assert xlsb_span(io.BytesIO(xlsb_record(5000, b"unknown") + part)).rectangle == 6


@pytest.mark.parametrize("kind", BOOKS)
def test_what_stands_on_the_border_of_two_pieces_counts(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    span, name = SPANS[kind]
    part = part_of(BOOKS[kind]([["x", "y"], [1.0, 2.0]]), name)
    for piece in range(1, 60, 7):
        monkeypatch.setattr(sheet_span, "PIECE", piece)
        assert span(io.BytesIO(part))[:2] == (4, 4)


@pytest.mark.parametrize(
    ("cells", "rectangle"),
    [
        (b'<row r="1"><c r="zz60000"><v>1</v></c></row>', 702 * 60_000),
        (b'<row><c r="A00000000040000000"><v>1</v></c></row>', 40_000_000),
        (b'<row r="1"><c><v>1</v></c></row><row r="60000"><c><v>1</v></c><c><v>1</v></c></row>', 120_000),
        (b"<row><c><v>1</v></c></row><row><c/><c/><x:c/></row>", 6),
        (b'<row><c r="A' + b"9" * 5000 + b'"/></row>', 9_999_999_999),
    ],
)
def test_a_place_is_read_however_it_is_written(cells: bytes, rectangle: int) -> None:
    """In small letters, with zeros in front, by the row's number, or not at all: the library reads each."""
    assert xlsx_span(io.BytesIO(cells)).rectangle == rectangle


def test_letters_of_shared_texts_count_for_each_cell() -> None:
    lengths = xlsx_lengths(io.BytesIO(b"<sst><si><t>abc</t></si><si/></sst>"))
    assert lengths == [19, 11]
    cell = b'<c r="A1" t="s"><v>%d</v></c>'
    assert xlsx_text(io.BytesIO(cell % 0 + cell % 1 + cell % 7), lengths) == 30
    assert xlsx_text(io.BytesIO(b'<c t="s"><f/><v>1</v></c><c t="s"/><c><v>1</v></c>'), lengths) == 19
    assert xlsx_lengths(io.BytesIO(b"<sst><!-- <si> --><si/></sst>")) == [sheet_span.MOST_LETTERS]
