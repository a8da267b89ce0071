"""Trips of a timetable: who drives them, and where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.prior.timetable_trips import trips_of
from core.read.gtfs_tables import GtfsTables
from tests.timetables import write_timetable


def test_trips_of_a_block_have_one_vehicle(tmp_path: Path) -> None:
    first, second, third = trips_of(GtfsTables(write_timetable(tmp_path)))
    assert first.vehicle == second.vehicle != third.vehicle
    assert {first.service, second.service, third.service} == {"week"}
    assert third.second.tolist() == [34_200, 34_200, 37_800, 37_800], "calls in order of their sequence"


def test_a_trip_is_no_block_of_the_same_name(tmp_path: Path) -> None:
    text = "service_id,trip_id,block_id\nweek,a,c\nweek,c,\n"
    one, other = trips_of(GtfsTables(write_timetable(tmp_path, trips=text)))
    assert one.vehicle != other.vehicle


def test_a_vehicle_drives_straight_on_and_waits_at_stops(tmp_path: Path) -> None:
    times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    times += "a,09:00:00,09:10:00,s0,1\na,09:20:00,09:30:00,s1,2\n"
    (trip,) = trips_of(GtfsTables(write_timetable(tmp_path, stop_times=times)))
    latitude, _ = trip.positions(np.array([32_400, 33_000, 33_300, 33_600, 34_200]))
    assert latitude[0] == latitude[1]
    assert latitude[3] == latitude[4]
    assert latitude[2] == pytest.approx((latitude[0] + latitude[4]) / 2)


def test_trips_without_two_times_are_none(tmp_path: Path) -> None:
    times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\na,,,s0,1\nb,,,s0,1\nb,,,s0,2\n"
    assert trips_of(GtfsTables(write_timetable(tmp_path, stop_times=times))) == []
