"""Texts about hexagons, said of other places."""

from __future__ import annotations

from core.place_words import of_places, said_of, said_to_people


def test_a_place_that_is_no_hexagon_is_never_called_one() -> None:
    text = "Hexagons; each hexagon slot of a hexagon, and hexagonal shapes in {hexagons}"
    assert of_places(text) == "Places; each place slot of a place, and hexagonal shapes in {hexagons}"


def test_lists_and_tables_are_said_so_too_and_numbers_stay() -> None:
    said = {"says": ["one hexagon", "two hexagons"], "rows": 3, "pair": ("hexagon", None)}
    expected = {"says": ["one place", "two places"], "rows": 3, "pair": ("place", None)}
    assert said_of(said, hexagons=False) == expected
    assert said_of(said, hexagons=True) is said


def test_people_read_of_a_hexagon_slot_where_the_statement_has_its_short_name() -> None:
    said = ["sum over the HATs of a vehicle", {"of": "a HAT's epsilon", "key": 3}, "WHAT"]
    expected = [
        "sum over the hexagon slots of a vehicle",
        {"of": "a hexagon slot's epsilon", "key": 3},
        "WHAT",
    ]
    assert said_to_people(said, hexagons=True) == expected
    assert said_to_people(said[0], hexagons=False) == "sum over the place slots of a vehicle"
