"""Lists of HATs: places with periods and labels, in relation `user` the candidates (method 3.1, 12.1)."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from pathlib import Path

import pytest

from core.cli import main
from core.errors import InputError
from core.release.prepare_publish import prepare
from core.spec import load_spec
from core.spec.identity import identity
from tests.city import PASSPHRASE
from tests.labelled_city import BY_ROUTE, BY_ZONE, USER, write_labelled_city
from tests.records import assert_tells
from tests.region_bundles import open_ledger
from tests.tampering import by_file, by_program

Edits = tuple[tuple[str, str], ...]
PERIODS = (
    "slot_minutes = 60",
    'periods = { early = ["09:00", "10:30"], late = ["10:30", "12:00"] }\n'
    'group = ["direction"]\nlabels = { direction = ["UP", "DN"] }',
)
LIST = "place_id,period,direction\n1,early,UP\n1,late,DN\n=2,early,UP\n"
LISTED = 'rule = "cells"\nfile = "places.txt"'
SLOTS = "place_id,slot_start\n1,09:00\n1,11:00\n=2,10:00\n"
MIXED = "period,direction,place_id\nearly,UP,=2\nlate,DN,1\nearly,UP,1\n"
"""The columns and lines of LIST in another order: read as ids it would select what nobody drives."""
COUNTS = "place_id,slot_start,vehicles,records\n1,09:00,2,1\n1,11:00,9,4\n=2,10:00,3,5\n"
ENFORCED = (
    'mechanism = "bounded-mean"\ntotal = "6"',
    'mechanism = "plan-and-enforce"\ntotal = "40"\npublic_counts = "counts.csv"\nparameters = {fleet = 12}',
)
CASES = {
    "periods and labels": ((*BY_ROUTE, PERIODS, *USER), "places.txt", LIST),
    "slots": ((*BY_ROUTE, *USER), "places.txt", SLOTS),
    "other prices": ((*BY_ROUTE, *USER, ENFORCED), "places.txt", SLOTS),
    "zones": ((*BY_ZONE, *USER, ('file = "places.txt"', 'file = "zones.txt"')), "zones.txt", SLOTS),
}


def rows_of(bundle: Path) -> set[tuple[str, ...]]:
    (data,) = (bundle / "data").glob("*_by_place.csv")
    with data.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in ("place_id", "period", "slot_start", "direction") if name in rows[0]]
    return {tuple(row[name].lstrip("'") for name in names) for row in rows}


@pytest.mark.parametrize(("edits", "file", "listed"), CASES.values(), ids=CASES)
def test_the_list_is_what_is_published_in_relation_user(
    edits: tuple[tuple[str, str], ...],
    file: str,
    listed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    assert main(["ledger", "set-limit", "Typed buses", "--per-vehicle", "1000"]) == 0
    (tmp_path / "counts.csv").write_text(COUNTS, encoding="utf-8")
    path = write_labelled_city(tmp_path, edits)
    whole = identity(load_spec(path))
    (tmp_path / file).write_text(listed, encoding="utf-8")
    spec = load_spec(path)
    assert identity(spec) != whole
    assert main(["release", str(path), "--out", str(tmp_path / "out"), "--yes"]) == 0
    (bundle,) = (tmp_path / "out").iterdir()
    assert by_program(bundle).reasons == by_file(bundle).reasons == ""
    lines = [tuple(line.split(",")) for line in listed.splitlines()[1:]]
    found = rows_of(bundle)
    assert {tuple(one for one in row if one in {*sum(lines, ())}) for row in found} == {*lines}
    assert len(found) == len(lines)
    assert json.loads((bundle / "privacy.json").read_text("utf-8"))["grid"]["hats_listed"] is True


def test_what_stands_in_the_list_follows_from_no_record(tmp_path: Path) -> None:
    more = "new bus,2022-01-03T10:00:00+05:30,21.1,72.8,9,secret label,UP\n"
    seen = []
    for number, lines in enumerate(("", more)):
        path = write_labelled_city(tmp_path / str(number), CASES["periods and labels"][0], lines)
        (path.parent / "places.txt").write_text(LIST, encoding="utf-8")
        ledger = open_ledger(tmp_path / f"home {number}")
        ledger.set_limit("Typed buses", per_vehicle=Decimal(1000))
        prepared = prepare(load_spec(path), ledger)
        seen.append((prepared.review, [hat.name for hat in prepared.plans[0].hats]))
    assert seen[0] == seen[1]
    assert len(seen[0][1]) == 3


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        (LIST.replace("period", "slot_start"), "other columns"),
        (LIST.replace("late", "noon"), "not a place with a timeslot"),
        (LIST.replace("DN", "WEST"), "not a place with a timeslot"),
        (LIST + "1,early,UP\n", "twice"),
        (LIST + "1,early\n", "not a place with a timeslot"),
        (LIST + ",early,UP\n", "not a place with a timeslot"),
    ],
    ids=["columns", "period", "label", "twice", "short", "no place"],
)
def test_a_list_that_names_no_hats_is_refused_by_its_line(listed: str, words: str, tmp_path: Path) -> None:
    path = write_labelled_city(tmp_path, CASES["periods and labels"][0])
    (tmp_path / "places.txt").write_text(listed, encoding="utf-8")
    with pytest.raises(InputError, match=words) as caught:
        load_spec(path)
    assert_tells(caught.value)
    assert "places.txt, line" in caught.value.where


def test_a_list_counts_by_the_names_of_its_columns(tmp_path: Path) -> None:
    seen = []
    for listed in (LIST, MIXED):
        path = write_labelled_city(tmp_path, CASES["periods and labels"][0])
        (tmp_path / "places.txt").write_text(listed, encoding="utf-8")
        seen.append(load_spec(path).selection)
    assert seen[0] == seen[1]


def test_a_list_of_hats_needs_typed_labels(tmp_path: Path) -> None:
    edits = (*BY_ROUTE, (PERIODS[0], PERIODS[1].replace('\nlabels = { direction = ["UP", "DN"] }', "")))
    path = write_labelled_city(tmp_path, (*edits, ('rule = "hat"\nthreshold = 2', LISTED)))
    (tmp_path / "places.txt").write_text(LIST, encoding="utf-8")
    with pytest.raises(InputError, match="labels of direction are not typed") as caught:
        load_spec(path)
    assert caught.value.where == "hats.labels"
    (tmp_path / "places.txt").write_text("1\n=2\n", encoding="utf-8")
    assert load_spec(path).selection.ids == ("1", "=2")


def test_in_relation_values_a_list_of_hats_is_what_is_selected(tmp_path: Path) -> None:
    edits = (*BY_ROUTE, ('rule = "hat"\nthreshold = 2', LISTED))
    path = write_labelled_city(tmp_path, edits)
    (tmp_path / "places.txt").write_text(SLOTS, encoding="utf-8")
    hats = prepare(load_spec(path), open_ledger(tmp_path)).plans[0].hats
    assert [hat.name for hat in hats] == ["09\x1f1", "11\x1f1", "10\x1f=2"]
