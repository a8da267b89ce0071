"""ui.table.sortable_rows: what rows are sorted and found by, made before the table takes them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.hats.slots import SlotGrid
from ui.table.rows import ALL_NUMBERS, HatRows, HatStatus
from ui.table.sortable_rows import PLACE_KEY, sortable

EAST, WEST = "878d9d69dffffff", "878d9d699ffffff"


def rows(places: tuple[str, ...] = ()) -> HatRows:
    numbers = {name: np.full(3, np.nan) for name in ALL_NUMBERS}
    numbers["vehicles"] = np.array([7.0, np.nan, 7.0])
    return HatRows(
        cells=(EAST, WEST, EAST),
        slots=np.array([9, 8, 8]),
        grid=SlotGrid(60),
        status=np.full(3, HatStatus.SELECTED, np.int8),
        numbers=numbers,
        published=None,
        places=places,
    )


def test_hats_are_found_and_hexagons_are_counted_once() -> None:
    made = sortable(rows())
    assert [made.place[hat] for hat in made.hats] == [0, 1, 2]
    assert made.hats[1] == (WEST, 8)
    assert made.hexagons == (WEST, EAST)
    assert made.keys["hexagon"].tolist() == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(("descending", "expected"), [(False, [2, 0, 1]), (True, [2, 0, 1])])
def test_ties_go_by_hexagon_and_slot_and_what_has_no_number_comes_last(
    descending: bool, expected: list[int]
) -> None:
    assert sortable(rows()).order("vehicles", descending=descending).tolist() == expected


def test_the_wanted_order_is_there_already() -> None:
    made = sortable(rows(), ("slot", True))
    assert made.order("slot", descending=True) is made.known_order
    assert made.order("slot", descending=True).tolist() == [0, 1, 2]
    assert made.order("slot", descending=False).tolist() == [1, 2, 0]


def test_names_are_ranked_without_their_capitals_and_none_comes_last() -> None:
    made = sortable(rows(places=("ring road", "", "Central")))
    assert made.order(PLACE_KEY, descending=False).tolist() == [2, 0, 1]
    assert np.isnan(made.keys[PLACE_KEY][1])


def test_a_column_that_is_not_there_prepares_nothing() -> None:
    assert sortable(dataclasses.replace(rows()), ("nothing", False)).known_order is None
