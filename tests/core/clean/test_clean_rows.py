"""Some rows cleaned: which come together decides nothing, and what all decide together is told."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from core.clean.clean_rows import CleanRows, clean_rows
from core.errors import InputError
from core.records.zones import outermost
from tests.engine_data import NAMES, ZONE, Row, dirty_rows, rules

NOW = 1_700_000_000_000


def _clean(rows: list[Row], zone: str | None = ZONE) -> CleanRows:
    columns = dict(zip(NAMES, zip(*rows, strict=True), strict=True))
    table = pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})
    return clean_rows(table, rules(zone=zone), ZONE, NOW)


def test_rows_one_by_one_come_to_the_same() -> None:
    rows = dirty_rows(200)
    whole, single = _clean(rows), [_clean([row]) for row in rows]
    for name in ("instant", "latitude", "longitude", "value"):
        parts = np.concatenate([getattr(one.batch, name) for one in single])
        np.testing.assert_array_equal(parts, getattr(whole.batch, name))
    np.testing.assert_array_equal(np.concatenate([one.day for one in single]), whole.day)
    assert sum(one.batch.clamped for one in single) == whole.batch.clamped
    for reason, count in whole.batch.dropped.items():
        assert sum(one.batch.dropped[reason] for one in single) == count
    assert outermost(frozenset().union(*(one.offsets for one in single))) == whole.offsets
    assert whole.next_ms == min(one.next_ms for one in single if one.next_ms is not None)


def test_a_clock_in_no_zone_is_refused() -> None:
    row = ("x", "2022-01-03T10:00:00", "21.1", "72.8", "3")
    assert _clean([row]).batch.instant.size == 1
    with pytest.raises(InputError, match="zone must be named"):
        _clean([row], zone=None)
