"""The report's two maps: what is on them by the report's own condition, 310 vehicles in 31 days."""

from __future__ import annotations

import csv
import dataclasses
import io

import numpy as np
import pytest

from core.contributions import Contributions
from core.figures.city_map import CityMap, city_map_csv
from core.figures.selection_maps import selection_maps
from core.hats.cells import cell_text
from core.selection.base import SelectionRequest
from core.selection.registry import select
from tests.city_figure import DrawnSample
from tests.strategies import CELLS, one_record_each

FULL, NEARLY, EMPTY = CELLS[:3]
SLOTS = (9, 10, 11)


def contributions() -> Contributions:
    """Ten vehicles a day in every slot of one hexagon; of another with one missing once; one in the third."""
    hats = [(cell, slot) for cell in (FULL, NEARLY, EMPTY) for slot in SLOTS]
    rows = [
        (number, vehicle, day)
        for number, (cell, slot) in enumerate(hats)
        for vehicle in range(1 if cell == EMPTY else 10)
        for day in range(31)
        if (cell, slot, vehicle, day) != (NEARLY, 11, 3, 17)
    ]
    table = one_record_each(rows, [cell for cell, _ in hats], days=31)
    return dataclasses.replace(table, slot=np.array([slot for _, slot in hats], np.int16))


def rows_of(city: CityMap) -> dict[str, str]:
    header, *rows = csv.reader(io.StringIO(city_map_csv(city).decode()))
    assert header == ["h3_cell", "belongs_to"]
    return dict(rows)


@pytest.mark.parametrize(
    ("rule", "nearly"),
    [("every-slot", "with records, not selected"), ("hat", "selected in some timeslots")],
)
def test_hexagons_are_selected_by_at_least_310_vehicles_in_every_slot(rule: str, nearly: str) -> None:
    """TR III.C: "the sum over all 31 days is at least 31*10 = 310", slot by slot."""
    table, request = contributions(), SelectionRequest(rule=rule, threshold=10)
    covered, selected = selection_maps(table, select(table, request), request, "December.")
    full, almost, few = (cell_text(cell) for cell in (FULL, NEARLY, EMPTY))
    assert rows_of(covered) == dict.fromkeys((full, almost, few), "with records")
    assert rows_of(selected) == {
        full: "selected in every timeslot",
        almost: nearly,
        few: "with records, not selected",
    }
    assert "All 3 hexagons" in covered.title
    assert "1 of 3 hexagons" in selected.title
    assert f"rule {rule}, 10 vehicles a day on average" in selected.note
    assert "December." in covered.note


def test_the_sample_is_mapped_by_the_reports_rule(drawn_sample: DrawnSample) -> None:
    covered, selected, _ = drawn_sample.figures
    assert len(covered.cells) == len(selected.cells) == 120
    assert {number for _, number in selected.cells} == {None, 1}, "every slot or none, by this rule"
    assert "rule every-slot, 10 vehicles" in selected.note
