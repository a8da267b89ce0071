"""Positions as databases, spreadsheets and portals write them: the same point in each notation."""

from __future__ import annotations

import struct

import numpy as np
import pyarrow as pa
import pytest

from core.clean.position_notations import lettered
from core.clean.positions import parse_one_column, parse_two_columns

LON, LAT = 10.75, 59.91
LITTLE = struct.pack("<BIdd", 1, 1, LON, LAT)
EAST_FIRST = (
    *("POINT Z (10.75 59.91 12)", "POINTZ(10.75 59.91 12)", "POINT ZM (10.75 59.91 12 1)"),
    *("SRID=4326;POINT(10.75 59.91)", "MULTIPOINT ((10.75 59.91))", "MULTIPOINT (10.75 59.91)"),
    *('{"type":"Point","coordinates":[10.75,59.91,12]}', '{"coordinates":[[10.75,59.91]]}'),
    *('{"lon":10.75,"lat":59.91}', '{"latitude": "59.91", "longitude": "10.75"}'),
    *(LITTLE.hex(), LITTLE.hex().upper(), "0x" + LITTLE.hex(), "\\x" + LITTLE.hex()),
    struct.pack(">BIdd", 0, 1, LON, LAT).hex(),
    struct.pack("<BIIdd", 1, 0x2000_0001, 4326, LON, LAT).hex(),
    struct.pack("<BIIddd", 1, 0xA000_0001, 4326, LON, LAT, 12.0).hex(),
    struct.pack("<BIddd", 1, 1001, LON, LAT, 12.0).hex(),
)
IN_ORDER = (
    "(10.75, 59.91)",
    "{10.75,59.91}",
    "10.75;59.91",
    "10.75 59.91",
    "10.75, 59.91, 12",
    "[10.75,59.91,0]",
)
NOWHERE = (
    *("LINESTRING(10.75 59.91,10.76 59.92)", "MULTIPOINT ((1 2), (3 4))", "8809e6a5d1fffff", "10,75;59,91"),
    *(struct.pack("<BIdd", 1, 2, LON, LAT).hex(), LITTLE.hex()[:-1], LITTLE.hex()[:-2], "01" * 9),
)


@pytest.mark.parametrize("order", ["lon,lat", "lat,lon"])
def test_standard_forms_are_one_point_whatever_the_order(order: str) -> None:
    read = parse_one_column(pa.array([*EAST_FIRST, None, *NOWHERE]), order)
    assert read.longitude[: len(EAST_FIRST)].tolist() == [LON] * len(EAST_FIRST)
    assert read.latitude[: len(EAST_FIRST)].tolist() == [LAT] * len(EAST_FIRST)
    assert np.isnan(read.latitude[len(EAST_FIRST) :]).all()


def test_two_numbers_follow_the_order() -> None:
    read = parse_one_column(pa.array(IN_ORDER), "lat,lon")
    assert (set(read.latitude.tolist()), set(read.longitude.tolist())) == ({LON}, {LAT})


def test_lists_may_have_a_height() -> None:
    read = parse_one_column(pa.array([[LON, LAT, 12.0], [LON, LAT], [LON]]), "lon,lat")
    assert read.latitude[:2].tolist() == [LAT, LAT]
    assert np.isnan(read.latitude[2])


@pytest.mark.parametrize(
    ("cell", "degrees"),
    [
        *(("59.91N", 59.91), ("59.91 S", -59.91), ("S59.91", -59.91), ("n 59.91", 59.91)),
        *(("59°30'36\"N", 59.51), ("59°30.6'S", -59.51), ("-59° 30′ 36″", -59.51), ("5955.5N", 5955.5)),
        *(("59.91E", None), ("-59.91S", None), ("59°60'N", None), ("59.91", None), ("N", None)),
    ],
)
def test_sides_of_the_world_and_minutes_are_read(cell: str, degrees: float | None) -> None:
    (found,) = lettered(pa.array([cell]), "N", "S").tolist()
    assert found == pytest.approx(degrees) if degrees is not None else np.isnan(found)


def test_letters_are_read_beside_plain_numbers_and_with_decimal_commas() -> None:
    read = parse_two_columns(pa.array(["59,91", "59,91 S"]), pa.array(["10,75W", "10,75"]), ",")
    assert (read.latitude.tolist(), read.longitude.tolist()) == ([59.91, -59.91], [-10.75, 10.75])
