"""Workbooks: the cells' own values."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pyarrow as pa
import pytest

from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.reader_registry import reader_for
from core.read.readers.workbook_files import READER, sheet_names
from core.store.load_records import load_records
from tests.records import (
    COLUMNS,
    SECRET,
    as_rows,
    assert_same,
    assert_tells,
    make_records,
    mapping_in,
    rules,
    sample_pings,
)
from tests.workbooks import Cell, xlsx

PINGS = sample_pings()


def _write(path: Path, sheets: dict[str, list[list[Cell]]]) -> Path:
    path.write_bytes(xlsx(sheets))
    return path


def _sheet() -> list[list[Cell]]:
    return [[*COLUMNS], *(list(row.values()) for row in as_rows(PINGS))]


def test_a_sheet_gives_the_same_records_as_any_other_file(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.xlsx", {"empty": [], "data": [[], *_sheet()]})
    assert reader_for(path) is READER
    assert_same(load_records([path], rules()).records, make_records(PINGS))
    assert reader_for(path.rename(tmp_path / "b.csv")) is READER, "the content tells"


def test_dates_are_wall_clock_times_of_the_named_zone(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [[*COLUMNS]]
    for row in as_rows(PINGS):
        moment = dt.datetime.fromisoformat(row["observationDateTime"]).replace(tzinfo=None)
        rows.append([value if name != "observationDateTime" else moment for name, value in row.items()])
    path = _write(tmp_path / "a.xlsx", {"data": rows})
    batch = next(READER.batches(path, ["observationDateTime"]))
    assert pa.types.is_timestamp(batch.table.schema[0].type)
    records = load_records([path], rules()).records
    assert abs(records.instants() - make_records(PINGS).instants()).max() <= 1000, (
        "a sheet counts days as floats"
    )


def test_dates_and_times_of_day_in_two_columns_are_read_together(tmp_path: Path) -> None:
    names = [*COLUMNS, "day"]
    rows: list[list[Cell]] = [[*names]]
    for row in as_rows(PINGS):
        moment = dt.datetime.fromisoformat(row["observationDateTime"])
        cells = row | {"observationDateTime": moment.time(), "day": dt.datetime.combine(moment, dt.time())}
        rows.append([cells[name] for name in names])
    path = _write(tmp_path / "a.xlsx", {"data": rows})
    records = load_records([path], rules(mapping_in("km/h", date="day"))).records
    assert abs(records.instants() - make_records(PINGS).instants()).max() <= 1000


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        ([1234.0, 350000000000000.0], ["1234", "350000000000000"]),
        ([1234.0, "B7"], ["1234", "B7"]),
        ([0.5, 1234.0], ["0.5", "1234"]),
        ([0.5, 12345678901.0], ["0.5", "12345678901"]),
        ([True, None], ["true", None]),
        (["0012", 12.0], ["0012", "12"]),
        ([dt.datetime(2023, 5, 1, 10, 30), "x"], ["2023-05-01T10:30:00", "x"]),  # noqa: DTZ001
        ([dt.timedelta(hours=25, minutes=10, seconds=7), dt.timedelta(0)], ["25:10:07", "00:00:00"]),
    ],
)
def test_cells_read_as_ids_are_what_was_typed(cells: list[Cell], texts: list[str], tmp_path: Path) -> None:
    path = _write(tmp_path / "a.xlsx", {"data": [["id", "note"], *([cell, "x"] for cell in cells)]})
    (batch,) = READER.batches(path, ["id"])
    assert batch.table.column("id").cast(pa.string()).to_pylist() == texts
    shown = READER.preview(path).column("id")
    assert shown == [text or "" for text in texts]


def test_only_sheets_that_hold_anything_are_named(tmp_path: Path) -> None:
    sheets = {"May": _sheet(), "notes": [], "blank": [[""], ["", ""]], "June": [["a"], [SECRET]]}
    assert sheet_names(_write(tmp_path / "a.xlsx", sheets)) == ("May", "June")
    assert sheet_names(_write(tmp_path / "a.xlsx", {"a": []})) == ()
    assert sheet_names(_write(tmp_path / "a.xlsx", {"a": []}), empty_too=True) == ("a",)
    with pytest.raises(InputError, match="not a readable workbook"):
        sheet_names(tmp_path.joinpath("b.xlsx").write_bytes(b"x") and tmp_path / "b.xlsx")


def test_several_sheets_with_data_must_be_chosen_from(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.xlsx", {"May": _sheet(), "June": [["a"], [SECRET]]})
    with pytest.raises(InputError, match="Several sheets") as caught:
        load_records([path], rules())
    assert_tells(caught.value)
    assert 'sheet = "May"' in caught.value.mend
    assert "May, June" in caught.value.mend
    assert READER.preview(path, FileFormat(sheet="June")).columns == ("a",)
    with pytest.raises(InputError, match="no sheet of this name"):
        READER.preview(path, FileFormat(sheet="July"))


@pytest.mark.parametrize(
    ("sheets", "what"),
    [({"a": []}, "sheet is empty"), ({"a": [["x", "y"]]}, "no rows"), ({"a": [["x"], [SECRET]]}, "missing")],
)
def test_a_sheet_without_data_is_refused(
    sheets: dict[str, list[list[Cell]]], what: str, tmp_path: Path
) -> None:
    path = _write(tmp_path / "a.xlsx", sheets)
    with pytest.raises(InputError, match=what) as caught:
        _look(path)
    assert_tells(caught.value)


def _look(path: Path) -> None:
    READER.preview(path, AS_FOUND)
    list(READER.batches(path, ["z"]))


@pytest.mark.parametrize("data", [SECRET.encode(), xlsx({"a": [[SECRET]]})[:-300]], ids=["text", "cut"])
def test_what_is_no_workbook_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(data)
    with pytest.raises(InputError, match=r"not a readable workbook|truncated or damaged") as caught:
        reader_for(tmp_path / "a.xlsx").preview(tmp_path / "a.xlsx")
    assert_tells(caught.value)
