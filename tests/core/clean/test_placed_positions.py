"""Positions in parts of a degree, with minutes, and in metres."""

from __future__ import annotations

import numpy as np
import pytest

from core.clean.placed_positions import placed, require_placing
from core.clean.positions import ParsedPositions
from core.errors import InputError


def at(latitude: float, longitude: float) -> ParsedPositions:
    pair = np.array([[latitude, np.nan], [longitude, 1.0]])
    return ParsedPositions(latitude=pair[0], longitude=pair[1], present=np.ones(2, bool))


@pytest.mark.parametrize(
    ("unit", "latitude", "longitude"),
    [("degrees", 59.91, -10.75), ("1e-6", 59_910_000, -10_750_000), ("1e-7", 599_100_000, -107_500_000)],
)
def test_parts_of_a_degree_are_counted(unit: str, latitude: float, longitude: float) -> None:
    read = placed(at(latitude, longitude), unit, "EPSG:4326")
    assert (read.latitude[0], read.longitude[0]) == pytest.approx((59.91, -10.75), abs=1e-12)
    assert np.isnan(read.latitude[1])


def test_minutes_stand_behind_degrees_and_are_below_60() -> None:
    read = placed(at(5954.6, -1045.0), "ddmm", "")
    assert (read.latitude[0], read.longitude[0]) == pytest.approx((59.91, -10.75), abs=1e-12)
    assert np.isnan(placed(at(5960.0, 0.0), "ddmm", "").latitude[0])


def test_metres_are_placed_by_their_system_east_before_north() -> None:
    read = placed(at(6_644_474.2034, 597_084.9769), "degrees", "EPSG:25832")
    assert (read.latitude[0], read.longitude[0]) == pytest.approx((59.926275, 10.73684), abs=1e-8)
    assert np.isnan(read.latitude[1])
    assert np.isnan(read.longitude[1])


@pytest.mark.parametrize(
    ("unit", "crs", "key"),
    [("1e-5", "", "position_unit"), ("degrees", "UTM 32N", "crs"), ("degrees", "EPSG:9", "crs")],
)
def test_what_is_no_unit_and_no_code_is_refused(unit: str, crs: str, key: str) -> None:
    with pytest.raises(InputError) as caught:
        require_placing(unit, crs)
    assert caught.value.where == f"data.mapping.{key}"


def test_a_system_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError):
        placed(at(1.0, 2.0), "degrees", "EPSG:99999")
