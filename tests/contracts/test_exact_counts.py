"""Exact counts beside numbers: every statistic and kind of place, what is said of them, what is refused."""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import h3
import pytest

from core.cli import main
from core.draft.draft import draft_of
from core.errors import InputError
from core.keys.signing_key import SigningKey
from core.privacy import Relation
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from core.verify.verify import verify_bundle
from resources.verifier.hexveil_verify import verify
from tests.builders import make_key, resign
from tests.city import BY_REGION, EVERY_STATISTIC, SPEC, SUPPRESSING, TOKENS, write_city
from tests.labelled_city import BY_ROUTE, BY_ZONE, USER, WHOLE_AREA, write_labelled_city
from tests.region_bundles import open_ledger
from tests.share_bundles import NOW, asked, rows_of, write_rows

Edits = Sequence[tuple[str, str]]
COUNTED = (('licence = "CC-BY-4.0"', 'licence = "CC-BY-4.0"\ncounts = true'),)
SENSORS = (('relation = "values"', 'relation = "values"\nsubject = "air sensor"'),)
CALLED = "privacy.subject_plural"
GROUPED = ("slot_minutes = 60", 'slot_minutes = "all"\ngroup = ["direction"]')
NAMES = ("vehicles", "visits", "records", "days")
SAID = (
    "with counts, readers can estimate a vehicle's mean speed in a hexagon slot to about 4 km/h, and to "
    "about 1 where it passes often, whatever epsilon is"
)
VARIANTS: dict[str, tuple[Edits, Callable[..., Path]]] = {
    "mean": ((), write_city),
    "tokens": (TOKENS, write_city),
    "every statistic": (EVERY_STATISTIC, write_city),
    "users leave": (SUPPRESSING, write_city),
    "shares": (asked("percentiles = [50]"), write_city),
    "regions": (BY_REGION, write_city),
    "route": ((*BY_ROUTE, *EVERY_STATISTIC), write_labelled_city),
    "zone": ((*BY_ZONE, *TOKENS), write_labelled_city),
    "whole area": (WHOLE_AREA, write_labelled_city),
    "groups": ((*BY_ROUTE, GROUPED), write_labelled_city),
}


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return make_key()


def released(folder: Path, key: SigningKey, edit: Edits, write: Callable[..., Path] = write_city) -> Path:
    spec = load_spec(write(folder / "city", edit=(*COUNTED, *edit)))
    ledger = open_ledger(folder)
    return publish(prepare(spec, ledger), ledger, key=key, out=folder / "out", now=NOW).bundle


def tables_of(bundle: Path) -> list[str]:
    return [path.stem for path in sorted((bundle / "data").glob("*.csv")) if path.stem != "epsilon_summary"]


def what_fails(bundle: Path) -> list[str]:
    ours = [f"{one.name}: {one.detail}" for one in verify_bundle(bundle).checks if not one.passed]
    return ours + [f"{name}: {told}" for name, holds, told in verify(str(bundle)) if not holds]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_published_row_has_counts_and_no_suppressed_one_has(
    variant: str, tmp_path: Path, key: SigningKey
) -> None:
    bundle = released(tmp_path, key, *VARIANTS[variant])
    assert not what_fails(bundle)
    for name in tables_of(bundle):
        for row in rows_of(bundle, name):
            counts = [row[one] for one in NAMES]
            if row["status"] == "suppressed":
                assert not any(counts)
            else:
                vehicles, visits, records, days = map(int, counts)
                assert 1 <= vehicles <= visits <= records
                assert 1 <= days <= 2


def write_sparse(folder: Path, *, edit: Edits) -> Path:
    """One slot of a busy vehicle among rare ones, and one of three whose rarest leaves without harm."""
    spec = write_city(folder, edit=tuple(edit))
    lines = ["vehicle,time,lat,lon,speed"]
    stays = [("a", 9, 50), *((name, 9, 1) for name in "bcd"), ("b", 10, 1), ("e", 10, 9), ("f", 10, 9)]
    for name, hour, count in stays:
        lines += [
            f"{name},2022-01-03T{hour:02d}:{n:02d}:00+05:30,21.17,72.83,{20 + n % 9}" for n in range(count)
        ]
    (folder / "records.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return spec


def test_a_slot_that_users_left_has_counts_where_another_query_publishes_it(
    tmp_path: Path, key: SigningKey
) -> None:
    mean = (
        '[[query]]\nid = "mean_speed"\nstatistic = "mean"\nmechanism = "baseline"\nepsilon = "2"\n'
        "parameters = { suppress_users = true }\n"
    )
    pairs = '[[query]]\nid = "pairs"\nstatistic = "query1"\nepsilon = "2"\n'
    edit = (
        (SPEC[SPEC.index("[[query]]") :], f"{mean}\n{pairs}"),
        ("threshold = 2\nminimum_vehicles = 2", "threshold = 1\nminimum_vehicles = 3"),
    )
    bundle = released(tmp_path, key, edit, write_sparse)
    told = [[row["records"] for row in rows_of(bundle, name)] for name in tables_of(bundle)]
    assert told == [["53", ""], ["53", "19"]]
    assert not what_fails(bundle)


def counted_by_hand(records: Path) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Vehicles, records and days of each hexagon and slot."""
    found = defaultdict[tuple[str, str], list[tuple[str, str]]](list)
    with records.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cell = h3.latlng_to_cell(float(row["lat"]), float(row["lon"]), 7)
            moment = dt.datetime.fromisoformat(row["time"])
            found[cell, f"{moment.hour:02d}:00"].append((row["vehicle"], str(moment.date())))
    return {
        place: (len({vehicle for vehicle, _ in rows}), len(rows), len({day for _, day in rows}))
        for place, rows in found.items()
    }


@pytest.mark.parametrize("edit", [(), SUPPRESSING, TOKENS], ids=["mean", "users leave", "tokens"])
def test_counts_are_those_of_the_records(edit: Edits, tmp_path: Path, key: SigningKey) -> None:
    """Of those too who left a hexagon slot before the draw."""
    bundle = released(tmp_path, key, edit)
    by_hand = counted_by_hand(tmp_path / "city" / "records.csv")
    for name in tables_of(bundle):
        rows = [row for row in rows_of(bundle, name) if row["status"] != "suppressed"]
        assert rows
        for row in rows:
            told = tuple(int(row[one]) for one in ("vehicles", "records", "days"))
            assert told == by_hand[row["h3_cell"], row["slot_start"]]


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_a_contribution_table_gives_the_same_counts(engine: str, tmp_path: Path, key: SigningKey) -> None:
    first = released(tmp_path / "records", key, TOKENS)
    city, table = tmp_path / "records" / "city", tmp_path / "table" / "city" / "table.parquet"
    table.parent.mkdir(parents=True)
    made = ("--spec", str(city / "spec.toml"), "--engine", engine, "--out", str(table))
    assert main(["contributions", str(city / "records.csv"), *made]) == 0
    files = ('files = ["records.csv"]', 'contributions = "table.parquet"')
    second = released(tmp_path / "table", key, (*TOKENS, files))
    assert not what_fails(second)
    counts = [
        [[row[one] for one in NAMES] for row in rows_of(bundle, "speed_by_hat")] for bundle in (first, second)
    ]
    assert counts[0] == counts[1]


def test_counts_are_a_choice_of_what_is_published_and_cost_nothing(tmp_path: Path, key: SigningKey) -> None:
    """The same draws come out again, with counts beside them."""
    ledger, bundles = open_ledger(tmp_path), []
    for version, edit in (("1.0.0", ()), ("1.0.1", COUNTED)):
        spec = load_spec(write_city(tmp_path / "city", edit=(*edit, ("1.0.0", version))))
        bundles.append(publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / "out", now=NOW))
    assert bundles[1].repeated
    plain, counted = (rows_of(one.bundle, "speed_by_hat") for one in bundles)
    assert [{name: row[name] for name in plain[0]} for row in counted] == plain
    assert not set(NAMES) & set(plain[0])
    assert "counts" not in json.loads((bundles[0].bundle / "privacy.json").read_text("utf-8"))


def test_what_follows_of_counts_is_said_everywhere(tmp_path: Path, key: SigningKey) -> None:
    spec = load_spec(write_city(tmp_path / "city", edit=COUNTED))
    ledger = open_ledger(tmp_path)
    prepared = prepare(spec, ledger)
    said = dict(prepared.review.lines())["Counts"]
    assert "published for good" in said
    assert SAID in said
    bundle = publish(prepared, ledger, key=key, out=tmp_path / "out", now=NOW).bundle
    statement = json.loads((bundle / "privacy.json").read_text("utf-8"))
    assert statement["counts"] is True
    assert any(SAID in one for one in statement["unprotected_quantities"])
    readme = (bundle / "README.md").read_text("utf-8")
    assert SAID in readme
    assert "| `visits` |" in readme
    assert "exact numbers of vehicles" in (bundle / "dcat.jsonld").read_text("utf-8")
    package = json.loads((bundle / "datapackage.json").read_text("utf-8"))
    fields = {one["name"]: one for one in package["resources"][0]["schema"]["fields"]}
    assert fields["vehicles"]["type"] == "integer"
    without = load_spec(write_city(tmp_path / "without"))
    assert "Counts" not in dict(prepare(without, open_ledger(tmp_path / "other")).review.lines())


def test_the_column_is_called_after_who_is_protected(tmp_path: Path, key: SigningKey) -> None:
    bundle = released(tmp_path, key, SENSORS)
    assert not what_fails(bundle)
    row = rows_of(bundle, "speed_by_hat")[0]
    assert "air_sensors" in row
    assert "vehicles" not in row
    assert "exact numbers of air sensors" in (bundle / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("edit", "where"),
    [
        (USER, "release.counts"),
        (
            (('relation = "values"', 'relation = "values"\nsubject_plural = "Visits"'),),
            "privacy.subject_plural",
        ),
    ],
)
def test_counts_that_cannot_be_are_refused(edit: Edits, where: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_spec(write_labelled_city(tmp_path / "city", edit=(*COUNTED, *WHOLE_AREA, *edit)))
    assert caught.value.where == where
    assert caught.value.mend


@pytest.mark.parametrize("counted", [(), COUNTED], ids=["without counts", "with counts"])
def test_a_group_that_is_called_as_a_count_is_refused(counted: Edits, tmp_path: Path) -> None:
    """Readers would take its labels for counts."""
    mapped = ('unit = "km/h"', 'unit = "km/h"\ncolumns = { days = "direction" }')
    grouped = (mapped, ("resolution = 7", 'resolution = 7\ngroup = ["days"]'))
    spec = load_spec(write_labelled_city(tmp_path / "city", edit=(*counted, *grouped)))
    with pytest.raises(InputError, match="days already"):
        prepare(spec, open_ledger(tmp_path))


def test_a_draft_holds_them_and_leaves_them_behind_in_relation_user(tmp_path: Path) -> None:
    draft, _ = draft_of(load_spec(write_city(tmp_path, edit=COUNTED)))
    assert draft.counts
    assert not draft.in_relation(Relation.USER).counts


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("vehicles", "100000"),
        ("visits", "1"),
        ("records", "1"),
        ("days", "3"),
        ("vehicles", "1"),
        ("days", ""),
    ],
)
def test_counts_that_cannot_be_are_found(column: str, value: str, tmp_path: Path, key: SigningKey) -> None:
    bundle = released(tmp_path, key, ())
    rows = rows_of(bundle, "speed_by_hat")
    next(row for row in rows if row["status"] == "published")[column] = value
    write_rows(bundle, "speed_by_hat", rows)
    resign(bundle, key)
    failed = " ".join(one for one in what_fails(bundle) if "exact_counts" in one)
    assert "the counts are impossible" in failed
    assert "counts that cannot be" in failed


def test_other_counts_of_the_same_place_and_counts_that_nobody_states_are_found(
    tmp_path: Path, key: SigningKey
) -> None:
    bundle = released(tmp_path, key, EVERY_STATISTIC)
    name = tables_of(bundle)[0]
    rows = rows_of(bundle, name)
    row = next(row for row in rows if row["status"] == "published")
    row["records"] = str(int(row["records"]) + 1)
    write_rows(bundle, name, rows)
    resign(bundle, key)
    assert any("others than elsewhere" in one for one in what_fails(bundle))
    statement = bundle / "privacy.json"
    statement.write_text(statement.read_text("utf-8").replace('  "counts": true,\n', ""), encoding="utf-8")
    resign(bundle, key)
    assert sum("agree on exact counts" in one for one in what_fails(bundle)) == 2
