"""Labels of few vehicles, and columns that name vehicles."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.contributions import Contributions
from core.errors import InputError
from core.hats.places import PlaceChoice, PlaceIds
from core.selection.base import Selection
from core.selection.place_ids import MOST_PLACES
from core.selection.rare_labels import label_vehicles, published_places, require_labels
from tests.count_tables import contributions_of

COUNTS = ((2, 0, 1), (1, 0, 1), (3, 4, 0), (1, 0, 2))
"""[vehicle][HAT]: the second HAT is of one vehicle alone."""


def by_route(counts: tuple[tuple[int, ...], ...] = COUNTS) -> Contributions:
    """Each HAT is a route of its own."""
    table = contributions_of(counts)
    return dataclasses.replace(
        table,
        cell=np.arange(table.hats, dtype=np.uint64),
        choice=PlaceChoice(place_kind="column", place_column="route"),
        places=PlaceIds(kind="column", ids=tuple(f"R{number}" for number in range(table.hats))),
    )


def all_of(table: Contributions) -> Selection:
    return Selection(cell=table.cell, slot=table.slot, index=np.arange(table.hats))


def test_vehicles_of_each_label_are_counted_once() -> None:
    assert label_vehicles(by_route()).tolist() == [4, 1, 3]


def test_a_rare_label_is_left_out_unless_a_public_file_lists_it() -> None:
    table = by_route()
    assert published_places(table, all_of(table), 2).cell.tolist() == [0, 2]
    assert published_places(table, all_of(table), 4).cell.tolist() == [0]
    assert published_places(table, all_of(table), 4, listed=2).cell.tolist() == [0, 1]


def test_hexagons_stay_as_they_are() -> None:
    table = contributions_of(COUNTS)
    assert published_places(table, all_of(table), 99).cell.tolist() == table.cell.tolist()


def test_a_column_that_names_vehicles_is_no_place() -> None:
    require_labels(np.array([1, 2, 0, 0]))  # half of the labels that there are
    with pytest.raises(InputError, match="names vehicles, drivers or trips") as caught:
        require_labels(np.array([1, 1, 2]))
    assert (caught.value.where, bool(caught.value.mend)) == ("hats.place_column", True)


def test_too_many_labels_and_none_left_are_refused() -> None:
    with pytest.raises(InputError, match="5,001 labels"):
        require_labels(np.full(MOST_PLACES + 1, 2))
    table = by_route()
    with pytest.raises(InputError, match="No label") as caught:
        published_places(table, all_of(table), 5)
    assert caught.value.where == "selection.minimum_vehicles"
