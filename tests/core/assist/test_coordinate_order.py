"""core.assist.coordinate_order: a swap is advised where it mends something, and only there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assist.coordinate_order import CoordinateCheck, box_around, check_coordinates
from core.clean.mapping import Box, require_box

SURAT = Box(south=21.0, west=72.7, north=21.4, east=73.0)


def checked(*places: tuple[float, float], box: Box | None = None) -> CoordinateCheck:
    return check_coordinates(np.array([p[0] for p in places]), np.array([p[1] for p in places]), box)


def test_good_points_are_drawn_and_need_no_swap() -> None:
    check = checked((21.1, 72.8), (21.5, 72.8), box=SURAT)
    assert (check.rows, check.readable, check.drawn) == (2, 2, 2)
    assert check.inside.tolist() == [True, False]
    assert (check.swap_advised, check.why_none) == ("", "")


def test_points_beyond_the_poles_ask_for_a_swap() -> None:
    check = checked((-97.7, 30.2), (-97.6, 30.3))
    assert (check.drawn, check.on_earth_swapped) == (0, 2)
    assert (check.swap_advised, check.why_none) == ("off_earth", "off_earth")


def test_a_box_that_a_swap_would_fill_asks_for_it() -> None:
    check = checked((72.8, 21.1), (72.9, 21.2), (72.9, 21.5), box=SURAT)
    assert (check.drawn, int(check.inside.sum()), check.inside_swapped) == (3, 0, 2)
    assert check.swap_advised == "box"
    assert checked((72.8, 21.1), (72.9, 21.2)).swap_advised == ""


def test_a_wrong_box_is_no_reason_to_swap() -> None:
    assert checked((10.0, 20.0), (10.1, 20.1), box=SURAT).swap_advised == ""


@pytest.mark.parametrize(
    ("places", "why"),
    [
        ([], "no_rows"),
        ([(np.nan, 72.8)], "unreadable"),
        ([(0.0, 0.0)], "off_earth"),
        ([(99.0, 999.0)], "off_earth"),
    ],
)
def test_why_nothing_is_drawn(places: list[tuple[float, float]], why: str) -> None:
    check = checked(*places)
    assert (check.drawn, check.why_none) == (0, why)
    assert box_around(check) is None


@given(st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=1))
def test_the_box_around_points_holds_them_all_and_is_a_box(places: list[tuple[float, float]]) -> None:
    check = checked(*places)
    box = box_around(check)
    if box is None:
        assert all(place == (0.0, 0.0) for place in places)
        return
    require_box(box)
    again = checked(*places, box=box)
    assert again.inside.all()


def test_no_position_shows_in_its_text() -> None:
    assert "72.8" not in repr(checked((21.1, 72.8)))


def test_a_city_far_from_its_zone_that_a_swap_brings_home_asks_for_it() -> None:
    latitude, longitude = np.array([72.83, 72.84]), np.array([21.17, 21.18])
    exchanged = check_coordinates(latitude, longitude, None, "Asia/Kolkata")
    assert exchanged.swap_advised == "zone"
    assert exchanged.nearest_zones()[0][0].name == "Surat"
    right = check_coordinates(longitude, latitude, None, "Asia/Kolkata")
    assert right.swap_advised == ""
    assert right.nearest_zones()[0][0].name == "Surat"


def test_without_a_zone_too_the_one_that_is_near_is_that_of_home() -> None:
    exchanged = check_coordinates(np.array([72.83, 72.84]), np.array([21.17, 21.18]), None)
    assert (exchanged.swap_advised, exchanged.home_if_swapped) == ("", "Surat")
    assert exchanged.nearest_zones()[0][0].zone == "Asia/Kolkata"


@pytest.mark.parametrize("zone", ["", "UTC", "Asia/Bangkok", "Europe/London"])
def test_a_zone_that_neither_order_comes_near_to_is_no_reason_to_swap(zone: str) -> None:
    check = check_coordinates(np.array([48.1]), np.array([-11.6]), None, zone)
    assert check.swap_advised == ""
    assert check_coordinates(np.array([np.nan]), np.array([1.0]), None, zone).nearest_zones() == ()


@pytest.mark.parametrize(
    ("zone", "beyond"), [("Asia/Kolkata", True), ("America/Sao_Paulo", False), ("UTC", False), ("", False)]
)
def test_a_zone_of_another_city_is_noticed(zone: str, beyond: bool) -> None:
    check = check_coordinates(np.array([-23.55]), np.array([-46.63]), None, zone)
    assert (check.beyond_zone, check.swap_advised) == (beyond, "")
    assert check.nearest_zones()[0][0].zone == "America/Sao_Paulo"


def test_exchanged_positions_are_not_said_to_be_of_another_zone_too() -> None:
    assert not check_coordinates(np.array([72.83]), np.array([21.17]), None, "Asia/Kolkata").beyond_zone
