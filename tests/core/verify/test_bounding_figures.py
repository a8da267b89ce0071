"""Bundles of relation `user` against their own constants: what is tampered with is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.accounting.epsilon_rounding import plain
from core.keys.signing_key import SigningKey, generate_key
from core.signed.findings import Finding
from core.verify.bounding_figures import check_bounding, check_no_weights, says_user
from core.verify.folder import read_folder
from tests.geojson import feature, write_geojson
from tests.taxis import BY_DAY, DAYS, ENFORCED, GAUSSIAN, ledger_in, others, released, write_taxis

RECORDS = 'weights = "records"\nm_ub = 3'
SEVERAL: dict[str, Sequence[tuple[str, str]]] = {
    "mean": (),
    "vehicles": (*DAYS, *others(histogram=True, weights=RECORDS)),
    "gaussian by day": (*BY_DAY, *others(noise='noise = "gauss"')),
}
"""One mean alone; then Query 1, Query 2 and a distribution beside it."""
ALONE: dict[str, Sequence[tuple[str, str]]] = {
    "gaussian": GAUSSIAN,
    "enforced": ENFORCED,
    "enforced, gaussian": (*ENFORCED, ("[query.parameters]\n", '[query.parameters]\nnoise = "gauss"\n')),
}
"""Other means."""
PAIRS, LIMITS, CURVES = 1, 2, 3
Tamper = Callable[[str], Path]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", "correct horse")


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for name, edits in (SEVERAL | ALONE).items():
        while name not in found:
            folder = tmp_path_factory.mktemp("several")
            spec = write_taxis(folder / "city", edits=edits)
            made = released(spec, ledger_in(folder / "home"), key, folder / "out").bundle
            if tells_something(made):  # with bad luck the noise suppresses all lines of a table
                found[name] = made
    return found


def tells_something(bundle: Path) -> bool:
    """Whether each table has a line to tamper with."""
    tables = (path.read_text("utf-8").splitlines()[1:] for path in (bundle / "data").glob("*_by_*.csv"))
    return all(any(not line.endswith(",suppressed") for line in lines) for lines in tables)


@pytest.fixture
def copy_of(several: dict[str, Path], tmp_path: Path) -> Tamper:
    """A bundle of that name to be changed."""
    return lambda name: Path(shutil.copytree(several[name], tmp_path / "copy"))


@pytest.fixture
def bundle(copy_of: Tamper) -> Path:
    return copy_of("mean")


def changed(bundle: Path, path: tuple[Any, ...], value: Any) -> None:
    """Another value at a place of privacy.json."""
    file = bundle / "privacy.json"
    statement = json.loads(file.read_text("utf-8"))
    *above, last = path
    place = statement
    for name in above:
        place = place[name]
    place[last] = value
    file.write_text(json.dumps(statement, indent=2), encoding="utf-8", newline="\n")


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
    file.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8", newline="\n")
    with pytest.raises(Finding):
        check_bounding(read_folder(bundle))


@pytest.mark.parametrize("name", SEVERAL)
def test_all_queries_of_a_spec_follow_from_its_constants(name: str, copy_of: Tamper) -> None:
    assert "constants" in check_bounding(read_folder(copy_of(name)))


def test_a_suppressed_row_may_name_its_place(tmp_path: Path, key: SigningKey) -> None:
    layer = '[release.places]\nfile = "stops.geojson"\nname_field = "stop"\nwithin_m = 50000\n[data]\n'
    high = ("threshold = 5\n", "threshold = 90000\n")
    spec = write_taxis(tmp_path / "city", edits=(("[data]\n", layer), high, *DAYS, *others()))
    stop = feature({"type": "Point", "coordinates": [72.83, 21.18]}, {"stop": "Udhna"})
    write_geojson(spec.parent / "stops.geojson", {"type": "FeatureCollection", "features": [stop]})
    bundle = released(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle
    tables = [path.read_text("utf-8").splitlines()[1:] for path in (bundle / "data").glob("*_by_hat.csv")]
    unmet = [rows for rows in tables if all(row.endswith(",suppressed") for row in rows)]
    assert len(unmet) == 3, "all but Query 2, which has no threshold"
    assert all("near Udhna" in row for rows in unmet for row in rows)
    assert "constants" in check_bounding(read_folder(bundle))


@pytest.mark.parametrize(
    ("query", "path", "value"),
    [
        (PAIRS, ("bounding", "days_per_vehicle"), 2),
        (PAIRS, ("bounding", "weight"), "vehicles_dp"),
        (PAIRS, ("bounding", "weight_noise_scale"), "0.1"),
        (PAIRS, ("bounding", "threshold"), 4),
        (PAIRS, ("charges", "vehicle-hat-day"), "20"),
        (PAIRS, ("sensitivity",), "65"),
        (LIMITS, ("made_by", "parameters", "histogram"), False),
        (LIMITS, ("made_by", "parameters", "limits"), [20.0, 31.0]),
        (LIMITS, ("made_by", "parameters", "limits"), [20.0, 99.0]),
        (LIMITS, ("bounding", "weight"), "vehicles_dp"),
        (LIMITS, ("bounding", "threshold"), 5),
        (LIMITS, ("bounding", "hats_per_vehicle"), 3),
        (LIMITS, ("noise_scale",), "0.01"),
        (CURVES, ("made_by", "parameters", "m_ub"), 2),
        (CURVES, ("made_by", "parameters", "bins"), 8),
        (CURVES, ("made_by", "parameters", "weights"), "user"),
        (CURVES, ("made_by", "details", "branching_factors"), [3, 3]),
        (CURVES, ("made_by", "details", "branching_factors"), [2, 2]),
        (CURVES, ("bounding", "threshold"), 5),
        (CURVES, ("contribution_cap",), 2),
        (CURVES, ("mechanism",), "query1"),
        (CURVES, ("mechanism",), "mean_variance"),
        (CURVES, ("noise_scale",), "0.01"),
    ],
)
def test_a_tampered_statistic_is_found(
    query: int, path: tuple[str, ...], value: Any, copy_of: Tamper
) -> None:
    bundle = copy_of("vehicles")
    changed(bundle, ("queries", query, *path), value)
    with pytest.raises(Finding):
        check_bounding(read_folder(bundle))


@pytest.mark.parametrize(
    ("query", "path", "value"),
    [
        (PAIRS, ("bounding", "days_per_vehicle"), 1),
        (LIMITS, ("made_by", "details", "noise"), "laplace"),
        (CURVES, ("bounding", "spend_per_unit"), "1"),
        (CURVES, ("charges_rho", "vehicle"), "1"),
    ],
)
def test_tampering_with_gaussian_noise_is_found(
    query: int, path: tuple[str, ...], value: Any, copy_of: Tamper
) -> None:
    bundle = copy_of("gaussian by day")
    changed(bundle, ("queries", query, *path), value)
    with pytest.raises(Finding):
        check_bounding(read_folder(bundle))


@pytest.mark.parametrize(
    ("file", "column", "value"),
    [
        ("vehicle_day_speed_by_hat", "vehicle_days_dp", "1.000"),
        ("vehicles_above_limit_by_hat", "epsilon", "1"),
        ("vehicles_above_limit_by_hat", "limit_kmh", "21.000"),
        ("vehicles_above_limit_by_hat", "status", "suppressed"),
        ("speed_cdf_by_hat", "speed_kmh", "1.000"),
        ("speed_cdf_by_hat", "capped_records_dp", "99.000"),
        ("speed_cdf_by_hat", "capped_records_dp", "1.000"),
    ],
)
def test_a_tampered_row_of_a_statistic_is_found(file: str, column: str, value: str, copy_of: Tamper) -> None:
    bundle = copy_of("vehicles")
    path = bundle / "data" / f"{file}.csv"
    head, *lines = path.read_text("utf-8").splitlines()
    published = next(number for number, line in enumerate(lines) if not line.endswith(",suppressed"))
    cells = lines[published].split(",")
    cells[head.split(",").index(column)] = value
    lines[published] = ",".join(cells)
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8", newline="\n")
    with pytest.raises(Finding):
        check_bounding(read_folder(bundle))


def test_a_missing_line_is_found(copy_of: Tamper) -> None:
    bundle = copy_of("vehicles")
    path = bundle / "data" / "vehicles_above_limit_by_hat.csv"
    path.write_text(
        "\n".join(path.read_text("utf-8").splitlines()[:-1]) + "\n", encoding="utf-8", newline="\n"
    )
    with pytest.raises(Finding):
        check_bounding(read_folder(bundle))


@pytest.fixture(params=["enforced", "enforced, gaussian"])
def enforced(request: pytest.FixtureRequest, copy_of: Tamper) -> Path:
    return copy_of(request.param)


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
        (("enforcement", "expected_tokens"), lambda text: text.rsplit(" ", 1)[0]),
        (("enforcement", "expected_tokens"), lambda text: " ".join(["0"] * len(text.split()))),
        (("enforcement",), lambda _: None),
        (("weight_noise_scale",), lambda text: "9" + text),
    ],
    ids=[
        *("a price", "one less", "none", "below 0", "a cap", "no number", "no load", "one less expected"),
        *("nobody expected", "no prices", "a scale"),
    ],
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


@pytest.mark.parametrize(
    "path", [("queries", 0, "counts_contradicted"), ("accuracy", 0, "measures", 0, "typical_error", "median")]
)
def test_a_forged_word_about_the_public_counts_is_found(enforced: Path, path: tuple[str | int, ...]) -> None:
    """60 records are typed where 23 are."""
    changed(enforced, path, "1.2")
    with pytest.raises(Finding, match="released weights of mean_speed"):
        check_bounding(read_folder(enforced))


@pytest.mark.parametrize(
    "path", [("queries", 0, "counts_contradicted"), ("accuracy", 0, "measures", 0, "typical_error", "median")]
)
@pytest.mark.parametrize(("units", "holds"), [(1, True), (-1, True), (2, False)])
def test_a_word_about_the_public_counts_may_differ_in_its_last_digit(
    enforced: Path, path: tuple[str | int, ...], units: int, holds: bool
) -> None:
    place: Any = json.loads((enforced / "privacy.json").read_text("utf-8"))
    for name in path:
        place = place[name]
    digits = 2 if path[-1] == "counts_contradicted" else 4
    last = Decimal(1).scaleb(Decimal(place).adjusted() + 1 - digits)
    changed(enforced, path, plain(Decimal(place) + units * last))
    with nullcontext() if holds else pytest.raises(Finding, match="released weights of mean_speed"):
        check_bounding(read_folder(enforced))


def test_other_tokens_are_found(enforced: Path) -> None:
    for name, value in (("tokens_of_a_vehicle", 10), ("parts_of_sums_and_weights", [1, 1])):
        before = told_in(enforced)["made_by"]["details"][name]
        changed(enforced, ("queries", 0, "made_by", "details", name), value)
        with pytest.raises(Finding, match="tokens"):
            check_bounding(read_folder(enforced))
        changed(enforced, ("queries", 0, "made_by", "details", name), before)
    check_bounding(read_folder(enforced))


@pytest.mark.parametrize("name", ["mean", *ALONE])
@pytest.mark.parametrize(
    ("column", "by"), [("ci95_low_kmh", 0.02), ("ci95_high_kmh", -0.02), ("speed_mean_kmh", 0.05)]
)
def test_a_forged_interval_is_found(column: str, by: float, name: str, copy_of: Tamper) -> None:
    """Narrower by two hundredths, or around another mean."""
    bundle = copy_of(name)
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
    file.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8", newline="\n")
    with pytest.raises(Finding, match=f"line {at + 2}: the interval"):
        check_bounding(read_folder(bundle))
