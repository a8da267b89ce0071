"""A table is deleted as a whole, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.contributions.delete import delete_table, files_to_delete
from core.contributions.file_write import write_contributions, write_partitioned
from core.errors import InputError
from tests.contribution_files import small_table

BESIDE = (
    "_SUCCESS",
    "._SUCCESS.crc",
    "_metadata",
    "_common_metadata",
    "_committed_91",
    "_committed_vacuum91",
    "_started_91",
)


@pytest.mark.parametrize("passphrase", [None, "correct horse battery"])
def test_a_file_and_a_folder_are_gone(tmp_path: Path, passphrase: str | None) -> None:
    """With what engines leave in a folder, and nothing beside it."""
    write_contributions(small_table(), tmp_path / "table.parquet", passphrase=passphrase)
    write_partitioned(small_table(), tmp_path / "table", ("resolution", "date"), passphrase=passphrase)
    part = next((tmp_path / "table").rglob("*.parquet"))
    for folder in (tmp_path / "table", part.parent):
        for name in BESIDE:
            (folder / name).write_bytes(b"")
    part.with_name(f".{part.name}.crc").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert len(files_to_delete(tmp_path / "table")) == 2
    for name in ("table", "table.parquet"):
        delete_table(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_what_is_no_table_stays(tmp_path: Path) -> None:
    """Other Parquet, damaged files, folders with more, and what is not there."""
    write_partitioned(small_table(), tmp_path / "table", ("date",))
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1 damaged")
    (tmp_path / "foreign.parquet").write_bytes(b"PARE of somebody else PARE")
    (tmp_path / "empty").mkdir()
    (tmp_path / "table" / "notes.txt").write_text("mine", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    for name, what in (
        ("table", "more than a contribution table"),
        ("damaged.parquet", "not a contribution table"),
        ("foreign.parquet", "not a contribution table"),
        ("empty", "no part"),
        ("absent", "no such file"),
    ):
        with pytest.raises(InputError, match=what):
            delete_table(tmp_path / name)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "name",
    [
        ".git/config",
        "_keep/thesis.txt",
        "_notes",
        "_SUCCESS.txt",
        "_committed_plans",
        ".thesis.crc",
        ".part-9.parquet.crc",
        "_SUCCESS/thesis.txt",
        "date=2022-01-03/_temporary/thesis.txt",
    ],
)
def test_whatever_is_not_of_the_table_refuses_the_whole(tmp_path: Path, name: str) -> None:
    """A name that begins as those of engines do makes nothing the program's."""
    write_partitioned(small_table(), tmp_path / "table", ("date",))
    foreign = tmp_path / "table" / name
    foreign.parent.mkdir(parents=True, exist_ok=True)
    foreign.write_text("mine", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match="more than a contribution table") as caught:
        delete_table(tmp_path / "table")
    assert Path(caught.value.where) in (foreign, foreign.parent)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.name == "nt", reason="symbolic links")
def test_an_empty_folder_and_links_within_refuse_the_whole(tmp_path: Path) -> None:
    """What a link leads to would be counted among the parts, and stay."""
    write_partitioned(small_table(), tmp_path / "table", ("date",))
    write_partitioned(small_table(), tmp_path / "other", ("date",))
    for make in (
        lambda path: path.mkdir(),
        lambda path: path.symlink_to(tmp_path / "other"),
        lambda path: path.symlink_to(next((tmp_path / "other").rglob("*.parquet"))),
    ):
        strange = tmp_path / "table" / "more.parquet"
        make(strange)
        with pytest.raises(InputError, match="more than a contribution table") as caught:
            delete_table(tmp_path / "table")
        assert caught.value.where == str(strange)
        strange.unlink() if strange.is_symlink() else strange.rmdir()


def test_what_comes_in_between_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_partitioned(small_table(), tmp_path / "table", ("date",))
    date = next((tmp_path / "table").glob("date=*")).name
    rename = Path.rename

    def slow(path: Path, to: Path) -> Path:
        (path / date / "thesis.txt").write_text("mine", encoding="utf-8")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", slow)
    with pytest.raises(InputError, match="cannot be deleted: Directory not empty") as caught:
        delete_table(tmp_path / "table")
    assert caught.value.where == str(tmp_path / "table")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [
        tmp_path / "table" / date / "thesis.txt"
    ]


@pytest.mark.skipif(os.name == "nt", reason="symbolic links")
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    write_contributions(small_table(), tmp_path / "table.parquet")
    (tmp_path / "link").symlink_to(tmp_path / "table.parquet")
    with pytest.raises(InputError, match="a link"):
        delete_table(tmp_path / "link")
    assert (tmp_path / "table.parquet").exists()


def test_a_table_that_cannot_be_removed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Path, __: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    write_contributions(small_table(), tmp_path / "table.parquet")
    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(InputError, match="cannot be deleted: Permission denied") as caught:
        delete_table(tmp_path / "table.parquet")
    assert caught.value.where == str(tmp_path / "table.parquet")
    assert (tmp_path / "table.parquet").exists()
