"""Columns beside records: put once, found again."""

from __future__ import annotations

import numpy as np

from core.ingest.shelf import MemoryShelf


def test_what_was_put_is_found_and_replaced() -> None:
    shelf = MemoryShelf()
    assert shelf.get("cells-7") is None
    first = {"code": np.arange(3)}
    assert shelf.put("cells-7", first) is first
    assert shelf.get("cells-7") is first
    second = {"code": np.arange(4)}
    shelf.put("cells-7", second)
    assert shelf.get("cells-7") is second
    assert shelf.get("cells-8") is None
