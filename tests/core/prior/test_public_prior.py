"""What is typed or named beforehand as public counts of all candidates."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.bounding.candidates import candidate_hats
from core.errors import InputError
from core.hats.cells import cell_text
from core.prior import public_prior
from core.prior.public_prior import PriorReader, PublicPrior, typed_counts
from core.prior.public_source import PublicSource, SourceRequest
from core.privacy import Unit
from tests.bounding import constants_of
from tests.records import assert_tells
from tests.strategies import RESOLUTION

CONSTANTS = constants_of()
CANDIDATES = candidate_hats(CONSTANTS)


def counts_in(folder: Path, *lines: str) -> Path:
    path = folder / "counts.csv"
    path.write_text("\n".join(["h3_cell,slot_start,vehicles,records", *lines]), encoding="utf-8")
    return path


def read(prior: PublicPrior, reader: PriorReader | None = None) -> PublicSource | None:
    reader = reader or PriorReader()
    return reader.read(prior, CONSTANTS.cells, CONSTANTS.window, RESOLUTION, Unit.VEHICLE)


def first_hat() -> tuple[str, str]:
    grid = CONSTANTS.window.grid
    return cell_text(int(CANDIDATES.cell[0])), grid.text(int(CANDIDATES.slot[0]))


def test_nothing_is_told_before_somebody_types_it() -> None:
    assert not PublicPrior().enough
    assert not PublicPrior(fleet=9, records=3).enough
    assert PublicPrior(vehicles=1).enough
    assert PublicPrior(source=SourceRequest(path="counts.csv")).enough


def test_typed_numbers_are_those_of_every_candidate() -> None:
    prior = PublicPrior(fleet=60, vehicles=20)
    assert read(prior) is None
    public = prior.counts(CANDIDATES, None)
    assert public.units.tolist() == [20] * len(CANDIDATES)
    assert set(public.records.tolist()) == {1}
    assert public.fleet == 60


def test_a_file_tells_of_the_candidates_that_it_lists(tmp_path: Path) -> None:
    cell, start = first_hat()
    path = counts_in(tmp_path, f"{cell},{start},12,5")
    prior = PublicPrior(fleet=40, vehicles=9, source=SourceRequest(path=str(path)))
    public = prior.counts(CANDIDATES, read(prior))
    assert public.units.tolist() == [12] + [0] * (len(CANDIDATES) - 1)
    assert public.records[0] == 5
    assert public.fleet == 40
    assert prior.numbers() == {"fleet": 40, "vehicles": 0, "records": 0}


def test_a_fleet_that_is_too_small_is_refused(tmp_path: Path) -> None:
    cell, start = first_hat()
    path = counts_in(tmp_path, f"{cell},{start},12,5")
    prior = PublicPrior(fleet=2, source=SourceRequest(path=str(path)))
    with pytest.raises(InputError, match="fleet"):
        prior.counts(CANDIDATES, read(prior))


def test_a_source_is_read_anew_only_where_something_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell, start = first_hat()
    path, asked = counts_in(tmp_path, f"{cell},{start},12,5"), []
    real = public_prior.read_public_counts

    def counting(*args: object, **named: object) -> PublicSource:
        asked.append(args)
        return real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(public_prior, "read_public_counts", counting)
    reader, prior = PriorReader(), PublicPrior(source=SourceRequest(path=str(path)))
    first = read(prior, reader)
    assert read(PublicPrior(fleet=7, source=prior.source), reader) is first
    assert len(asked) == 1
    path.write_text(path.read_text("utf-8").replace(",12,", ",13,"), encoding="utf-8")
    changed = path.stat()
    os.utime(path, ns=(changed.st_atime_ns, changed.st_mtime_ns + 1))
    again = read(prior, reader)
    assert again is not None
    assert again.hats[0].vehicles == 13
    assert len(asked) == 2


def test_every_candidate_gets_them() -> None:
    public = typed_counts(3, vehicles=5, records=2, fleet=10)
    assert (public.units.tolist(), public.records.tolist()) == ([5, 5, 5], [2, 2, 2])
    assert public.hats_of_one == 1.5


@pytest.mark.parametrize(
    "numbers",
    [
        {"vehicles": -1, "records": 1, "fleet": 0},
        {"vehicles": 1, "records": 0, "fleet": 0},
        {"vehicles": 9, "records": 1, "fleet": 8},
    ],
)
def test_numbers_that_cannot_be_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(InputError) as caught:
        typed_counts(3, **numbers)
    assert_tells(caught.value)
