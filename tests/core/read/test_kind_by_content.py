"""What kind of file it is by its first bytes."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
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
        (b"<?xml version='1.0'?><!-- a --><!-- b -->\n<Siri>", "siri"),
        (b"<!---->" * 500 + b"<x>", ""),
    ],
    ids=range(17),
)
def test_first_bytes_tell(data: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(data)
    assert kind_by_content(tmp_path / "a") == kind


def test_no_more_of_a_member_is_read_than_tells_the_kind(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", bytes(16 << 20))
    tracemalloc.start()
    try:
        assert kind_by_content(tmp_path / "a") == "zip"
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


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


@pytest.mark.parametrize(
    ("page", "what"),
    [
        (b"\n<!DOCTYPE html>", "web page"),
        (b"<html><body><table>", "web page"),
        (b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook>', "XML spreadsheet"),
        (b'<?xml version="1.0"?>\n<ss:Workbook xmlns:ss="x">', "XML spreadsheet"),
    ],
    ids=range(4),
)
@pytest.mark.parametrize("name", ["a.xls", "a.json", "a.pb", "a.csv"])
def test_a_page_is_called_what_it_is(name: str, page: bytes, what: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(page)
    with pytest.raises(InputError, match=what) as caught:
        reader_for(tmp_path / name)
    assert_tells(caught.value)


@pytest.mark.parametrize("text", ["a\tb\n1\t2\n", "a;b\r\n1;2\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_a_table_of_text_may_be_called_a_workbook(text: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.xls").write_bytes(text.encode(encoding))
    assert reader_for(tmp_path / "a.xls").key == "csv"
