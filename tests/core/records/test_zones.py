"""Zones: known names, suggestions from offsets, and the local clock."""

from __future__ import annotations

import datetime as dt
import zoneinfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.records.zones import (
    DAY_MS,
    PREFERRED,
    known_zones,
    local_days_and_ms,
    offsets_of,
    outermost,
    require_zone,
    suggest_zone,
)
from tests.records import assert_tells, instant

NEW_YEAR = instant("2022-01-01T00:00:00Z")
SUMMER = instant("2022-07-01T00:00:00Z")


@pytest.mark.parametrize("name", [*PREFERRED, "UTC", "Etc/GMT+5"])
def test_known_zones_are_accepted(name: str) -> None:
    assert require_zone(name) == name


def test_every_known_zone_can_be_computed_with() -> None:
    for name in known_zones():
        assert local_days_and_ms(np.array([NEW_YEAR]), name)[0].size == 1


@pytest.mark.parametrize(
    ("offsets", "zone"),
    [
        ([(330, NEW_YEAR)], "Asia/Kolkata"),
        ([(420, NEW_YEAR)], "Asia/Bangkok"),
        ([(-360, NEW_YEAR), (-300, SUMMER)], "America/Chicago"),
        ([(0, NEW_YEAR), (60, SUMMER)], "Europe/London"),
        ([(345, NEW_YEAR)], "Asia/Kathmandu"),
    ],
)
def test_offsets_suggest_a_zone_that_people_know(offsets: list[tuple[int, int]], zone: str) -> None:
    assert suggest_zone(offsets) == zone
    assert suggest_zone(reversed(offsets)) == zone


@pytest.mark.parametrize(
    "offsets", [[], [(0, NEW_YEAR)], [(337, NEW_YEAR)], [(330, NEW_YEAR), (60, NEW_YEAR)]]
)
def test_offsets_that_suggest_nothing_are_refused(offsets: list[tuple[int, int]]) -> None:
    with pytest.raises(InputError) as caught:
        suggest_zone(offsets)
    assert_tells(caught.value)


@given(
    st.datetimes(dt.datetime(2000, 1, 1), dt.datetime(2030, 1, 1)),  # noqa: DTZ001 - made UTC below
    st.sampled_from(PREFERRED),
)
def test_the_local_clock_is_that_of_the_standard_library(moment: dt.datetime, zone: str) -> None:
    moment = moment.replace(tzinfo=dt.UTC, microsecond=0)
    local = moment.astimezone(zoneinfo.ZoneInfo(zone))
    days, ms = local_days_and_ms(np.array([int(moment.timestamp() * 1000)]), zone)
    assert days.tolist() == [local.toordinal() - dt.date(1970, 1, 1).toordinal()]
    assert ms.tolist() == [(local.hour * 3600 + local.minute * 60 + local.second) * 1000]


def test_times_before_1970_have_a_day_too() -> None:
    days, ms = local_days_and_ms(np.array([-1]), "UTC")
    assert (days.tolist(), ms.tolist()) == ([-1], [DAY_MS - 1])


ODD_ZONES = (
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "America/Caracas",
    "Asia/Kathmandu",
    "America/St_Johns",
    "Asia/Pyongyang",
    "Pacific/Apia",
    "UTC",
)
MOMENTS = st.integers(instant("1990-01-01T00:00Z"), instant("2060-01-01T00:00Z"))


def _offset(moment: int, zone: str) -> int:
    """Milliseconds ahead of UTC by the standard library."""
    local = dt.datetime.fromtimestamp(moment // 1000, tz=zoneinfo.ZoneInfo(zone))
    ahead = local.utcoffset()
    assert ahead is not None
    return ahead // dt.timedelta(milliseconds=1)


@given(st.lists(MOMENTS, max_size=8), st.sampled_from((*PREFERRED, *ODD_ZONES)))
def test_the_local_clock_of_several_moments_is_that_of_each(moments: list[int], zone: str) -> None:
    days, ms = local_days_and_ms(np.array(moments, np.int64), zone)
    local = [moment + _offset(moment, zone) for moment in moments]
    assert days.tolist() == [moment // DAY_MS for moment in local]
    assert ms.tolist() == [moment % DAY_MS for moment in local]


@given(MOMENTS, st.integers(0, 40 * 366 * DAY_MS), st.sampled_from((*PREFERRED, *ODD_ZONES)))
def test_each_start_of_an_offset_is_exact(first: int, span: int, zone: str) -> None:
    table = offsets_of(zone, first, first + span)
    assert table.starts[0] == first
    assert (np.diff(table.starts) > 0).all()
    assert (np.diff(table.offset_ms) != 0).all()
    assert table.starts[-1] <= first + span
    assert table.offset_ms.tolist() == [_offset(start, zone) for start in table.starts.tolist()]
    before = [_offset(start - 1, zone) for start in table.starts[1:].tolist()]
    assert before == table.offset_ms[:-1].tolist()


@given(st.lists(MOMENTS, min_size=1), st.sampled_from((*PREFERRED, *ODD_ZONES)))
def test_a_table_answers_for_every_moment_of_its_range(moments: list[int], zone: str) -> None:
    table = offsets_of(zone, min(moments), max(moments))
    found = np.broadcast_to(table.at(np.array(moments)), len(moments)).tolist()
    assert found == [_offset(moment, zone) for moment in moments]


def test_no_change_is_missed_between_two_looks() -> None:
    """Hour by hour over the years in which zones changed most oddly."""
    hours = np.arange(instant("2006-01-01T00:00Z"), instant("2019-01-01T00:00Z"), 3_600_000)
    for zone in ODD_ZONES:
        table = offsets_of(zone, int(hours[0]), int(hours[-1]))
        expected = [_offset(hour, zone) for hour in hours[::7].tolist()]
        np.testing.assert_array_equal(np.broadcast_to(table.at(hours), hours.size)[::7], expected)


def test_beyond_a_calendar_the_nearest_offset_holds() -> None:
    moments = np.array([np.iinfo(np.int64).min + DAY_MS, NEW_YEAR, SUMMER, 2**60])
    days, ms = local_days_and_ms(moments, "America/Chicago")
    assert (days * DAY_MS + ms - moments).tolist() == [-21_600_000, -21_600_000, -18_000_000, -21_600_000]


def test_no_moments_have_no_days() -> None:
    days, ms = local_days_and_ms(np.zeros(0, np.int64), "Asia/Kolkata")
    assert (days.size, ms.size) == (0, 0)


@given(
    st.lists(st.tuples(st.sampled_from((0, 60, 330)), st.integers(-(10**9), 10**9)), max_size=30),
    st.integers(0, 30),
)
def test_the_outermost_pairs_are_those_of_all_parts(pairs: list[tuple[int, int]], cut: int) -> None:
    whole = outermost(pairs)
    assert whole <= set(pairs)
    assert outermost(outermost(pairs[:cut]) | outermost(pairs[cut:])) == whole
    for minutes, moment in pairs:
        day = [one for offset, one in whole if (offset, one // DAY_MS) == (minutes, moment // DAY_MS)]
        assert len(day) <= 2
        assert min(day) <= moment <= max(day)
