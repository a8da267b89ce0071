"""Where a table has records: against the records that it was made from, and hexagons alone."""

from __future__ import annotations

import dataclasses
import datetime as dt

import h3
import numpy as np
import pytest
from hypothesis import given

from core.contributions import contributions_of
from core.contributions.extent import usual_box_of_table
from core.hats.window import build_window
from core.records.usual_box import usual_box
from tests.contribution_files import small_table
from tests.records import Ping, instant, make_records
from tests.strategies import RESOLUTION, pings

DATES = ((dt.date(2022, 1, 1), dt.date(2022, 1, 4)),)
WHOLE = build_window(DATES, ("00:00", "24:00"), 60)
_EDGE = 1.0
"""Degrees: no hexagon of that resolution is as wide."""


@given(pings())
def test_the_box_holds_that_of_the_records_and_little_more(found: list[Ping]) -> None:
    records = make_records(found)
    box = usual_box_of_table(contributions_of(records, RESOLUTION, WHOLE), share=1.0)
    south, west, north, east = usual_box(records, share=1.0)
    assert south - _EDGE < box[0] <= south < north <= box[2] < north + _EDGE or south == north
    assert west - _EDGE < box[1] <= west <= east <= box[3] < east + _EDGE


def test_a_stray_hexagon_moves_no_map() -> None:
    start = instant("2022-01-01T10:00:00")
    town = [Ping("bus", start + 1000 * step, 21.17, 72.83, 5.0) for step in range(999)]
    table = contributions_of(make_records([*town, Ping("astray", start, 10.0, 60.0, 5.0)]), RESOLUTION, WHOLE)
    south, west, north, east = usual_box_of_table(table)
    cell = h3.latlng_to_cell(21.17, 72.83, RESOLUTION)
    corners = np.array(h3.cell_to_boundary(cell))
    assert (south, west, north, east) == (*corners.min(axis=0), *corners.max(axis=0))
    assert usual_box_of_table(table, share=1.0)[0] < 11


def test_the_strays_of_one_side_and_of_few_records_move_no_map_either() -> None:
    start = instant("2022-01-01T10:00:00")
    town = [Ping("bus", start + 1000 * step, 21.17, 72.83, 5.0) for step in range(120)]
    table = contributions_of(make_records([*town, Ping("astray", start, 10.0, 60.0, 5.0)]), RESOLUTION, WHOLE)
    assert usual_box_of_table(table)[0] > 20


def test_an_empty_table_has_no_box() -> None:
    table = small_table()
    empty = dataclasses.replace(table, cell=table.cell[:0], slot=table.slot[:0])
    with pytest.raises(ValueError, match="no record"):
        usual_box_of_table(empty)
