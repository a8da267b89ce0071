"""What the numbers of positions count is proposed by names and places, and left open in doubt."""

from __future__ import annotations

import pyarrow as pa
import pytest

from core.assist.position_units import position_order, position_unit
from core.clean.positions import parse_two_columns

PLAIN = ("lat", "lon")


@pytest.mark.parametrize(
    ("names", "latitude", "longitude", "unit"),
    [
        (PLAIN, "59.91", "10.75", "degrees"),
        (("latitudee7", "longitudee7"), "599262750", "107368400", "1e-7"),
        (PLAIN, "599262750", "107368400", "1e-7"),
        (PLAIN, "5955.5765", "01044.2104", "ddmm"),
        (PLAIN, "5955.5765N", "01044.2104E", "ddmm"),
        (PLAIN, "59926275", "10736840", None),
        (PLAIN, "6644311.4", "596276.2", None),
        (PLAIN, "6644311", "596276", None),
        (PLAIN, "", "", "degrees"),
    ],
)
def test_the_reading_that_lies_near_a_place_is_proposed(
    names: tuple[str, str], latitude: str, longitude: str, unit: str | None
) -> None:
    cells = (pa.array([cell] * 3, pa.string()) for cell in (latitude, longitude))
    assert position_unit(names, parse_two_columns(*cells, ".")).choice == unit


@pytest.mark.parametrize(
    ("name", "cells", "order"),
    [
        ("geopoint2d", ["59.91, 10.75"], "lat,lon"),
        ("latlng", [], "lat,lon"),
        ("location", ["(59.91, 10.75)", ""], "lat,lon"),
        ("location", ["(10.75,59.91)"], "lon,lat"),
        ("platlong1", ["59.91, 10.75"], "lon,lat"),
    ],
)
def test_names_and_parentheses_tell_the_order(name: str, cells: list[str], order: str) -> None:
    assert position_order(name, cells) == order
