"""Hours of the day that records call for."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Iterable

import pytest

from core.hats.record_hours import hours_of_records, records_by_hour
from core.hats.slots import ALL, SlotLength
from tests.records import Ping, instant, make_records

USUAL = ("09:00", "21:00")


def _alike(hours: Iterable[int], records: int = 100) -> list[int]:
    """As many records in each of these hours, and none in others."""
    found = [0] * 24
    for hour in hours:
        found[hour] = records
    return found


def _besides(hours: dict[int, int], most: Iterable[int]) -> list[int]:
    """A hundred records in most hours, and other numbers in some."""
    found = _alike(most)
    for hour, records in hours.items():
        found[hour] = records
    return found


@pytest.mark.parametrize(
    ("by_hour", "slot_minutes", "hours"),
    [
        pytest.param(_alike(range(24)), 60, ("00:00", "24:00"), id="all day alike"),
        pytest.param(_alike(range(5, 24)), 60, ("05:00", "24:00"), id="buses from early till late"),
        pytest.param(_alike(range(8, 22)), 60, USUAL, id="most in the usual"),
        pytest.param(_alike(range(7, 22)), 60, ("07:00", "22:00"), id="too few in the usual"),
        pytest.param(_alike((10, 11)), 60, USUAL, id="all within the usual"),
        pytest.param(_alike(range(6, 19)), 60, ("06:00", "19:00"), id="earlier, and not to the end"),
        pytest.param(_alike((23,)), 60, ("23:00", "24:00"), id="at night"),
        pytest.param(_alike((3, *range(6, 19))), 30, ("03:00", "19:00"), id="with another of night"),
        pytest.param(_besides({3: 5}, range(6, 19)), 30, ("06:00", "19:00"), id="with a few strays"),
        pytest.param(_besides({0: 7, 23: 6}, range(6, 19)), 60, ("06:00", "19:00"), id="strays: 1 %"),
        pytest.param(_besides({0: 7, 23: 8}, range(6, 19)), 60, ("06:00", "24:00"), id="strays: above 1 %"),
        pytest.param(_alike(range(6, 19)), 240, ("06:00", "22:00"), id="whole slots"),
        pytest.param(_alike((23,)), 240, ("20:00", "24:00"), id="whole slots at the end of the day"),
        pytest.param(_alike(range(6, 19)), ALL, ("06:00", "19:00"), id="one slot"),
    ],
)
def test_hours_are_the_usual_ones_unless_records_lie_elsewhere(
    by_hour: list[int], slot_minutes: SlotLength, hours: tuple[str, str]
) -> None:
    assert hours_of_records(USUAL, by_hour, slot_minutes) == hours


def test_usual_hours_that_begin_within_an_hour_hold_its_rest_only() -> None:
    assert hours_of_records(("09:30", "12:30"), _alike((9, 10, 11, 12)), 60) == ("09:00", "13:00")
    assert hours_of_records(("09:30", "12:30"), _alike((10, 11)), 60) == ("09:30", "12:30")


def test_hours_that_a_person_chose_stay_as_long_as_they_are_filled() -> None:
    morning = ("07:00", "10:00")
    assert hours_of_records(morning, _alike(range(5, 24)), 60, chosen=True) == morning
    assert hours_of_records(morning, _alike(range(8, 20)), 60, chosen=True) == ("08:00", "20:00")


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Europe/London"])
def test_records_are_counted_by_the_hour_on_the_wall(zone: str) -> None:
    """Over a change of the clocks too."""
    start = instant("2022-10-29T20:00:00", zone)
    moments = [start + 600_000 * step for step in range(6 * 40)]
    records = make_records([Ping("bus", moment, 10.0, 10.0, 1.0) for moment in moments], zone=zone)
    expected = [0] * 24
    for moment in moments:
        expected[dt.datetime.fromtimestamp(moment / 1000, tz=zoneinfo.ZoneInfo(zone)).hour] += 1
    assert records_by_hour(records).tolist() == expected
