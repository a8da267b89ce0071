"""Dates of services: week days, exceptions, and no calendar at all."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from core.errors import InputError
from core.prior.service_dates import services_on
from core.read.gtfs_tables import GtfsTables
from tests.records import assert_tells
from tests.timetables import write_timetable

DATES = [dt.date(2022, 1, day) for day in (1, 2, 3)]
WEEK = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"


def test_without_calendars_all_services_run(tmp_path: Path) -> None:
    tables = GtfsTables(write_timetable(tmp_path))
    assert services_on(tables, {"week"}, DATES) == {date: {"week"} for date in DATES}


def test_week_days_within_their_period_and_exceptions(tmp_path: Path) -> None:
    calendar = WEEK + "week,1,0,0,0,0,0,0,20220101,20221231\nend,0,0,0,0,0,1,1,20220102,20221231\n"
    dates = "service_id,date,exception_type\nweek,20220103,2\nend,20220103,1\nweek,20230101,1\n"
    tables = GtfsTables(write_timetable(tmp_path, calendar=calendar, calendar_dates=dates))
    assert services_on(tables, {"week", "end"}, DATES) == {
        DATES[0]: set(),
        DATES[1]: {"end"},
        DATES[2]: {"end"},
    }


def test_dates_alone_are_a_calendar_too(tmp_path: Path) -> None:
    tables = GtfsTables(
        write_timetable(tmp_path, calendar_dates="service_id,date,exception_type\nweek,20220102,1\n")
    )
    assert services_on(tables, {"week"}, DATES) == {DATES[0]: set(), DATES[1]: {"week"}, DATES[2]: set()}


@pytest.mark.parametrize("line", ["week,20220132,1", "week,,1", "week,20220102,", "week,20220102,0"])
def test_malformed_exceptions_are_refused(tmp_path: Path, line: str) -> None:
    path = write_timetable(tmp_path, calendar_dates=f"service_id,date,exception_type\n{line}\n")
    with pytest.raises(InputError) as caught:
        services_on(GtfsTables(path), {"week"}, DATES)
    assert_tells(caught.value)
