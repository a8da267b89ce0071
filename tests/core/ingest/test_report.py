"""The ingest report: its keys, and that it stays closed unless asked."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from core.ingest.load import load_records
from core.ingest.mapping import UnitRange
from core.ingest.report import describe_mapping
from tests.records import MAPPING, POINT_MAPPING, mapping_in, rules, sample_pings, write_csv

KEYS = {
    "rows_read",
    "rows_used",
    "users",
    "dropped",
    "clamped",
    "repeats",
    "first_time",
    "last_time",
    "local_hours",
    "box",
    "mapping",
}


def test_the_report_has_the_keys_of_the_contract(tmp_path: Path) -> None:
    report = load_records([write_csv(tmp_path / "a.csv", sample_pings())], rules()).report
    plain = report.to_json()
    assert set(plain) >= KEYS
    assert json.loads(json.dumps(plain)) == plain
    assert plain["box"] == [21.1, 72.8, 21.12, 72.805]
    assert plain["first_time"] == "2022-01-01T10:10:00+05:30"
    assert plain["last_time"] == "2022-01-01T10:10:50+05:30"
    assert plain["local_hours"] == [10]


def test_records_and_report_show_sizes_only(tmp_path: Path) -> None:
    loaded = load_records([write_csv(tmp_path / "a.csv", sample_pings())], rules())
    for text in (repr(loaded), repr(loaded.records), str(loaded.report)):
        assert "confidential" in text
        assert "gj05" not in text.lower()
        assert "21.1" not in text


def test_the_mapping_is_described_under_the_keys_of_a_spec() -> None:
    assert describe_mapping(MAPPING) == {
        "vehicle": "license_plate",
        "time": "observationDateTime",
        "latitude": "latitude",
        "longitude": "longitude",
        "value": "speed",
        "unit": "km/h",
    }
    described = describe_mapping(POINT_MAPPING)
    assert (described["position"], described["position_order"]) == ("location.coordinates", "lon,lat")


def test_units_by_date_are_described_one_by_one() -> None:
    units = (
        UnitRange(unit="mph", last=dt.date(2015, 9, 6)),
        UnitRange(unit="m/s", first=dt.date(2015, 12, 30)),
    )
    assert describe_mapping(mapping_in("km/h", units=units))["unit"] == [
        {"unit": "mph", "from": "", "to": "2015-09-06"},
        {"unit": "m/s", "from": "2015-12-30", "to": ""},
    ]


def test_a_unit_for_a_part_of_the_dates_is_not_described_as_one_for_all() -> None:
    units = (UnitRange(unit="mph", last=dt.date(2015, 9, 6)),)
    assert describe_mapping(mapping_in("km/h", units=units))["unit"] != "mph"
