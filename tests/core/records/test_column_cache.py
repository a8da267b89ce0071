"""Columns beside records: put once, found again."""

from __future__ import annotations

import numpy as np

from core.records.column_cache import MemoryColumnCache


def test_what_was_put_is_found_and_replaced() -> None:
    column_cache = MemoryColumnCache()
    assert column_cache.get("cells-7") is None
    first = {"code": np.arange(3)}
    assert column_cache.put("cells-7", first) is first
    assert column_cache.get("cells-7") is first
    second = {"code": np.arange(4)}
    column_cache.put("cells-7", second)
    assert column_cache.get("cells-7") is second
    assert column_cache.get("cells-8") is None
