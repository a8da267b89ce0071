"""The columns of a contribution file that tell the slot of a row: its first minute, or its period's name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.arrays import Ints
from core.contributions.file_facts import PLACE_TEXT, TABLE_SCHEMA, VISITS
from core.hats.groups import Group
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.window import Window

START_FIELD, PERIOD_FIELD = "slot_start", "period"


def table_schema(window: Window, choice: PlaceChoice = HEXAGON_CHOICE, *, visits: bool = False) -> pa.Schema:
    """The columns of a table that is made for a window and such places."""
    schema = TABLE_SCHEMA if choice.hexagons else TABLE_SCHEMA.set(0, PLACE_TEXT)
    if choice.mixed:
        cells = [schema.field("cell").with_name(cell_field(resolution)) for resolution in choice.mixed]
        schema, visits = pa.schema([*cells, *[*schema][1:]]), False  # of which key, is not known yet
    if window.periods:
        place = schema.get_field_index(START_FIELD)
        schema = schema.set(place, pa.field(PERIOD_FIELD, pa.string(), nullable=False))
    for number, group in enumerate(window.groups, start=schema.get_field_index(slot_names(window)[0]) + 1):
        schema = schema.insert(number, pa.field(group_field(group), pa.string(), nullable=False))
    return schema.append(VISITS) if visits else schema


def cell_field(resolution: int | str) -> str:
    """The column of the hexagons of a resolution, where a table has several."""
    return f"cell_{resolution}"


def slot_names(window: Window) -> tuple[str, ...]:
    """The columns that tell a slot."""
    return (PERIOD_FIELD if window.periods else START_FIELD, *map(group_field, window.groups))


def group_field(group: Group) -> str:
    """The column of its labels."""
    return f"group_{group.name}"


def slot_arrays(window: Window, slot: NDArray[np.int16]) -> Sequence[pa.Array]:
    """The columns of rows that are of these slots, in the order of the schema."""
    grid, slots = window.grid, window.slots
    if window.periods:
        columns: list[list[object]] = [[grid.period(number) for number in slots]]
    elif window.groups:
        columns = [[grid.start(number) for number in slots]]
    else:
        return [pa.array(slot * np.int16(grid.minutes) + np.int16(grid.offset))]
    columns += [[grid.labels(number)[place] for number in slots] for place in range(len(window.groups))]
    kinds = [field.type for field in table_schema(window) if field.name in slot_names(window)]
    return [pa.array(column, kind).take(pa.array(slot)) for column, kind in zip(columns, kinds, strict=True)]


def slots_of_names(known: Sequence[str], names: Sequence[str], place: Ints) -> Ints:
    """The place of each row's name among those that are known, -1 for none; place: of the row's name."""
    found = {name: number for number, name in enumerate(known)}
    numbers: Ints = np.array([found.get(name, -1) for name in names], np.int64)[place]
    return numbers
