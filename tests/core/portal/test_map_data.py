"""core.portal.map_data: cells once, rows by columns."""

from __future__ import annotations

from typing import Any

import pytest

from core.bundle.region_outlines import cell_ring
from core.portal.embedded_json import find_json
from core.portal.map_data import UNITS_PER_DEGREE, numbers_in, slots_of
from core.portal.map_page import MAP_DATA_ID
from core.signed.bundle_names import MAP_FORMAT, MAP_PAGE
from tests.builders import CELLS, make_city_query, make_documents, make_mixed_release, make_release


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    found: dict[str, Any] = find_json(MAP_PAGE, make_documents()[MAP_PAGE], MAP_DATA_ID)
    return found


def test_facts_stand_first(data: dict[str, Any]) -> None:
    assert (data["format"], data["release"], data["practice"]) == (MAP_FORMAT, "austin-bus-speed-1.0.0", "")
    assert data["privacy"] == {"epsilon": "3.5", "delta": "0", "unit": "vehicle", "relation": "values"}
    assert data["licence"]["title"] == "Creative Commons Attribution 4.0 International"


def test_each_cell_stands_once_with_its_outline(data: dict[str, Any]) -> None:
    assert data["cells"] == list(CELLS)
    for cell, outline in zip(data["cells"], data["outlines"], strict=True):
        expected = [degrees for corner in cell_ring(cell)[:-1] for degrees in corner]
        assert [unit / UNITS_PER_DEGREE for unit in outline] == pytest.approx(expected, abs=6e-6)


def test_rows_are_columns_of_places_slots_and_numbers(data: dict[str, Any]) -> None:
    (table,) = data["tables"]
    assert table["slots"] == [["09:00", "10:00"], ["10:00", "11:00"]]
    assert [place["cells"] for place in table["places"]] == [[0], [1]]
    assert (table["place"], table["first"], table["last"]) == ([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 1])
    assert table["status"] == "ppps"
    (measure,) = table["measures"]
    assert measure["value"] == [20.668, 0.5, 31.0, None]
    assert measure["low"] == [18.001, 0.0, 29.222, None]
    assert len(measure["colours"]) == len(measure["limits"]) - 1
    assert "labels" not in table


def test_several_tables_and_numbers_are_there() -> None:
    page = make_documents(make_mixed_release())[MAP_PAGE]
    assert [one["statistic"] for one in find_json(MAP_PAGE, page, MAP_DATA_ID)["tables"]] == [
        "mean",
        "query1",
    ]
    page = make_documents(make_release(queries=(make_city_query(),)))[MAP_PAGE]
    (table,) = find_json(MAP_PAGE, page, MAP_DATA_ID)["tables"]
    assert [one["name"] for one in table["measures"]] == ["speed_mean_kmh", "speed_smoothed_kmh"]


def test_regions_cut_the_day_where_any_of_them_begins_or_ends() -> None:
    rows = [
        {"slot_start": start, "slot_end": end}
        for start, end in (("06:00", "09:00"), ("07:00", "08:00"), ("10:00", "11:00"))
    ]
    assert slots_of(rows) == [("06:00", "07:00"), ("07:00", "08:00"), ("08:00", "09:00"), ("10:00", "11:00")]
    assert numbers_in("x", [{"x": ""}, {"x": "1.5"}]) == [None, 1.5]
