"""The command line: exit codes, the three parts of an error, and JSON that machines read."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from core.cli import main
from core.mechanisms.registry import all_mechanisms
from tests.city import BOUNDARY, PASSPHRASE, POPULATION, write_city
from tests.feeds import feed
from tests.geojson import box, polygon, write_geojson
from tests.records import sample_pings


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a key, ready for a release once a limit is set."""
    folder = tmp_path / "home"
    monkeypatch.setenv("HEXVEIL_HOME", str(folder))
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    return folder


def limit(amount: str = "10") -> None:
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", amount]) == 0


def release(spec: Path, out: Path) -> int:
    return main(["release", str(spec), "--out", str(out), "--yes"])


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file but those of the cache, which repeats the data and says nothing of releases."""
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "cache" not in path.relative_to(folder).parts
    }


def test_mechanisms_lists_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mechanisms", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [item["key"] for item in listed] == list(all_mechanisms())


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
    assert "This is no GeoJSON." in told
    assert str(ward) in told
    assert "mend:" in told


def test_verify_without_a_key_says_that_the_signer_is_not_checked(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    capsys.readouterr()
    assert home.is_dir()
    assert main(["verify", str(tmp_path / "out" / "test-speed-1.0.0"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert told["trusted"] is False


def test_a_changed_byte_fails_verification(tmp_path: Path, home: Path) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    table = bundle / "data" / "speed_by_hat.csv"
    table.write_bytes(table.read_bytes().replace(b"published", b"Published", 1))
    assert main(["verify", str(bundle)]) == 1
    assert main(["verify", str(tmp_path / "city")]) == 2


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
    assert "mend:" in told


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
    what, where, mend = capsys.readouterr().err.strip().splitlines()
    assert what.startswith("error: ")
    assert where.startswith("where: ")
    assert mend.startswith("mend:  ")


def test_a_wrong_passphrase_is_exit_2(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit()
    spec = write_city(tmp_path / "city")
    before = snapshot(home)
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", "wrong")
    assert release(spec, tmp_path / "out") == 2
    assert snapshot(home) == before
    assert not (tmp_path / "out").exists()


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


def test_ledger_show_and_export_hold_no_secret(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    assert home.is_dir()
    assert release(write_city(tmp_path / "city"), tmp_path / "out") == 0
    capsys.readouterr()
    assert main(["ledger", "show"]) == 0
    assert "Test buses" in capsys.readouterr().out
    assert main(["ledger", "export"]) == 0
    exported = capsys.readouterr().out
    assert json.loads(exported)
    assert "bus-" not in exported


def test_ledger_check_finds_a_rolled_back_file(tmp_path: Path, home: Path) -> None:
    limit("5")
    shutil.copy(home / "ledger.sqlite", tmp_path / "old.sqlite")
    limit("6")
    shutil.copy(tmp_path / "old.sqlite", home / "ledger.sqlite")
    assert main(["ledger", "check"]) == 1


@pytest.mark.parametrize("amount", ["0", "-1", "inf", "much", "nan"])
def test_a_limit_must_be_an_epsilon(home: Path, amount: str) -> None:
    assert main(["ledger", "set-limit", POPULATION, f"--per-vehicle={amount}"]) == 2
    assert not (home / "ledger.sqlite").exists()


def test_linking_needs_two_populations(home: Path) -> None:
    limit()
    assert home.is_dir()
    assert main(["ledger", "link", POPULATION, "Nobody"]) == 3


def test_passphrase_from_a_file(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit()
    assert home.is_dir()
    monkeypatch.delenv("HEXVEIL_PASSPHRASE")
    secret = tmp_path / "secret.txt"
    secret.write_text(PASSPHRASE + "\n", encoding="utf-8")
    spec = write_city(tmp_path / "city")
    command = ["release", str(spec), "--out", str(tmp_path / "out"), "--yes"]
    assert main([*command, "--passphrase-file", str(secret)]) == 0


def test_synthesize_refuses_to_overwrite(tmp_path: Path) -> None:
    out = tmp_path / "made.csv"
    assert main(["synthesize", "--records", "500", "--out", str(out)]) == 0
    assert len(out.read_text().splitlines()) == 501
    assert main(["synthesize", "--records", "500", "--out", str(out)]) == 2


def test_keygen_never_replaces_a_key(home: Path) -> None:
    before = snapshot(home)
    assert main(["keygen"]) == 2
    assert snapshot(home) == before


def test_a_reader_that_leaves_early_brings_no_traceback() -> None:
    command = [sys.executable, "main.py", "mechanisms", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        told = run.stderr.read()
    assert run.returncode == 1
    assert told == b""
