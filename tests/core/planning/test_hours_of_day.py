"""Records, vehicles and HATs by hour of day, against sets of names."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections import Counter

import h3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.planning.hours_of_day import HOURS_A_DAY, hours_of_day
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


def test_dates_without_records_and_a_stop() -> None:
    records = make_records([Ping("bus", instant("2022-01-01T09:00:00"), 21.1, 72.8, 1.0)])
    with pytest.raises(InputError, match="holds no record"):
        hours_of_day(records, 7, ((LAST, LAST),))

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        hours_of_day(records, 7, ((FIRST, FIRST),), stop)
    told = hours_of_day(records, 7, ((FIRST, FIRST),))
    assert isinstance(told, Confidential)
    assert repr(told).startswith("<confidential ")
