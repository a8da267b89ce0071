"""`release`: the whole job, its exit codes, and the three parts of an error."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from core.cli import main
from core.cli.verify import check_published
from core.hats.slots import parse_clock
from tests.city import BOUNDARY, write_city
from tests.commands import limit, release, snapshot
from tests.geojson import box, polygon, write_geojson
from tests.taxis import ENFORCED, write_taxis
from tests.taxis import POPULATION as TAXIS


def test_release_verify_and_repeat(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit()
    spec = write_city(tmp_path / "city")
    assert release(spec, tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    assert main(["verify", str(bundle), "--public-key", str(home / "keys" / "release-key.pub")]) == 0
    capsys.readouterr()
    assert release(spec, tmp_path / "again") == 0
    assert "nothing was spent" in capsys.readouterr().out
    assert main(["ledger", "check"]) == 0


def test_what_was_published_is_checked_and_a_key_that_was_revoked_meanwhile_is_noticed(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a stranger will find stands in the folder of the bundles."""
    limit()
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"
    assert release(spec, out) == 0
    assert "\nThe bundle is valid.\n" in capsys.readouterr().out
    assert main(["keynote", "--out", str(out), "--reason", "Stolen.", "--revoke"]) == 0
    public = (home / "keys" / "release-key.pub").read_text()
    assert check_published(out / "test-speed-1.0.0", public) == 1
    said = capsys.readouterr().out
    assert "FAILED signer: " in said
    assert "The bundle is NOT valid. Do not put it online." in said


@pytest.mark.usefixtures("home")
def test_texts_of_a_review_stand_in_one_column_whatever_is_protected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Labels with a longer name than a vehicle's pushed their text to the right."""
    limit()
    named = (('relation = "values"', 'relation = "values"\nsubject = "air sensor"'),)
    assert release(write_city(tmp_path / "city", edit=named), tmp_path / "out") == 0
    lines = capsys.readouterr().out.splitlines()
    labels = (
        "Release",
        "Protected",
        "Epsilon per air sensor, hexagon slot and day",
        "Epsilon per air sensor",
    )
    texts = [
        re.match(rf"{label}  +", line) for label in labels for line in lines if line.startswith(f"{label}  ")
    ]
    assert len(texts) == len(labels)
    assert len({found.end() for found in texts if found}) == 1


def test_release_of_a_boundary(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit()
    spec = write_city(tmp_path / "city", edit=BOUNDARY)
    ward = write_geojson(tmp_path / "city" / "ward.geojson", polygon(box(72.78, 21.12, 72.88, 21.22)))
    assert release(spec, tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    assert main(["verify", str(bundle), "--public-key", str(home / "keys" / "release-key.pub")]) == 0
    with (bundle / "data" / "speed_by_hat.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    slots_of = Counter(row["h3_cell"] for row in rows)
    assert set(slots_of.values()) == {3}
    published = {row["h3_cell"] for row in rows if row["status"] == "published"}
    assert 0 < len(published) < len(slots_of)
    assert all(row["speed_mean_kmh"] == "" for row in rows if row["status"] == "suppressed")
    ward.write_text("[72.78, 21.12]")
    capsys.readouterr()
    assert release(spec, tmp_path / "other") == 2
    told = capsys.readouterr().err
    assert "This is not GeoJSON." in told
    assert str(ward) in told
    assert "fix:" in told


HOURS_AND_SLOTS = {
    "whole window": ('"all"', ("09:00", "12:00"), [("09:00", "12:00")]),
    "long whole window": ('"all"', ("05:20", "21:00"), [("05:20", "21:00")]),
    "four hours": ("240", ("07:00", "15:00"), [("07:00", "11:00"), ("11:00", "15:00")]),
    "counted from the start": ("60", ("08:30", "11:30"), [("08:30", "09:30"), ("09:30", "10:30")]),
    "two hours, odd start": ("120", ("09:00", "13:00"), [("09:00", "11:00"), ("11:00", "13:00")]),
}


@pytest.mark.parametrize("name", HOURS_AND_SLOTS)
def test_slots_of_any_length_are_released_verified_and_repeated(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    limit()
    length, hours, slots = HOURS_AND_SLOTS[name]
    edit = (
        ("slot_minutes = 60", f"slot_minutes = {length}"),
        ('["09:00", "12:00"]', f'["{hours[0]}", "{hours[1]}"]'),
    )
    spec = write_city(tmp_path / "city", edit=edit)
    assert release(spec, tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    assert main(["verify", str(bundle), "--public-key", str(home / "keys" / "release-key.pub")]) == 0
    with (bundle / "data" / "speed_by_hat.csv").open(encoding="utf-8", newline="") as file:
        found = {(row["slot_start"], row["slot_end"]) for row in csv.DictReader(file)}
    assert set(slots) <= found
    stated = json.loads((bundle / "privacy.json").read_bytes())
    minutes = parse_clock(slots[0][1], where="") - parse_clock(slots[0][0], where="")
    assert (stated["grid"]["slot_minutes"], stated["period"]["hours"]) == (minutes, list(hours))
    assert f"timeslots of {minutes} minutes" in (bundle / "README.md").read_text("utf-8")
    assert slots[0][0] in (bundle / "report.html").read_text("utf-8")
    capsys.readouterr()
    assert release(spec, tmp_path / "again") == 0
    assert "nothing was spent" in capsys.readouterr().out


def test_the_whole_window_through_a_contribution_table(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    edit = (("slot_minutes = 60", 'slot_minutes = "all"'), ('["09:00", "12:00"]', '["08:50", "12:10"]'))
    spec = write_city(tmp_path / "city", edit=edit)
    table = tmp_path / "city" / "table.parquet"
    data = str(spec.parent / "records.csv")
    assert main(["contributions", data, "--spec", str(spec), "--out", str(table)]) == 0
    assert release(spec, tmp_path / "out") == 0
    instead = ('files = ["records.csv"]', 'contributions = "table.parquet"')
    write_city(tmp_path / "city", edit=(*edit, instead))
    capsys.readouterr()
    assert release(spec, tmp_path / "again") == 0
    assert "nothing was spent" in capsys.readouterr().out
    assert (home / "ledger.sqlite").exists()


def test_over_the_limit_is_exit_3_and_changes_nothing(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit("5")
    assert home.is_dir()
    spec = write_city(tmp_path / "city")
    before = snapshot(tmp_path)
    assert release(spec, tmp_path / "out") == 3
    assert snapshot(tmp_path) == before
    told = capsys.readouterr().err
    assert "set-limit" in told
    assert "fix:" in told


def test_a_population_without_a_limit_is_exit_3_with_the_line_to_run(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 3
    assert not (home / "ledger.sqlite").exists()
    assert 'ledger set-limit "Test buses" --per-vehicle' in capsys.readouterr().err.replace("'", '"')


BAD_SPECS = {
    "missing file": ('"records.csv"', '"absent.csv"'),
    "missing column": ('vehicle = "vehicle"', 'vehicle = "plate"'),
    "unknown unit": ('unit = "km/h"', 'unit = "knots"'),
    "unknown zone": ('"Asia/Kolkata"', '"Asia/Surat"'),
    "unknown key": ("resolution = 7", "resolution = 7\nshape = 6"),
    "epsilon 0": ('total = "6"', 'total = "0"'),
    "negative epsilon": ('total = "6"', 'total = "-1"'),
    "infinite epsilon": ('total = "6"', 'total = "inf"'),
    "text for epsilon": ('total = "6"', 'total = "much"'),
    "resolution": ("resolution = 7", "resolution = 11"),
    "hours and slot": ('["09:00", "12:00"]', '["09:30", "12:00"]'),
    "over midnight": ('["09:00", "12:00"]', '["21:00", "06:00"]'),
    "empty window": ('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2021-01-03", "2021-01-04"]'),
    "threshold": ("threshold = 2", "threshold = 900"),
    "all suppressed": ("minimum_vehicles = 2", "minimum_vehicles = 50"),
    "relation user": ('relation = "values"', 'relation = "user"'),
    "unconfirmed": ("confirmed = true", "confirmed = false"),
}


@pytest.mark.parametrize("name", BAD_SPECS)
def test_a_bad_spec_is_exit_2_and_changes_nothing(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    limit()
    assert home.is_dir()
    spec = write_city(tmp_path / "city", edit=(BAD_SPECS[name],))
    before = snapshot(tmp_path)
    capsys.readouterr()
    assert release(spec, tmp_path / "out") == 2
    assert snapshot(tmp_path) == before
    what, where, mend, *others = capsys.readouterr().err.strip().splitlines()
    assert what.startswith("error: ")
    assert where.startswith("where: ")
    assert mend.startswith("fix:   ")
    assert all(other.startswith("       ") for other in others)


def test_a_wrong_passphrase_is_exit_2(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit()
    spec = write_city(tmp_path / "city")
    before = snapshot(home)
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", "wrong")
    assert release(spec, tmp_path / "out") == 2
    assert snapshot(home) == before
    assert not (tmp_path / "out").exists()


def test_a_revoked_key_is_exit_2_before_records_are_read(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"
    assert main(["keynote", "--revoke", "--reason", "Stolen.", "--out", str(out)]) == 0
    (tmp_path / "city" / "records.csv").unlink()
    before = snapshot(tmp_path)
    assert release(spec, out) == 2
    assert "This signing key was revoked" in capsys.readouterr().err
    assert snapshot(tmp_path) == before
    assert home.is_dir()


def test_an_existing_bundle_is_exit_2(tmp_path: Path, home: Path) -> None:
    limit("100")
    assert home.is_dir()
    spec = write_city(tmp_path / "city")
    assert release(spec, tmp_path / "out") == 0
    before = snapshot(tmp_path)
    assert release(spec, tmp_path / "out") == 2
    assert snapshot(tmp_path) == before


def test_a_target_below_a_file_is_exit_2(tmp_path: Path, home: Path) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "city" / "records.csv") == 2


def test_without_consent_nothing_happens(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit()
    spec = write_city(tmp_path / "city")
    before = snapshot(home)
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert main(["release", str(spec), "--out", str(tmp_path / "out")]) == 2
    assert snapshot(home) == before


@pytest.mark.usefixtures("home")
def test_numbers_of_relation_user_that_were_drawn_before_are_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records may have been corrected meanwhile: whether they were, nothing says."""
    assert main(["ledger", "set-limit", TAXIS, "--per-vehicle", "100", "--delta", "1e-6"]) == 0
    spec = write_taxis(tmp_path / "city", edits=ENFORCED)
    assert release(spec, tmp_path / "out") == 0
    told = capsys.readouterr().out
    assert "Foretold" in told
    assert "! Your counts were about 2." in told, "60 records are typed where 23 are"
    (tmp_path / "city" / "records.csv").write_text("vehicle,time,lat,lon,speed\n", encoding="utf-8")
    asked = ["release", str(spec), "--out", str(tmp_path / "again")]
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(asked) == 2
    told = capsys.readouterr()
    assert told.out.splitlines()[0].startswith("Drawn before")
    assert "corrected records are not in them" in told.out.splitlines()[0]
    assert "add --yes" in told.err
    monkeypatch.setattr("core.console.consent.can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    assert main(asked) == 0
    told = capsys.readouterr()
    assert "Publish the numbers drawn on" in told.out
    assert "Nothing was released." in told.out
    assert release(spec, tmp_path / "again") == 0
    assert "nothing was spent" in capsys.readouterr().out
