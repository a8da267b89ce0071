"""The real data of four cities against plain Python over the same files; skipped where they are absent."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import json
import math
import operator
import tomllib
import zoneinfo
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from core.assist.column_guesses import guess_mapping
from core.clean.mapping import DerivedSpeed, ReadingRules
from core.contributions import contributions_of
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.hats.window import build_window
from core.read.reader_registry import reader_for
from core.records.records import Records
from core.spec import parse_data
from core.spec.toml_section import Section
from core.store.load_records import Loaded, load_records
from tests.records import Ping, assert_same, make_records

UPPER_BOUND = 65 * THOUSAND
AUSTIN = """
files = ["austin-buses/vehicle_positions_*.csv.gz"]
zone = "America/Chicago"
upper_bound_kmh = 65.0
[mapping]
vehicle = "vehicle_id"
time = "timestamp"
latitude = "latitude"
longitude = "longitude"
value = "speed"
[[units]]
unit = "mph"
to = 2015-09-06
[[units]]
unit = "m/s"
from = 2015-12-30
"""
"""The unit changes between two of the files (README of the data)."""
_FACTORS = {"mph": Decimal("1609.344"), "m/s": Decimal(3600), "km/h": Decimal(1000)}
_METRES_FROM = "2015-12-30"
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MILLISECOND = dt.timedelta(milliseconds=1)
_QUARTER_MS = 15 * 60 * 1000


class AustinLine(NamedTuple):
    """What is used of a line of Austin, under the names of its columns."""

    vehicle_id: str
    timestamp: str
    latitude: str
    longitude: str
    speed: str


Line = tuple[str, dt.datetime, str, str, str, str]
"""(vehicle, moment, latitude, longitude, value, its unit) as a file tells them."""
Row = tuple[int, str, int, int, int, int]
"""(local day, vehicle, UTC second, latitude, longitude, value) as `Records` keeps them."""


@dataclass(kw_only=True)
class Plain:
    """What plain Python makes of some files."""

    rows: list[Row]
    read: int
    dropped: Counter[str] = field(default_factory=Counter)
    clamped: int = 0
    repeats: int = 0
    local_hours: Counter[tuple[int, int]] = field(default_factory=Counter)
    """(local day, hour by its clock) -> kept records."""


@cache
def _whole(text: str, factor: Decimal | int) -> int:
    return int((Decimal(text) * factor).to_integral_value())


@cache
def _thousandths(text: str, unit: str) -> int:
    return _whole(text, _FACTORS[unit])


def _plain(found: Iterator[Line], zone: str) -> Plain:
    """Row after row by method 2: dropped by the first reason, clamped, of repeats the smallest kept."""
    result = Plain(rows=[], read=0)
    place = zoneinfo.ZoneInfo(zone)
    retained: dict[tuple[str, int], tuple[int, int, int, dt.datetime]] = {}
    for name, moment, latitude, longitude, speed, unit in found:
        result.read += 1
        lat, lon, value = _whole(latitude, 10**7), _whole(longitude, 10**7), _thousandths(speed, unit)
        if not 0 <= value <= 200 * THOUSAND:
            result.dropped["value_limit"] += 1
        elif lat == lon == 0:
            result.dropped["position_limit"] += 1
        elif moment.year < 2000:
            result.dropped["time_limit"] += 1
        else:
            result.clamped += value > UPPER_BOUND
            key = name.strip().casefold(), (moment - _EPOCH) // _MILLISECOND
            row = lat, lon, min(value, UPPER_BOUND), moment
            result.repeats += key in retained
            retained[key] = min(retained.get(key, row), row)
    clock: dict[int, tuple[int, int]] = {}  # day and hour in each quarter of an hour: all zones change there
    for (name, instant), (lat, lon, value, moment) in retained.items():
        quarter = instant // _QUARTER_MS
        if quarter not in clock:
            local = moment.astimezone(place)
            clock[quarter] = local.toordinal() - _EPOCH.toordinal(), local.hour
        result.rows.append((clock[quarter][0], name, instant // 1000, lat, lon, value))
        result.local_hours[clock[quarter]] += 1
    result.rows.sort()
    return result


def _rows_of(records: Records) -> list[Row]:
    days = np.repeat(records.days, np.diff(records.first)).tolist()
    columns = (records.latitude, records.longitude, records.value)
    names = [records.vehicles[code] for code in records.vehicle.tolist()]
    seconds = (records.instants() // 1000).tolist()
    return list(zip(days, names, seconds, *(column.tolist() for column in columns), strict=True))


def _require_equal(loaded: Loaded, expected: Plain) -> None:
    report = loaded.report
    assert report.rows_read == expected.read
    assert report.dropped == dict(expected.dropped)
    assert (report.clamped, report.repeats) == (expected.clamped, expected.repeats)
    assert report.rows_used == len(expected.rows)
    assert report.users == len({row[1] for row in expected.rows})
    assert report.local_hours == tuple(sorted({hour for _, hour in expected.local_hours}))
    assert _rows_of(loaded.records) == expected.rows


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    return (dict(zip(names, line, strict=True)) for line in lines)


def _columns(path: Path, *wanted: str) -> Iterator[tuple[str, ...]]:
    """Some columns of each line: to make a dictionary of each of 600,000 takes seconds."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        names, *lines = csv.reader(file)
    assert {len(line) for line in lines} <= {len(names)}
    return map(operator.itemgetter(*map(names.index, wanted)), lines)


def _slots(records: Records, resolution: int = 8) -> Counter[tuple[int, int]]:
    """(local day, hour) -> records, by way of the contribution table."""
    first, last = (dt.date(1970, 1, 1) + dt.timedelta(days=int(records.days[end])) for end in (0, -1))
    table = contributions_of(records, resolution, build_window(((first, last),), ("00:00", "24:00"), 60))
    found = Counter[tuple[int, int]]()
    rows = zip(table.day.tolist(), table.slot[table.hat].tolist(), table.counts.tolist(), strict=True)
    for day, slot, count in rows:
        found[int(records.days[0]) + day, slot] += count
    return found


def _guessed(path: Path, zone: str | None = None) -> Loaded:
    mapping = guess_mapping(reader_for(path).preview(path), where=str(path)).mapping
    return load_records([path], ReadingRules(mapping=mapping, zone=zone, upper_bound=UPPER_BOUND))


# --- Austin --------------------------------------------------------------------------------------


def _austin_rules(text: str = AUSTIN, folder: Path = Path()) -> tuple[ReadingRules, Any]:
    data = parse_data(Section("data", tomllib.loads(text)), folder, zone_required=False)
    return data.rules, data


@dataclass(frozen=True, kw_only=True)
class Days:
    """Some files of Austin, and what is known of them."""

    files: tuple[str, ...]
    rows: int
    odd: tuple[int, int, int]
    """Rows with the sentinel of speed, rows at 0,0 and those that are both."""
    repeats: int


SOME = Days(
    files=(
        *("2015-03-08", "2015-03-18"),  # summer time begins; rows at 0,0; in mph
        *("2015-12-30", "2016-05-19", "2016-05-30", "2016-08-02", "2016-09-01", "2016-12-18"),  # repeats
        "2017-03-16",  # the sentinel, once with 0,0
    ),
    rows=81_125,
    odd=(10, 55, 2),
    repeats=4_000,
)
ALL = Days(files=("*",), rows=599_818, odd=(61, 80, 23), repeats=12_000)


@pytest.fixture(
    scope="module",
    params=[pytest.param(SOME, id="some"), pytest.param(ALL, id="all", marks=pytest.mark.audit)],
)
def days(request: pytest.FixtureRequest) -> Days:
    found: Days = request.param
    return found


@pytest.fixture(scope="module")
def austin_text(days: Days) -> str:
    return AUSTIN.replace(
        '"austin-buses/vehicle_positions_*.csv.gz"',
        ", ".join(f'"austin-buses/vehicle_positions_{day}.csv.gz"' for day in days.files),
    )


@pytest.fixture(scope="module")
def austin_files(shared_data: Path, austin_text: str) -> list[Path]:
    _, data = _austin_rules(austin_text, shared_data)
    return list(data.paths())


@pytest.fixture(scope="module")
def austin(austin_files: list[Path], austin_text: str) -> Loaded:
    return load_records(austin_files, _austin_rules(austin_text)[0])


@pytest.fixture(scope="module")
def austin_lines(austin_files: list[Path]) -> list[AustinLine]:
    columns = (_columns(path, *AustinLine._fields) for path in austin_files)
    return [line for found in columns for line in map(AustinLine._make, found)]


@pytest.fixture(scope="module")
def plain_austin(austin_lines: list[AustinLine]) -> Plain:
    def rows() -> Iterator[Line]:
        for line in austin_lines:
            unit = "mph" if line.timestamp < _METRES_FROM else "m/s"
            moment = dt.datetime.fromisoformat(line.timestamp)
            yield line.vehicle_id, moment, line.latitude, line.longitude, line.speed, unit

    return _plain(rows(), "America/Chicago")


def test_days_of_austin_are_one_data_set_with_two_units(
    austin: Loaded, plain_austin: Plain, days: Days
) -> None:
    assert plain_austin.read == days.rows
    _require_equal(austin, plain_austin)
    report = austin.report
    assert report.first_time[:10] in {"2015-03-07", "2015-03-08"}
    assert report.last_time[:10] in {"2017-03-16", "2017-04-18"}
    assert (report.first_time[-6:], report.last_time[-6:]) == ("-06:00", "-05:00")
    assert 30 < report.box[0] < report.box[2] < 31
    assert -98 < report.box[1] < report.box[3] < -97


def test_the_sentinels_of_austin_are_dropped_and_counted(
    austin_lines: list[AustinLine], austin: Loaded, days: Days
) -> None:
    sentinel = [line for line in austin_lines if line.speed == "113.9952"]
    nowhere = [line for line in austin_lines if float(line.latitude) == float(line.longitude) == 0.0]
    both = [line for line in sentinel if line in nowhere]
    assert (len(sentinel), len(nowhere), len(both)) == days.odd
    # a row counts once, and the value is looked at first; single spikes lie above 200 km/h as well
    in_metres = [line for line in austin_lines if line.timestamp > _METRES_FROM]
    impossible = [line for line in in_metres if float(line.speed) > 200 / 3.6]
    assert austin.report.dropped == {
        "value_limit": len(impossible),
        "position_limit": len(nowhere) - len(both),
    }


def test_repeats_of_vehicle_and_instant_are_removed(austin: Loaded, days: Days) -> None:
    records = austin.records
    assert austin.report.repeats > days.repeats
    pairs = np.stack([records.vehicle, records.instants()])
    assert np.unique(pairs, axis=1).shape[1] == len(records)


def test_slots_follow_the_local_clock_on_every_day(austin: Loaded, plain_austin: Plain) -> None:
    found = _slots(austin.records)
    assert found == plain_austin.local_hours
    summer_time_begins = dt.date(2015, 3, 8).toordinal() - _EPOCH.toordinal()
    assert {hour for day, hour in found if day == summer_time_begins} == {1, 19, 20, 21, 22, 23}


def test_the_offsets_of_austin_suggest_its_zone(
    austin_files: list[Path], austin_text: str, austin: Loaded
) -> None:
    rules, _ = _austin_rules(austin_text.replace('zone = "America/Chicago"\n', ""))
    assert rules.zone is None
    found = load_records(austin_files[::-1], rules)
    assert found.report == austin.report
    assert_same(found.records, austin.records)


# --- Bangkok -------------------------------------------------------------------------------------


@pytest.fixture
def bangkok(shared_data: Path) -> Path:
    return shared_data / "bangkok-taxis" / "taxi_trip_ends_2019-04-04_to_10.csv.gz"


def test_bangkok_needs_a_zone(bangkok: Path) -> None:
    with pytest.raises(InputError, match="zone must be named"):
        _guessed(bangkok)


def test_bangkok_with_its_zone(bangkok: Path) -> None:
    def rows() -> Iterator[Line]:
        for line in _lines(bangkok):
            moment = dt.datetime.fromisoformat(line["date_time"] + "+07:00")
            yield line["VehicleID"], moment, line["lat"], line["lon"], line["speed"], "km/h"

    expected = _plain(rows(), "Asia/Bangkok")
    loaded = _guessed(bangkok, "Asia/Bangkok")
    _require_equal(loaded, expected)
    report = loaded.report
    assert (report.rows_read, report.repeats, report.users) == (53_896, 2_891, 3_392)
    assert report.dropped == {"time_limit": 1}  # of 1963
    assert report.first_time == "2019-04-01" + report.first_time[10:]
    assert _slots(loaded.records) == expected.local_hours


# --- Bengaluru and Surat -------------------------------------------------------------------------


def _pings(path: Path) -> list[Ping]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        items = json.load(file)
    return [
        Ping(
            item["license_plate"],
            (dt.datetime.fromisoformat(item["observationDateTime"]) - _EPOCH) // dt.timedelta(milliseconds=1),
            item["location"]["coordinates"][1],
            item["location"]["coordinates"][0],
            item.get("speed", 0.0),
        )
        for item in items
    ]


def _great_circle(one: Ping, other: Ping) -> float:
    """Metres by the haversine formula on a sphere of the earth's mean radius."""
    lat, lon, to_lat, to_lon = map(
        math.radians, (one.latitude, one.longitude, other.latitude, other.longitude)
    )
    half = math.sin((to_lat - lat) / 2) ** 2
    half += math.cos(lat) * math.cos(to_lat) * math.sin((to_lon - lon) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(half))


def test_ambulances_have_speeds_derived_from_positions(shared_data: Path) -> None:
    path = shared_data / "india-iudx" / "bengaluruAmb.json.gz"
    guess = guess_mapping(reader_for(path).preview(path), where=str(path))
    assert guess.mapping.derived == DerivedSpeed()
    assert guess.reasons["value"] == "no column looks like a speed: derived from positions"
    loaded = _guessed(path)
    expected: dict[tuple[str, int], float] = {}
    unknown = impossible = clamped = 0
    pings = sorted(_pings(path))
    before: list[Ping | None] = [None, *pings[:-1]]
    for last, ping in zip(before, pings, strict=True):
        elapsed = ping.instant - last.instant if last and last.vehicle == ping.vehicle else 0
        if last is None or not 0 < elapsed <= 120_000:
            unknown += 1
            continue
        thousandths = _great_circle(last, ping) / elapsed * 3.6e6
        if thousandths > 200 * THOUSAND:
            impossible += 1
            continue
        clamped += thousandths > UPPER_BOUND
        expected[ping.vehicle.casefold(), ping.instant // 1000] = min(thousandths, UPPER_BOUND)
    report, rows = loaded.report, _rows_of(loaded.records)
    assert report.rows_read == 3996
    assert report.dropped == {
        reason: n for reason, n in (("no_value", unknown), ("value_limit", impossible)) if n
    }
    assert (report.repeats, report.clamped, report.rows_used) == (0, clamped, len(expected))
    assert loaded.records.derived
    assert {(row[1], row[2]) for row in rows} == set(expected)
    for row in rows:
        assert abs(row[5] - expected[row[1], row[2]]) <= 1


def test_surat_is_read_whole_by_guessing(shared_data: Path) -> None:
    path = shared_data / "india-iudx" / "suratITMS.json.gz"
    loaded = _guessed(path)
    assert_same(loaded.records, make_records(_pings(path)))
    report = loaded.report
    assert (report.rows_read, report.rows_used, report.users) == (5000, 5000, 208)
    assert (report.dropped, report.examples, report.repeats, report.clamped) == ({}, {}, 0, 0)
    assert report.local_hours == (10,)
    assert report.zone == "Asia/Kolkata"
    assert report.first_time == "2022-01-01T10:10:35+05:30"
    assert report.last_time == "2022-01-01T10:41:03+05:30"
    assert report.box == pytest.approx((21.077, 72.657, 21.337, 72.950), abs=1e-3)


def test_surat_falls_in_one_local_hour_slot(shared_data: Path) -> None:
    records = _guessed(shared_data / "india-iudx" / "suratITMS.json.gz").records
    day = dt.date(2022, 1, 1)
    found = contributions_of(records, 8, build_window(((day, day),), ("00:00", "24:00"), 60))
    assert set(found.slot.tolist()) == {10}
    assert (found.hats, int(found.counts.sum())) == (204, 5000)
