"""Lines above the names of columns."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.assist.proposed_format import proposed_format
from core.errors import InputError
from core.read.file_format import ALL_SHEETS, FileFormat
from core.read.reader_registry import reader_for
from core.read.title_lines import title_lines
from core.store.load_records import load_records
from tests.records import COLUMNS, as_rows, assert_same, csv_text, make_records, rules, sample_pings
from tests.workbooks import xlsx

PINGS = sample_pings()
NAMES = ["a", "b", "c", "d"]
ROW = ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("above", "found"),
    [
        ([], 0),
        ([["Positions of March"]], 1),
        ([["Positions", "", "", ""], ["", "", "", ""], ["by", "IT", "", ""]], 3),
        ([["", "", "", ""]], 0),
        ([["Title"]] * 21, 0),
        ([["a", "b", "c"]], 0),
    ],
)
def test_they_are_told_by_how_little_of_them_is_filled(above: list[list[str]], found: int) -> None:
    assert title_lines([*above, NAMES, *[ROW] * 30]) == found


def test_a_torn_row_or_a_table_of_one_column_has_none() -> None:
    assert title_lines([NAMES, ["1"], ROW, ROW]) == 0
    assert title_lines([["a"], ["1"], ["2"]]) == 0
    assert title_lines([]) == 0


@pytest.mark.parametrize("titles", ["Positions\n\nprinted 4 March; by IT\n", "Report,,,,\n"])
def test_lines_above_a_text_are_proposed_and_passed_over(titles: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(titles + csv_text(as_rows(PINGS)))
    proposed = proposed_format(path).file_format
    assert proposed.skip_lines == titles.count("\n")
    preview = reader_for(path).preview(path, proposed)
    assert preview.columns == COLUMNS
    assert "above the names" in preview.notes[0]
    loaded = load_records([path], dataclasses.replace(rules(), format=proposed))
    assert_same(loaded.records, make_records(PINGS))
    with pytest.raises(InputError, match="cannot be so many lines"):
        FileFormat(skip_lines=101)


def test_rows_above_a_sheet_are_proposed_and_sheets_alike_are_one_table(tmp_path: Path) -> None:
    cells = [list(row.values()) for row in as_rows(PINGS)]
    above = [["Positions"], []]
    path = tmp_path / "a.xlsx"
    path.write_bytes(
        xlsx({"1": [*above, [*COLUMNS], *cells[:3]], "2": [*above, [*COLUMNS], *cells[3:]], "3": []})
    )
    proposed = proposed_format(path)
    assert (proposed.skip_lines, proposed.sheets) == (2, (ALL_SHEETS, "1", "2"))
    for sheet, pings in ((ALL_SHEETS, PINGS), (("1", "2"), PINGS), ("2", PINGS[3:])):
        how = dataclasses.replace(proposed.file_format, sheet=sheet)
        loaded = load_records([path], dataclasses.replace(rules(), format=how))
        assert_same(loaded.records, make_records(pings))
    path.write_bytes(xlsx({"1": [[*COLUMNS], *cells], "notes": [["a", "b"], [1, 2]]}))
    assert proposed_format(path).sheets == ("1", "notes")


@pytest.mark.parametrize("titles", ["", "Positions\n"])
def test_names_that_are_wrapped_between_quotes_are_no_titles(titles: str, tmp_path: Path) -> None:
    """As a spreadsheet saves a heading of two lines."""
    names = ("bus\nid", "time\n(UTC)", "lat\n(deg)", "lon\n(deg)", "speed\n(km/h)")
    path = tmp_path / "a.csv"
    heading = ",".join(f'"{name}"' for name in names)
    path.write_text(f"{titles}{heading}\n" + "1,2023-01-02 03:04:05,1.5,2.5,3.5\n" * 9)
    proposed = proposed_format(path).file_format
    assert proposed.skip_lines == titles.count("\n")
    assert reader_for(path).preview(path, proposed).columns == names


@pytest.mark.parametrize("decimals", [1, 4])
def test_decimal_commas_in_rows_make_no_title_of_the_names(decimals: int, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    cells = [f"{number},5" if number < decimals else f"{number}" for number in range(5)]
    path.write_text("a;b;c;d;e\n" + f"{';'.join(cells)}\n" * 30)
    assert proposed_format(path).skip_lines == 0
    assert reader_for(path).preview(path).columns == ("a", "b", "c", "d", "e")
