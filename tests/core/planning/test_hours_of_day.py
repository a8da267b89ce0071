"""Records, vehicles and HATs by hour of day, against sets of names."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections import Counter

import h3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import contributions_of
from core.errors import InputError
from core.hats.window import build_window
from core.planning.hours_of_day import HOURS_A_DAY, hours_of_day, hours_of_table, tells_hours
from core.privacy import Confidential
from core.progress import Cancelled
from tests.records import ZONE, Ping, instant, make_records
from tests.strategies import pings

FIRST, LAST = dt.date(2022, 1, 1), dt.date(2022, 1, 2)


@given(pings(), st.sampled_from((6, 8)))
def test_every_hour_is_the_literal_one(found: list[Ping], resolution: int) -> None:
    records = make_records(found)
    counts: Counter[int] = Counter()
    vehicles, hats = set(), set()
    for row, number in enumerate(records.instants().tolist()):
        local = dt.datetime.fromtimestamp(number / 1000, zoneinfo.ZoneInfo(ZONE))
        place = records.latitude[row] / 10**7, records.longitude[row] / 10**7
        counts[local.hour] += 1
        vehicles.add((local.hour, int(records.vehicle[row]), local.date()))
        hats.add((local.hour, h3.latlng_to_cell(*place, resolution)))
    told = hours_of_day(records, resolution, ((FIRST, LAST),))
    assert told.records.tolist() == [counts[hour] for hour in range(HOURS_A_DAY)]
    assert told.total == len(records)
    for column, expected in ((told.vehicle_days, vehicles), (told.hats, hats)):
        assert column.tolist() == [sum(item[0] == hour for item in expected) for hour in range(HOURS_A_DAY)]
    assert told.vehicles.tolist() == [count / 2 for count in told.vehicle_days.tolist()]
    hours = told.to_json()["hours"]
    assert [hour["records"] for hour in hours] == told.records.tolist()


def test_a_table_of_whole_days_in_hours_tells_them() -> None:
    records = make_records([Ping("bus", instant("2022-01-01T09:00:00"), 21.1, 72.8, 1.0)])
    whole = build_window(((FIRST, LAST),), ("00:00", "24:00"), 60)
    assert tells_hours(whole)
    told, expected = (
        hours_of_table(contributions_of(records, 7, whole)),
        hours_of_day(records, 7, ((FIRST, LAST),)),
    )
    assert told.to_json() == expected.to_json()
    for hours, minutes in ((("00:00", "24:00"), 30), (("00:00", "23:00"), 60)):
        assert not tells_hours(build_window(((FIRST, LAST),), hours, minutes))


def test_dates_without_records_and_a_stop() -> None:
    records = make_records([Ping("bus", instant("2022-01-01T09:00:00"), 21.1, 72.8, 1.0)])
    with pytest.raises(InputError, match="contains no record"):
        hours_of_day(records, 7, ((LAST, LAST),))

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        hours_of_day(records, 7, ((FIRST, FIRST),), stop)
    told = hours_of_day(records, 7, ((FIRST, FIRST),))
    assert isinstance(told, Confidential)
    assert repr(told).startswith("<confidential ")
