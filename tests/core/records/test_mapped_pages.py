"""Pages that a pass is done with are no part of resident memory any more, and come back unchanged."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from core.records.mapped_pages import let_go
from core.store.column_files import open_column, write_column

ENTRIES = 1 << 20


def resident(path: Path) -> int:
    """Bytes of a mapped file that are in memory."""
    mappings = Path("/proc/self/smaps").read_text().split(f"{path}\n")[1:]
    return sum(int(mapping.split("Rss:")[1].split()[0]) * 1024 for mapping in mappings)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident of a file")
def test_pages_are_given_back_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.column"
    column = open_column(path, write_column(path, np.arange(ENTRIES, dtype=np.int32)))
    whole = int(column.sum())
    assert resident(path) == column.nbytes
    let_go(slice(0, ENTRIES // 2), column)
    assert resident(path) == column.nbytes // 2
    let_go(slice(ENTRIES // 2 + 1, ENTRIES), column)
    assert resident(path) == 0  # of a page that two parts share too
    assert int(column.sum()) == whole


def test_columns_in_memory_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.column"
    column = open_column(path, write_column(path, np.arange(9)), mapped=False)
    let_go(slice(0, 9), column, column[2:], np.arange(9))
    assert column.tolist() == list(range(9))
