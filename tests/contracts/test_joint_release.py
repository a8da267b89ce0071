"""A release of every statistic at once: charges that add up, files that check, changes that are found."""

from __future__ import annotations

import csv
import datetime as dt
import json
import shutil
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from frictionless import validate

from core.accounting.ledger import Ledger
from core.bundle.release_result import Release
from core.codec import from_json, to_json
from core.contributions import contributions_of
from core.errors import InputError
from core.hats.cells import cell_text
from core.hats.slots import clock
from core.keys.signing_key import SigningKey, generate_key
from core.privacy import Unit
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.spec import load_spec
from core.store.load_records import load_records
from core.verify.verify import verify_bundle
from tests.builders import resign
from tests.city import EVERY_STATISTIC, PASSPHRASE, POPULATION, write_city, write_records

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
FILES = {
    "moments": "speed_mean_variance_by_hat",
    "pair_means": "vehicle_day_speed_by_hat",
    "speeding": "vehicles_above_limit_by_hat",
    "distribution": "speed_cdf_of_vehicles_by_hat",
}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)


def open_ledger(folder: Path) -> Ledger:
    opened = Ledger.open(folder / "home" / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=Decimal(100))
    return opened


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return open_ledger(tmp_path)


def released(folder: Path, ledger: Ledger, key: SigningKey, out: str = "out") -> PublishedRelease:
    spec = load_spec(write_city(folder / "city", edit=EVERY_STATISTIC))
    return publish(prepare(spec, ledger), ledger, key=key, out=folder / out, now=NOW)


def rows_of(bundle: Path, name: str) -> list[dict[str, str]]:
    with (bundle / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Usual(NamedTuple):
    """A release that nothing changes, and where it was made."""

    result: PublishedRelease
    ledger: Ledger
    folder: Path


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Usual:
    folder = tmp_path_factory.mktemp("usual")
    ledger = open_ledger(folder)
    return Usual(released(folder, ledger, key), ledger, folder)


def test_the_bundle_holds_a_file_of_each_statistic_and_verifies(usual: Usual) -> None:
    result = usual.result
    held = {path.stem for path in (result.bundle / "data").glob("*.csv")}
    assert held == {*FILES.values(), "epsilon_summary"}
    verification = verify_bundle(result.bundle)
    assert verification.ok, [check for check in verification.checks if not check.passed]
    readme = (result.bundle / "README.md").read_text(encoding="utf-8")
    report = (result.bundle / "report.html").read_text(encoding="utf-8")
    for name in FILES.values():
        assert f"`data/{name}.csv`" in readme
    for query in FILES:
        assert query in report
    assert from_json(Release, json.loads(json.dumps(to_json(result.release)))) == result.release


def test_frictionless_accepts_every_table(usual: Usual) -> None:
    result = usual.result
    report = validate(str(result.bundle / "datapackage.json"))
    assert report.valid, report.to_summary()


def test_for_each_unit_the_queries_add_up_to_what_was_reserved(usual: Usual) -> None:
    result = usual.result
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for row in rows_of(result.bundle, "epsilon_summary"):
        sums[row["unit"]] += Decimal(row["epsilon"])
    assert sums == {unit.value: result.release.charge.of(unit) for unit in Unit}
    (population,) = usual.ledger.populations()
    assert population.spent == sums["vehicle"]


def test_each_headline_is_the_sum_over_the_hats_of_the_busiest_vehicle(usual: Usual) -> None:
    """Counted literally from the records; where users were suppressed it may be less."""
    result = usual.result
    spec = load_spec(usual.folder / "city" / "spec.toml")
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    occupied = set(zip(table.vehicle.tolist(), table.hat.tolist(), strict=True))
    for query in result.release.queries:
        epsilon = {(row.cell, row.slot_start): row.epsilon for row in query.rows}
        sums: dict[int, Decimal] = defaultdict(Decimal)
        for vehicle, hat in occupied:
            place = cell_text(table.cell[hat]), clock(int(table.slot[hat]) * 60)
            sums[vehicle] += epsilon.get(place, Decimal(0))
        assert query.charge.per_vehicle <= max(sums.values())
        if query.query_id != "moments":
            assert query.charge.per_vehicle == max(sums.values())


def test_limits_and_bins_are_rows_and_shares_rise_to_one(usual: Usual) -> None:
    result = usual.result
    speeding = rows_of(result.bundle, FILES["speeding"])
    assert {row["limit_kmh"] for row in speeding} == {"20.000", "30.000", "40.500"}
    shares: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows_of(result.bundle, FILES["distribution"]):
        shares[row["h3_cell"], row["slot_start"]].append(row["cumulative_share_of_vehicles"])
    assert shares
    for found in shares.values():
        assert found == sorted(found)
        assert (len(found), found[-1]) == (13, "1.000000")


def test_variance_and_mean_are_a_pair_that_values_can_have(usual: Usual) -> None:
    for row in rows_of(usual.result.bundle, FILES["moments"]):
        mean, variance = Decimal(row["speed_mean_kmh"]), Decimal(row["speed_variance_km2_h2"])
        assert variance <= mean * (65 - mean)


def test_the_same_again_is_free_and_byte_identical(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    first = released(tmp_path, ledger, key)
    spent = ledger.populations()[0].spent
    again = released(tmp_path, ledger, key, out="again")
    assert again.repeated
    assert ledger.populations()[0].spent == spent
    for name in (*FILES.values(), "epsilon_summary"):
        path = f"data/{name}.csv"
        assert (first.bundle / path).read_bytes() == (again.bundle / path).read_bytes()


def test_the_plan_of_all_follows_from_counts_never_from_values(tmp_path: Path, ledger: Ledger) -> None:
    spec = write_city(tmp_path / "city", edit=EVERY_STATISTIC)
    before = prepare(load_spec(spec), ledger).review
    write_records(tmp_path / "city" / "records.csv", bump=12.0)
    assert prepare(load_spec(spec), ledger).review == before


@pytest.mark.parametrize("name", FILES.values())
def test_a_changed_value_of_any_file_is_found(
    tmp_path: Path, usual: Usual, key: SigningKey, name: str
) -> None:
    bundle = Path(shutil.copytree(usual.result.bundle, tmp_path / usual.result.bundle.name))
    path = bundle / "data" / f"{name}.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    last = lines[-1].replace("published", "suppressed").replace("no_information", "suppressed")
    path.write_text("".join([*lines[:-1], last]), encoding="utf-8")
    assert _failed(bundle) == {"sums"}
    resign(bundle, key)
    assert "values" in _failed(bundle), "also where the publisher has signed it"


def _failed(bundle: Path) -> set[str]:
    return {check.name for check in verify_bundle(bundle).checks if not check.passed}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('statistic = "query1"', 'statistic = "query2"', "statistic"),
        ('id = "pair_means"', 'id = "moments"', "id"),
    ],
)
def test_a_statistic_or_id_twice_is_refused(tmp_path: Path, old: str, new: str, what: str) -> None:
    edits = ((EVERY_STATISTIC[0][0], EVERY_STATISTIC[0][1].replace(old, new)),)
    with pytest.raises(InputError, match="have the") as caught:
        load_spec(write_city(tmp_path, edit=edits))
    assert caught.value.where == f"query.{what}"


@pytest.mark.parametrize(
    "parameters",
    ["limits = []", "limits = [65]", "limits = [70.5]", "limits = [20, 20]", "limits = [0]", "limits = [-3]"],
)
def test_limits_that_cannot_be_answered_are_refused(tmp_path: Path, ledger: Ledger, parameters: str) -> None:
    edits = ((EVERY_STATISTIC[0][0], EVERY_STATISTIC[0][1].replace("limits = [20, 30, 40.5]", parameters)),)
    with pytest.raises(InputError) as caught:
        prepare(load_spec(write_city(tmp_path, edit=edits)), ledger)
    assert caught.value.mend


@pytest.mark.parametrize(("bins", "fits"), [(1, False), (2, True), (10_000, True), (10_001, False)])
def test_bins_from_two_to_ten_thousand(tmp_path: Path, ledger: Ledger, bins: int, fits: bool) -> None:
    text = EVERY_STATISTIC[0][1].replace("bins = 13", f"bins = {bins}")
    spec = write_city(tmp_path, edit=((EVERY_STATISTIC[0][0], text),))
    if fits:
        assert prepare(load_spec(spec), ledger).plans[-1].published
        return
    with pytest.raises(InputError) as caught:
        prepare(load_spec(spec), ledger)
    assert caught.value.mend


SMALL = (
    (("minimum_vehicles = 2", "minimum_vehicles = 1"), ("threshold = 2", "threshold = 1")),
    (('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2022-01-03", "2022-01-03"]'),),
    (('unit = "vehicle"\n', 'unit = "vehicle-day"\n'),),
)


@pytest.mark.parametrize("edits", SMALL, ids=["one vehicle", "one day", "vehicle-day"])
def test_small_hats_short_windows_and_other_units_give_sound_answers(
    tmp_path: Path, ledger: Ledger, key: SigningKey, edits: tuple[tuple[str, str], ...]
) -> None:
    spec = load_spec(write_city(tmp_path / "city", edit=(*EVERY_STATISTIC, *edits)))
    bundle = publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / "out", now=NOW).bundle
    assert verify_bundle(bundle).ok


@pytest.mark.audit
def test_real_buses_are_released_with_every_statistic(
    tmp_path: Path, ledger: Ledger, key: SigningKey, shared_data: Path
) -> None:
    """Two of Austin's days, in miles an hour and winter time."""
    days = ("2015-03-07", "2015-03-18")
    files = [str(shared_data / "austin-buses" / f"vehicle_positions_{day}.csv.gz") for day in days]
    ranges = ", ".join(f'["{day}", "{day}"]' for day in days)
    edits = (
        ('files = ["records.csv"]', f"files = {json.dumps(files)}"),
        ('zone = "Asia/Kolkata"', 'zone = "America/Chicago"'),
        ('vehicle = "vehicle"', 'vehicle = "vehicle_id"'),
        ('time = "time"', 'time = "timestamp"'),
        ('"lat"', '"latitude"'),
        ('"lon"', '"longitude"'),
        ('unit = "km/h"', 'unit = "mph"'),
        ('dates = ["2022-01-03", "2022-01-04"]', f"dates = [{ranges}]"),
        ("limits = [20, 30, 40.5]", "limits = [40, 50, 60]"),
    )
    spec = load_spec(write_city(tmp_path / "city", edit=(*EVERY_STATISTIC, *edits)))
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10_000))
    result = publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    assert verify_bundle(result.bundle).ok
    assert {row["limit_kmh"] for row in rows_of(result.bundle, FILES["speeding"])} == {
        "40.000",
        "50.000",
        "60.000",
    }
