"""Opening files and naming many of them."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from core.errors import InputError
from core.read.input_files import base_name, opened, read_whole
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
    with (
        pytest.raises(InputError, match=r"cannot be read|no such file") as caught,
        opened(tmp_path / ("x" * 300)),
    ):
        pass
    assert_tells(caught.value)


def test_what_cannot_be_read_in_pieces_has_a_limit_unpacked(tmp_path: Path) -> None:
    """A packed file of some kilobytes can hold gigabytes."""
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(100_000)))
    with opened(tmp_path / "a.gz") as stream:
        assert read_whole(stream, tmp_path / "a.gz", most=100_000) == bytes(100_000)
    with pytest.raises(InputError, match="MiB unpacked") as caught, opened(tmp_path / "a.gz") as stream:
        read_whole(stream, tmp_path / "a.gz", most=99_999)
    assert_tells(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices of POSIX")
def test_a_pipe_or_a_device_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.csv")
    for path in (tmp_path / "a.csv", Path(os.devnull)):
        with pytest.raises(InputError, match="pipe or a device") as caught, opened(path):
            pass
        assert_tells(caught.value)
