"""Delimited text: ragged rows, previews, headers."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from core.errors import InputError
from core.progress import Cancelled
from core.read.csv_head import read_csv_head
from core.read.encodings import opened_text
from core.read.file_format import AS_FOUND, FileFormat
from core.read.readers import csv_files
from core.read.readers.csv_files import READER, csv_lines, rows_of_lines
from core.store.load_records import load_records
from tests.records import COLUMNS, SECRET, as_rows, assert_same, csv_text, make_records, rules, sample_pings

PINGS = sample_pings()
LINES = csv_text(as_rows(PINGS)).splitlines(keepends=True)


def _write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(lines), newline="")
    return path


def test_ragged_rows_count_as_unparsable_and_change_nothing_else(tmp_path: Path) -> None:
    ragged = [f"{SECRET},1\n", f"a,b,c,d,e,{SECRET}\n", f"{SECRET}\n"]
    path = _write(tmp_path / "a.csv", [LINES[0], ragged[0], *LINES[1:5], ragged[1], *LINES[5:], ragged[2]])
    loaded = load_records([path], rules())
    assert_same(loaded.records, make_records(PINGS))
    assert loaded.report.dropped == {"unparsable": 3}
    assert loaded.report.rows_read == len(PINGS) + 3


def test_every_ragged_row_of_many_blocks_is_counted(tmp_path: Path) -> None:
    good = LINES[1] * 2500
    path = _write(tmp_path / "a.csv", [LINES[0]] + [good + "short,row\n"] * 80)
    assert path.stat().st_size > 2 * (4 << 20)
    batches = list(READER.batches(path, COLUMNS))
    assert len(batches) > 2
    assert sum(batch.unreadable for batch in batches) == 80
    assert sum(batch.table.num_rows for batch in batches) == 80 * 2500


def test_only_ragged_rows_leave_a_batch_that_counts_them(tmp_path: Path) -> None:
    batches = list(READER.batches(_write(tmp_path / "a.csv", [LINES[0], "a,b\n", "c\n"]), COLUMNS))
    assert sum(batch.unreadable for batch in batches) == 2
    assert sum(batch.table.num_rows for batch in batches) == 0


def test_stopping_in_the_middle_leaves_no_open_file(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", [LINES[0]] + [LINES[1] * 1000] * 120)

    def stop(done: float, text: str = "") -> None:
        del text
        if done > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        load_records([path], rules(), stop)
    path.unlink()
    assert not path.exists()


def test_preview_shows_names_and_first_rows(tmp_path: Path) -> None:
    preview = READER.preview(_write(tmp_path / "a.csv", LINES * 100))
    assert preview.columns == COLUMNS
    assert len(preview.rows) == 200
    assert preview.column("license_plate")[0] == PINGS[0].vehicle


def test_preview_ends_with_the_last_whole_line(tmp_path: Path) -> None:
    long = LINES[1].replace("GJ", "é" * 20_000)
    preview = READER.preview(_write(tmp_path / "a.csv", [LINES[0], long, long, long]))
    assert len(preview.rows) == 1


def test_preview_of_a_header_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no rows"):
        READER.preview(_write(tmp_path / "a.csv", LINES[:1]))


def test_the_encoding_of_an_unmapped_column_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(csv_text([{**row, "note": "Öl"} for row in as_rows(PINGS)]).encode("latin-1"))
    assert_same(load_records([path], rules()).records, make_records(PINGS))


def test_a_repeated_name_that_is_not_mapped_is_no_fault(tmp_path: Path) -> None:
    rows = [{**row, "note": 1, "remark": 2} for row in as_rows(PINGS)]
    path = _write(tmp_path / "a.csv", [csv_text(rows, header=[*COLUMNS, "note", "note"])])
    assert_same(load_records([path], rules()).records, make_records(PINGS))


def test_how_far_a_file_is_read_is_known_without_asking_the_file_that_arrow_reads_ahead_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under wine the question put it back, and 503 of 3,000 rows were read twice."""
    monkeypatch.setattr(csv_files, "_BLOCK", 1 << 12)
    path = _write(tmp_path / "a.csv", [csv_text(as_rows(PINGS) * 200)])
    with opened_text(path) as text:
        text.source().read()
        size = path.stat().st_size
        assert [text.fraction_after(taken) for taken in (0, 1000, size, 2 * size)] == [0, 1000 / size, 1, 1]
    fractions = [batch.fraction for batch in READER.batches(path, COLUMNS)]
    assert len(fractions) > 10
    blocks = range(1, len(fractions) + 1)
    assert fractions == [min(number * (1 << 12) / size, 1) for number in blocks]


def test_line_ends_in_quotes_are_no_rows_wherever_blocks_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_files, "_BLOCK", 1 << 12)
    rows = [{"note": 'two\nlines, "quoted"\n' * 3, **row} for row in as_rows(PINGS)] * 200
    path = _write(tmp_path / "a.csv", [csv_text(rows)])
    batches = list(READER.batches(path, COLUMNS))
    assert len(batches) > 10
    assert sum(batch.unreadable for batch in batches) == 0
    assert sum(batch.table.num_rows for batch in batches) == len(rows)


@pytest.mark.parametrize("mark", ["§", "¦", "þ"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_a_delimiter_beyond_ascii_separates_cells_and_stands_in_quoted_ones(
    mark: str, encoding: str, tmp_path: Path
) -> None:
    rows = [f'B{number}{mark}{number}.5{mark}"a{mark}{number}"' for number in range(1500)]
    path = tmp_path / "marks.csv"
    path.write_bytes("\n".join((f"bus{mark}speed{mark}note", *rows)).encode(encoding))
    named = FileFormat(encoding=encoding, delimiter=mark)
    read = pa.concat_tables(batch.table for batch in READER.batches(path, ["note", "bus"], named))
    assert read.column("bus").to_pylist() == [f"B{number}" for number in range(1500)]
    assert read.column("note").to_pylist() == [f"a{mark}{number}" for number in range(1500)]
    lines = csv_lines(read_csv_head(path, named), ["note"], path, "marks")
    apart, _ = rows_of_lines([row.encode() for row in rows], lines)
    assert apart.column("note").to_pylist() == read.column("note").to_pylist()


def test_a_delimiter_beyond_ascii_that_the_file_declares_is_read(tmp_path: Path) -> None:
    text = "sep=¦\n" + csv_text(as_rows(PINGS)).replace(",", "¦")
    path = _write(tmp_path / "a.csv", [text])
    assert [batch.table.num_rows for batch in READER.batches(path, COLUMNS, AS_FOUND)] == [len(PINGS)]


def test_single_quotes_quote_where_all_names_stand_in_them(tmp_path: Path) -> None:
    lines = ["'bus','speed, km/h'\n", "'B1','22,5'\n", "'O''Hare','7\n8'\n", "B2,'9'\n"]
    path = _write(tmp_path / "a.csv", lines)
    head = read_csv_head(path, AS_FOUND)
    read = pa.concat_tables(batch.table for batch in READER.batches(path, head.names))
    assert read.to_pydict() == {"bus": ["B1", "O'Hare", "B2"], "speed, km/h": ["22,5", "7\n8", "9"]}
    how = csv_lines(head, head.names, path, "quotes")
    apart, _ = rows_of_lines([lines[number].strip().encode() for number in (1, 3)], how)
    assert apart.column("speed, km/h").to_pylist() == ["22,5", "9"]


def test_a_single_quote_in_a_name_or_cell_is_a_letter(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", ["'bus',speed\n", "'B1',5\n", "O'Hare,6\n"])
    read = pa.concat_tables(batch.table for batch in READER.batches(path, ["'bus'", "speed"]))
    assert read.to_pydict() == {"'bus'": ["'B1'", "O'Hare"], "speed": ["5", "6"]}
