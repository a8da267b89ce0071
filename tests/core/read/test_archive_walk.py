"""The data files of an archive, one after another."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.read import set_aside
from core.read.archive_walk import all_data_files_of, data_files_of
from core.read.archives import contents_at_hand
from core.read.input_files import opened
from tests.core.read.test_tar_entries import tar_of

FILES = {"a.csv": b"1", "b.png": b"2", "c/d.csv": b"3"}


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_each_can_be_opened_until_the_next_is_asked_for(kind: str, tmp_path: Path) -> None:
    """And no longer is anything of it in memory."""
    path = tmp_path / "a"
    path.write_bytes(tar_of(FILES | {"e.tar": tar_of(FILES)}))
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in (FILES | {"e.tar": tar_of(FILES)}).items():
                archive.writestr(name, data)
    seen = []
    for file in data_files_of(path, kind):
        with opened(file.path) as stream:
            seen.append((file.path.relative_to(path).as_posix(), stream.read(1)))
        last = file.path
        assert 0.0 <= file.done(0.5) <= 1.0
    assert seen == [("a.csv", b"1"), ("c/d.csv", b"3"), ("e.tar", b"a")]
    assert contents_at_hand(last) is None
    names = [inside.relative_to(path).as_posix() for inside in all_data_files_of(path, kind)]
    assert names == ["a.csv", "c/d.csv", "e.tar/a.csv", "e.tar/c/d.csv"]


@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.parametrize("name", [".", "/", "./", "C:", "././.", ".\\."])
def test_a_member_that_is_the_archive_itself_is_none(kind: str, name: str, tmp_path: Path) -> None:
    """A fuzzer's find: it was looked into for ever, till the stack was full."""
    path = tmp_path / "a"
    path.write_bytes(tar_of({name: b"1", "x.csv": b"2"}))
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, b"1")
            archive.writestr("x.csv", b"2")
    assert [inside.name for inside in all_data_files_of(path, kind)] == ["x.csv"]


def test_where_a_tar_breaks_off_the_file_that_is_cut_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_aside, "MOST_IN_MEMORY", 4)
    path = tmp_path / "a.tar"
    path.write_bytes(tar_of({"a.csv": b"a,b\n1,2\n", "b.csv": b"a,b\n" * 9000})[:9000])
    files = data_files_of(path, "tar")
    assert next(files).path.name == "a.csv"
    with pytest.raises(InputError) as caught:
        next(files)
    assert caught.value.where == str(path)
