"""method 2.4: what goes wrong with real files, each shown by a small one, and what a person is told.

Decimal marks, orders of day and month, coordinates and zones are read elsewhere: here is what the
file itself may do.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.assist.header_problems import header_problems
from core.clean.mapping import ColumnMapping, ReadingRules
from core.errors import InputError
from core.progress import Cancelled
from core.read.encodings import non_ascii_lines
from core.read.file_format import AS_FOUND, FileFormat
from core.read.reader_registry import reader_for
from core.read.readers import csv_files, json_files
from core.store.load_records import load_records
from tests.records import (
    COLUMNS,
    MAPPING,
    POINT_MAPPING,
    SECRET,
    UPPER_BOUND,
    ZONE,
    as_itms,
    as_rows,
    assert_same,
    assert_tells,
    csv_text,
    make_records,
    rules,
    sample_pings,
)
from tests.workbooks import xlsx

PINGS = sample_pings()
NAMED = [ping._replace(vehicle=f"Müller {ping.vehicle}") for ping in PINGS]
HEADER, *ROWS = csv_text(as_rows(PINGS)).splitlines(keepends=True)


def _rules(form: FileFormat, mapping: ColumnMapping = MAPPING) -> ReadingRules:
    return ReadingRules(mapping=mapping, zone=ZONE, upper_bound=UPPER_BOUND, format=form)


def _write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def _refused(path: Path, mapping: ColumnMapping = MAPPING) -> InputError:
    with pytest.raises(InputError) as caught:
        load_records([path], rules(mapping))
    assert_tells(caught.value)
    return caught.value


# --- not UTF-8 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_another_encoding_is_told_with_guesses_and_read_once_it_is_named(
    name: str, encoding: str, tmp_path: Path
) -> None:
    data = csv_text(as_rows(NAMED)).encode(encoding)
    path = _write(tmp_path / name, gzip.compress(data) if name.endswith("gz") else data)
    error = _refused(path)
    assert error.what == "The text is not UTF-8."
    guess = error.mend.split('"')[1]
    assert guess == ("cp1252" if encoding == "latin-1" else encoding)
    shown = non_ascii_lines(path, guess)
    assert len(shown) == 5
    assert all("Müller" in line for line in shown)
    before = set(tmp_path.iterdir())
    assert_same(load_records([path], _rules(FileFormat(encoding=guess))).records, make_records(NAMED))
    assert set(tmp_path.iterdir()) == before, "decoded on the fly: no copy"


def test_a_bad_byte_late_in_the_file_names_its_line(tmp_path: Path) -> None:
    text = (HEADER + "".join(ROWS) * 12_000).encode()
    path = _write(tmp_path / "a.csv", text + ROWS[0].replace("GJ", "Gé").encode("latin-1"))
    assert len(text) > 2 * csv_files._BLOCK
    error = _refused(path)
    assert error.what == "The text is not UTF-8."
    assert error.where.endswith(f"line {12_000 * len(ROWS) + 2}")


def test_json_in_another_encoding_is_told_alike(tmp_path: Path) -> None:
    data = json.dumps(as_itms(NAMED), ensure_ascii=False).encode("cp1252")
    path = _write(tmp_path / "a.json", data)
    assert 'encoding = "cp1252"' in _refused(path, POINT_MAPPING).mend
    form = FileFormat(encoding="cp1252")
    assert_same(load_records([path], _rules(form, POINT_MAPPING)).records, make_records(NAMED))


# --- byte-order marks ----------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_mark_is_stripped_and_mentioned(encoding: str, tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", ("\ufeff" + csv_text(as_rows(NAMED))).encode(encoding))
    assert_same(load_records([path], rules()).records, make_records(NAMED))
    preview = reader_for(path).preview(path)
    assert preview.columns == COLUMNS
    assert encoding in preview.notes[0]


# --- delimiter and wrong extension ---------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt"])
def test_the_delimiter_is_seen_in_the_file_not_in_its_name(name: str, delimiter: str, tmp_path: Path) -> None:
    path = _write(tmp_path / name, csv_text(as_rows(PINGS), delimiter=delimiter))
    assert_same(load_records([path], rules()).records, make_records(PINGS))


def test_a_single_column_asks_for_the_delimiter(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", csv_text(as_rows(PINGS), delimiter="^").replace("GJ", SECRET))
    error = _refused(path)
    assert "only one column: is the delimiter another?" in error.what
    assert "delimiter = " in error.mend
    named = load_records(
        [_write(path, csv_text(as_rows(PINGS), delimiter="^"))], _rules(FileFormat(delimiter="^"))
    )
    assert_same(named.records, make_records(PINGS))


# --- coordinates in brackets ---------------------------------------------------------------------


def test_unquoted_coordinates_are_told_and_not_shifted(tmp_path: Path) -> None:
    lines = ["license_plate,observationDateTime,location.coordinates,speed"]
    lines += [f"{SECRET},2023-05-01T10:00:0{n}+05:30,[72.8{n}, 21.1],30" for n in range(9)]
    error = _refused(_write(tmp_path / "a.csv", "\n".join(lines)), POINT_MAPPING)
    assert error.what == "The first line names 4 columns, but the rows have 5 cells."
    assert error.mend == "put coordinates in brackets between quotes"


# --- headers -------------------------------------------------------------------------------------


def test_a_repeated_name_stops_only_where_it_is_mapped(tmp_path: Path) -> None:
    rows = [{**row, "note": 1} for row in as_rows(PINGS)]
    path = _write(tmp_path / "a.csv", csv_text(rows, header=[*COLUMNS, "speed"]))
    assert "'speed' is there more than once" in _refused(path).what
    assert [problem.kind for problem in header_problems(reader_for(path).preview(path).columns)] == [
        "duplicate"
    ]
    path = _write(path, csv_text([{**row, "other": 1} for row in rows], header=[*COLUMNS, "x", "x"]))
    assert_same(load_records([path], rules()).records, make_records(PINGS))


@pytest.mark.parametrize("name", ["a\tb", "\ufffd", "", " padded "])
def test_odd_names_are_told_and_stop_nothing(name: str, tmp_path: Path) -> None:
    rows = [{**row, "note": 1} for row in as_rows(PINGS)]
    path = _write(tmp_path / "a.csv", csv_text(rows, header=[*COLUMNS, name]))
    assert_same(load_records([path], rules()).records, make_records(PINGS))
    preview = reader_for(path).preview(path)
    problems = [f"{problem.kind} {problem.number}" for problem in header_problems(preview.columns)]
    (told,) = [*preview.notes, *problems]
    assert "6" in told


@pytest.mark.parametrize("header", ["0,1,2,3,4\n", ROWS[0]])
def test_a_first_line_of_data_or_numbers_is_told(header: str, tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", header + "".join(ROWS))
    assert _refused(path).what == "The first line contains data instead of column names."


# --- ragged rows, trailing delimiters ------------------------------------------------------------


def test_ragged_rows_are_counted_with_the_first_lines(tmp_path: Path) -> None:
    bad = f"{SECRET},1\n"
    path = _write(tmp_path / "a.csv", HEADER + "".join(row + bad for row in ROWS))
    loaded = load_records([path], rules())
    assert_same(loaded.records, make_records(PINGS))
    assert loaded.report.dropped == {"unparsable": len(ROWS)}
    (batch,) = reader_for(path).batches(path, COLUMNS)
    assert batch.unreadable == len(ROWS)
    assert batch.unreadable_lines == (3, 5, 7, 9, 11)


def test_a_delimiter_at_the_end_of_every_row_is_no_column(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", HEADER + "".join(row.replace("\n", ",\n") for row in ROWS))
    assert_same(load_records([path], rules()).records, make_records(PINGS))


def test_a_broken_line_of_json_is_counted_with_its_line(tmp_path: Path) -> None:
    lines = [json.dumps(item) for item in as_itms(PINGS)]
    lines.insert(3, f'{{"license_plate": "{SECRET}')
    path = _write(tmp_path / "a.jsonl", "\n".join(lines) + "\n")
    loaded = load_records([path], rules(POINT_MAPPING))
    assert_same(loaded.records, make_records(PINGS))
    assert loaded.report.dropped == {"unparsable": 1}
    (batch,) = reader_for(path).batches(path, POINT_MAPPING.columns)
    assert batch.unreadable_lines == (4,)


# --- mixed types ---------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", ["NaN", "Infinity", "1e999", '"n/a"', "true", "[1]", '{"a": 1}'])
@pytest.mark.parametrize("lines", [True, False])
def test_one_odd_value_late_in_the_file_costs_one_row(odd: str, lines: bool, tmp_path: Path) -> None:
    items = [json.dumps(item) for item in as_itms(PINGS)]
    spoilt = items[-1].replace(json.dumps(PINGS[-1].value), odd)
    assert spoilt != items[-1]
    text = "\n".join([*items[:-1], spoilt]) if lines else "[" + ",".join([*items[:-1], spoilt]) + "]"
    loaded = load_records([_write(tmp_path / "a.json", text)], rules(POINT_MAPPING))
    assert_same(loaded.records, make_records(PINGS[:-1]))
    assert loaded.report.dropped == {"no_value" if odd == "NaN" else "unparsable": 1}


def test_csv_takes_no_type_from_the_first_rows(tmp_path: Path) -> None:
    first = [ping._replace(vehicle="7", value=3.0) for ping in PINGS[:1]] * 3000
    text = csv_text(as_rows([*first, *PINGS]))
    assert_same(
        load_records([_write(tmp_path / "a.csv", text)], rules()).records, make_records(first + PINGS)
    )


# --- identifiers ---------------------------------------------------------------------------------

IDS = ("0012", "12", "1e5", "350000000000000123", "1.50", "TRUE", "2023-05-01")


def test_identifiers_are_text_in_csv_and_json(tmp_path: Path) -> None:
    pings = [PINGS[0]._replace(vehicle=name) for name in IDS]
    expected = make_records(pings)
    for path, data, mapping in (
        (tmp_path / "a.csv", csv_text(as_rows(pings)), MAPPING),
        (tmp_path / "a.json", json.dumps(as_itms(pings)), POINT_MAPPING),
        (
            tmp_path / "a.xlsx",
            xlsx({"a": [[*COLUMNS], *(list(r.values()) for r in as_rows(pings))]}),
            MAPPING,
        ),
    ):
        records = load_records([_write(path, data)], rules(mapping)).records
        assert records.vehicles == expected.vehicles == tuple(sorted(name.casefold() for name in IDS))


def test_long_numbers_as_identifiers_keep_every_digit_in_json(tmp_path: Path) -> None:
    numbers = (12, 350000000000000123, 9007199254740993, 99999999999999999999)
    items = [as_itms(PINGS[:1])[0] | {"license_plate": number} for number in numbers]
    path = _write(tmp_path / "a.json", json.dumps(items))
    records = load_records([path], rules(POINT_MAPPING)).records
    assert set(records.vehicles) == set(map(str, numbers))


# --- huge files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json"])
def test_a_large_file_is_read_in_blocks_with_progress_and_can_be_left(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_files, "_BLOCK", 1 << 16)
    monkeypatch.setattr(json_files, "_BLOCK", 1 << 16)
    items = [json.dumps(item) for item in as_itms(PINGS * 300)]
    text = {
        "csv": HEADER + "".join(ROWS) * 300,
        "jsonl": "\n".join(items),
        "json": "[" + ",".join(items) + "]",
    }[kind]
    path = _write(tmp_path / f"a.{kind}", text)
    mapping = MAPPING if kind == "csv" else POINT_MAPPING
    batches = list(reader_for(path).batches(path, mapping.columns))
    assert len(batches) > 3
    assert [batch.fraction for batch in batches] == sorted(batch.fraction for batch in batches)

    def leave(done: float, text: str = "") -> None:
        del text
        if done > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        load_records([path], rules(mapping), leave)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["a.csv", "a.json"])
def test_a_line_without_end_is_told_before_memory_is_full(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_files, "_LONGEST_RECORD", 1 << 20)
    monkeypatch.setattr(json_files, "_BLOCK", 1 << 16)
    begin = HEADER if name.endswith("csv") else '[{"license_plate": "'
    path = _write(tmp_path / name, begin + SECRET * 1_000_000)
    what = _refused(path, MAPPING if name.endswith("csv") else POINT_MAPPING).what
    assert "longer than" in what or "is cut off" in what


# --- workbooks -----------------------------------------------------------------------------------


def test_a_workbook_is_read_by_its_values(tmp_path: Path) -> None:
    rows = [[*COLUMNS], *(list(row.values()) for row in as_rows(PINGS))]
    path = _write(tmp_path / "a.xlsx", xlsx({"data": rows}))
    assert_same(load_records([path], rules()).records, make_records(PINGS))


def test_a_workbook_of_several_sheets_asks_for_one(tmp_path: Path) -> None:
    rows = [[*COLUMNS], *(list(row.values()) for row in as_rows(PINGS))]
    path = _write(tmp_path / "a.xlsx", xlsx({"May": rows, "notes": [["x", SECRET]]}))
    error = _refused(path)
    assert "Several sheets" in error.what
    assert "May, notes" in error.mend
    assert_same(load_records([path], _rules(FileFormat(sheet="May"))).records, make_records(PINGS))


# --- many files ----------------------------------------------------------------------------------


def test_files_may_differ_in_columns_order_and_delimiter(tmp_path: Path) -> None:
    backwards = [dict(reversed(row.items())) for row in as_rows(PINGS[1::3])]
    wider = [{"note": "x", **row} for row in as_rows(PINGS[2::3])]
    files = [
        _write(tmp_path / "a.csv", csv_text(as_rows(PINGS[::3]))),
        _write(tmp_path / "b.csv", csv_text(backwards, delimiter=";")),
        _write(tmp_path / "c.csv", ("\ufeff" + csv_text(wider)).encode("utf-16-le")),
    ]
    assert_same(load_records(files, rules()).records, make_records(PINGS))


def test_the_file_that_lacks_a_mapped_column_is_named_with_it(tmp_path: Path) -> None:
    lacking = [{key: value for key, value in row.items() if key != "speed"} for row in as_rows(PINGS)]
    files = [
        _write(tmp_path / "a.csv", csv_text(as_rows(PINGS))),
        _write(tmp_path / "b.csv", csv_text(lacking)),
    ]
    with pytest.raises(InputError, match="'speed' is missing") as caught:
        load_records(files, rules())
    assert caught.value.where.endswith("b.csv")


def _read_and(change: Callable[[], object], path: Path, columns: Sequence[str]) -> None:
    """Read all blocks, and after the second change the file."""
    for number, _ in enumerate(reader_for(path).batches(path, columns, AS_FOUND)):
        if number == 1:
            change()


def _append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_a_file_that_grows_while_it_is_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_files, "_BLOCK", 1 << 12)
    path = _write(tmp_path / "a.csv", HEADER + "".join(ROWS) * 100)
    with pytest.raises(InputError, match="changed while it was being read") as caught:
        _read_and(lambda: _append(path, ROWS[0]), path, COLUMNS)
    assert_tells(caught.value)


@pytest.mark.parametrize("kind", ["csv", "json", "jsonl"])
def test_a_file_that_shrinks_while_it_is_read_is_told(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_files, "_BLOCK", 1 << 12)
    monkeypatch.setattr(json_files, "_BLOCK", 1 << 12)
    items = [json.dumps(item) for item in as_itms(PINGS * 50)]
    text = {"csv": HEADER + "".join(ROWS) * 50, "json": f"[{','.join(items)}]", "jsonl": "\n".join(items)}
    path = _write(tmp_path / f"a.{kind}", text[kind])
    columns = (MAPPING if kind == "csv" else POINT_MAPPING).columns
    with pytest.raises(InputError, match="changed while it was being read") as caught:
        _read_and(lambda: os.truncate(path, 20_000), path, columns)
    assert_tells(caught.value)


# --- messages ------------------------------------------------------------------------------------


def test_times_as_dates_of_a_workbook_need_no_text(tmp_path: Path) -> None:
    rows = [list(row.values()) for row in as_rows(PINGS)]
    for row in rows:
        row[1] = dt.datetime.fromisoformat(row[1]).replace(tzinfo=None)
    path = _write(tmp_path / "a.xlsx", xlsx({"data": [[*COLUMNS], *rows]}))
    assert load_records([path], rules()).report.rows_used == len(PINGS)
    with pytest.raises(InputError, match="zone must be named"):
        load_records([path], rules(zone=None))
