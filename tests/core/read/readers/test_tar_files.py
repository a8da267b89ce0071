"""Tar archives, and archives within archives."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from core.errors import InputError
from core.read.first_file import first_file
from core.read.reader_registry import reader_for
from core.read.readers.tar_files import READER
from core.store.load_records import load_records
from tests.core.read.test_tar_entries import tar_of
from tests.records import (
    COLUMNS,
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


def _csv(start: int, step: int = 2) -> bytes:
    return csv_text(as_rows(PINGS[start::step])).encode()


def _zip(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


DAY = {"day/a.csv": _csv(0), "day/b.json": json.dumps(as_rows(PINGS[1::2])).encode()}


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.tar", bytes),
        ("a.tar.gz", gzip.compress),
        ("a.tgz", gzip.compress),
        ("a.tar.bz2", bz2.compress),
        ("a.tar.xz", lzma.compress),
        ("a.tar.zst", lambda data: pa.compress(data, "zstd", asbytes=True)),
        ("any name", gzip.compress),
    ],
)
def test_a_tar_is_read_however_it_is_packed(
    name: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    others = {
        "README.md": b"#",
        "__MACOSX/._a.csv": b"\0",
        "../../evil.csv": b"x",
        "C:\\..\\e.csv": b"x",
        "g.png": b"\0",
    }
    path = tmp_path / name
    path.write_bytes(pack(tar_of(others | DAY)))
    assert reader_for(path) is READER
    seen: list[float] = []
    loaded = load_records([path], rules(), lambda done, _="": seen.append(done))
    assert_same(loaded.records, make_records(PINGS))
    assert seen == sorted(seen)
    assert set(READER.preview(path).columns) == set(COLUMNS)
    assert first_file([path]) == path / "day/a.csv"
    assert_same(load_records([path / inner for inner in DAY], rules()).records, make_records(PINGS))


INNER = {"zip": _zip(DAY), "tar": tar_of(DAY), "tgz": gzip.compress(tar_of(DAY))}


@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("pack", [_zip, tar_of])
def test_archives_within_an_archive_are_read(pack: Callable[..., bytes], inner: str, tmp_path: Path) -> None:
    """With what lies beside them, such as a workbook, which is a zip archive too."""
    sheet = xlsx({"a": [[*COLUMNS], *(list(row.values()) for row in as_rows(PINGS[:3]))]})
    path = tmp_path / "month"
    path.write_bytes(pack({f"1.{inner}": INNER[inner], "2.xlsx": sheet}))
    assert_same(load_records([path], rules()).records, make_records(PINGS))
    assert first_file([path]) == path / f"1.{inner}" / "day/a.csv"
    assert_same(load_records([first_file([path])], rules()).records, make_records(PINGS[::2]))


def test_no_deeper_archive_is_read(tmp_path: Path) -> None:
    path = tmp_path / "year.zip"
    for pack in (_zip, tar_of):
        for inner, data in INNER.items():
            path.write_bytes(_zip({"month": pack({f"day.{inner}": data})}))
            for _ in range(2):
                with pytest.raises(InputError, match="archive inside an archive") as caught:
                    load_records([path], rules())
                assert_tells(caught.value)
                with pytest.raises(InputError, match="archive inside an archive"):
                    reader_for(first_file([path])).preview(first_file([path]))
                path.write_bytes(_zip({"decade": path.read_bytes()}))


def test_feeds_are_known_by_their_first_bytes_alone(tmp_path: Path) -> None:
    feed = b"\n\r\n\x032.0\x10\0\x18\x80\x9e\x99\xbe\x06"
    path = tmp_path / "a.tar"
    path.write_bytes(
        tar_of({"vehiclepositions-1": feed, "VehiclePositions.pb.2": feed, "x.part": feed, "b.png": b"1"})
    )
    batches = READER.batches(path, ("vehicle.id",))
    empty = [batch.member for batch in batches if batch.without_records]
    assert empty == ["vehiclepositions-1", "VehiclePositions.pb.2"]


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.95])
def test_an_archive_that_is_cut_short_is_refused(keep: float, tmp_path: Path) -> None:
    """But for the zeros behind the mark of its end."""
    for data in (tar_of(DAY).rstrip(b"\0"), gzip.compress(tar_of(DAY))):
        path = tmp_path / "a.tar"
        path.write_bytes(data[: int(len(data) * keep)])
        with pytest.raises(InputError, match="truncated or damaged") as caught:
            load_records([path], rules())
        assert_tells(caught.value)


def test_two_files_of_one_name_and_none_at_all_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    twice = tar_of({"a.csv": _csv(0)})
    for data, what in (
        (twice + twice, "two files with the same name"),
        (tar_of({"a.png": b""}), "no readable file"),
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=what) as caught:
            load_records([path], rules())
        assert_tells(caught.value)
