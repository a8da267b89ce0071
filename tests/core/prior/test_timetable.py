"""A timetable as public counts: pings of vehicles, dates, midnight, and tables that cannot be."""

from __future__ import annotations

import dataclasses
import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from h3.api import basic_int

from core.bounding.candidates import CandidateHats, candidate_hats
from core.errors import InputError
from core.hats.window import build_window
from core.prior import timetable, timetable_trips
from core.prior.timetable import PublicVisits, timetable_visits
from core.privacy import Unit
from core.progress import Cancelled
from core.read import gtfs_tables
from tests.bounding import constants_of
from tests.records import assert_tells, stop_at
from tests.strategies import CELLS
from tests.timetables import TABLES, write_timetable

TIMES = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
MONDAY = dt.date(2022, 1, 3)
WEEK = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"


def hats(days: int = 1, hours: tuple[str, str] = ("00:00", "24:00")) -> CandidateHats:
    window = build_window(((MONDAY, MONDAY + dt.timedelta(days=days - 1)),), hours, 60)
    return candidate_hats(dataclasses.replace(constants_of(days_per_vehicle=1), window=window, cells=CELLS))


def told(visits: PublicVisits, listed: CandidateHats) -> dict[tuple[int, int], list[int]]:
    """(number of the cell, hour) -> records of each unit."""
    found: dict[tuple[int, int], list[int]] = {}
    for column, records in zip(visits.column.tolist(), visits.records.tolist(), strict=True):
        place = CELLS.index(int(listed.cell[column])), int(listed.slot[column])
        found.setdefault(place, []).append(records)
    return found


def follow(path: Path, listed: CandidateHats, unit: Unit = Unit.VEHICLE, every: int = 60) -> PublicVisits:
    return timetable_visits(path, listed, unit, every)


@pytest.mark.parametrize("zipped", [False, True])
def test_vehicles_on_trips_send_a_ping_so_often(tmp_path: Path, zipped: bool) -> None:
    """Both ends count; trips of one block are one vehicle."""
    listed = hats()
    visits = follow(write_timetable(tmp_path, zipped=zipped), listed)
    assert told(visits, listed) == {(0, 9): [11], (1, 10): [11], (5, 9): [30], (5, 10): [31]}
    assert visits.fleet == 2
    assert visits.unit[visits.column == np.flatnonzero(visits.visited)[0]].size == 1
    public = visits.counts()
    assert (public.units.sum(), public.fleet, public.hats_of_one) == (4, 2, 2.0)
    assert visits.pairs().hats == 4
    assert sorted(visits.pairs().records.tolist()) == [11, 11, 30, 31]


def test_positions_lie_between_stops(tmp_path: Path) -> None:
    """From one neighbour to the next: half of the time in each, whatever calls without a time lie between."""
    near = next(number for number, cell in enumerate(CELLS) if basic_int.are_neighbor_cells(CELLS[0], cell))
    straight = f"{TIMES}a,09:00:00,,s0,1\na,,09:50:00,s{near},3\n"
    listed = hats()
    counted = told(follow(write_timetable(tmp_path, stop_times=straight), listed, every=30), listed)
    assert sum(sum(records) for records in counted.values()) == 101
    assert counted[0, 9][0] == pytest.approx(50, abs=5)
    assert counted[near, 9][0] == pytest.approx(50, abs=5)
    waiting = f"{TIMES}a,09:00:00,09:00:00,s0,1\na,,,s0,2\na,09:50:00,09:50:00,s{near},3\n"
    halfway = told(follow(write_timetable(tmp_path, stop_times=waiting), listed, every=30), listed)
    assert halfway[0, 9][0] == pytest.approx(75, abs=4)


def test_dates_follow_the_calendars(tmp_path: Path) -> None:
    """Monday to Wednesday, of which Tuesday is taken out; on Thursday an extra day, outside of the window."""
    path = write_timetable(
        tmp_path,
        calendar=WEEK + "week,1,1,1,0,0,0,0,20220101,20221231\n",
        calendar_dates="service_id,date,exception_type\nweek,20220104,2\nweek,20220106,1\n",
    )
    listed = hats(3)
    assert told(follow(path, listed), listed)[0, 9] == [22]
    assert told(follow(path, listed, Unit.VEHICLE_DAY), listed)[0, 9] == [11, 11]
    assert follow(path, listed, Unit.VEHICLE_DAY).fleet == 4
    assert told(follow(path, hats(4)), hats(4))[0, 9] == [33]


def test_without_calendars_every_date_is_served(tmp_path: Path) -> None:
    listed = hats(3)
    assert told(follow(write_timetable(tmp_path), listed), listed)[0, 9] == [33]


def test_times_over_24_hours_are_the_next_date_s(tmp_path: Path) -> None:
    """Saturday's night bus drives on Sunday morning: of a window of Monday alone, only Sunday's counts."""
    night = (
        TABLES["stop_times.txt"].splitlines()[0] + "\na,24:30:00,24:30:00,s0,1\na,24:40:00,24:40:00,s0,2\n"
    )
    only = {"monday": "week,1,0,0,0,0,0,0", "sunday": "week,0,0,0,0,0,0,1"}
    listed = hats()
    sunday = write_timetable(
        tmp_path, stop_times=night, calendar=f"{WEEK}{only['sunday']},20220101,20221231\n"
    )
    assert told(follow(sunday, listed), listed) == {(0, 0): [11]}
    monday = write_timetable(
        tmp_path, stop_times=night, calendar=f"{WEEK}{only['monday']},20220101,20221231\n"
    )
    with pytest.raises(InputError) as caught:
        follow(monday, listed)
    assert_tells(caught.value)
    tuesday = hats(2)
    assert told(follow(monday, tuesday), tuesday) == {(0, 0): [11]}


def test_trips_that_run_every_so_often_are_several_vehicles(tmp_path: Path) -> None:
    text = "trip_id,start_time,end_time,headway_secs\na,09:00:00,09:30:00,900\n"
    listed = hats()
    assert told(follow(write_timetable(tmp_path, frequencies=text), listed), listed)[0, 9] == [11, 11]


def test_what_is_not_listed_does_not_count(tmp_path: Path) -> None:
    listed = hats(hours=("10:00", "11:00"))
    assert told(follow(write_timetable(tmp_path), listed), listed) == {(1, 10): [11], (5, 10): [31]}


BROKEN: list[dict[str, Any]] = [
    {"trips": None},
    {"stop_times": None},
    {"stops": None},
    {"stops": ""},
    {"trips": "route_id,service_id\nr,week\n"},
    {"trips": 'route_id,service_id,trip_id\nr,"week,a\n'},
    {"stops": "stop_id,stop_lat,stop_lon\ns0,97,0\n"},
    {"stops": "stop_id,stop_lat,stop_lon\ns0,here,0\n"},
    {"stops": "stop_id,stop_lat,stop_lon\ns0,nan,0\n"},
    {"stop_times": TIMES + "a,9:00,9:00,s0,1\na,9:10:00,9:10:00,s0,2\n"},
    {"stop_times": TIMES + "a,09:61:00,,s0,1\na,9:10:00,9:10:00,s0,2\n"},
    {"stop_times": TIMES + "a,-1:00:00,,s0,1\na,9:10:00,9:10:00,s0,2\n"},
    {"stop_times": TIMES + "a,09:10:00,,s0,1\na,09:00:00,,s0,2\n"},
    {"stop_times": TIMES + "a,09:10:00,09:00:00,s0,1\na,10:00:00,,s0,2\n"},
    {"stop_times": TIMES + "a,09:00:00,,nowhere,1\na,09:10:00,,s0,2\n"},
    {"stop_times": TIMES + "a,09:00:00,,hall,1\na,09:10:00,,s0,2\n"},
    {"stop_times": TIMES + "a,09:00:00,,s0,first\na,09:10:00,,s0,2\n"},
    {"stop_times": TIMES + "a,09:00:00,,s0,1\na,999:10:00,,s0,2\n"},
    {"stop_times": TIMES},
    {"stop_times": TIMES + "a,,,s0,1\na,,,s0,2\n"},
    {"calendar": WEEK + "week,1,1,1,1,1,1,1,20220230,20221231\n"},
    {"calendar": WEEK + "week,1,1,1,1,1,1,1,2022-01-01,20221231\n"},
    {"calendar": WEEK + "week,1,1,1,1,1,1,1,20190101,20191231\n"},
    {"calendar_dates": "service_id,date,exception_type\nweek,20220103,3\n"},
    {"frequencies": "trip_id,start_time,end_time,headway_secs\na,09:00:00,09:30:00,0\n"},
    {"frequencies": "trip_id,start_time,end_time,headway_secs\na,09:00:00,09:30:00,-5\n"},
]


@pytest.mark.parametrize("changes", BROKEN, ids=repr)
def test_tables_that_cannot_be_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        follow(write_timetable(tmp_path, **changes), hats())
    assert_tells(caught.value, hidden=("nowhere", "hall", "999"))


@pytest.mark.parametrize("every", [0, -1, 3601])
def test_pings_need_an_interval(tmp_path: Path, every: int) -> None:
    with pytest.raises(InputError) as caught:
        follow(write_timetable(tmp_path), hats(), every=every)
    assert_tells(caught.value)


def test_bytes_that_are_no_timetable_are_refused(tmp_path: Path) -> None:
    for name, content in (("none", None), ("feed.pb", b"\x0a\x03"), ("cut.zip", b"PK\x03\x04" + b"0" * 40)):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError) as caught:
            follow(tmp_path / name, hats())
        assert_tells(caught.value)
    write_timetable(tmp_path)
    (tmp_path / "stops.txt").write_bytes(b"stop_id,stop_lat,stop_lon\ns\xe9,1,1\n")
    with pytest.raises(InputError) as caught:
        follow(tmp_path, hats())
    assert_tells(caught.value)


def test_too_many_pings_are_refused(tmp_path: Path) -> None:
    long = TIMES + "a,00:00:00,,s0,1\na,160:00:00,,s0,2\n"
    often = "trip_id,start_time,end_time,headway_secs\na,00:00:00,01:00:00,30\n"
    with pytest.raises(InputError) as caught:
        follow(write_timetable(tmp_path, stop_times=long, frequencies=often), hats(), every=1)
    assert_tells(caught.value)


def test_a_large_timetable_tells_how_far_it_is_and_can_be_stopped_at_any_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gtfs_tables, "_BLOCK_LINES", 1)
    monkeypatch.setattr(timetable_trips, "_BLOCK_TRIPS", 1)
    monkeypatch.setattr(timetable, "_BLOCK_PINGS", 8)
    path, listed = write_timetable(tmp_path), hats()
    said: list[float] = []
    timetable_visits(path, listed, Unit.VEHICLE, 60, lambda done, _="": said.append(done))
    assert said == sorted(said)
    assert said[-1] == 1.0
    assert sum(done < 0.37 for done in said) >= 6, "each line of the largest table"
    for words in range(1, len(said)):
        with pytest.raises(Cancelled):
            timetable_visits(path, listed, Unit.VEHICLE, 60, stop_at(words))


VISITS = PublicVisits(
    hats=4,
    column=np.array([0, 0, 2, 2, 2]),
    unit=np.array([0, 1, 0, 1, 2]),
    records=np.array([3, 4, 1, 1, 9]),
)


def test_counts_are_of_every_candidate() -> None:
    public = VISITS.counts()
    assert public.units.tolist() == [2, 0, 3, 0]
    assert public.records.tolist() == [4, 1, 4, 1], "means, rounded up"
    assert public.fleet == 3


def test_pairs_are_of_those_that_are_visited() -> None:
    pairs = VISITS.pairs()
    assert VISITS.visited.tolist() == [True, False, True, False]
    assert (pairs.hats, pairs.vehicles) == (2, 3)
    assert pairs.by_hat(pairs.records).tolist() == [7, 11]
