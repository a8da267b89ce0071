"""What kind of file it is by its first bytes."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from core.read.input_files import NoRecord
from core.read.kind_by_content import kind_by_content
from core.read.reader_registry import reader_for
from tests.records import assert_tells, parquet_columns, sample_pings, write_parquet


def _zipped(names: list[str], text: str = "") -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, text)
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"plate,speed\n", ""),
        (b"[plate],speed\n", ""),
        (b' \n[ {"a": 1}]', "json"),
        (b"[]", "json"),
        (b'\xef\xbb\xbf{"a": 1}', "json"),
        ('\ufeff{"a": 1}'.encode("utf-16-le"), "json"),
        (gzip.compress(b'[{"a": 1}]'), "json"),
        (b"PAR1rest", "parquet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "workbook"),
        (_zipped(["xl/workbook.xml"]), "workbook"),
        (_zipped(["mimetype"], "application/vnd.oasis.opendocument.spreadsheet"), "workbook"),
        (_zipped(["mimetype"], "application/epub+zip"), "zip"),
        (_zipped(["a.csv"]), "zip"),
        (b"PK\x03\x04 cut short", "zip"),
        (b"\n\x0d\n\x032.0\x00\x00", "gtfs"),
    ],
    ids=range(15),
)
def test_first_bytes_tell(data: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(data)
    assert kind_by_content(tmp_path / "a") == kind


@pytest.mark.parametrize("data", [b"", gzip.compress(b"")], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.pb", "a.unknown"])
def test_a_file_without_bytes_is_empty_whatever_its_kind(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(NoRecord, match="empty") as caught:
        reader_for(tmp_path / name)
    assert_tells(caught.value)


def test_content_goes_before_the_name(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.csv", parquet_columns(sample_pings()))
    assert reader_for(path).key == "parquet"
    path.write_text('[{"a": 1}]')
    assert reader_for(path).key == "json"
    path.write_text("a\tb\n1\t2\n")
    assert reader_for(path).key == "csv"
