"""core.ingest.format_options: what can be named, and what an encoding makes of letters beyond ASCII."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pytest

from core.errors import InputError
from core.ingest.file_format import FileFormat
from core.ingest.format_options import DELIMITERS, ENCODINGS, non_ascii_lines, options_of
from tests.records import SECRET


def test_every_option_is_a_field_and_every_entry_is_accepted() -> None:
    for kind in ("csv", "json", "parquet", "workbook", "zip"):
        assert set(options_of(kind)) <= set(FileFormat.__dataclass_fields__)
    assert options_of("gtfs") == ()
    for encoding in ENCODINGS:
        assert codecs.lookup(encoding)
        assert FileFormat(encoding=encoding).encoding == encoding
    assert [FileFormat(delimiter=mark).delimiter for mark in DELIMITERS] == list(DELIMITERS)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_lines_beyond_ascii_follow_the_encoding(tmp_path: Path, pack) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(pack("plate,stop\nA,plain\nB,Müllerstraße\n".encode("cp1252")))
    assert non_ascii_lines(path, "cp1252").lines == ("B,Müllerstraße",)
    assert non_ascii_lines(path, "").lines == ("B,M\ufffdllerstra\ufffde",)


def test_only_a_few_lines_and_the_part_that_matters(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("\n".join("x" * 500 + "é" + "y" * 500 for _ in range(9)), encoding="utf-8")
    sample = non_ascii_lines(path, "utf-8")
    assert len(sample.lines) == 3
    assert all("é" in line and len(line) < 130 for line in sample.lines)


def test_plain_text_has_none_and_a_missing_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    assert non_ascii_lines(path, "").lines == ()
    with pytest.raises(InputError):
        non_ascii_lines(tmp_path / "b.csv", "")


def test_no_cell_shows_in_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"é{SECRET}\n", encoding="utf-8")
    assert SECRET not in repr(non_ascii_lines(path, ""))
