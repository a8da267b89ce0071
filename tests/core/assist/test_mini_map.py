"""core.assist.mini_map: everything fits into the picture, at one scale in both directions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assist.mini_map import KM_PER_DEGREE, degrees_text, fit_map, graticule
from core.clean.mapping import Box

LATITUDES = st.floats(-80, 80)
LONGITUDES = st.floats(-179, 179)


@given(st.lists(st.tuples(LATITUDES, LONGITUDES), min_size=1), st.integers(150, 900), st.integers(120, 700))
def test_every_point_lies_inside_at_one_scale(
    places: list[tuple[float, float]], width: int, height: int
) -> None:
    latitude, longitude = (np.array(axis) for axis in zip(*places, strict=True))
    shown = fit_map(latitude, longitude, None, width, height)
    x, y = shown.place(latitude, longitude)
    assert ((x > 0) & (x < width) & (y > 0) & (y < height)).all()
    middle = math.radians((shown.south + shown.north) / 2)
    down = (shown.north - shown.south) / height
    across = (shown.east - shown.west) * max(math.cos(middle), 0.05) / width
    assert across == pytest.approx(down, rel=1e-6)


def test_north_is_up_and_east_is_right() -> None:
    shown = fit_map(np.array([21.0, 21.4]), np.array([72.7, 73.0]), None, 300, 200)
    x, y = shown.place(np.array([21.0, 21.4]), np.array([72.7, 73.0]))
    assert x[0] < x[1]
    assert y[0] > y[1]


def test_the_box_is_shown_whole_and_nothing_is_the_earth() -> None:
    box = Box(south=10, west=20, north=30, east=60)
    shown = fit_map(np.array([21.0]), np.array([40.0]), box, 300, 200)
    assert shown.south < 10 < 30 < shown.north
    assert shown.west < 20 < 60 < shown.east
    empty = fit_map(np.array([]), np.array([]), None, 300, 200)
    assert empty.west <= -180 < 180 <= empty.east


def test_the_scale_bar_is_round_and_as_long_as_it_says() -> None:
    shown = fit_map(np.array([30.0, 30.2]), np.array([-97.9, -97.6]), None, 400, 300)
    km, pixels = shown.scale_bar
    assert km in (1, 2, 5, 10, 20)
    degrees = km / (KM_PER_DEGREE * math.cos(math.radians((shown.south + shown.north) / 2)))
    x, _ = shown.place(30.0, np.array([shown.west, shown.west + degrees]))
    assert x[1] - x[0] == pytest.approx(pixels)
    assert pixels < 400 / 2


@given(st.floats(-180, 179), st.floats(0.005, 300))
def test_the_graticule_is_few_round_degrees_in_order(low: float, span: float) -> None:
    lines = graticule(low, low + span)
    assert 1 <= len(lines) <= 5
    assert list(lines) == sorted(set(lines))
    assert all(low < line < low + span for line in lines)


@pytest.mark.parametrize(
    ("degrees", "text"), [(72.5, "72.5° E"), (-97.75, "97.75° W"), (0.0, "0°"), (10.0, "10° E")]
)
def test_degrees_are_short(degrees: float, text: str) -> None:
    assert degrees_text(degrees, "E", "W") == text
