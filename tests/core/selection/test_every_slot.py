"""Rule `every-slot` against a literal version."""

from __future__ import annotations

import dataclasses
import datetime as dt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.hats.window import build_window
from tests.selections import THRESHOLDS, check, vehicle_days_of
from tests.strategies import CELLS, RESOLUTION, U, contributions


@st.composite
def busy(draw: st.DrawFn) -> Contributions:
    """Tables of two hexagons in which whole days are often busy."""
    table = draw(contributions(most_vehicles=3, most_hats=6, most_days=1))
    few = np.array(CELLS[:2], np.uint64)
    hats = sorted({(int(few[index % 2]), 9 + index // 2) for index in range(table.hats)})
    return dataclasses.replace(
        table,
        cell=np.array([cell for cell, _ in hats], np.uint64),
        slot=np.array([s for _, s in hats], np.int16),
    )


@given(contributions(most_hats=7) | busy(), THRESHOLDS)
def test_a_hexagon_is_kept_when_every_slot_is_busy(table: Contributions, threshold: int) -> None:
    need = table.window.days * threshold
    found = vehicle_days_of(table)
    expected = [
        (cell, slot)
        for cell in sorted({cell for cell, _ in found})
        if all(found.get((cell, slot), 0) >= need for slot in table.window.slots)
        for slot in table.window.slots
    ]
    check("every-slot", threshold, table, expected)


def test_it_keeps_whole_hexagons_only() -> None:
    day = dt.date(2022, 1, 1)
    west, east = CELLS[:2]
    table = Contributions(
        window=build_window(((day, day),), ("09:00", "11:00"), 60),
        resolution=RESOLUTION,
        zone="Asia/Kolkata",
        upper_bound=U,
        vehicles=("a", "b"),
        cell=np.array([west, west, east, east], np.uint64),
        slot=np.array([9, 10, 9, 10], np.int16),
        hat=np.array([0, 0, 1, 1, 2, 2, 3], np.int32),
        vehicle=np.array([0, 1, 0, 1, 0, 1, 0], np.int32),
        day=np.zeros(7, np.int16),
        start=np.arange(8),
        values=np.zeros(7, np.int32),
    )
    check("every-slot", 2, table, [(west, 9), (west, 10)])
    check("every-slot", 1, table, [(west, 9), (west, 10), (east, 9), (east, 10)])
    check("hat", 2, table, [(west, 9), (west, 10), (east, 9)])
    check("every-slot", 3, table, [])
