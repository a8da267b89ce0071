"""The wall clock of a day, against the standard library's."""

from __future__ import annotations

import datetime as dt
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hats.wall_clock import wall_clock
from tests.records import Ping, instant, make_records

DAYS = (
    ("America/Chicago", "2015-03-08", True),
    ("America/Chicago", "2015-11-01", True),
    ("America/Chicago", "2015-07-01", False),
    ("Europe/London", "2022-03-27", True),
    ("Europe/London", "2022-10-30", True),
    ("Australia/Lord_Howe", "2022-10-02", True),
    ("Australia/Lord_Howe", "2022-04-03", True),
    ("Asia/Kolkata", "2022-03-27", False),
    ("America/St_Johns", "2010-11-07", True),
)


@pytest.mark.parametrize(("zone", "day", "changes"), DAYS)
def test_a_whole_day_reads_as_the_clock_on_the_wall(zone: str, day: str, changes: bool) -> None:
    start = instant(f"{day}T00:00:00", zone) - 3_600_000 * 3
    found = [Ping("bus", start + step * 600_000, 10.0, 10.0, 1.0) for step in range(32 * 6)]
    records = make_records(found, zone=zone)
    for number, local_day in enumerate(records.days.tolist()):
        clock = wall_clock(records, number)
        part = slice(int(records.first[number]), int(records.first[number + 1]))
        moments = [
            dt.datetime.fromtimestamp(instant / 1000, tz=zoneinfo.ZoneInfo(zone))
            for instant in records.instants(part).tolist()
        ]
        assert clock.seconds(part).tolist() == [
            moment.hour * 3600 + moment.minute * 60 + moment.second for moment in moments
        ]
        if (dt.date(1970, 1, 1) + dt.timedelta(days=local_day)).isoformat() == day:
            assert (clock.shift is None) == changes


@given(st.lists(st.integers(0, 86_399), min_size=1, max_size=10), st.sampled_from(DAYS))
def test_a_few_records_of_a_day_do_too(seconds: list[int], case: tuple[str, str, bool]) -> None:
    zone, day, _ = case
    start = instant(f"{day}T00:00:00", zone)
    records = make_records([Ping("bus", start + one * 1000, 10.0, 10.0, 1.0) for one in seconds], zone=zone)
    for number in range(records.days.size):
        part = slice(int(records.first[number]), int(records.first[number + 1]))
        for instant_ms, second in zip(
            records.instants(part).tolist(), wall_clock(records, number).seconds(part).tolist(), strict=True
        ):
            moment = dt.datetime.fromtimestamp(instant_ms / 1000, tz=zoneinfo.ZoneInfo(zone))
            assert second == moment.hour * 3600 + moment.minute * 60 + moment.second
