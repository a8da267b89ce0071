"""The real data of three cities, as their READMEs describe them; skipped where they are absent."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from core.contributions import contributions_of
from core.errors import InputError
from core.hats.window import build_window
from core.ingest.formats import reader_for
from core.ingest.guess import guess_mapping
from core.ingest.load import Loaded, load_records
from core.ingest.mapping import ColumnMapping, DerivedSpeed, ReadingRules, UnitRange
from core.values import THOUSAND

CHICAGO = "America/Chicago"


def _austin(
    folder: Path, *days: str, unit: str = "m/s", zone: str | None = CHICAGO, upper: int = 100
) -> Loaded:
    files = [folder / "austin-buses" / f"vehicle_positions_{day}.csv.gz" for day in days]
    mapping = ColumnMapping(
        vehicle="vehicle_id",
        time="timestamp",
        latitude="latitude",
        longitude="longitude",
        value="speed",
        units=(UnitRange(unit=unit),),
    )
    return load_records(files, ReadingRules(mapping=mapping, zone=zone, upper_bound=upper * THOUSAND))


def _guessed(path: Path, zone: str | None = None) -> Loaded:
    mapping = guess_mapping(reader_for(path).preview(path), where=str(path)).mapping
    return load_records([path], ReadingRules(mapping=mapping, zone=zone, upper_bound=65 * THOUSAND))


def test_surat_is_read_whole_by_guessing(shared_data: Path) -> None:
    report = _guessed(shared_data / "india-iudx" / "suratITMS.json.gz").report
    assert (report.rows_read, report.rows_used, report.users) == (5000, 5000, 208)
    assert (report.dropped, report.repeats, report.clamped) == ({}, 0, 0)
    assert report.local_hours == (10,)
    assert report.zone == "Asia/Kolkata"
    assert report.first_time == "2022-01-01T10:10:35+05:30"
    assert report.last_time == "2022-01-01T10:41:03+05:30"
    assert report.box == pytest.approx((21.077, 72.657, 21.337, 72.950), abs=1e-3)


def test_ambulances_have_speeds_derived_from_positions(shared_data: Path) -> None:
    path = shared_data / "india-iudx" / "bengaluruAmb.json.gz"
    guess = guess_mapping(reader_for(path).preview(path), where=str(path))
    assert guess.mapping.derived == DerivedSpeed()
    assert guess.reasons["value"] == "no column looks like a speed: derived from positions"


def test_four_days_of_austin_load(shared_data: Path) -> None:
    days = [f"2016-11-{day}" for day in range(24, 28)]
    report = _austin(shared_data, *days).report
    assert report.rows_read == report.rows_used + report.repeats + sum(report.dropped.values())
    assert report.rows_used > 0.9 * report.rows_read
    assert report.first_time.startswith("2016-11-24")
    assert -98 < report.box[1] < report.box[3] < -97


def test_the_day_of_summer_time_has_both_offsets(shared_data: Path) -> None:
    named = _austin(shared_data, "2015-03-08", unit="mph")
    assert named.report.local_hours == (1, 19, 20, 21, 22, 23)
    assert (named.report.first_time[-6:], named.report.last_time[-6:]) == ("-06:00", "-05:00")
    assert _austin(shared_data, "2015-03-08", unit="mph", zone=None).report.zone == CHICAGO


def test_the_sentinel_of_255_mph_is_dropped(shared_data: Path) -> None:
    report = _austin(shared_data, "2017-03-16", "2017-03-21", "2017-04-18").report
    assert report.dropped["value_limit"] >= 61
    assert report.dropped["position_limit"] == 4  # 23 more at 0,0 hold the sentinel too


def test_all_days_of_austin_with_the_unit_that_changed(shared_data: Path) -> None:
    files = sorted((shared_data / "austin-buses").glob("*.csv.gz"))
    mapping = ColumnMapping(
        vehicle="vehicle_id",
        time="timestamp",
        latitude="latitude",
        longitude="longitude",
        value="speed",
        units=(
            UnitRange(unit="mph", last=dt.date(2015, 9, 6)),
            UnitRange(unit="m/s", first=dt.date(2015, 12, 30)),
        ),
    )
    rules = ReadingRules(mapping=mapping, zone=CHICAGO, upper_bound=65 * THOUSAND)
    report = load_records(files, rules).report
    assert (len(files), report.rows_read, report.users) == (23, 599_818, 490)
    # 23 of the 80 positions at 0,0 hold the sentinel of the speed, which counts first; beside these 61
    # there are two more spikes above 200 km/h
    assert report.dropped == {"value_limit": 61 + 2, "position_limit": 80 - 23}
    assert report.repeats == 16_580
    assert report.rows_used == 599_818 - 63 - 57 - 16_580


def test_positions_in_the_gulf_of_guinea_are_dropped(shared_data: Path) -> None:
    loaded = _austin(shared_data, "2015-03-18", unit="mph")
    assert loaded.report.dropped["position_limit"] == 53
    assert loaded.report.box[0] > 30


def test_repeats_of_vehicle_and_instant_are_removed(shared_data: Path) -> None:
    loaded = _austin(shared_data, "2016-03-22")
    assert loaded.report.repeats > 12_000
    pairs = np.stack([loaded.records.vehicle, loaded.records.instants()])
    assert np.unique(pairs, axis=1).shape[1] == len(loaded.records)


def test_bangkok_needs_a_zone(shared_data: Path) -> None:
    with pytest.raises(InputError, match="zone must be named"):
        _guessed(shared_data / "bangkok-taxis" / "taxi_trip_ends_2019-04-04_to_10.csv.gz")


def test_bangkok_with_its_zone(shared_data: Path) -> None:
    path = shared_data / "bangkok-taxis" / "taxi_trip_ends_2019-04-04_to_10.csv.gz"
    report = _guessed(path, "Asia/Bangkok").report
    assert (report.rows_read, report.repeats) == (53_896, 2_891)
    assert report.dropped == {"time_limit": 1}


def test_surat_falls_in_one_local_hour_slot(shared_data: Path) -> None:
    records = _guessed(shared_data / "india-iudx" / "suratITMS.json.gz").records
    day = dt.date(2022, 1, 1)
    found = contributions_of(records, 8, build_window(((day, day),), ("00:00", "24:00"), 60))
    assert set(found.slot.tolist()) == {10}
    assert (found.hats, int(found.counts.sum())) == (204, 5000)
