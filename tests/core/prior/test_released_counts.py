"""Counts of an older release: only of one that is signed, unchanged, and a private release of counts."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.bounding.weight_columns import RECORDS_DP, VEHICLES_DP
from core.errors import InputError
from core.hats.window import Window, build_window
from core.prior.released_counts import OlderRelease, released_counts
from core.privacy import Unit
from core.signed.bundle_names import PRIVACY
from core.spec import load_spec
from tests.builders import forge, make_key, usual_bundle
from tests.records import assert_tells
from tests.taxis import BY_DAY, ENFORCED, ledger_in, released, write_taxis

RESOLUTION = 7
TABLE = "data/speed_by_hat.csv"
Told = dict[tuple[int, int], tuple[int, int]]
"""Cell and minute -> vehicles and records."""


def bundle_of(folder: Path, edits: Sequence[tuple[str, str]] = ()) -> Path:
    spec = write_taxis(folder / "city", edits=edits)
    return released(spec, ledger_in(folder / "home"), make_key(), folder / "out").bundle


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle_of(tmp_path_factory.mktemp("bounded"))


@pytest.fixture(scope="module")
def enforced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle_of(tmp_path_factory.mktemp("enforced"), (*ENFORCED, *BY_DAY))


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Window:
    """That of the released taxis."""
    return load_spec(write_taxis(tmp_path_factory.mktemp("window"), [])).window


def counted(
    bundle: Path, window: Window, *, unit: Unit = Unit.VEHICLE, records: int = 3, public_key: str = ""
) -> tuple[Told, OlderRelease]:
    hats, older = released_counts(bundle, window, RESOLUTION, unit, records=records, public_key=public_key)
    assert list(hats) == sorted(hats, key=lambda one: (one.cell, one.minute))
    return {(one.cell, one.minute): (one.vehicles, one.records) for one in hats}, older


def published(bundle: Path, column: str) -> Told:
    """What the rows say, by hand."""
    found = {}
    with (bundle / TABLE).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row[column]:  # of a row without information too, as noise has it now and then
                minute = 60 * int(row["slot_start"][:2])
                found[int(row["h3_cell"], 16), minute] = (round(float(row[column])), 3)
    return found


def test_noisy_vehicles_are_rounded(bounded: Path, window: Window) -> None:
    told, older = counted(bounded, window)
    assert told == {place: one for place, one in published(bounded, VEHICLES_DP).items() if one[0]}
    assert told
    assert (older.unit, older.days, older.weight) == (Unit.VEHICLE, 2, VEHICLES_DP)


def test_noisy_records_are_divided_by_those_of_a_vehicle(enforced: Path, window: Window) -> None:
    told, older = counted(enforced, window, unit=Unit.VEHICLE_DAY, records=1)
    assert older.weight == RECORDS_DP
    assert {place: one[0] for place, one in told.items()} == {
        place: one[0] for place, one in published(enforced, RECORDS_DP).items() if one[0]
    }
    halved, _ = counted(enforced, window, unit=Unit.VEHICLE_DAY, records=2)
    assert all(abs(2 * one[0] - told[place][0]) <= 2 for place, one in halved.items())


def test_vehicles_and_days_grow_with_the_window(enforced: Path, window: Window) -> None:
    first = window.date_ranges[0][0]
    day = build_window(((first, first),), window.hours, window.slot_minutes)
    whole, _ = counted(enforced, window, unit=Unit.VEHICLE_DAY)
    half, _ = counted(enforced, day, unit=Unit.VEHICLE_DAY)
    assert all(abs(2 * half.get(place, (0, 0))[0] - one[0]) <= 2 for place, one in whole.items())
    assert counted(enforced, day)[0] == counted(enforced, window)[0]


def test_a_key_is_held_against_the_signature(bounded: Path, window: Window) -> None:
    assert counted(bounded, window, public_key=make_key().public_text) == counted(bounded, window)
    refused(bounded, window, "given key", public_key=make_key(2).public_text)
    refused(bounded, window, "public key", public_key="no key")


def refused(bundle: Path, window: Window, why: str, *, records: int = 3, public_key: str = "") -> None:
    with pytest.raises(InputError, match=why) as caught:
        counted(bundle, window, records=records, public_key=public_key)
    assert_tells(caught.value)


@pytest.mark.parametrize(
    ("hours", "minutes"), [(("09:00", "12:00"), 30), (("09:30", "11:30"), 60)], ids=["slots", "starts"]
)
def test_other_slots_are_refused(hours: tuple[str, str], minutes: int, bounded: Path, window: Window) -> None:
    refused(bounded, build_window(window.date_ranges, hours, minutes), "other ones than this")


def test_another_resolution_is_refused(bounded: Path, window: Window) -> None:
    with pytest.raises(InputError, match="resolution 7") as caught:
        released_counts(bounded, window, 8, Unit.VEHICLE, records=3)
    assert_tells(caught.value)


def test_other_hours_of_the_same_grid_are_told(bounded: Path, window: Window) -> None:
    later = build_window(window.date_ranges, ("11:00", "14:00"), 60)
    assert counted(bounded, later)[0] == counted(bounded, window)[0]


def test_a_release_whose_rows_groups_tell_apart_is_refused(tmp_path: Path, window: Window) -> None:
    """A hexagon slot has several rows there: one of them stood for all, so that too few were planned for."""
    hours = 'hours = ["09:00", "12:00"]'
    (tmp_path / "city").mkdir()
    (tmp_path / "city" / "kinds.csv").write_text("2022-01-03,term\n2022-01-04,holiday\n")
    grouped = bundle_of(tmp_path, ((hours, f'{hours}\ngroup = ["day_kind"]\nday_kinds = "kinds.csv"'),))
    refused(grouped, window, "groups")


def test_exact_counts_are_refused(tmp_path: Path, window: Window) -> None:
    refused(usual_bundle(tmp_path), window, "relation values")


def test_records_of_a_vehicle_are_typed(bounded: Path, window: Window) -> None:
    refused(bounded, window, "how many records", records=0)


@pytest.fixture
def copied(bounded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bounded, tmp_path / bounded.name))


def test_a_changed_number_is_refused(copied: Path, window: Window) -> None:
    (copied / TABLE).write_bytes((copied / TABLE).read_bytes() + b"\n")
    refused(copied, window, f"{TABLE} was changed")


def test_what_is_no_bundle_is_refused(tmp_path: Path, window: Window) -> None:
    refused(tmp_path, window, "does not verify")


def test_a_release_without_noisy_weights_is_refused(copied: Path, window: Window) -> None:
    content = (copied / TABLE).read_bytes().replace(VEHICLES_DP.encode(), b"vehicles_xy")
    forge(copied, {TABLE: content})
    refused(copied, window, VEHICLES_DP)


@pytest.mark.parametrize("number", ["x", "NaN", "1e30"])
def test_a_number_that_is_none_is_refused(number: str, copied: Path, window: Window) -> None:
    lines = (copied / TABLE).read_text("utf-8").splitlines()
    place = lines[0].split(",").index(VEHICLES_DP)
    cells = lines[1].split(",")
    cells[place] = number
    forge(copied, {TABLE: "\n".join([lines[0], ",".join(cells), *lines[2:], ""]).encode()})
    refused(copied, window, "line 2 is malformed")


@pytest.mark.parametrize("name", ["grid", "period", "privacy_unit"])
def test_a_statement_of_another_shape_is_refused(name: str, copied: Path, window: Window) -> None:
    document = json.loads((copied / PRIVACY).read_bytes())
    document[name] = []
    forge(copied, {PRIVACY: json.dumps(document).encode()})
    refused(copied, window, "another shape")
    document["relation"] = "both"
    forge(copied, {PRIVACY: json.dumps(document).encode()})
    refused(copied, window, "names no relation")
