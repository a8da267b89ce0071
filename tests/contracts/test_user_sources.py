"""Releases of relation `user` that are planned on each public source, and sources that are refused."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.errors import InputError
from core.keys.signing_key import SigningKey
from core.release.prepare_publish import prepare
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests.builders import make_bundle, make_key
from tests.records import assert_tells
from tests.taxis import BY_DAY, ENFORCED, MIXED, MIXED_CELLS, ledger_in, pings, planned, released, write_taxis
from tests.timetables import write_timetable

Edits = Sequence[tuple[str, str]]
PARAMETERS = "\n[query.parameters]\nfleet = 60\nvehicles = 20\nrecords = 3\n"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return ledger_in(tmp_path / "home")


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return make_key()


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    """A release of other taxis, by plan and enforce."""
    folder = tmp_path_factory.mktemp("older")
    spec = write_taxis(folder / "city", pings(seed=2), ENFORCED)
    return released(spec, ledger_in(folder / "home"), key, folder / "out").bundle


def named(source: Path, parameters: str = "fleet = 60\nrecords = 3\n", more: str = "") -> Edits:
    """Edits that name a source of public counts."""
    lines = f'public_counts = "{source.as_posix()}"\n{more}\n[query.parameters]\n{parameters}'
    return (*ENFORCED, (PARAMETERS, f"\n{lines}"))


@pytest.mark.parametrize("unit", [(), BY_DAY], ids=["vehicle", "vehicle-day"])
def test_a_timetable_plans_a_release_and_tells_the_fleet(
    unit: Edits, tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    (tmp_path / "timetable").mkdir()
    edits = named(write_timetable(tmp_path / "timetable"), parameters="", more="seconds_per_ping = 60\n")
    spec = write_taxis(tmp_path / "city", edits=(*edits, *unit))
    [query] = load_spec(spec).queries
    assert query.public_fleet == (4 if unit else 2)
    assert len(query.public_counts) == 4
    bundle = released(spec, ledger, key, tmp_path / "out").bundle
    assert verify_bundle(bundle).ok
    assert len((bundle / "data" / "speed_by_hat.csv").read_text("utf-8").splitlines()) == 22


def test_an_older_release_plans_the_next_one(
    older: Path, tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    more = f'public_counts_key = "{key.public_text}"\n'
    spec = write_taxis(tmp_path / "city", edits=named(older, more=more))
    bundle = released(spec, ledger, key, tmp_path / "out").bundle
    assert verify_bundle(bundle).ok


def test_the_key_may_lie_beside_the_spec(older: Path, tmp_path: Path, ledger: Ledger) -> None:
    spec = write_taxis(tmp_path / "city", edits=named(older, more='public_counts_key = "city.pub"\n'))
    shutil.copy(older / "release-key.pub", spec.parent / "city.pub")
    assert planned(spec, ledger).plans[0].bounded is not None


def refused(spec: Path, ledger: Ledger, why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        prepare(load_spec(spec), ledger)
    assert_tells(caught.value)
    assert [one.spent for one in ledger.populations()] == [0]


def test_a_bundle_of_relation_values_is_refused(tmp_path: Path, ledger: Ledger) -> None:
    bundle = make_bundle(tmp_path / "values")
    refused(write_taxis(tmp_path / "city", edits=named(bundle)), ledger, "relation values")


@pytest.mark.parametrize("file", ["data/speed_by_hat.csv", "SHA256SUMS", "SHA256SUMS.minisig"])
def test_a_broken_signature_is_refused(file: str, older: Path, tmp_path: Path, ledger: Ledger) -> None:
    bundle = Path(shutil.copytree(older, tmp_path / older.name))
    content = (bundle / file).read_bytes()
    other = b"1" if content[-9:-8] == b"0" else b"0"
    (bundle / file).write_bytes(content[:-9] + other + content[-8:])
    refused(write_taxis(tmp_path / "city", edits=named(bundle)), ledger, "does not verify")


def test_another_signer_is_refused(older: Path, tmp_path: Path, ledger: Ledger) -> None:
    more = f'public_counts_key = "{make_key(2).public_text}"\n'
    refused(write_taxis(tmp_path / "city", edits=named(older, more=more)), ledger, "given key")


def test_no_candidate_cells_are_refused_whatever_plans(tmp_path: Path, ledger: Ledger) -> None:
    (tmp_path / "timetable").mkdir()
    edits = named(write_timetable(tmp_path / "timetable"))
    spec = write_taxis(tmp_path / "city", edits=edits)
    (spec.parent / "cells.txt").write_text("# none\n", encoding="utf-8")
    refused(spec, ledger, "no candidate cells")


@pytest.mark.parametrize("seconds", [0, 3601])
def test_pings_of_nothing_are_refused(seconds: int, tmp_path: Path, ledger: Ledger) -> None:
    (tmp_path / "timetable").mkdir()
    source = write_timetable(tmp_path / "timetable")
    edits = named(source, more=f"seconds_per_ping = {seconds}\n")
    refused(write_taxis(tmp_path / "city", edits=edits), ledger, "not offered")


@pytest.mark.parametrize("vehicles", [1, 5])
def test_vehicles_that_all_exceed_the_plan_are_held_to_it(
    vehicles: int, tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """Hundreds of records of each in every HAT, where the plan expects three: a sound answer all the same."""
    spec = write_taxis(tmp_path / "city", pings(vehicles=vehicles, each=600), ENFORCED)
    assert verify_bundle(released(spec, ledger, key, tmp_path / "out").bundle).ok


def test_a_file_counts_hexagons_of_two_resolutions_and_other_sources_do_not(
    tmp_path: Path, ledger: Ledger, key: SigningKey, older: Path
) -> None:
    lines = [f"{cell},{hour:02d}:00,20,3" for cell in MIXED_CELLS for hour in (9, 10, 11)]
    counts = tmp_path / "counts.csv"
    counts.write_text("\n".join(("h3_cell,slot_start,vehicles,records", *lines)), encoding="utf-8")
    spec = write_taxis(tmp_path / "city", edits=(*named(counts), *MIXED))
    [query] = load_spec(spec).queries
    assert len(query.public_counts) == len(lines)
    bundle = released(spec, ledger, key, tmp_path / "out").bundle
    assert verify_bundle(bundle).ok
    (tmp_path / "timetable").mkdir()
    timetable = write_timetable(tmp_path / "timetable")
    for source, edits, words in (
        (timetable, MIXED, "cannot serve hexagons of several resolutions"),
        (older, MIXED, "cannot serve hexagons of several resolutions"),
        (bundle, (), "has hexagons of several resolutions"),
    ):
        path = write_taxis(tmp_path / "other", edits=(*named(source), *edits))
        with pytest.raises(InputError, match=words) as refused:
            load_spec(path)
        assert_tells(refused.value)
