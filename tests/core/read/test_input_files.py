"""Opening files and naming many of them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
from pathlib import Path

import pyarrow as pa
import pytest

from core.errors import InputError
from core.read.input_files import base_name, opened, read_whole
from tests.records import assert_tells


def test_plain_and_compressed_files_read_alike(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"some text")
    (tmp_path / "b").write_bytes(gzip.compress(b"some text"))
    (tmp_path / "c").write_bytes(bz2.compress(b"some text"))
    (tmp_path / "d").write_bytes(lzma.compress(b"some text"))
    (tmp_path / "e").write_bytes(pa.compress(b"some text", "zstd", asbytes=True))
    for name in "abcde":
        with opened(tmp_path / name) as stream:
            assert stream.read(4) == b"some"
            assert stream.read() == b" text"
            assert stream.fraction == 1.0
        assert stream.closed


@pytest.mark.parametrize("packing", ["gzip", "bz2", "lzma", "zstd"])
def test_a_compressed_file_that_breaks_off_or_is_spoilt_is_refused(packing: str, tmp_path: Path) -> None:
    text = random.Random(1).randbytes(5000)
    packers = {"gzip": gzip.compress, "bz2": bz2.compress, "lzma": lzma.compress}
    packed = packers[packing](text) if packing in packers else pa.compress(text, packing, asbytes=True)
    for data in (packed[:-3000], packed[:6] + b"\xff" * 200):
        (tmp_path / "a").write_bytes(data)
        with pytest.raises(InputError, match="truncated or damaged"), opened(tmp_path / "a") as stream:
            stream.read()


@pytest.mark.parametrize("ending", ["GZ", "bz2", "xz", "zst"])
def test_base_name_tells_the_format(ending: str) -> None:
    assert base_name(f"A.CSV.{ending}") == "a.csv"


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
