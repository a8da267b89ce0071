"""Opening files and naming many of them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.input_files import base_name, opened
from tests.records import assert_tells


def test_plain_and_compressed_files_read_alike(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"some text")
    (tmp_path / "b").write_bytes(gzip.compress(b"some text"))
    for name in "ab":
        with opened(tmp_path / name) as stream:
            assert stream.read(4) == b"some"
            assert stream.read() == b" text"
            assert stream.fraction == 1.0
        assert stream.closed


def test_base_name_tells_the_format() -> None:
    assert base_name(Path("/x/A.CSV.GZ")) == "a.csv"


def test_a_name_too_long_for_the_disk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read") as caught, opened(tmp_path / ("x" * 300)):
        pass
    assert_tells(caught.value)
