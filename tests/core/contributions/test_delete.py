"""A table is deleted as a whole, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.contributions.delete import delete_table, files_to_delete
from core.contributions.file_write import write_contributions, write_partitioned
from core.errors import InputError
from tests.contribution_files import small_table


@pytest.mark.parametrize("passphrase", [None, "correct horse battery"])
def test_a_file_and_a_folder_are_gone(tmp_path: Path, passphrase: str | None) -> None:
    """With what engines leave in a folder, and nothing beside it."""
    write_contributions(small_table(), tmp_path / "table.parquet", passphrase=passphrase)
    write_partitioned(small_table(), tmp_path / "table", ("resolution", "date"), passphrase=passphrase)
    (tmp_path / "table" / "_SUCCESS").write_bytes(b"")
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
        ("damaged.parquet", "no contribution table"),
        ("foreign.parquet", "no contribution table"),
        ("empty", "no part"),
        ("absent", "no such file"),
    ):
        with pytest.raises(InputError, match=what):
            delete_table(tmp_path / name)
    assert sorted(tmp_path.rglob("*")) == before


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
