"""The list of candidates: the same whatever the data hold."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.bounding.candidates import candidate_hats
from core.errors import InternalError
from tests.bounding import OUTSIDE, Stay, constants_of, random_stays, table_of
from tests.strategies import CELLS, window


def test_every_cell_has_every_slot_sorted() -> None:
    constants = constants_of(cells=(CELLS[2], CELLS[0], CELLS[2]))
    found = candidate_hats(constants)
    places = list(zip(found.cell.tolist(), found.slot.tolist(), strict=True))
    assert places == [(cell, slot) for cell in (CELLS[0], CELLS[2]) for slot in window().slots]
    assert len(found) == constants.candidates == 6
    assert found.names[0].startswith("09 ")
    assert len(set(found.names)) == 6


@pytest.mark.parametrize("seed", range(20))
def test_each_hat_is_found_in_its_column(seed: int) -> None:
    found, table = candidate_hats(constants_of()), table_of(random_stays(seed))
    columns = found.columns_of(table)
    listed = dict(
        zip(zip(found.cell.tolist(), found.slot.tolist(), strict=True), range(len(found)), strict=True)
    )
    places = zip(table.cell.tolist(), table.slot.tolist(), strict=True)
    assert columns.tolist() == [listed.get(place, -1) for place in places]


def test_what_lies_outside_has_no_column() -> None:
    table = table_of([Stay(OUTSIDE, 9, "bus", 0, (1,)), Stay(CELLS[0], 9, "bus", 0, (1,))])
    assert sorted(candidate_hats(constants_of()).columns_of(table).tolist()) == [-1, 0]
    some = candidate_hats(constants_of()).only(np.arange(18) % 2 == 1)
    assert some.columns_of(table).tolist() == [-1, -1]
    assert len(some) == 9


def test_another_window_is_a_bug() -> None:
    table = dataclasses.replace(table_of([Stay(CELLS[0], 9, "bus", 0, (1,))]), window=window(days=2))
    with pytest.raises(InternalError):
        candidate_hats(constants_of()).columns_of(table)
