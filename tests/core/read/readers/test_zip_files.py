"""Zip archives: member after member by its own format."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.file_listing import data_files_in
from core.read.reader_registry import reader_for
from core.read.readers.zip_files import READER
from core.store.load_records import load_records
from tests.records import (
    COLUMNS,
    SECRET,
    as_rows,
    assert_same,
    assert_tells,
    csv_text,
    make_records,
    parquet_columns,
    rules,
    sample_pings,
    write_parquet,
)
from tests.workbooks import xlsx

PINGS = sample_pings()


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def _csv(start: int) -> bytes:
    return csv_text(as_rows(PINGS[start::6])).encode()


def test_members_of_any_format_are_one_data_set(tmp_path: Path) -> None:
    table = write_parquet(tmp_path / "x.parquet", parquet_columns(PINGS[2::6]))
    sheet = xlsx({"a": [[*COLUMNS], *(list(row.values()) for row in as_rows(PINGS[3::6]))]})
    path = _zip(
        tmp_path / "a.zip",
        {
            "a/b.csv": _csv(0),
            "README.txt": b"Not a table.",
            "c.json": json.dumps(as_rows(PINGS[1::6])).encode(),
            "d.parquet": table.read_bytes(),
            "e.xlsx": sheet,
            "f.csv.gz": gzip.compress(_csv(4)),
            "__MACOSX/._f.csv": b"\0",
            "g.png": b"\0",
            "h.csv": _csv(5),
        },
    )
    seen: list[float] = []
    loaded = load_records([path], rules(), lambda done, _="": seen.append(done))
    assert_same(loaded.records, make_records(PINGS))
    assert seen == sorted(seen)
    assert set(READER.preview(path).columns) == set(COLUMNS)


def test_one_file_of_any_name_is_read(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"data": json.dumps(as_rows(PINGS)).encode()})
    assert_same(load_records([path], rules()).records, make_records(PINGS))


def test_what_is_wrong_with_a_member_names_it(tmp_path: Path) -> None:
    for name, data, what in (
        ("b.csv", f"plate,speed\n{SECRET},1\n".encode(), "missing"),
        ("b.zip", b"PK\x03\x04" + SECRET.encode(), "truncated or damaged"),
    ):
        path = _zip(tmp_path / "a.zip", {name: data, "c.csv": _csv(0)})
        with pytest.raises(InputError, match=what) as caught:
            load_records([path], rules())
        assert_tells(caught.value)
        assert Path(caught.value.where) == path / name


def test_an_archive_without_data_is_refused(tmp_path: Path) -> None:
    for files in ({}, {"a.png": b"\0", "b.doc": b"\0"}):
        with pytest.raises(InputError, match="no readable file") as caught:
            READER.preview(_zip(tmp_path / "a.zip", files))
        assert_tells(caught.value)


def test_a_timetable_beside_records_is_passed_over(tmp_path: Path) -> None:
    _zip(tmp_path / "gtfs.zip", {"stops.txt": b"stop_id\n1\n", "feed/trips.txt": b"trip_id\n1\n"})
    (tmp_path / "a.csv").write_text(csv_text(as_rows(PINGS)))
    loaded = load_records(data_files_in(tmp_path).files, rules())
    assert_same(loaded.records, make_records(PINGS))
    assert loaded.report.files_empty == 1


@pytest.mark.parametrize("keep", [0.5, 0.95])
def test_an_archive_that_is_cut_short_is_refused(keep: float, tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.csv": _csv(0) * 99})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(InputError, match="truncated or damaged") as caught:
        reader_for(path).preview(path)
    assert_tells(caught.value)


def test_a_member_with_a_changed_byte_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.csv": csv_text(as_rows(PINGS * 400)).encode()})
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(InputError, match="truncated or damaged") as caught:
        load_records([path], rules())
    assert_tells(caught.value)


def test_an_archive_is_listed_no_more_often_for_many_members(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings: list[int] = []
    infolist = zipfile.ZipFile.infolist
    monkeypatch.setattr(zipfile.ZipFile, "infolist", lambda archive: listings.append(1) or infolist(archive))
    counted = []
    for members in (3, 30):
        files = {f"{number:02}.csv": _csv(number % 6) for number in range(members)}
        path = _zip(tmp_path / f"{members}.zip", files)
        listings.clear()
        rows = sum(batch.table.num_rows for batch in READER.batches(path, COLUMNS))
        assert rows == sum(len(_csv(number % 6).splitlines()) - 1 for number in range(members))
        counted.append(len(listings))
    assert counted[0] == counted[1] <= 2


def test_a_zip_that_is_compressed_once_more_is_refused_by_what_it_is(tmp_path: Path) -> None:
    inner = _zip(tmp_path / "inner.zip", {"a.csv": b"a,b\n"})
    (tmp_path / "a.zip.gz").write_bytes(gzip.compress(inner.read_bytes()))
    with pytest.raises(InputError, match="compressed a second time") as caught:
        list(READER.batches(tmp_path / "a.zip.gz", COLUMNS))
    assert_tells(caught.value)
    assert reader_for(tmp_path / "a.zip.gz").key == "zip"
