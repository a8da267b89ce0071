"""core.records.usual_box: a box around nearly all records."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records.records import DEGREE, Records
from core.records.usual_box import MAP_SHARE, usual_box


def placed(count: int) -> Records:
    """So many records of one vehicle, at the equator."""
    nowhere = np.zeros(count, np.int32)
    return Records(
        vehicles=("a",),
        vehicle=np.zeros(count, np.int16),
        second=np.arange(count, dtype=np.int32),
        latitude=nowhere,
        longitude=nowhere,
        value=nowhere,
        days=np.zeros(1, np.int32),
        first=np.array([0, count]),
        zone="UTC",
        upper_bound=65_000,
    )


@given(st.integers(0, 2**32 - 1), st.integers(1, 2_000))
def test_it_holds_the_share_and_is_no_larger_than_all(seed: int, count: int) -> None:
    draw = np.random.default_rng(seed)
    latitude = draw.integers(-90 * DEGREE, 90 * DEGREE, count).astype(np.int32)
    longitude = draw.integers(-180 * DEGREE, 180 * DEGREE, count).astype(np.int32)
    records = dataclasses.replace(placed(count), latitude=latitude, longitude=longitude)
    south, west, north, east = usual_box(records)
    lat, lon = latitude / DEGREE, longitude / DEGREE
    inside = (lat >= south) & (lat <= north) & (lon >= west) & (lon <= east)
    assert inside.mean() >= MAP_SHARE
    assert lat.min() <= south <= north <= lat.max()
    assert lon.min() <= west <= east <= lon.max()


def test_a_stray_record_moves_nothing() -> None:
    records = placed(1_000)
    latitude = np.full(1_000, 30 * DEGREE, np.int32)
    longitude = np.full(1_000, -97 * DEGREE, np.int32)
    latitude[7], longitude[7] = -60 * DEGREE, 170 * DEGREE
    assert usual_box(dataclasses.replace(records, latitude=latitude, longitude=longitude)) == (
        30.0, -97.0, 30.0, -97.0
    )  # fmt: skip
    with pytest.raises(ValueError, match="no record"):
        usual_box(placed(0))


@pytest.mark.parametrize(("count", "strays"), [(100, 1), (399, 1), (1_000, 10), (20_000, 199)])
def test_strays_move_nothing_however_few_records_there_are_and_on_one_side(count: int, strays: int) -> None:
    latitude = np.full(count, 21 * DEGREE, np.int32)
    longitude = np.full(count, 72 * DEGREE, np.int32)
    latitude[1::2] += DEGREE // 10
    latitude[:strays], longitude[:strays] = 55 * DEGREE, 10 * DEGREE
    found = usual_box(dataclasses.replace(placed(count), latitude=latitude, longitude=longitude))
    assert found == (21.0, 72.0, 21.1, 72.0)
