"""Whole releases of relation `user`: nothing but noisy numbers depends on who was there (method 12.10)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.cli import main
from core.errors import BudgetRefused, InputError
from core.keys.signing_key import SigningKey, generate_key
from core.release import draw
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests.fakes import ScriptedNoise
from tests.records import assert_tells
from tests.taxis import (
    BY_DAY,
    DAYS,
    DERIVED,
    ENFORCED,
    EVERY_RELEASE,
    GAUSSIAN,
    NOW,
    OUTSIDE,
    POPULATION,
    RAW,
    SHARES,
    Ping,
    candidate_names,
    ledger_in,
    others,
    pings,
    planned,
    released,
    write_taxis,
)

Edits = Sequence[tuple[str, str]]
RECORDS = 'weights = "records"\nm_ub = 3'
EVERY = {
    "every statistic": (*DAYS, *others()),
    "every statistic by day": (*BY_DAY, *others(histogram=True, weights=RECORDS)),
    "every statistic, gaussian": (*DAYS, *GAUSSIAN, *others(noise='noise = "gauss"', histogram=True)),
    "every statistic by day, gaussian": (*BY_DAY, *others(noise='noise = "gauss"', weights=RECORDS)),
}
"""Several queries in one spec."""
MANY = pytest.mark.parametrize("edits", EVERY.values(), ids=EVERY)
VARIANTS = pytest.mark.parametrize(
    "edits",
    [(), BY_DAY, GAUSSIAN, RAW, ENFORCED, (*ENFORCED, *BY_DAY), *EVERY.values()],
    ids=["bounded", "by day", "gaussian", "raw", "enforced", "enforced by day", *EVERY],
)
DAYS_KEY = "privacy.days_per_vehicle"
MEAN = 'statistic = "mean"\nmechanism = "bounded-mean"\ntotal = "40"'
REFUSED = [
    ('statistic = "query1"\ntotal = "40"', DAYS_KEY),
    ('statistic = "query2"\ntotal = "40"', DAYS_KEY),
    ('statistic = "query1"\nnoise_scale = "1"', "query.noise_scale"),
    ('statistic = "query1"\nepsilon = "1"', "query.epsilon"),
    ('statistic = "query1"\ntotal = "9"\nparameters = {suppress_users = true}', "query.parameters"),
    ('statistic = "cdf"\ntotal = "40"\nmechanism = "bounded-mean"', "query.mechanism"),
    ('statistic = "cdf"\ntotal = "0.000001"', "query.parameters, tree"),
    ('statistic = "cdf"\ntotal = "9"\nparameters = {weights = "records"}', "query.parameters, m_ub"),
    ('statistic = "cdf"\ntotal = "9"\nparameters = {m_ub = "median"}', "query.parameters, m_ub"),
]
"""In place of the mean, and what is told to be wrong."""
ELSEWHERE = pings(5, cells=[OUTSIDE])
"""No record in any candidate."""
DATA = {"usual": pings(), "few": pings(3, vehicles=2), "elsewhere": ELSEWHERE}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", "correct horse")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return ledger_in(tmp_path / "home")


def table_of(bundle: Path, name: str = "speed_by_hat") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((bundle / "data" / f"{name}.csv").read_text("utf-8"))))


Released = Callable[[Edits], tuple[PublishedRelease, Path]]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Released:
    """The release of the usual taxis under some edits, made once, and the folder of its city and home."""

    @cache
    def made(edits: Edits) -> tuple[PublishedRelease, Path]:
        folder = tmp_path_factory.mktemp("usual")
        spec = write_taxis(folder / "city", edits=edits)
        return released(spec, ledger_in(folder / "home"), key, folder / "out"), folder

    return made


@pytest.mark.parametrize("edits", [*VARIANTS.args[1], SHARES], ids=[*VARIANTS.kwargs["ids"], "shares"])
def test_a_release_verifies_and_repeats_for_nothing(
    edits: Edits, usual: Released, tmp_path: Path, key: SigningKey
) -> None:
    first, folder = usual(edits)
    found = verify_bundle(first.bundle)
    assert found.ok, [check for check in found.checks if not check.passed]
    ledger = Ledger.open(folder / "home" / "ledger.sqlite")
    spent = ledger.populations()[0].spent
    again = released(folder / "city" / "release.toml", ledger, key, tmp_path / "again")
    assert again.repeated
    assert ledger.populations()[0].spent == spent
    for file in sorted((first.bundle / "data").iterdir()):
        assert (again.bundle / "data" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("edits", EVERY_RELEASE.values(), ids=EVERY_RELEASE)
def test_where_nobody_was_a_release_ends_as_elsewhere(
    edits: Edits, tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """That it stopped would tell that no one was in any candidate, and the budget would be lost."""
    bundle = released(write_taxis(tmp_path / "city", ELSEWHERE, edits), ledger, key, tmp_path / "out").bundle
    found = verify_bundle(bundle)
    assert found.ok, [check for check in found.checks if not check.passed]
    tables = [table_of(bundle, path.stem) for path in (bundle / "data").glob("*_by_*.csv")]
    assert min(map(len, tables)) >= 1


@VARIANTS
def test_every_candidate_has_a_row_and_only_published_ones_have_numbers(
    edits: Edits, usual: Released
) -> None:
    bundle = usual(edits)[0].bundle
    rows = table_of(bundle)
    assert [(row["h3_cell"], row["slot_start"]) for row in rows] == candidate_names()
    weight = "records_dp" if edits[:1] == ENFORCED else "vehicles_dp"
    assert not any("bias" in name for name in rows[0])
    for row in rows:
        published = row["status"] != "suppressed"
        assert bool(row[weight]) == bool(row["speed_mean_kmh"]) == published
        assert not published or float(row[weight]) >= 5
    statement = json.loads((bundle / "privacy.json").read_text("utf-8"))
    assert statement["unprotected_quantities"] == []
    assert statement["relation"] == "user"


@MANY
def test_each_statistic_has_a_file_with_every_candidate_and_its_own_weight(
    edits: Edits, usual: Released
) -> None:
    bundle = usual(edits)[0].bundle
    capped = (bundle / "data" / "speed_cdf_by_hat.csv").is_file()
    curves = (
        ("speed_cdf_by_hat", "capped_records_dp")
        if capped
        else ("speed_cdf_of_vehicles_by_hat", "vehicles_dp")
    )
    statement = json.loads((bundle / "privacy.json").read_text("utf-8"))
    told = {query["query_id"]: query for query in statement["queries"]}
    for query_id, (name, weight), rows_of_hat in (
        ("pair_means", ("vehicle_day_speed_by_hat", "vehicle_days_dp"), 1),
        ("speeding", ("vehicles_above_limit_by_hat", None), 2),
        ("distribution", curves, 7),
    ):
        rows, bounding = table_of(bundle, name), told[query_id]["bounding"]
        places = [(row["h3_cell"], row["slot_start"]) for row in rows]
        assert places == [place for place in candidate_names() for _ in range(rows_of_hat)]
        assert bounding["weight"] == weight
        assert not any("bias" in column for column in rows[0])
        if weight is None:
            assert {row["status"] for row in rows} <= {"published", "no_information"}
            assert bounding["threshold"] is None
        else:
            published = [row for row in rows if row["status"] != "suppressed"]
            assert all(Decimal(row[weight]) >= bounding["threshold"] for row in published)
            assert not any(row[weight] for row in rows if row["status"] == "suppressed")
        by_vehicle = query_id != "distribution" and statement["privacy_unit"] == "vehicle"
        assert bounding.get("days_per_vehicle") == (1 if by_vehicle else None)
    assert statement["interval_rule"] == "what-the-noise-leaves-open"


def test_a_suppressed_distribution_keeps_its_lines(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    """Which lines a file has must not tell that nobody was anywhere."""
    edits = (("threshold = 5", "threshold = 100000"), *DAYS, *others())
    bundle = released(write_taxis(tmp_path / "city", edits=edits), ledger, key, tmp_path / "out").bundle
    rows = table_of(bundle, "speed_cdf_of_vehicles_by_hat")
    assert len(rows) == 7 * len(candidate_names())
    assert {row["status"] for row in rows} == {"suppressed"}
    assert verify_bundle(bundle).ok


def test_another_quantity_keeps_its_bounds_and_labels(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    told = 'name = "level"\ncolumn_unit = "m"\nunit = "m"\nlower = -10\nupper = 55\n'
    edits = [
        *(*DAYS, *others(histogram=True)),
        ("upper_bound_kmh = 65.0\n", ""),
        ('unit = "km/h"\n', f"\n[data.value]\n{told}physical_min = -99\nphysical_max = 99\n"),
    ]
    bundle = released(write_taxis(tmp_path / "city", edits=edits), ledger, key, tmp_path / "out").bundle
    assert verify_bundle(bundle).ok
    edges = {row["level_m"] for row in table_of(bundle, "level_cdf_of_vehicles_by_hat")}
    assert {"55.000", "-0.714"} <= edges
    assert {row["limit_m"] for row in table_of(bundle, "vehicles_above_limit_by_hat")} == {"20.000", "30.500"}


def test_charges_of_several_queries_add_up(tmp_path: Path, ledger: Ledger) -> None:
    prepared = planned(write_taxis(tmp_path / "city", edits=EVERY["every statistic"]), ledger)
    assert prepared.review.charge.per_vehicle == 40 + 40 + 30 + 60
    text = " ".join(f"{label} {line}" for label, line in prepared.review.lines())
    assert "single" not in text
    assert "Not protected" not in text
    assert {hat.index for plan in prepared.plans for hat in plan.hats} == {-1}
    assert [plan.division for plan in prepared.plans] == ["joint"] * 4
    assert prepared.review.reported == ()


def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same offsets for each release, whatever is in it."""
    monkeypatch.setattr(
        draw, "SecureNoise", lambda _: ScriptedNoise(*[number % 5 - 2 for number in range(5000)])
    )


@pytest.mark.parametrize(
    "edits",
    [ENFORCED, EVERY["every statistic by day"]],
    ids=["enforced", "every statistic by day"],
)
def test_bundles_of_neighbours_differ_in_numbers_alone(
    edits: Edits, tmp_path: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pings(vehicles=60)
    bundles = []
    for name, retained in (("with", rows), ("without", [row for row in rows if row.vehicle != "taxi 7"])):
        scripted(monkeypatch)
        spec = load_spec(write_taxis(tmp_path / name, retained, edits))
        ledger = ledger_in(tmp_path / f"home of {name}")
        bundles.append(
            publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / f"out {name}", now=NOW).bundle
        )
    one, other = bundles
    assert [path.relative_to(one) for path in sorted(one.rglob("*"))] == [
        path.relative_to(other) for path in sorted(other.rglob("*"))
    ]
    for name in ("data/epsilon_summary.csv", "data/cells.geojson", "LICENSE.txt"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    steady = {"h3_cell", "h3_resolution", "slot_start", "slot_end", "epsilon", "mechanism", "limit_kmh"}
    steady.add("speed_kmh")  # edges of a distribution
    for file in sorted((one / "data").glob("*_by_hat.csv")):
        here, there = table_of(one, file.stem), table_of(other, file.stem)
        assert [list(row) for row in here] == [list(row) for row in there]
        assert [[row[name] for name in sorted(steady & set(row))] for row in here] == [
            [row[name] for name in sorted(steady & set(row))] for row in there
        ]
        assert here != there


def test_a_window_without_any_record_gives_one_too(tmp_path: Path, ledger: Ledger, key: SigningKey) -> None:
    night = [row._replace(time=row.time.replace("T09", "T03")) for row in pings() if "T09" in row.time]
    bundle = released(write_taxis(tmp_path / "city", night), ledger, key, tmp_path / "out").bundle
    assert verify_bundle(bundle).ok


def test_vehicles_beyond_the_constants_count_as_far_as_these_go(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    edits = (("hats_per_vehicle = 4", "hats_per_vehicle = 1"),)
    bundle = released(write_taxis(tmp_path / "city", edits=edits), ledger, key, tmp_path / "out").bundle
    assert verify_bundle(bundle).ok


@pytest.mark.parametrize(
    ("edit", "where"),
    [
        (("hats_per_vehicle = 4", "hats_per_vehicle = 0"), "privacy.hats_per_vehicle"),
        (("hats_per_vehicle = 4\n", ""), "privacy.hats_per_vehicle"),
        (("threshold = 5", "threshold = 0"), "selection.threshold"),
        (("threshold = 5\n", ""), "selection.threshold"),
        (("threshold = 5", "threshold = 5\nminimum_vehicles = 2"), "selection.minimum_vehicles"),
        (('rule = "cells"\nfile = "cells.txt"', 'rule = "hat"'), "selection.rule"),
        (('"bounded-mean"', '"tokens"'), "query.mechanism"),
        (('"mean"\nmechanism = "bounded-mean"', '"mean_variance"'), "query.statistic"),
        (('unit = "vehicle"\n', 'unit = "vehicle-hat-day"\n'), "privacy.unit"),
        (('total = "40"', 'epsilon = "1"'), "query.epsilon"),
        (('total = "40"', 'total = "40"\ndivision = "equal"'), "query.division"),
        *(
            (("hats_per_vehicle = 4\n", f"hats_per_vehicle = 4\ndays_per_vehicle = {days}\n"), DAYS_KEY)
            for days in (0, 3)
        ),
        *(((MEAN, text), where) for text, where in REFUSED),
    ],
)
def test_what_bounds_nothing_is_refused_and_spends_nothing(
    edit: tuple[str, str], where: str, tmp_path: Path, ledger: Ledger
) -> None:
    with pytest.raises(InputError) as caught:
        prepare(load_spec(write_taxis(tmp_path / "city", edits=[edit])), ledger)
    assert_tells(caught.value)
    assert caught.value.where == where
    assert ledger.populations()[0].spent == 0


def test_an_empty_list_of_candidates_is_refused(tmp_path: Path, ledger: Ledger) -> None:
    spec = write_taxis(tmp_path / "city")
    (spec.parent / "cells.txt").write_text("# none\n", encoding="utf-8")
    with pytest.raises(InputError, match="no candidate cells") as caught:
        prepare(load_spec(spec), ledger)
    assert_tells(caught.value)


@pytest.mark.parametrize("edits", [(), BY_DAY, GAUSSIAN])
def test_a_charge_above_the_limit_is_refused_before_data_are_read(edits: Edits, tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path / "home", limit=Decimal(30))
    spec = write_taxis(tmp_path / "city", edits=edits)
    (spec.parent / "records.csv").unlink()
    with pytest.raises(BudgetRefused):
        prepare(load_spec(spec), ledger)


def test_derived_speeds_may_be_released(tmp_path: Path, ledger: Ledger) -> None:
    rows = [
        Ping(f"taxi {number}", f"2022-01-03T09:{minute:02d}:00+05:30", cell, 0.0)
        for number in range(9)
        for minute, (cell, _) in zip(range(0, 40, 2), candidate_names(), strict=False)
    ]
    prepared = prepare(load_spec(write_taxis(tmp_path / "city", rows, DERIVED)), ledger)
    assert prepared.review.charge.per_vehicle == 40


def test_the_command_line_shows_constants_and_no_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXVEIL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", "correct horse")
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", "100"]) == 0
    assert main(["keygen"]) == 0
    shown = []
    for name, rows in DATA.items():
        spec = write_taxis(tmp_path / name, rows)
        capsys.readouterr()
        assert main(["release", str(spec), "--out", str(tmp_path / f"out {name}")]) == 2  # nobody answers
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] == shown[2]
    assert "at most 4 of 21 candidate hexagon slots count" in shown[0]
