"""core.assist.random_rows: random rows are rows of the file, from all over it where that can be done."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.assist import random_rows as rows_module
from core.assist.random_rows import MOST_FILES, random_rows, random_rows_of
from core.progress import Cancelled
from core.read.file_format import FileFormat
from core.read.preview_rows import PREVIEW_ROWS
from core.read.readers import parquet_files
from core.read.readers.base import Batch
from tests.records import SECRET, sample_pings, write_csv

COLUMNS = ("number", "stop")


def written(path: Path, rows: int, *, delimiter: str = ",", encoding: str = "utf-8") -> Path:
    lines = [delimiter.join(COLUMNS), *(f"{n}{delimiter}Straße {n}" for n in range(rows))]
    data = ("\n".join(lines) + "\n").encode(encoding)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def numbers(rows: rows_module.RandomRows) -> list[int]:
    assert rows.preview.columns == COLUMNS
    assert all(row[1] == f"Straße {row[0]}" for row in rows.preview.rows)
    return [int(row[0]) for row in rows.preview.rows]


def test_a_small_file_is_drawn_from_whole(tmp_path: Path) -> None:
    drawn = random_rows(written(tmp_path / "a.csv", 3000), COLUMNS)
    found = numbers(drawn)
    assert len(found) == PREVIEW_ROWS == len(set(found))
    assert found == sorted(found)
    assert found[0] < 300
    assert found[-1] > 2700
    assert drawn.fraction == 1.0


def test_of_several_files_all_are_drawn_from_in_the_columns_of_the_first(tmp_path: Path) -> None:
    first = written(tmp_path / "a.csv", 500)
    other, without = tmp_path / "b.csv", tmp_path / "c.csv"
    rows = "".join(f"Straße {number},{number}\n" for number in range(1000, 1500))
    other.write_text("stop,number\n" + rows, encoding="utf-8")
    without.write_text("number,place\n1,2\n", encoding="utf-8")
    drawn = random_rows_of([first, other, without], COLUMNS)
    found = numbers(drawn)
    assert drawn.files == 2
    assert len(found) == PREVIEW_ROWS
    assert sum(number < 500 for number in found) == PREVIEW_ROWS // 2
    assert numbers(random_rows_of([first], COLUMNS)) == numbers(random_rows(first, COLUMNS))


def test_of_very_many_files_some_in_between_are_drawn_from(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{number:03}.csv", number + 1) for number in range(50)]
    drawn = random_rows_of(paths, COLUMNS)
    assert drawn.files == MOST_FILES
    assert max(numbers(drawn)) > 40


def test_fewer_rows_than_wanted_are_all_shown(tmp_path: Path) -> None:
    assert numbers(random_rows(written(tmp_path / "a.csv", 7), COLUMNS)) == list(range(7))


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-16-be"])
def test_a_large_file_is_entered_in_many_places(tmp_path: Path, monkeypatch, encoding: str) -> None:
    monkeypatch.setattr(rows_module, "_BLOCK", 1 << 10)
    monkeypatch.setattr(rows_module, "_HEAD", 1 << 14)
    path = written(tmp_path / "a.csv", 40_000, delimiter=";", encoding=encoding)
    drawn = random_rows(path, COLUMNS, FileFormat(encoding=encoding, delimiter=";"))
    found = numbers(drawn)
    assert len(found) == PREVIEW_ROWS
    assert found[0] < 5000
    assert found[-1] > 35_000
    assert drawn.fraction == 1.0


def test_a_compressed_file_gives_its_beginning_and_says_so(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(rows_module, "_HEAD", 1 << 16)
    drawn = random_rows(written(tmp_path / "a.csv.gz", 400_000), COLUMNS)
    assert 0 < drawn.fraction < 0.9
    assert max(numbers(drawn)) < 10_000


class Streaming:
    """A reader that knows no middle of its file, and fails when it is read too far."""

    key = "stream"

    def batches(self, path: Path, columns: tuple[str, ...], file_format: FileFormat) -> Iterator[Batch]:
        assert (path.name, file_format) == ("a.stream", FileFormat())
        for tenth in range(1, 4):
            numbers = range(1000 * tenth, 1000 * tenth + 1000)
            cells = {"number": list(numbers), "stop": [f"Straße {number}" for number in numbers]}
            table = pa.table({name: cells[name] for name in columns})
            yield Batch(table=table, unreadable=0, fraction=tenth / 10)
        raise AssertionError("read on")


def test_what_can_only_be_streamed_gives_its_beginning_as_well(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(rows_module, "reader_for", lambda _: Streaming())
    monkeypatch.setattr(rows_module, "_HEAD", 250)
    path = tmp_path / "a.stream"
    path.write_bytes(bytes(1000))
    drawn = random_rows(path, COLUMNS)
    assert drawn.fraction == 0.3
    found = numbers(drawn)
    assert len(set(found)) == PREVIEW_ROWS
    assert found[0] < 1200
    assert found[-1] > 3700


def test_json_is_drawn_from(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = ({"number": n, "stop": f"Straße {n}"} for n in range(900))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    drawn = random_rows(path, COLUMNS)
    assert drawn.fraction == 1.0
    assert len(set(numbers(drawn))) == PREVIEW_ROWS


def test_parquet_is_drawn_from_row_groups_all_over_the_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(parquet_files, "_MOST_READ", 4000)
    path = tmp_path / "a.parquet"
    table = pa.table({"number": range(40_000), "stop": [f"Straße {n}" for n in range(40_000)]})
    pq.write_table(table, path, row_group_size=500)
    drawn = random_rows(path, COLUMNS)
    found = numbers(drawn)
    assert drawn.fraction == 1.0
    assert len(set(found)) == PREVIEW_ROWS
    assert found == sorted(found)
    assert 2 <= len({number // 500 for number in found}) <= 8
    assert found[-1] - found[0] > 10_000
    pq.write_table(table, path)
    drawn = random_rows(path, COLUMNS)
    assert drawn.fraction == 0.1
    assert max(numbers(drawn)) < 4000
    pq.write_table(table.slice(0, 50), path)
    assert numbers(random_rows(path, COLUMNS)) == list(range(50))


def test_the_same_file_shows_the_same_rows(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 2000)
    assert random_rows(path, COLUMNS).preview.rows == random_rows(path, COLUMNS).preview.rows


def test_rows_of_another_width_and_empty_lines_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('number,stop\n1,a,b\n\n2,"b, c"\n3\n')
    assert random_rows(path, COLUMNS).preview.rows == (("2", "b, c"),)


def test_each_row_is_as_likely_as_any_other(tmp_path: Path, monkeypatch) -> None:
    path = written(tmp_path / "a.csv", 1000)
    seen = [0] * 10
    for seed in range(60):
        monkeypatch.setattr(rows_module, "_SEED", seed)
        for number in numbers(random_rows(path, COLUMNS)):
            seen[number // 100] += 1
    # 60 draws of 200 from 1000: 1200 in each tenth, standard deviation below 31
    assert max(abs(count - 1200) for count in seen) < 160


def test_drawing_can_be_stopped(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        random_rows(written(tmp_path / "a.csv", 10), COLUMNS, FileFormat(), stop)


def test_no_cell_shows_in_its_text(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [ping._replace(vehicle=SECRET) for ping in sample_pings()])
    drawn = random_rows(path, ("license_plate", "observationDateTime", "latitude", "longitude", "speed"))
    assert drawn.preview.rows[0][0] == SECRET
    assert SECRET not in repr(drawn)


def test_a_member_of_an_archive_is_drawn_from(tmp_path: Path) -> None:
    inner = written(tmp_path / "a.csv", 3000)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(inner, "in/a.csv")
    drawn = random_rows(tmp_path / "a.zip" / "in" / "a.csv", COLUMNS)
    assert len(set(numbers(drawn))) == PREVIEW_ROWS
    assert drawn.fraction == 1.0
