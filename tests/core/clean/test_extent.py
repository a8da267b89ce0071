"""What records reach over, gathered block by block."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from functools import reduce
from operator import or_

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.extent import extent_of

ORIGIN = 1_635_638_400
"""2021-10-31T00:00:00Z: the clocks of Europe go back, those of St John's a week later."""


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"])
@given(seconds=st.lists(st.integers(-50_000, 1_000_000), min_size=1, max_size=30), cut=st.integers(1, 30))
def test_blocks_together_reach_as_far_as_the_whole(zone: str, seconds: list[int], cut: int) -> None:
    latitude = [second % 900 - 450 for second in seconds]
    longitude = [second % 1700 - 850 for second in seconds]
    columns = np.array([seconds, latitude, longitude], np.int32)
    whole = extent_of(*columns, origin=ORIGIN, zone=zone)
    parts = [columns[:, start : start + cut] for start in range(0, len(seconds), cut)]
    assert reduce(or_, [extent_of(*part, origin=ORIGIN, zone=zone) for part in parts]) == whole
    assert (whole.first, whole.last) == (min(seconds) + ORIGIN, max(seconds) + ORIGIN)
    assert (whole.south, whole.north) == (min(latitude), max(latitude))
    assert (whole.west, whole.east) == (min(longitude), max(longitude))
    place = zoneinfo.ZoneInfo(zone)
    assert whole.hours == {dt.datetime.fromtimestamp(second + ORIGIN, place).hour for second in seconds}
