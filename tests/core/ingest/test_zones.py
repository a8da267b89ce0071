"""Zones: known names, suggestions from offsets, and the local clock."""

from __future__ import annotations

import datetime as dt
import zoneinfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.ingest.zones import DAY_MS, PREFERRED, known_zones, local_days_and_ms, require_zone, suggest_zone
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
