"""Clean records in memory."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.records import Ping, make_records
from tests.strategies import pings


@given(pings())
def test_records_are_sorted_without_repeats_and_count_themselves(found: list[Ping]) -> None:
    records = make_records(found)
    days = np.repeat(records.days, np.diff(records.first)).tolist()
    keys = list(zip(days, records.vehicle.tolist(), records.instants().tolist(), strict=True))
    assert keys == sorted(set(keys))
    assert len(records) == len(keys)
    assert list(records.vehicles) == sorted(records.vehicles)


@given(pings())
def test_records_show_sizes_only(found: list[Ping]) -> None:
    text = repr(make_records(found))
    assert text.startswith("<confidential Records: ")
    assert "bus" not in text
