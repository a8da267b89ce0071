"""Pings of one day, as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.synthesize.fleet import make_fleet
from core.synthesize.pings import one_day
from core.synthesize.routes import make_routes

COUNTS = np.array([0, 40, 800, 2500])


def _day(seed: int) -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(seed)
    routes, fleet = make_routes(rng), make_fleet(rng, COUNTS.size)
    return one_day(rng, fleet=fleet, routes=routes, counts=COUNTS, interval=12)


@pytest.fixture(scope="module")
def day() -> dict[str, NDArray[Any]]:
    return _day(1)


def test_every_bus_sends_its_number_of_pings(day: dict[str, NDArray[Any]]) -> None:
    assert {column.shape for column in day.values()} == {(COUNTS.sum(),)}
    assert np.bincount(day["vehicle"], minlength=COUNTS.size).tolist() == COUNTS.tolist()


def test_pings_come_in_time_order_and_one_at_a_time(day: dict[str, NDArray[Any]]) -> None:
    assert (np.diff(day["second"]) >= 0).all()
    assert np.unique(day["vehicle"] * 100_000 + day["second"]).size == COUNTS.sum()


def test_a_trip_began_before_its_pings_and_the_last_stop_too(day: dict[str, NDArray[Any]]) -> None:
    assert (day["trip_start"] <= day["second"]).all()
    assert (day["arrival"] < day["second"]).all()


def test_speeds_have_one_decimal_and_the_rush_hours_are_slower(day: dict[str, NDArray[Any]]) -> None:
    speed = day["speed"]
    assert (np.round(speed, 1) == speed).all()
    assert 0 <= speed.min() <= speed.max() <= 65
    hour, moving = day["second"] // 3600, speed > 0
    rush, noon = (speed[moving & (hour == at)].mean() for at in (18, 13))
    assert rush < noon


def test_another_seed_is_another_day(day: dict[str, NDArray[Any]]) -> None:
    again, other = _day(1), _day(2)
    assert all((again[name] == day[name]).all() for name in day)
    assert (other["lat"] != day["lat"]).any()
