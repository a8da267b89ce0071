"""`inspect`: what is guessed, what is usable, and what is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from tests.city import write_city
from tests.feeds import feed
from tests.records import sample_pings


def test_inspect_reports_surat_as_it_is(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(shared_data / "india-iudx" / "suratITMS.json.gz"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rows_read"], report["rows_used"], report["users"]) == (5000, 5000, 208)
    assert report["dropped"] == {}
    assert report["local_hours"] == [10]
    assert report["guessed"]["value"] == "named speed"
    assert report["guessed"]["decimal"] == '".": points'
    assert report["guessed"]["date_order"] == "no date needs it"


def test_inspect_derives_the_speeds_of_bengaluru(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(shared_data / "india-iudx" / "bengaluruAmb.json.gz"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rows_read"], report["rows_used"]) == (3996, 3936)
    assert report["dropped"] == {"no_value": 60}
    assert report["mapping"]["derived_speed"] == {"max_gap_seconds": 120}
    assert report["guessed"]["unit"] == "a derived speed is in km/h"


def test_inspect_counts_a_feed_whose_times_tell_no_zone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pings = sample_pings()
    (tmp_path / "a.pb").write_bytes(feed(pings))
    assert main(["inspect", str(tmp_path / "a.pb"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rows_read"], report["zone"], report["mapping"]["unit"]) == (len(pings), "UTC", "m/s")
    assert report["guessed"]["zone"] == "the times do not tell; UTC is assumed"


def test_inspect_asks_for_a_doubtful_decimal_mark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("plate;time;lat;lon;speed\nA;2022-01-01T10:00:00+05:30;21;72;1,234\n")
    assert main(["inspect", str(path)]) == 2
    told = capsys.readouterr().err
    assert "The decimal mark is not clear: doubtful: 1,234 in speed." in told
    assert 'decimal = "," or "."' in told


def test_inspect_takes_mapping_and_zone_from_a_spec(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_city(tmp_path)
    assert main(["inspect", str(tmp_path / "records.csv"), "--spec", str(spec), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mapping"]["vehicle"] == "vehicle"
