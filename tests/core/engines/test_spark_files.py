"""What the driver decides of files: how each travels, and which cannot."""

from __future__ import annotations

import codecs
import dataclasses
import gzip
from pathlib import Path

import pytest

from core.engines import spark_files
from core.engines.spark_files import SparkFile, head_of, reading_of
from core.engines.spark_parquet import spark_schema
from core.errors import InputError
from core.read.file_format import FileFormat
from tests.engine_data import dirty_rows, rules, write_rows

LINE = "id,at,lat,lon,kmh\nx,2022-01-03T10:00:00+05:30,21.1,72.8,3\n"
RECORD = '{"id": "x", "at": "2022-01-03T10:00:00+05:30", "lat": 21, "lon": 72, "kmh": 3}\n'


def list_files(path: Path, content: bytes | None = None) -> SparkFile:
    if content is not None:
        path.write_bytes(content)
    return SparkFile(path=f"file:{path}", size=path.stat().st_size, changed=0, key=7)


def test_each_kind_travels_in_its_way(tmp_path: Path) -> None:
    cut = {"a.csv": LINE.encode(), "b.csv": codecs.BOM_UTF8 + LINE.encode(), "c.jsonl": (RECORD * 2).encode()}
    whole = {
        "a.csv.gz": gzip.compress(LINE.encode()),
        "wide.csv": LINE.encode("utf-16"),
        "old.csv": LINE.replace("\n", "\r").encode(),
        "array.json": b"[" + RECORD.encode() + b"]",
        "marked.jsonl": codecs.BOM_UTF8 + RECORD.encode(),
    }
    for name, content in cut.items():
        plan = reading_of((list_files(tmp_path / name, content),), rules(), None)
        assert list(plan.lines) == [7], name
        assert not plan.whole
    for name, content in whole.items():
        plan = reading_of((list_files(tmp_path / name, content),), rules(), None)
        assert [file.name for file in plan.whole] == [name]
        assert not plan.lines
    (path,) = write_rows(tmp_path / "p", dirty_rows(20), "parquet", 1)
    ((carriers, files),) = reading_of((list_files(path),), rules(), None).parquet.items()
    assert spark_schema(carriers).count("string") == 5
    assert files[0].name == path.name


def test_a_file_that_can_neither_be_cut_nor_go_whole_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_files, "MOST_OF_FILE", 10)
    with pytest.raises(InputError, match="more than 2 GiB"):
        reading_of((list_files(tmp_path / "a.csv.gz", gzip.compress(LINE.encode())),), rules(), None)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.csv", b"id,at,lat\nx,1,2\n", "missing"),
        ("a.jsonl", (RECORD + RECORD[:30]).encode(), "is cut off"),
        ("a.parquet", b"PAR1 and no more", "not readable Parquet"),
        ("a.csv", b"", "empty"),
    ],
)
def test_what_the_head_tells_is_refused_at_once(name: str, content: bytes, what: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=what) as refused:
        reading_of((list_files(tmp_path / name, content),), rules(), None)
    assert str(tmp_path / name) in refused.value.where


def test_patterns_in_names_are_escaped_for_spark() -> None:
    file = SparkFile(path="file:/a/[b]{c}*?,.csv", size=1, changed=0, key=1)
    assert file.escaped == r"file:/a/\[b\]\{c\}\*\?\,.csv"
    assert file.shown == "/a/[b]{c}*?,.csv"


def test_what_is_read_of_a_file_here_is_the_file_itself(tmp_path: Path) -> None:
    file = list_files(tmp_path / "a.csv", LINE.encode())
    with head_of(file, None) as path:
        assert path == tmp_path / "a.csv"


def test_an_encoding_that_is_named_goes_whole(tmp_path: Path) -> None:
    how = dataclasses.replace(rules(), format=FileFormat(encoding="cp1252"))
    plan = reading_of((list_files(tmp_path / "a.csv", LINE.encode()),), how, None)
    assert len(plan.whole) == 1
