"""Bundles of relation `user` against their own constants: what is tampered with is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.release.signing_key import SigningKey, generate_key
from core.release.verify_bounding import check_bounding, check_no_weights, says_user
from core.release.verify_folder import read_folder
from core.signed.findings import Finding
from tests.taxis import ledger_in, released, write_taxis


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", "correct horse")


@pytest.fixture
def bundle(tmp_path: Path, key: SigningKey) -> Path:
    ledger = ledger_in(tmp_path / "home")
    return released(write_taxis(tmp_path / "city"), ledger, key, tmp_path / "out").bundle


def changed(bundle: Path, path: tuple[Any, ...], value: Any) -> None:
    """Another value at a place of privacy.json."""
    file = bundle / "privacy.json"
    statement = json.loads(file.read_text("utf-8"))
    *above, last = path
    place = statement
    for name in above:
        place = place[name]
    place[last] = value
    file.write_text(json.dumps(statement, indent=2), encoding="utf-8")


def test_what_was_released_follows_from_its_constants(bundle: Path) -> None:
    folder = read_folder(bundle)
    assert says_user(folder)
    assert "constants" in check_bounding(folder)
    with pytest.raises(Finding, match="another relation"):
        check_no_weights(folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hats_per_vehicle", 5),
        ("hats_per_vehicle", True),
        ("threshold", 4),
        ("candidate_hats", 20),
        ("listed_hats", 0),
        ("spend_per_unit", "39"),
        ("weight", "no_such"),
        ("noise", "gauss"),
        ("weight_noise_scale", "0.1"),
    ],
)
def test_a_tampered_constant_is_found(bundle: Path, name: str, value: Any) -> None:
    changed(bundle, ("queries", 0, "bounding", name), value)
    with pytest.raises((Finding, LookupError, ValueError)):
        check_bounding(read_folder(bundle))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("queries", 0, "charges", "vehicle-day"), "40"),
        (("queries", 0, "charges", "vehicle-hat-day"), "10"),
        (("queries", 0, "made_by", "asked", "total"), "41"),
        (("queries", 0, "noise_scale"), "1"),
        (("queries", 0, "sensitivity"), "1"),
        (("selection", "threshold"), 1),
        (("unprotected_quantities",), ["which vehicles were where and when"]),
        (("queries", 0, "bounding"), None),
    ],
)
def test_a_tampered_claim_is_found(bundle: Path, path: tuple[Any, ...], value: Any) -> None:
    changed(bundle, path, value)
    with pytest.raises(Finding):
        check_bounding(read_folder(bundle))


@pytest.mark.parametrize("column", ["epsilon", "vehicles_dp", "slot_start"])
def test_a_tampered_row_is_found(bundle: Path, column: str) -> None:
    file = bundle / "data" / "speed_by_hat.csv"
    head, *lines = file.read_text("utf-8").splitlines()
    names = head.split(",")
    place = names.index(column)
    published = next(number for number, line in enumerate(lines) if line.endswith(",published"))
    cells = lines[published].split(",")
    cells[place] = {"epsilon": "9.5", "vehicles_dp": "4.000", "slot_start": "08:00"}[column]
    lines[published] = ",".join(cells)
    file.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    with pytest.raises(Finding):
        check_bounding(read_folder(bundle))
