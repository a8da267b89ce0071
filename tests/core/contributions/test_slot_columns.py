"""How a contribution file tells the slot of a row: a minute or a period, and labels."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.contributions.slot_columns import slot_arrays, slot_names, slots_of_names, table_schema
from core.hats.groups import Group
from core.hats.places import PlaceChoice
from core.hats.slots import periods_of
from core.hats.window import Window
from tests.strategies import window

BOTH = (Group("direction", ("DN", "UP")),)
PEAKS = periods_of((("early", 540, 600), ("late", 660, 720)), where="here")


def columns(over: Window, slots: list[int]) -> list[list[object]]:
    return [column.to_pylist() for column in slot_arrays(over, np.array(slots, np.int16))]


def test_a_slot_is_told_by_its_first_minute() -> None:
    over = window()
    assert slot_names(over) == ("slot_start",)
    assert columns(over, list(over.slots)) == [[540, 600, 660]]
    assert "visits" in table_schema(over, visits=True).names


def test_periods_are_told_by_their_names_and_labels_stand_beside() -> None:
    over = dataclasses.replace(window(), periods=PEAKS, groups=BOTH)
    assert slot_names(over) == ("period", "group_direction")
    names = table_schema(over).names
    assert names.index("group_direction") == names.index("period") + 1
    assert "slot_start" not in names
    period, label = columns(over, list(over.slots))
    assert sorted(zip(period, label, strict=True)) == [
        ("early", "DN"),
        ("early", "UP"),
        ("late", "DN"),
        ("late", "UP"),
    ]


def test_labels_alone_stand_beside_the_first_minute() -> None:
    over = dataclasses.replace(window(), groups=BOTH)
    start, label = columns(over, list(over.slots))
    assert sorted(zip(start, label, strict=True)) == [
        (minute, text) for minute in (540, 600, 660) for text in ("DN", "UP")
    ]


def test_other_places_are_told_by_their_ids() -> None:
    schema = table_schema(window(), PlaceChoice(place_kind="column", place_column="route"))
    assert (schema.names[0], str(schema.field(0).type)) == ("place", "string")


def test_names_that_are_not_known_have_no_slot() -> None:
    found = slots_of_names(["early", "late"], ["late", "noon"], np.array([0, 1, 0]))
    assert found.tolist() == [1, -1, 1]
