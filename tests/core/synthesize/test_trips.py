"""Trips of a day: all pings, bus by bus, one after the other within a shift."""

from __future__ import annotations

import numpy as np
import pytest

from core.synthesize.service_hours import DAY_END, DAY_START, SHIFT_JITTER
from core.synthesize.trips import Trips, make_trips

COUNTS = np.array([0, 1, 500, 3000])
INTERVAL = 12


@pytest.fixture
def trips() -> Trips:
    return make_trips(np.random.default_rng(1), COUNTS, INTERVAL)


def test_trips_hold_every_ping(trips: Trips) -> None:
    assert np.bincount(trips.vehicle, trips.pings, COUNTS.size).tolist() == COUNTS.tolist()
    assert trips.pings.min() > 0


def test_no_trip_lasts_much_longer_than_half_an_hour(trips: Trips) -> None:
    assert (trips.pings * INTERVAL).max() <= 1800


def test_a_bus_makes_one_trip_at_a_time_within_its_shift(trips: Trips) -> None:
    end = trips.start + trips.pings * INTERVAL
    same = trips.vehicle[1:] == trips.vehicle[:-1]
    assert (trips.start[1:][same] >= end[:-1][same]).all()
    assert trips.start.min() >= DAY_START - SHIFT_JITTER
    assert end.max() <= DAY_END + SHIFT_JITTER
