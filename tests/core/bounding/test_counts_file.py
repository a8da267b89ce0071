"""Public counts from a CSV file: what is read, which HATs they are of, and what is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.bounding.candidates import candidate_hats
from core.bounding.counts_file import CountedHat, counts_of_hats, read_counts
from core.errors import InputError
from core.hats.cells import cell_text
from core.mechanisms.covariate import OF_OTHER_VALUES, OF_RECORDS, OF_SPEEDS
from tests.bounding import OUTSIDE, constants_of
from tests.records import assert_tells
from tests.strategies import CELLS, RESOLUTION, window

HEAD = "h3_cell,slot_start,vehicles,records\n"
SPEEDS = "h3_cell,slot_start,vehicles,records,speed_kmh\n"
CANDIDATES = candidate_hats(constants_of())
START = window().grid.start(window().slots[0])


def file_of(folder: Path, text: str) -> Path:
    path = folder / "counts.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_hat_is_read_once_in_order(tmp_path: Path) -> None:
    first, second = sorted(CELLS[:2])
    lines = f"{cell_text(second)},09:00,7,2\n\n{cell_text(first)},10:00,3,1\n"
    assert read_counts(file_of(tmp_path, HEAD + lines), RESOLUTION) == (
        CountedHat(cell=first, minute=600, vehicles=3, records=1),
        CountedHat(cell=second, minute=540, vehicles=7, records=2),
    )


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("cell,slot\n", "line 1"),
        ("", "line 1"),
        (HEAD, "counts.csv"),
        (HEAD + "{cell},09:00,7\n", "line 2"),
        (HEAD + "{cell},09:00,0,1\n", "line 2"),
        (HEAD + "{cell},09:00,7,-1\n", "line 2"),
        (HEAD + "{cell},9 o'clock,7,1\n", "line 2"),
        (HEAD + "no cell,09:00,7,1\n", "line 2"),
        (HEAD + "{cell},09:00,7,1\n{cell},09:00,7,1\n", "line 3"),
        (HEAD + "{cell},09:00,7,1,20\n", "line 2"),
        (SPEEDS + "{cell},09:00,7,1\n", "line 2"),
        (SPEEDS + "{cell},09:00,7,1,0\n", "line 2"),
        (SPEEDS + "{cell},09:00,7,1,fast\n", "line 2"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, lines: str, line: str) -> None:
    with pytest.raises(InputError) as caught:
        read_counts(file_of(tmp_path, lines.replace("{cell}", cell_text(CELLS[0]))), RESOLUTION)
    assert_tells(caught.value)
    assert line in caught.value.where


def test_a_timetable_s_speeds_tell_of_means_where_it_has_them(tmp_path: Path) -> None:
    lines = "".join(
        f"{cell_text(cell)},09:00,7,2{speed}\n"
        for cell, speed in zip(CELLS[:2], (",31", ",17.5"), strict=True)
    )
    counted = read_counts(file_of(tmp_path, SPEEDS + lines), RESOLUTION)
    assert {one.cell: one.speed for one in counted} == {CELLS[0]: 31.0, CELLS[1]: 17.5}
    public, columns = counts_of_hats(counted, CANDIDATES, fleet=9)
    by_speed, other = public.sign(speeds=True), public.sign(speeds=False)
    assert by_speed.slope is OF_SPEEDS
    assert by_speed.amounts.tolist() == [
        {CELLS[0]: 31.0, CELLS[1]: 17.5}[cell] for cell in CANDIDATES.cell[columns]
    ]
    assert (other.slope, other.amounts.tolist()) == (OF_OTHER_VALUES, [2.0, 2.0])
    counted = tuple(dataclasses.replace(one, speed=None) for one in counted)
    assert counts_of_hats(counted, CANDIDATES, fleet=9)[0].sign(speeds=True).slope is OF_RECORDS


def test_listed_candidates_have_the_counts_of_their_own_hat() -> None:
    counted = tuple(
        CountedHat(cell=cell, minute=START, vehicles=number + 1, records=2)
        for number, cell in enumerate((CELLS[2], CELLS[0], OUTSIDE))
    )
    public, columns = counts_of_hats(counted, CANDIDATES, fleet=9)
    of_cell = dict(zip(CANDIDATES.cell[columns].tolist(), public.units.tolist(), strict=True))
    assert of_cell == {CELLS[2]: 1, CELLS[0]: 2}
    assert sorted(columns.tolist()) == columns.tolist()
    assert public.fleet == 9


@pytest.mark.parametrize(("cell", "minute"), [(OUTSIDE, START), (CELLS[0], START + 7)])
def test_counts_of_other_places_or_slots_are_refused(cell: int, minute: int) -> None:
    counted = (CountedHat(cell=cell, minute=minute, vehicles=1, records=1),)
    with pytest.raises(InputError) as caught:
        counts_of_hats(counted, CANDIDATES, fleet=9)
    assert_tells(caught.value)
    assert caught.value.where == "query.public_counts"
