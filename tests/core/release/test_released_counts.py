"""Counts of an older release: only of one that verifies, and that is a private release of counts."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h3
import numpy as np
import pytest

from core.bounding.candidates import CandidateHats, candidate_hats
from core.errors import InputError
from core.hats.window import build_window
from core.release import released_counts as module
from core.release.bundle_names import PRIVACY
from core.release.csv_columns import Column
from core.release.data_files import csv_bytes
from core.release.released_counts import released_counts
from core.release.verify import Verification
from core.release.verify_folder import read_folder
from tests.bounding import constants_of
from tests.builders import CELLS, SPEED_BY_HAT, forge, make_bundle, make_key
from tests.records import assert_tells

TABLE = dataclasses.replace(
    SPEED_BY_HAT,
    columns=(
        *SPEED_BY_HAT.columns,
        Column(name="vehicles_dp", type="number", description="noisy", required=False, minimum=0),
    ),
)
DAY = constants_of().window.date_ranges[0][0]


def listed(
    hours: tuple[str, str] = ("09:00", "11:00"), minutes: int = 60, cells: tuple[int, ...] | None = None
) -> CandidateHats:
    window = build_window(((DAY, DAY),), hours, minutes)
    own = tuple(h3.str_to_int(cell) for cell in CELLS) if cells is None else cells
    return candidate_hats(constants_of(days_per_vehicle=1, window=window, cells=own))


def counted(bundle: Path, candidates: CandidateHats, **changes: Any) -> list[int]:
    fields: dict[str, Any] = {"records": 3, "fleet": 0} | changes
    return released_counts(bundle, candidates, **fields).units.tolist()


@pytest.fixture
def in_relation_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle that says it is of relation `user`, with a column of noisy vehicles; taken as verified."""
    bundle = make_bundle(tmp_path)
    folder = read_folder(bundle)
    privacy = json.loads(folder.read(PRIVACY))
    privacy["relation"] = privacy["headline"]["relation"] = "user"
    lines = [line.split(",") for line in folder.read(SPEED_BY_HAT.path).decode().splitlines()[1:]]
    numbers = iter(("7.6", "0.4", "12"))
    rows = [[*line, "" if line[-1] == "suppressed" else next(numbers)] for line in lines]
    contents = {PRIVACY: json.dumps(privacy).encode(), TABLE.path: csv_bytes(TABLE, rows)}
    changed = SimpleNamespace(statistics={"mean": TABLE}, format=folder.format, read=contents.__getitem__)
    monkeypatch.setattr(module, "read_folder", lambda _: changed)
    verified = Verification(checks=(), trusted=True, key_id="")
    monkeypatch.setattr(module, "verify_bundle", lambda *_: verified)
    return bundle


def test_noisy_vehicles_are_rounded_and_none_is_zero(in_relation_user: Path) -> None:
    candidates = listed()
    found = counted(in_relation_user, candidates)
    assert sorted(found) == [0, 0, 8, 12]
    text = "\n".join(f"{name} {number}" for name, number in zip(candidates.names, found, strict=True))
    rows = (in_relation_user / SPEED_BY_HAT.path).read_text().splitlines()[1:]
    suppressed = next(row for row in rows if row.endswith("suppressed")).split(",")
    assert f"{suppressed[2][:2]} {suppressed[0]} 0" in text


def test_records_and_fleet_are_typed(in_relation_user: Path) -> None:
    public = released_counts(in_relation_user, listed(), records=5, fleet=40)
    assert (set(public.records.tolist()), public.fleet) == ({5}, 40)


def test_hats_outside_of_the_list_and_new_ones(in_relation_user: Path) -> None:
    more = listed(hours=("08:00", "12:00"))
    found = np.array(counted(in_relation_user, more))
    assert sorted(found.tolist()) == [0, 0, 0, 0, 0, 0, 8, 12]
    assert set(more.slot[found > 0].tolist()) <= {9, 10}


@pytest.mark.parametrize(
    "candidates",
    [
        listed(minutes=30),
        listed(hours=("09:30", "11:30")),
        listed(cells=tuple(h3.str_to_int(h3.cell_to_parent(cell, 6)) for cell in CELLS)),
        listed(cells=(h3.str_to_int(h3.latlng_to_cell(0.0, 0.0, 7)),)),
    ],
    ids=["slots", "starts", "resolution", "another city"],
)
def test_another_grid_or_city_is_refused(in_relation_user: Path, candidates: CandidateHats) -> None:
    with pytest.raises(InputError) as caught:
        counted(in_relation_user, candidates)
    assert_tells(caught.value)


def test_exact_counts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        counted(make_bundle(tmp_path), listed())
    assert_tells(caught.value)
    assert "relation values" in caught.value.what


def test_a_broken_signature_sum_or_signer_is_refused(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path)
    (bundle / TABLE.path).write_bytes((bundle / TABLE.path).read_bytes() + b"\n")
    with pytest.raises(InputError) as caught:
        counted(bundle, listed())
    assert_tells(caught.value)
    assert "sums" in caught.value.what
    forge(make_bundle(tmp_path / "other"), {}, key=make_key(2))
    with pytest.raises(InputError) as caught:
        counted(tmp_path / "other" / bundle.name, listed(), public_key=make_key().public_text)
    assert_tells(caught.value)


def test_a_folder_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        counted(tmp_path, listed())
    assert_tells(caught.value)


def test_a_release_without_noisy_vehicles_is_refused(
    in_relation_user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = module.read_folder(in_relation_user)
    folder.statistics["mean"] = SPEED_BY_HAT
    monkeypatch.setattr(module, "read_folder", lambda _: folder)
    with pytest.raises(InputError) as caught:
        counted(in_relation_user, listed())
    assert_tells(caught.value)
