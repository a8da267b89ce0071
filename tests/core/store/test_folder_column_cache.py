"""A column_cache on disk: found again later, and never in the way."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from core.store.folder_column_cache import FolderColumnCache
from tests.records import settle

GROUP = {"code": np.arange(5, dtype=np.int16), "cells": np.array([2**63], np.uint64), "none": np.zeros(0)}


def _assert_group(found: object, group: dict[str, np.ndarray] = GROUP) -> None:
    assert isinstance(found, dict)
    assert list(found) == list(group)
    for name, column in group.items():
        assert found[name].dtype == column.dtype
        assert found[name].tolist() == column.tolist()


def test_what_was_put_is_found_at_once_and_by_a_later_shelf(tmp_path: Path) -> None:
    column_cache = FolderColumnCache(tmp_path / "shelf")
    assert column_cache.get("cells-7") is None
    _assert_group(column_cache.put("cells-7", GROUP))
    _assert_group(column_cache.get("cells-7"))
    settle()
    _assert_group(FolderColumnCache(tmp_path / "shelf").get("cells-7"))


def test_a_later_group_replaces_an_earlier_one_and_no_other(tmp_path: Path) -> None:
    column_cache = FolderColumnCache(tmp_path)
    other = {"code": np.arange(2)}
    for name in ("cells", "cells.7", "../cells", "cells/7"):
        column_cache.put(name, GROUP)
        settle()
    column_cache.put("cells", other)
    settle()
    later = FolderColumnCache(tmp_path)
    _assert_group(later.get("cells"), other)
    for name in ("cells.7", "../cells", "cells/7"):
        _assert_group(later.get(name))
    assert len(list(tmp_path.glob("*.column"))) == 1 + 3 * 3
    assert all(path.parent == tmp_path for path in tmp_path.rglob("*"))


@pytest.mark.parametrize("harm", ["index", "column", "missing"])
def test_a_damaged_group_is_none(tmp_path: Path, harm: str) -> None:
    FolderColumnCache(tmp_path).put("cells", GROUP)
    settle()
    if harm == "index":
        (tmp_path / "cells.group.json").write_bytes(b"[1")
    for path in tmp_path.glob("*.column"):
        if harm == "column":
            path.write_bytes(b"x")
        elif harm == "missing":
            path.unlink()
    assert FolderColumnCache(tmp_path).get("cells") is None


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is mapped cannot be removed there")
def test_without_its_folder_a_shelf_keeps_in_memory(tmp_path: Path) -> None:
    gone = FolderColumnCache(tmp_path / "gone" / "shelf")
    _assert_group(gone.put("cells", GROUP))
    _assert_group(gone.get("cells"))
    folder = tmp_path / "shelf"
    column_cache = FolderColumnCache(folder)
    column_cache.put("cells", GROUP)
    settle()
    shutil.rmtree(folder)
    _assert_group(column_cache.get("cells"))
    assert column_cache.get("others") is None


def test_what_no_file_can_hold_stays_in_memory(tmp_path: Path) -> None:
    column_cache = FolderColumnCache(tmp_path)
    flat = {"square": np.zeros((2, 2))}
    assert column_cache.put("flat", flat) is flat
    assert column_cache.get("flat") is flat
