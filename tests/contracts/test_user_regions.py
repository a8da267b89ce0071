"""Releases by region in relation `user`: public counts decide which regions there are, records nothing."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.accounting.ledger import Ledger
from core.bundle.datapackage import json_bytes
from core.bundle.release_result import Release
from core.codec import from_json, to_json
from core.errors import InputError
from core.keys.signing_key import SigningKey, generate_key
from core.release.prepare_publish import prepare
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests.builders import forge
from tests.records import assert_tells
from tests.region_bundles import failed
from tests.taxis import BY_DAY, OUTSIDE, REGIONS, ledger_in, pings, planned, released, write_taxis

TABLE = "data/speed_by_region.csv"
GAUSS = (*REGIONS, ("records = 3\n", 'records = 3\nnoise = "gauss"\n'))
LAPLACE = (*REGIONS, ("records = 3\n", 'records = 3\nnoise = "laplace"\n'))
KINDS = {"laplace": LAPLACE, "gaussian": GAUSS, "auto, by day": (*REGIONS, *BY_DAY)}
DATA = {
    "usual": pings(),
    "few": pings(3, vehicles=2),
    "elsewhere": pings(5, cells=[OUTSIDE]),
    "one cell": pings(9, vehicles=60, cells=pings()[0].cell.split()),
}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", "correct horse")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return ledger_in(tmp_path / "home")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> dict[str, Path]:
    found = {}
    for name, edits in KINDS.items():
        folder = tmp_path_factory.mktemp("regions")
        spec = write_taxis(folder / "city", edits=edits)
        result = released(spec, ledger_in(folder / "home"), key, folder / "out")
        assert from_json(Release, json.loads(json.dumps(to_json(result.release)))) == result.release
        found[name] = result.bundle
    return found


def rows_in(bundle: Path) -> list[dict[str, str]]:
    with (bundle / TABLE).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", KINDS)
def test_the_bundle_tells_regions_and_verifies(published: dict[str, Path], name: str) -> None:
    bundle = published[name]
    assert {path.name for path in (bundle / "data").iterdir()} == {
        "speed_by_region.csv",
        "regions.geojson",
        "cells.geojson",
        "epsilon_summary.csv",
    }
    assert failed(bundle) == {}
    rows = rows_in(bundle)
    assert 1 < len(rows) < 21
    assert any(row["slot_start"] == "09:00" and row["slot_end"] == "12:00" for row in rows)
    told = json.loads((bundle / "privacy.json").read_text("utf-8"))["queries"][0]
    assert told["regions"]["regions"] == told["bounding"]["regions"] == len(rows)
    assert Decimal(told["regions"]["kept_error"]) <= Decimal(told["regions"]["promised_error"]) == 2
    assert len(told["bounding"]["enforcement"]["record_prices"].split()) == len(rows)
    assert {"smooth", "importance"}.isdisjoint(told["made_by"]["parameters"])
    assert "gap_to_the_best_shares" not in told["made_by"]["details"]
    for row in rows:
        assert bool(row["records_dp"]) == (row["status"] != "suppressed")
        assert Decimal(row["epsilon"]) > 0
    text = " ".join(((bundle / "README.md").read_text("utf-8")).split())
    assert "of the records that public counts expect" in text
    assert "if these are right" in text
    assert "a region is published where" in text


def test_no_record_decides_a_region(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    """Plans, reviews, charges, rows: alike whatever was planted."""
    told, files = [], []
    for name, rows in DATA.items():
        spec = write_taxis(tmp_path / name, rows, REGIONS)
        prepared = planned(spec, ledger)
        (plan,) = prepared.plans
        assert plan.bounded is not None
        told.append((plan.regions, prepared.review.lines(), prepared.review.charge, plan.hats))
        bundle = released(spec, ledger_in(tmp_path / f"home of {name}"), key, tmp_path / f"out {name}").bundle
        assert failed(bundle) == {}
        steady = ("region", "slot_start", "slot_end", "h3_cells", "epsilon", "mechanism")
        files.append(
            (
                [[row[column] for column in steady] for row in rows_in(bundle)],
                (bundle / "data" / "regions.geojson").read_bytes(),
                (bundle / "data" / "cells.geojson").read_bytes(),
                (bundle / "data" / "epsilon_summary.csv").read_bytes(),
            )
        )
    assert all(one == told[0] for one in told)
    assert all(one == files[0] for one in files)


def test_a_repeated_release_costs_nothing_and_another_promise_is_another_release(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    spec = write_taxis(tmp_path / "city", edits=REGIONS)
    first = released(spec, ledger, key, tmp_path / "out")
    assert first.release.charge.per_vehicle == 8
    again = released(spec, ledger, key, tmp_path / "again")
    assert again.repeated
    assert rows_in(first.bundle) == rows_in(again.bundle)
    other = write_taxis(tmp_path / "city", edits=(*REGIONS, ("= 2.0", "= 2.5")))
    assert planned(other, ledger).stored is None


@pytest.mark.parametrize(
    ("edits", "where"),
    [
        ((("= 2.0", "= 0.01"),), "query.parameters, promised_error"),
        ((("= 2.0", "= 60.0"),), "query.parameters, promised_error"),
        ((("= 2.0", "= 0"),), "query.parameters, promised_error"),
        ((("regions = true", 'regions = true\nimportance = "vehicles"'),), "query.parameters, importance"),
        ((("fleet = 60\n", ""),), "query.parameters"),
        ((('total = "8"', 'epsilon = "8"'),), "query.epsilon"),
        ((('"plan-and-enforce"', '"bounded-mean"'),), "query.parameters"),
    ],
)
def test_what_keeps_no_promise_is_refused_before_data_are_read(
    edits: Sequence[tuple[str, str]], where: str, tmp_path: Path, ledger: Ledger
) -> None:
    spec = write_taxis(tmp_path / "city", edits=(*REGIONS, *edits))
    (spec.parent / "records.csv").unlink()
    with pytest.raises(InputError) as caught:
        prepare(load_spec(spec), ledger)
    assert_tells(caught.value)
    assert caught.value.where.startswith(where) or where in caught.value.where
    assert ledger.populations()[0].spent == 0


def statement_with(path: tuple[Any, ...], value: Any) -> Callable[[Path], dict[str, bytes]]:
    def edit(bundle: Path) -> dict[str, bytes]:
        document = json.loads((bundle / "privacy.json").read_bytes())
        place = document
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value(place[path[-1]]) if callable(value) else value
        return {"privacy.json": json_bytes(document)}

    return edit


def table_with(column: int, value: Callable[[str], str]) -> Callable[[Path], dict[str, bytes]]:
    """Another cell in the last row that tells a number."""

    def edit(bundle: Path) -> dict[str, bytes]:
        lines = [line.split(",") for line in (bundle / TABLE).read_text("utf-8").splitlines()]
        line = [one for one in lines if one[-1] != "suppressed"][-1]
        line[column] = value(line[column])
        return {TABLE: ("\n".join(",".join(line) for line in lines) + "\n").encode()}

    return edit


BOUNDING = ("queries", 0, "bounding")
TAMPERED: dict[str, Callable[[Path], dict[str, bytes]]] = {
    "fewer regions": statement_with((*BOUNDING, "regions"), lambda told: told - 1),
    "no regions": statement_with((*BOUNDING, "regions"), None),
    "more HATs": statement_with((*BOUNDING, "listed_hats"), lambda told: told - 1),
    "a price": statement_with(
        (*BOUNDING, "enforcement", "record_prices"), lambda told: " ".join(["1", *told.split()[1:]])
    ),
    "a price too few": statement_with(
        (*BOUNDING, "enforcement", "record_prices"), lambda told: " ".join(told.split()[1:])
    ),
    "a region without price": statement_with(
        (*BOUNDING, "enforcement", "record_prices"), lambda told: " ".join(["0", *told.split()[1:]])
    ),
    "caps": statement_with((*BOUNDING, "enforcement", "record_caps"), lambda told: "0" + told[1:]),
    "scale": statement_with(("queries", 0, "noise_scale"), "1.000000"),
    "charge": statement_with(("queries", 0, "charges", "vehicle-day"), "8"),
    "spend": statement_with((*BOUNDING, "spend_per_unit"), "4"),
    "promise": statement_with(("queries", 0, "regions", "kept_error"), "2.1"),
    "share of sums": statement_with(("queries", 0, "made_by", "parameters", "share"), 0.5),
    "epsilon": table_with(8, lambda _: "0.5"),
    "weight": table_with(7, lambda _: "1.000"),
    "hours": table_with(2, lambda told: "11:00" if told == "12:00" else "12:00"),
    "cells": table_with(3, lambda told: f"{told} {OUTSIDE}"),
}


@pytest.mark.parametrize("tamper", TAMPERED.values(), ids=TAMPERED)
def test_what_is_tampered_with_is_found(
    tamper: Callable[[Path], dict[str, bytes]], published: dict[str, Path], key: SigningKey, tmp_path: Path
) -> None:
    """Signed by whoever made it up."""
    source = published["laplace"]
    bundle = Path(shutil.copytree(source, tmp_path / source.name))
    forge(bundle, tamper(bundle), key=key)
    assert not verify_bundle(bundle).ok
    assert {"regions", "constants", "privacy", "data", "values"} & failed(bundle).keys()
