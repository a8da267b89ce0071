"""Opening files and naming many of them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from core.errors import InputError
from core.ingest.files import base_name, expand, opened, total_size
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


@pytest.mark.parametrize("text", [b"", b"\xef", b"\xef\xbb", b"ab", b"\xef\xbbx"])
def test_only_a_whole_mark_is_passed_over(text: bytes, tmp_path: Path) -> None:
    for data, expected in ((text, text), (b"\xef\xbb\xbf" + text, text)):
        for packed in (data, gzip.compress(data)):
            (tmp_path / "a").write_bytes(packed)
            with opened(tmp_path / "a") as stream:
                assert stream.read() == expected


def test_base_name_tells_the_format() -> None:
    assert base_name(Path("/x/A.CSV.GZ")) == "a.csv"


def test_globs_and_names_give_each_file_once(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.json"):
        (tmp_path / name).touch()
    found = expand(["b.csv", "*.csv", str(tmp_path / "c.json")], tmp_path)
    assert [path.name for path in found] == ["b.csv", "a.csv", "c.json"]


def test_brackets_in_folders_and_names_are_no_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "days [2016] *"
    folder.mkdir()
    (folder / "a[1].csv").touch()
    (folder / "a1.csv").touch()
    assert [path.name for path in expand(["*.csv"], folder)] == ["a1.csv", "a[1].csv"]
    assert [path.name for path in expand(["a[1].csv"], folder)] == ["a[1].csv"]
    assert [path.name for path in expand(["a[0-9].csv"], folder)] == ["a1.csv"]


@pytest.mark.parametrize("patterns", [[], ["*.nothing"], ["nowhere/*.csv"], ["/nowhere/at/all/*.csv"]])
def test_patterns_without_a_file_are_refused(patterns: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        expand(patterns, tmp_path)
    assert_tells(caught.value)


def test_a_plain_name_is_kept_though_it_is_missing(tmp_path: Path) -> None:
    for name in ("gone.csv", "~nobody-of-that-name/gone.csv"):
        found = expand([name], tmp_path)
        assert len(found) == 1
        with pytest.raises(InputError, match="no such file"):
            total_size(found)


def test_a_name_too_long_for_the_disk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read") as caught:
        total_size([tmp_path / ("x" * 300)])
    assert_tells(caught.value)
