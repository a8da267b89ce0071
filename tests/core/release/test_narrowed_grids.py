"""core.release.narrowed_grids: a review says what a finer grid takes from earlier releases."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from tests.builders import make_key
from tests.city import write_city
from tests.region_bundles import open_ledger

FINER = ("resolution = 7", "resolution = 8")
COARSER = ("resolution = 7", "resolution = 6")
SHORTER = ("slot_minutes = 60", "slot_minutes = 30")
LONGER = ("slot_minutes = 60", 'slot_minutes = "all"')
OTHER_DATE = ('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2022-01-04", "2022-01-04"]')
SHIFTED = ('hours = ["09:00", "12:00"]', 'hours = ["09:30", "11:30"]')
FIRST_DATE = ('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2022-01-03", "2022-01-03"]')


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ledger, Path]:
    """A ledger that has a release of the first date, and where the records are."""
    folder = tmp_path_factory.mktemp("city")
    ledger = open_ledger(folder)
    first = prepare(load_spec(write_city(folder, edit=(FIRST_DATE,))), ledger)
    publish(
        first,
        ledger,
        key=make_key(),
        out=folder,
        now=dt.datetime(2026, 11, 23, tzinfo=dt.UTC),
    )
    return ledger, folder


@pytest.mark.parametrize(
    ("edit", "where", "when"),
    [
        ((), False, False),
        ((FINER,), True, False),
        ((COARSER,), False, False),
        ((SHORTER,), False, True),
        ((LONGER,), False, False),
        ((SHIFTED,), False, True),
        ((FINER, SHORTER), True, True),
        ((FINER, OTHER_DATE), False, False),
    ],
)
def test_the_review_says_what_the_grid_narrows(
    released: tuple[Ledger, Path], edit: tuple[tuple[str, str], ...], *, where: bool, when: bool
) -> None:
    ledger, folder = released
    lines = dict(prepare(load_spec(write_city(folder, edit=edit)), ledger).review.lines())
    told = lines.get("Narrows", "")
    resolution = "protected only inside the hexagons of resolution 8."
    assert (resolution in told, "Earlier releases of these dates have other timeslots" in told) == (
        where,
        when,
    )
    assert bool(told) == (where or when)


def test_hexagons_of_two_resolutions_narrow_what_had_one(released: tuple[Ledger, Path]) -> None:
    ledger, folder = released
    two = ("resolution = 7", "resolution = [6, 7]")
    lines = dict(prepare(load_spec(write_city(folder, edit=(two,))), ledger).review.lines())
    assert lines["Narrows"].endswith("only inside its hexagons of each of the resolutions 6 and 7.")
    other_date = prepare(load_spec(write_city(folder, edit=(two, OTHER_DATE))), ledger)
    assert "Narrows" not in dict(other_date.review.lines())
