"""What a place is called, and which number stands for it."""

from __future__ import annotations

import h3
import pytest

from core.errors import InputError
from core.hats.places import HEXAGONS, PlaceChoice, PlaceIds, place_name, require_place_kind
from core.hats.slots import SlotGrid

CELL = int("8742d9d69ffffff", 16)
GRID = SlotGrid(60)


def test_the_kinds_that_are_offered() -> None:
    assert require_place_kind("zones") == "zones"
    with pytest.raises(InputError, match="'wards' are not offered") as caught:
        require_place_kind("wards")
    assert (caught.value.where, '"column"' in caught.value.mend) == ("hats.place", True)


def test_hexagons_are_called_as_h3_does_and_others_by_their_ids() -> None:
    routes = PlaceIds(kind="column", ids=("7", "12 A"))
    assert (HEXAGONS.id_text(CELL), routes.id_text(1)) == ("8742d9d69ffffff", "12 A")
    assert HEXAGONS.hat_id(GRID, 20, CELL) == "20 8742d9d69ffffff"
    assert routes.hat_id(GRID, 20, 1) == "20\x1f12 A"


def test_numbers_stay_where_more_places_come() -> None:
    routes = PlaceIds(kind="column", ids=("b", "a"))
    assert routes.with_more(("a", "c")).ids == ("b", "a", "c")
    assert routes.with_more(()).numbers == {"b": 0, "a": 1}


def test_where_places_lie() -> None:
    assert HEXAGONS.middles([CELL]) == [h3.cell_to_latlng("8742d9d69ffffff")]
    wards = PlaceIds(kind="zones", ids=("1", "2"))
    assert wards.middles([0, 1]) is None
    lying = wards.lying_at({"1": (21.0, 72.0), "2": (22.0, 73.0)})
    assert lying.middles([1, 0]) == [(22.0, 73.0), (21.0, 72.0)]
    assert lying == wards  # where they lie decides nothing


def test_the_whole_area_is_one_place_with_a_name() -> None:
    whole = PlaceChoice(place_kind="none").listed()
    assert (whole.ids, place_name("none", "all"), place_name("column", "7")) == (("all",), "whole area", "7")


def test_what_a_ledger_notes_of_places() -> None:
    choice = PlaceChoice(place_kind="column", place_column="route")
    assert (choice.as_noted, choice.named_column, choice.hexagons) == ("column route", "route", False)
    assert PlaceChoice().hexagons
