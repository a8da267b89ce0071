"""The report of what was read: its keys, and that it stays closed unless asked."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.clean.ingest_report import describe_mapping, unused_share
from core.clean.mapping import Box, DerivedSpeed, UnitRange
from core.read.readers import csv_files
from core.store.load_records import load_records
from core.store.record_cache import RecordCache
from tests.records import (
    MAPPING,
    POINT_MAPPING,
    SECRET,
    as_rows,
    csv_text,
    mapping_in,
    rules,
    sample_pings,
    write_csv,
)

KEYS = {
    "rows_read",
    "rows_used",
    "users",
    "dropped",
    "examples",
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


def test_a_date_apart_is_described_where_there_is_one() -> None:
    assert describe_mapping(mapping_in("km/h", date="day"))["date"] == "day"


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


def _ragged(path: Path, lines: Sequence[int]) -> Path:
    """The usual records, with rows of a wrong width that stand at these lines."""
    rows = csv_text(as_rows(sample_pings())).splitlines()
    for line in lines:
        rows.insert(line - 1, f"{SECRET},1")
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("cached", [False, True])
def test_rows_that_are_no_records_are_told_by_file_and_line(tmp_path: Path, cached: bool) -> None:
    files = [_ragged(tmp_path / "b.csv", (2, 5)), _ragged(tmp_path / "a.csv", (3, 4, 9, 11))]
    cache = RecordCache(tmp_path / "cache") if cached else None
    for order in (files, files[::-1]):
        report = load_records(order, rules(), cache=cache).report
        assert report.dropped == {"unparsable": 6}
        places = [("a.csv", 3), ("a.csv", 4), ("a.csv", 9), ("a.csv", 11), ("b.csv", 2)]
        assert report.examples == {"unparsable": tuple(places)}
        assert report.to_json()["examples"] == {"unparsable": [list(place) for place in places]}
        assert SECRET not in json.dumps(report.to_json())


def test_no_batch_of_any_size_decides_which_rows_are_told(tmp_path: Path) -> None:
    """Lines count on through the blocks that a long file is read in."""
    path = tmp_path / "a.csv"
    header, row = csv_text(as_rows(sample_pings()[:1])).splitlines()
    lines = [header, *[row] * 90_000]
    for line in (40_000, 50_001, 60_000):
        lines[line - 1] = SECRET
    path.write_text("\n".join(lines) + "\n")
    assert path.stat().st_size > csv_files._BLOCK
    report = load_records([path], rules()).report
    assert report.examples["unparsable"] == (("a.csv", 40_000), ("a.csv", 50_001), ("a.csv", 60_000))


def test_a_row_inside_an_archive_is_told_by_its_member(tmp_path: Path) -> None:
    inner = _ragged(tmp_path / "b.csv", (4,))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(inner, "may/b.csv")
    for path, name in (("a.zip", "a.zip/may/b.csv"), ("a.zip/may/b.csv", "b.csv")):
        report = load_records([tmp_path / path], rules()).report
        assert report.examples == {"unparsable": ((name, 4),)}


def test_the_share_of_rows_of_no_use_leaves_out_what_somebody_chose(tmp_path: Path) -> None:
    pings = sample_pings()
    path = write_csv(tmp_path / "a.csv", pings)
    with path.open("a") as file:
        file.writelines(f"X,2022-01-01T10:10:00+05:30,21.1,72.8,{speed}\n" for speed in ("fast", "", "999"))
        file.write("X,2022-01-01T10:10:00+05:30,0,0,10\n")
    report = load_records([path], rules()).report
    rows = len(pings) + 4
    assert unused_share(report, rules()) == pytest.approx(4 / rows)
    boxed = rules(dataclasses.replace(MAPPING, box=Box(south=20, west=70, north=22, east=74)))
    assert unused_share(report, boxed) == pytest.approx(3 / rows)
    derived = rules(dataclasses.replace(MAPPING, value="", derived=DerivedSpeed()))
    assert unused_share(report, derived) == pytest.approx(2 / rows)
