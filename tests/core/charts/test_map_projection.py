"""A city on paper: north is up, a kilometre is as long in every direction, the date line is no wall."""

from __future__ import annotations

import math

import pytest

from core.charts.map_projection import CityProjection

BOX = (10.0, 20.0, 400.0, 300.0)
RING = ((60.0, 24.0), (60.1, 24.0), (60.1, 24.3), (60.0, 24.3))


def test_north_is_up_and_all_of_it_lies_in_the_box() -> None:
    points = CityProjection.of([RING], BOX).ring(RING)
    assert points[1][1] < points[0][1]
    assert points[2][0] > points[1][0]
    for x, y in points:
        assert 10.0 < x < 410.0
        assert 20.0 < y < 320.0


def test_a_kilometre_is_as_long_in_every_direction() -> None:
    place = CityProjection.of([RING], BOX)
    middle, north, east = place.at(60.05, 24.15), place.at(60.06, 24.15), place.at(60.05, 24.15 + 0.02)
    # at 60 degrees a degree of longitude is half as long
    assert math.dist(middle, east) == pytest.approx(math.dist(middle, north), rel=0.01)


def test_longitudes_go_on_beyond_the_date_line() -> None:
    ring = ((0.0, 179.9), (0.1, 179.9), (0.1, -179.9), (0.0, -179.9))
    points = CityProjection.of([ring], BOX).ring(ring)
    assert points[2][0] > points[1][0]
    assert points[2][0] - points[1][0] == pytest.approx(2 * (points[0][1] - points[1][1]), rel=1e-6)
