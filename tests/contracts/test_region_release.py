"""A release by regions from the spec to `verify`: files, facts, charges, changes that are found."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import h3
import numpy as np
import pytest
from frictionless import validate

from core.accounting.ledger import Ledger
from core.bundle.privacy_statement import post_processing
from core.bundle.release_result import Release
from core.codec import from_json, to_json
from core.contributions import pairs_of
from core.errors import InputError
from core.keys.signing_key import SigningKey, generate_key
from core.signed.bundle_names import REGIONS_PATH
from tests.city import PASSPHRASE
from tests.draws import draw_query
from tests.fakes import RecordingNoise
from tests.region_bundles import failed, open_ledger, planned, released, rows_of

GAUSS = ("regions = true", 'regions = true\nnoise = "gauss"')
BY_DAY = ('unit = "vehicle"', 'unit = "vehicle-day"')


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return open_ledger(tmp_path)


@pytest.mark.parametrize("edits", [(), (GAUSS,), (BY_DAY,)], ids=["laplace", "gauss", "vehicle-day"])
def test_the_bundle_tells_regions_and_verifies(
    tmp_path: Path, ledger: Ledger, key: SigningKey, edits: tuple[tuple[str, str], ...]
) -> None:
    result = released(tmp_path, ledger, key, *edits)
    held = {path.name for path in (result.bundle / "data").iterdir()}
    assert held == {"speed_by_region.csv", "regions.geojson", "cells.geojson", "epsilon_summary.csv"}
    assert failed(result.bundle) == {}
    rows = rows_of(result.bundle)
    assert list(rows[0])[:4] == ["region", "slot_start", "slot_end", "h3_cells"]
    assert [row["region"] for row in rows] == [f"r{number:03}" for number in range(1, len(rows) + 1)]
    assert len(rows) > 1
    assert {row["status"] for row in rows} <= {"published", "no_information"}
    told = json.loads((result.bundle / "privacy.json").read_text())["queries"][0]
    facts = told["regions"]
    assert facts["regions"] == len(rows)
    assert 0 < Decimal(facts["kept_error"]) <= Decimal(facts["promised_error"]) == 8
    assert set(told["made_by"]["parameters"]) == {"noise", "regions", "promised_error"}
    assert from_json(Release, json.loads(json.dumps(to_json(result.release)))) == result.release


def test_nothing_is_smoothed_and_texts_tell_the_promise(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    result = released(tmp_path, ledger, key)
    assert not any("smoothed" in part for part in post_processing(result.release))
    sentence = f"{len(rows_of(result.bundle))} regions hold"
    for name in ("README.md", "report.html"):
        text = (result.bundle / name).read_text(encoding="utf-8")
        assert sentence in text
        assert "r001" in text or name == "README.md"
    assert "of each region (hexagons and hours together)" in text


def test_regions_hold_records_once_and_the_table_says_which(tmp_path: Path, ledger: Ledger) -> None:
    prepared = planned(tmp_path, ledger)
    (plan,), table = prepared.plans, prepared.contributions
    assert plan.city is not None
    assert plan.city.regions is not None
    of_hat = plan.city.regions.of_hat
    for number, region in enumerate(plan.regions):
        held = {(int(table.cell[hat]), int(table.slot[hat])) for hat in np.flatnonzero(of_hat == number)}
        assert {cell for cell, _ in held} == set(region.cells)
        assert {slot for _, slot in held} <= set(region.slots)
    for hat in np.flatnonzero(of_hat < 0).tolist():
        cell, slot = int(table.cell[hat]), int(table.slot[hat])
        assert not any(cell in region.cells and slot in region.slots for region in plan.regions)
    assert {hat.index for hat in plan.published} == set(np.flatnonzero(of_hat >= 0).tolist())


@pytest.mark.parametrize("edits", [(), (GAUSS,)], ids=["laplace", "gauss"])
def test_without_noise_a_region_has_the_mean_of_its_records(
    tmp_path: Path, ledger: Ledger, edits: tuple[tuple[str, str], ...]
) -> None:
    """But for the rounding of vehicles' means and of weights, which the bias bound holds."""
    prepared = planned(tmp_path, ledger, *edits)
    (plan,), table = prepared.plans, prepared.contributions
    assert plan.city is not None
    assert plan.city.regions is not None
    noise = RecordingNoise()
    drawn = draw_query(plan, prepared.users, pairs_of(table), noise).rows
    starts = table.start[table.rows_before()[:-1]]
    records, sums = table.records, np.add.reduceat(table.values[:].astype(np.int64), starts)
    for number, (estimate,) in enumerate(drawn):
        inside = plan.city.regions.of_hat == number
        assert estimate.unclamped is not None
        assert estimate.bias_bound is not None
        assert estimate.unclamped == pytest.approx(
            sums[inside].sum() / records[inside].sum(), abs=estimate.bias_bound
        )
        assert estimate.bias_bound <= 10
    assert {one.spend for one in noise.requests} == {plan.city.spend}
    assert len(noise.requests) == 1


def test_an_identical_request_costs_nothing_and_has_the_same_data(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    first = released(tmp_path, ledger, key)
    again = released(tmp_path, ledger, key, out="again")
    assert again.repeated
    for path in sorted((first.bundle / "data").iterdir()):
        assert path.read_bytes() == (again.bundle / "data" / path.name).read_bytes()


def test_the_promise_is_no_part_of_other_requests(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    released(tmp_path, ledger, key)
    other = planned(tmp_path, ledger, ("promised_error = 8.0", "promised_error = 8.5"))
    assert other.stored is None


def test_a_vehicle_day_is_charged_once_for_a_region(tmp_path: Path, ledger: Ledger) -> None:
    (plan,) = planned(tmp_path, ledger, BY_DAY).plans
    assert plan.city is not None
    assert plan.charge.per_vehicle <= 12
    assert plan.charge.per_vehicle_day <= plan.charge.per_vehicle
    assert max(plan.charge.per_date.values()) == plan.charge.per_vehicle_day


@pytest.mark.parametrize(
    ("edits", "where"),
    [
        ((("regions = true", 'regions = true\nzoom = true\nnoise = "gauss"'),), "zoom"),
        ((("regions = true", 'regions = true\nimportance = "vehicles"'),), "importance"),
        ((("regions = true", 'regions = true\nmode = "bounded"'),), "mode"),
        ((("promised_error = 8.0", "promised_error = 0.001"),), "promised_error"),
        ((("promised_error = 8.0", "promised_error = 0"),), "promised_error"),
        ((('total = "12"', 'epsilon = "12"'),), "epsilon"),
        ((("minimum_vehicles = 2", "minimum_vehicles = 20"),), "promised_error"),
        ((('unit = "vehicle"', 'unit = "vehicle-hat-day"'),), "unit"),
    ],
)
def test_what_does_not_fit_is_refused_with_nothing_spent(
    tmp_path: Path, ledger: Ledger, edits: tuple[tuple[str, str], ...], where: str
) -> None:
    with pytest.raises(InputError) as refusal:
        planned(tmp_path, ledger, *edits)
    assert where in refusal.value.where
    assert refusal.value.mend


def test_frictionless_accepts_the_bundle(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    bundle = released(tmp_path, ledger, key).bundle
    report = validate(str(bundle / "datapackage.json"))
    assert report.valid, report.to_summary()


def test_outlines_are_valid_and_hold_their_hexagons(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    bundle = released(tmp_path, ledger, key).bundle
    document = json.loads((bundle / REGIONS_PATH).read_text())
    rows = rows_of(bundle)
    for row, feature in zip(rows, document["features"], strict=True):
        assert feature["properties"] == {name: row[name] for name in ("region", "slot_start", "slot_end")}
        shape = h3.geo_to_h3shape(feature["geometry"])
        cells = row["h3_cells"].split()
        assert set(h3.h3shape_to_cells(shape, h3.get_resolution(cells[0]))) == set(cells)
