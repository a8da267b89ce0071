"""Public counts of whatever lies at a path: one form for all sources, and refusals that say what to name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.bounding.candidates import candidate_hats
from core.errors import InputError
from core.hats.cells import cell_text
from core.prior.public_source import PublicSource, SourceKind, read_public_counts, source_kind
from core.privacy import Unit
from tests.bounding import constants_of
from tests.builders import make_key, usual_bundle
from tests.records import assert_tells
from tests.strategies import CELLS, RESOLUTION
from tests.taxis import ENFORCED, ledger_in, released, write_taxis
from tests.timetables import write_timetable

CONSTANTS = constants_of(cells=CELLS)
LISTED = candidate_hats(CONSTANTS)


def read(path: Path, **changes: Any) -> PublicSource:
    given: dict[str, Any] = {"cells": CELLS, "window": CONSTANTS.window, "resolution": RESOLUTION}
    return read_public_counts(path, **(given | {"unit": Unit.VEHICLE} | changes))


def test_a_file_of_counts_is_read(tmp_path: Path) -> None:
    rows = [
        f"{cell_text(int(cell))},{LISTED.window.grid.text(int(slot))},{column % 3},{column + 1}\n"
        for column, (cell, slot) in enumerate(zip(LISTED.cell, LISTED.slot, strict=True))
        if column % 3
    ]
    (tmp_path / "counts.csv").write_text("".join(["h3_cell,slot_start,vehicles,records\n", *rows]))
    found = read(tmp_path / "counts.csv")
    assert (found.kind, found.fleet) == (SourceKind.FILE, 0)
    assert [(one.cell, one.minute, one.vehicles, one.records) for one in found.hats] == [
        (
            int(LISTED.cell[column]),
            LISTED.window.grid.start(int(LISTED.slot[column])),
            column % 3,
            column + 1,
        )
        for column in range(len(LISTED))
        if column % 3
    ]
    assert f"{len(found.hats)} hexagon slots" in found.description


@pytest.mark.parametrize("zipped", [False, True])
def test_a_timetable_gives_counts_and_the_fleet(zipped: bool, tmp_path: Path) -> None:
    path = write_timetable(tmp_path, zipped=zipped)
    found, rarer = read(path), read(path, seconds_per_ping=60)
    assert (found.kind, found.fleet) == (SourceKind.TIMETABLE, 2)
    assert [one.vehicles for one in found.hats] == [one.vehicles for one in rarer.hats]
    assert all(one.records > few.records for one, few in zip(found.hats, rarer.hats, strict=True))
    assert "2 vehicles" in found.description
    by_day = read(path, unit=Unit.VEHICLE_DAY)
    assert by_day.fleet == 2 * CONSTANTS.window.days


def test_a_timetable_needs_candidates(tmp_path: Path) -> None:
    refused(write_timetable(tmp_path), "no candidate cells", cells=())


def refused(path: Path, why: str, **changes: Any) -> None:
    with pytest.raises(InputError, match=why) as caught:
        read(path, **changes)
    assert_tells(caught.value)


def test_an_older_release_gives_vehicles(tmp_path: Path) -> None:
    bundle = released(
        write_taxis(tmp_path / "city", edits=ENFORCED), ledger_in(tmp_path / "home"), make_key(), tmp_path
    ).bundle
    changes = {"cells": (), "resolution": 7, "records": 3}
    found = read(bundle, **changes)
    assert (found.kind, found.fleet) == (SourceKind.RELEASE, 0)
    assert found.hats
    assert "not checked" in found.description
    assert "signature is valid" in read(bundle, **changes, public_key=make_key().public_text).description
    refused(bundle, "given key", **changes, public_key=make_key(2).public_text)


def test_a_release_of_exact_counts_is_refused(tmp_path: Path) -> None:
    refused(usual_bundle(tmp_path), "relation values", records=3)


def test_nothing_and_other_folders_are_refused(tmp_path: Path) -> None:
    refused(tmp_path / "absent", "no public counts here")
    refused(tmp_path, "neither a timetable nor a published release")
    (tmp_path / "stops.txt").touch()
    refused(tmp_path, "no trips.txt")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    refused(tmp_path / "picture.png", "other columns")


def test_what_lies_there_decides(tmp_path: Path) -> None:
    assert source_kind(usual_bundle(tmp_path)) is SourceKind.RELEASE
