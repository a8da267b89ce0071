"""Whole releases of a value that is no speed: its own name and unit everywhere, verified."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import json
import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import h3
import pytest

from core.accounting.ledger import Ledger
from core.draft.draft import DataSource, draft_of, spec_of
from core.errors import InputError
from core.keys.signing_key import SigningKey, generate_key
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests.builders import resign
from tests.city import PASSPHRASE, POPULATION
from tests.delays import LOWER, MEAN, OTHERS, UPPER, VALUE, write_delay_spec

ROOT = Path(__file__).resolve().parents[2]
NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)
OF_SPEED = re.compile(rb"speed|km/?h", re.IGNORECASE)
SCRIPT = re.compile(rb"<script>.*?</script>", re.DOTALL)
"""Code: what a page says stands in its text, and as JSON in elements with a type."""
SURAT = """
[release]
name = "surat-trip-delay"
version = "1.0.0"
title = "Delays of buses by hexagon"
publisher = "City"
contact = "opendata@city.example"
licence = "CC-BY-4.0"
[data]
files = ["{file}"]
zone = "Asia/Kolkata"
[data.value]
name = "trip_delay"
column_unit = "s"
unit = "s"
lower = -600
upper = 1800
physical_min = -86400
physical_max = 86400
[data.mapping]
vehicle = "license_plate"
time = "observationDateTime"
position = "location.coordinates"
value = "trip_delay"
[hats]
resolution = 7
dates = ["2022-01-01", "2022-01-01"]
hours = ["10:00", "11:00"]
[selection]
rule = "hat"
threshold = 3
[privacy]
population = "Test buses"
relation = "values"
unit = "vehicle"
confirmed = true
[[query]]
id = "mean_trip_delay"
statistic = "mean"
mechanism = "two-step-clipping"
epsilon = "4"
[[query]]
id = "late"
statistic = "query2"
epsilon = "4"
[query.parameters]
limits = [300, 900]
"""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as opened:
        opened.set_limit(POPULATION, per_vehicle=Decimal(1000))
        yield opened


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)


def released(spec: Path, ledger: Ledger, key: SigningKey, out: Path) -> PublishedRelease:
    return publish(prepare(load_spec(spec), ledger), ledger, key=key, out=out, now=NOW)


def rows(bundle: Path, name: str) -> list[dict[str, str]]:
    with (bundle / "data" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def with_speed(bundle: Path) -> list[str]:
    """Files that name a speed or its unit; letters of keys and signatures are random.

    Scripts are none of a release's words: the map's library can slide at some speed.
    """
    told = {
        name: content for name, content in files(bundle).items() if not name.endswith((".minisig", ".pub"))
    }
    return [name for name, content in told.items() if OF_SPEED.search(SCRIPT.sub(b"", content))]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_every_statistic_of_delays_is_released_and_verified(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    bundle = released(write_delay_spec(tmp_path / "city"), ledger, key, tmp_path / "out").bundle
    checked = verify_bundle(bundle, key.public_text)
    assert checked.ok, [check for check in checked.checks if not check.passed]
    names = {path.name for path in (bundle / "data").iterdir()}
    assert names == {
        "delay_by_hat.csv",
        "delay_mean_variance_by_hat.csv",
        "vehicle_day_delay_by_hat.csv",
        "vehicles_above_limit_by_hat.csv",
        "delay_cdf_by_hat.csv",
        "epsilon_summary.csv",
        "cells.geojson",
    }
    for row in rows(bundle, "delay_by_hat"):
        low, mean, high = (float(row[name]) for name in ("ci95_low_s", "delay_mean_s", "ci95_high_s"))
        assert LOWER <= low <= mean <= high <= UPPER
    for row in rows(bundle, "delay_mean_variance_by_hat"):
        mean, variance = float(row["delay_mean_s"]), float(row["delay_variance_s_squared"])
        assert 0 <= variance <= (mean - LOWER) * (UPPER - mean) + 1e-3
    assert sorted({float(row["limit_s"]) for row in rows(bundle, "vehicles_above_limit_by_hat")}) == [
        -60,
        0,
        300.5,
    ]
    edges = sorted({float(row["delay_s"]) for row in rows(bundle, "delay_cdf_by_hat")})
    assert edges == [LOWER + 200.0 * (number + 1) for number in range(12)]


def test_no_file_of_it_speaks_of_speed(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    bundle = released(write_delay_spec(tmp_path / "city"), ledger, key, tmp_path / "out").bundle
    assert with_speed(bundle) == []
    bounds = json.loads((bundle / "privacy.json").read_bytes())["bounds"]
    assert bounds == {
        "name": "delay",
        "column_unit": "s",
        "lower": "-600.000",
        "upper": "1800.000",
        "unit": "s",
    }
    report = (bundle / "report.html").read_text(encoding="utf-8")
    assert "between -600 and 1800 s; values outside are set to the nearer end" in report
    prepared = prepare(load_spec(write_delay_spec(tmp_path / "city")), ledger)
    assert not OF_SPEED.search(repr(prepared.review).encode())
    assert not OF_SPEED.search(str(prepared.review.lines()).encode())


def test_means_of_large_epsilons_are_those_of_the_delays(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """Shifted by the lower bound inside, and back again: early buses have a negative mean."""
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10_000_000))
    spec = write_delay_spec(tmp_path / "city", MEAN.replace('total = "6"', 'epsilon = "1000"'))
    records = spec.with_name("delays.csv")
    early = [
        line if number == 0 else ",".join([*line.split(",")[:-1], "-123.4"])
        for number, line in enumerate(records.read_text(encoding="utf-8").splitlines())
    ]
    records.write_text("\n".join(early) + "\n", encoding="utf-8")
    bundle = released(spec, ledger, key, tmp_path / "out").bundle
    means = [float(row["delay_mean_s"]) for row in rows(bundle, "delay_by_hat")]
    assert means == pytest.approx([-123.4] * len(means), abs=20)


def test_the_same_request_again_is_free_and_the_same(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    spec = write_delay_spec(tmp_path / "city")
    first = released(spec, ledger, key, tmp_path / "out")
    again = released(spec, ledger, key, tmp_path / "again")
    assert again.repeated
    assert again.release == first.release
    assert files(first.bundle / "data") == files(again.bundle / "data")
    other = released(_edited(spec, "upper = 1800", "upper = 1801"), ledger, key, tmp_path / "other")
    assert not other.repeated


def test_bounds_that_were_moved_afterwards_are_found(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    bundle = released(write_delay_spec(tmp_path / "city"), ledger, key, tmp_path / "out").bundle
    whole = (bundle / "privacy.json").read_text(encoding="utf-8")
    for old, new in (
        ('"-600.000"', '"-599.000"'),
        ('"1800.000"', '"1801.000"'),
        ('"name": "delay"', '"name": "speed"'),
        ('"column_unit": "s"', '"column_unit": "ms"'),
        ('"name": "delay",\n    "column_unit": "s",\n    ', ""),
    ):
        assert old in whole
        (bundle / "privacy.json").write_text(whole.replace(old, new, 1), encoding="utf-8")
        resign(bundle, key)
        assert not verify_bundle(bundle, key.public_text).ok, (old, new)
    (bundle / "privacy.json").write_text(whole, encoding="utf-8")
    resign(bundle, key)
    assert verify_bundle(bundle, key.public_text).ok


def test_a_name_that_makes_two_columns_the_same_is_refused_and_nothing_spent(
    tmp_path: Path, ledger: Ledger
) -> None:
    spec = write_delay_spec(tmp_path / "city", MEAN)
    for name, unit in (("vehicles_above_limit", "s"), ("cumulative", "share"), ("slot", "start")):
        edited = _edited(
            spec, 'name = "delay"\ncolumn_unit = "s"', f'name = "{name}"\ncolumn_unit = "{unit}"'
        )
        with pytest.raises(InputError, match="would be called") as refused:
            prepare(load_spec(edited), ledger)
        assert refused.value.where == "data.value.name"
    assert ledger.populations()[0].spent == 0


def test_limits_of_another_value_have_no_default_and_lie_between_the_bounds(
    tmp_path: Path, ledger: Ledger
) -> None:
    spec = write_delay_spec(tmp_path / "city", OTHERS)
    with pytest.raises(InputError, match="the list is empty"):
        load_spec(_edited(spec, "limits = [-60, 0, 300.5]\n", ""))
    for limit, end in ((-600, "lower"), (-700, "lower"), (1800, "upper")):
        edited = _edited(spec, "[-60, 0, 300.5]", f"[{limit}, 0]")
        with pytest.raises(InputError, match=f"not .* the {end} bound"):
            prepare(load_spec(edited), ledger)
    assert ledger.populations()[0].spent == 0


def test_the_window_saves_the_same_request(tmp_path: Path) -> None:
    spec = load_spec(write_delay_spec(tmp_path / "city"))
    draft, source = draft_of(spec)
    assert isinstance(source, DataSource)
    again = spec_of(draft, source, tmp_path / "city")
    assert again.data.rules == spec.data.rules
    assert again.queries == spec.queries
    assert tomllib.loads(VALUE)["data"]["value"]["lower"] == LOWER


def test_the_real_delays_of_surat_are_released_under_their_own_name(
    shared_data: Path, tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    spec = tmp_path / "surat.toml"
    file = shared_data / "india-iudx" / "suratITMS.json.gz"
    spec.write_text(SURAT.format(file=file.as_posix()), encoding="utf-8")
    published = released(spec, ledger, key, tmp_path / "out")
    checked = verify_bundle(published.bundle, key.public_text)
    assert checked.ok, [check for check in checked.checks if not check.passed]
    means = [row for row in rows(published.bundle, "trip_delay_by_hat") if row["status"] == "published"]
    assert len(means) > 10
    assert all(-600 <= float(row["trip_delay_mean_s"]) <= 1800 for row in means)
    assert {row["limit_s"] for row in rows(published.bundle, "vehicles_above_limit_by_hat")} == {
        "300.000",
        "900.000",
    }
    assert with_speed(published.bundle) == []


def test_how_many_buses_of_surat_are_on_time_is_released_and_verified(
    shared_data: Path, tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """From a minute early to five minutes late; intervals hold what the records say."""
    spec, source = tmp_path / "on_time.toml", ROOT / "tests" / "benchmarks" / "surat_on_time.toml"
    file, text = shared_data / "india-iudx" / "suratITMS.json.gz", source.read_text(encoding="utf-8")
    for old, new in (
        ("../../../shared/data/india-iudx/suratITMS.json.gz", file.as_posix()),
        ("Surat buses, delays", POPULATION),
    ):
        assert old in text
        text = text.replace(old, new)
    spec.write_text(text, encoding="utf-8")
    published = released(spec, ledger, key, tmp_path / "out")
    checked = verify_bundle(published.bundle, key.public_text)
    assert checked.ok, [check for check in checked.checks if not check.passed]
    assert "shares" in {check.name for check in checked.checks}
    on_time: dict[str, list[bool]] = {}
    for record in json.loads(gzip.decompress(file.read_bytes())):
        if record.get("trip_delay") is not None and "T10:" in record["observationDateTime"]:
            longitude, latitude = record["location"]["coordinates"]
            cell = h3.latlng_to_cell(latitude, longitude, 7)
            on_time.setdefault(cell, []).append(-60 <= record["trip_delay"] < 300)
    held = []
    for row in rows(published.bundle, "trip_delay_share_by_hat"):
        truth = sum(on_time[row["h3_cell"]]) / len(on_time[row["h3_cell"]])
        held.append(float(row["ci95_low_share"]) <= truth <= float(row["ci95_high_share"]))
    assert len(held) == 31
    assert sum(held) >= 24  # 31 of 95 % each; fewer than once in 100,000 releases


def _edited(spec: Path, old: str, new: str) -> Path:
    """A second spec beside the first."""
    text = spec.read_text(encoding="utf-8")
    assert old in text
    other = spec.with_name("edited.toml")
    other.write_text(text.replace(old, new, 1), encoding="utf-8")
    return other
