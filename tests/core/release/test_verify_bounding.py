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
from tests.taxis import ENFORCED, GAUSSIAN, ledger_in, released, write_taxis


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


ENFORCED_KINDS = {
    "laplace": ENFORCED,
    "gauss": (*ENFORCED, ("[query.parameters]\n", '[query.parameters]\nnoise = "gauss"\n')),
}


@pytest.fixture(params=ENFORCED_KINDS.values(), ids=list(ENFORCED_KINDS))
def enforced(request: pytest.FixtureRequest, tmp_path: Path, key: SigningKey) -> Path:
    spec = write_taxis(tmp_path / "city", edits=request.param)
    return released(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle


def told_in(bundle: Path) -> dict[str, Any]:
    """The query, as privacy.json tells it."""
    query: dict[str, Any] = json.loads((bundle / "privacy.json").read_text("utf-8"))["queries"][0]
    return query


def test_prices_tell_the_scales_of_plan_and_enforce(enforced: Path) -> None:
    folder = read_folder(enforced)
    assert "constants" in check_bounding(folder)
    assert len(told_in(enforced)["bounding"]["enforcement"]["record_prices"].split()) == 21


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("enforcement", "record_prices"), lambda text: text.replace(" ", "0 ", 1)),
        (("enforcement", "record_prices"), lambda text: text.rsplit(" ", 1)[0]),
        (("enforcement", "record_prices"), lambda text: " ".join(["0"] * len(text.split()))),
        (("enforcement", "record_prices"), lambda text: text.replace(" ", " -", 1)),
        (("enforcement", "record_caps"), lambda text: "1" + text),
        (("enforcement", "record_caps"), lambda _: "many"),
        (("enforcement", "load"), lambda _: 0),
        (("enforcement",), lambda _: None),
        (("weight_noise_scale",), lambda text: "9" + text),
    ],
    ids=["a price", "one less", "none", "below 0", "a cap", "no number", "no load", "no prices", "a scale"],
)
def test_forged_prices_and_scales_are_found(enforced: Path, path: tuple[str, ...], value: Any) -> None:
    place: Any = told_in(enforced)["bounding"]
    for name in path:
        place = place[name]
    changed(enforced, ("queries", 0, "bounding", *path), value(place))
    with pytest.raises(Finding):
        check_bounding(read_folder(enforced))


@pytest.mark.parametrize("which", ["smallest", "median", "largest"])
@pytest.mark.parametrize("name", ["sensitivity", "noise_scale"])
def test_forged_scales_of_a_measure_are_found(enforced: Path, name: str, which: str) -> None:
    changed(enforced, ("queries", 0, "made_by", "measures", 0, name, which), "0.5")
    with pytest.raises(Finding, match=name):
        check_bounding(read_folder(enforced))


def test_other_tokens_are_found(enforced: Path) -> None:
    for name, value in (("tokens_of_a_vehicle", 10), ("parts_of_sums_and_weights", [1, 1])):
        before = told_in(enforced)["made_by"]["details"][name]
        changed(enforced, ("queries", 0, "made_by", "details", name), value)
        with pytest.raises(Finding, match="tokens"):
            check_bounding(read_folder(enforced))
        changed(enforced, ("queries", 0, "made_by", "details", name), before)
    check_bounding(read_folder(enforced))


@pytest.mark.parametrize("edits", [(), GAUSSIAN, ENFORCED], ids=["bounded", "gaussian", "enforced"])
@pytest.mark.parametrize(
    ("column", "by"), [("ci95_low_kmh", 0.02), ("ci95_high_kmh", -0.02), ("speed_mean_kmh", 0.05)]
)
def test_a_forged_interval_is_found(
    column: str, by: float, edits: Any, tmp_path: Path, key: SigningKey
) -> None:
    """Narrower by two hundredths, or around another mean."""
    spec = write_taxis(tmp_path / "city", edits=edits)
    bundle = released(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle
    file = bundle / "data" / "speed_by_hat.csv"
    head, *lines = file.read_text("utf-8").splitlines()
    place = head.split(",").index(column)
    ends = [head.split(",").index(name) for name in ("ci95_low_kmh", "ci95_high_kmh")]
    at, cells = next(
        (number, cells)
        for number, cells in enumerate(line.split(",") for line in lines)
        if cells[-1] == "published" and float(cells[ends[0]]) > 0 and float(cells[ends[1]]) < 65
    )
    cells[place] = f"{float(cells[place]) + by:.3f}"
    lines[at] = ",".join(cells)
    file.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    with pytest.raises(Finding, match=f"line {at + 2}: the interval"):
        check_bounding(read_folder(bundle))
