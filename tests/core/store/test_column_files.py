"""Flat columns: what was appended is what is mapped."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.store.column_files import (
    ColumnLists,
    ColumnShape,
    ColumnWriter,
    column_path,
    open_column,
    write_column,
)

TYPES = {"code": np.int16, "value": np.int32}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


@given(blocks=st.lists(st.lists(st.integers(0, 9), max_size=5), min_size=1, max_size=5), recode=st.booleans())
def test_files_and_memory_hold_what_was_appended(
    folders: Path, blocks: list[list[int]], recode: bool
) -> None:
    for path in folders.iterdir():
        path.unlink()
    writer, lists = ColumnWriter(folders, TYPES), ColumnLists(TYPES)
    for block in blocks:
        for target in (writer, lists):
            target.append({"code": np.array(block, np.int32), "value": np.array(block, np.int32) * 1000})
    codes = np.arange(9, -1, -1).astype(np.int32)
    if recode:
        writer.recode("code", codes)
        lists.recode("code", codes)
    shapes = writer.sync()
    writer.close()
    entries = [entry for block in blocks for entry in block]
    retained = {name: open_column(column_path(folders, name), shape) for name, shape in shapes.items()}
    for found in (retained, lists.columns()):
        assert found["value"].tolist() == [1000 * entry for entry in entries]
        assert found["code"].tolist() == [9 - entry if recode else entry for entry in entries]
        assert found["code"].dtype == (np.int32 if recode else np.int16)
    assert sorted(path.name for path in folders.iterdir()) == ["code.column", "value.column"]


def test_no_open_file_is_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows refuses to."""
    writer = ColumnWriter(tmp_path, TYPES)
    writer.append({"code": np.zeros(3, np.int16), "value": np.zeros(3, np.int32)})
    opened = writer._files["code"]
    rename = Path.rename

    def watched(path: Path, target: Path) -> Path:
        assert opened.closed
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", watched)
    writer.recode("code", np.array([7], np.int16))
    shapes = writer.sync()
    writer.close()
    assert open_column(column_path(tmp_path, "code"), shapes["code"]).tolist() == [7, 7, 7]


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is mapped cannot be removed there")
def test_a_mapped_column_cannot_be_changed(tmp_path: Path) -> None:
    shape = write_column(tmp_path / "x", np.arange(3))
    column = open_column(tmp_path / "x", shape)
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 1
    (tmp_path / "x").unlink()
    assert column.tolist() == [0, 1, 2]


def test_another_length_is_refused(tmp_path: Path) -> None:
    shape = write_column(tmp_path / "x", np.arange(3))
    with pytest.raises(ValueError, match="length"):
        open_column(tmp_path / "x", ColumnShape(dtype=shape.dtype, length=4))


def test_what_is_not_flat_and_plain_is_refused(tmp_path: Path) -> None:
    for column in (np.zeros((2, 2)), np.array(["a"], object)):
        with pytest.raises(ValueError, match="flat"):
            write_column(tmp_path / "x", column)


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    column_path(tmp_path, "value").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        ColumnWriter(tmp_path, TYPES)
    assert column_path(tmp_path, "value").read_bytes() == b"mine"
