"""The columns of a contribution file that tell the slot of a row: its first minute, or its period's name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.arrays import Ints
from core.contributions.file_facts import PLACE_TEXT, TABLE_SCHEMA, VISITS
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.window import Window

START_FIELD, PERIOD_FIELD = "slot_start", "period"


def table_schema(window: Window, choice: PlaceChoice = HEXAGON_CHOICE, *, visits: bool = False) -> pa.Schema:
    """The columns of a table that is made for a window and such places."""
    schema = TABLE_SCHEMA if choice.hexagons else TABLE_SCHEMA.set(0, PLACE_TEXT)
    if window.periods:
        place = schema.get_field_index(START_FIELD)
        schema = schema.set(place, pa.field(PERIOD_FIELD, pa.string(), nullable=False))
    return schema.append(VISITS) if visits else schema


def slot_names(window: Window) -> tuple[str, ...]:
    """The columns that tell a slot."""
    return (PERIOD_FIELD,) if window.periods else (START_FIELD,)


def slot_arrays(window: Window, slot: NDArray[np.int16]) -> Sequence[pa.Array]:
    """The columns of rows that are of these slots, in the order of the schema."""
    grid = window.grid
    if window.periods:
        names = pa.array([one.name for one in window.periods], pa.string())
        return [names.take(pa.array(slot))]
    return [pa.array(slot * np.int16(grid.minutes) + np.int16(grid.offset))]


def slots_of_names(window: Window, names: Sequence[str], place: Ints) -> Ints:
    """The slots of rows by the names of their periods, -1 for none of these; place: of each row's name."""
    known = {one.name: number for number, one in enumerate(window.periods)}
    slots: Ints = np.array([known.get(name, -1) for name in names], np.int64)[place]
    return slots
