"""The report's two maps (TR III.C): every hexagon with records, and those that the rule selects."""

from __future__ import annotations

import numpy as np

from core.charts.hexagon_map import ColourClass
from core.contributions import Contributions
from core.counted import count_of
from core.figures.city_map import CityMap
from core.selection.base import Selection, SelectionRequest

_COVERED = (ColourClass(label="with records", colour="#56b4e9"),)
_SELECTED = (
    ColourClass(label="selected in some timeslots", colour="#b7e0b0"),
    ColourClass(label="selected in every timeslot", colour="#2c8a3f"),
)
_NOT_SELECTED = "with records, not selected"


def selection_maps(
    contributions: Contributions, selection: Selection, request: SelectionRequest, over: str
) -> tuple[CityMap, CityMap]:
    """Confidential: true counts.

    request: what the selection was made by; over: which dates, hours and slots.
    """
    covered = np.unique(contributions.cell)
    cells, slots = np.unique(selection.cell, return_counts=True)
    class_of = {
        cell: int(number == len(contributions.window.slots))
        for cell, number in zip(cells.tolist(), slots.tolist(), strict=True)
    }
    rule = f"rule {request.rule}"
    if request.threshold is not None:
        rule += f", {count_of(request.threshold, 'vehicle')} a day on average"
    everywhere = sum(class_of.values())
    grid = f"H3 resolution {contributions.resolution}"
    return (
        CityMap(
            name="hexagons-with-records",
            title=f"All {covered.size:,} hexagons with records, {grid}",
            note=f"As TR III.C. {over}",
            legend="Hexagons",
            classes=_COVERED,
            others="",
            cells=tuple((cell, 0) for cell in covered.tolist()),
        ),
        CityMap(
            name="hexagons-selected",
            title=f"{everywhere:,} of {covered.size:,} hexagons selected in every timeslot, {grid}",
            note=f"As TR III.C: {rule}. {over}",
            legend="Hexagons",
            classes=_SELECTED,
            others=_NOT_SELECTED,
            cells=tuple((cell, class_of.get(cell)) for cell in np.union1d(covered, cells).tolist()),
        ),
    )
