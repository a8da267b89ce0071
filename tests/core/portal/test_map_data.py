"""core.portal.map_data: cells once, rows by columns."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from core.bundle.data_files import data_files
from core.bundle.public_tables import public_tables
from core.bundle.region_outlines import cell_ring
from core.portal.embedded_json import find_json
from core.portal.map_data import UNITS_PER_DEGREE, slots_of
from core.portal.map_files import published_map
from core.portal.map_page import MAP_DATA_ID
from core.portal.shown_numbers import numbers_in
from core.quantity import SPEED
from core.signed.bundle_names import (
    DATAPACKAGE,
    FIRST_MAP_FORMAT,
    MAP_FORMAT,
    MAP_PAGE,
    PRIVACY,
    SECOND_MAP_FORMAT,
    THIRD_MAP_FORMAT,
)
from tests.builders import CELLS, make_city_query, make_documents, make_mixed_release, make_release
from tests.compared_city import compared_release, published_city
from tests.mixed_city import shared_release


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    found: dict[str, Any] = find_json(MAP_PAGE, make_documents()[MAP_PAGE], MAP_DATA_ID)
    return found


def test_facts_stand_first(data: dict[str, Any]) -> None:
    assert (data["format"], data["release"], data["practice"]) == (MAP_FORMAT, "austin-bus-speed-1.0.0", "")
    privacy = {"epsilon": "3.5", "delta": "0", "unit": "vehicle", "relation": "values"}
    assert data["privacy"].items() > privacy.items()
    assert data["subject"] == ["vehicle", "vehicles"]
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
    (layer,) = table["layers"]
    assert layer["value"] == [20.668, 0.5, 31.0, None]
    assert layer["low"] == [18.001, 0.0, 29.222, None]
    assert len(layer["colours"]) == len(layer["limits"]) + 1
    assert "labels" not in table
    assert "raw" not in layer


def test_what_epsilon_means_is_said_as_everywhere(data: dict[str, Any]) -> None:
    """e^3.5 is 33.1; the best attacker at one false alarm in a hundred finds at most 0.01 e^3.5."""
    strength, practice = data["privacy"]["meaning"]
    assert "at most 33.2 times more or less likely" in strength
    assert "at most 33.2 of a hundred cases" in practice
    assert "one vehicle" in data["privacy"]["protected"]
    assert any("how many records" in text for text in data["privacy"]["open"])


def test_several_tables_and_numbers_are_there() -> None:
    page = make_documents(make_mixed_release())[MAP_PAGE]
    assert [one["statistic"] for one in find_json(MAP_PAGE, page, MAP_DATA_ID)["tables"]] == [
        "mean",
        "query1",
    ]
    page = make_documents(make_release(queries=(make_city_query(),)))[MAP_PAGE]
    (table,) = find_json(MAP_PAGE, page, MAP_DATA_ID)["tables"]
    (layer,) = table["layers"]
    assert layer["name"] == "speed_smoothed_kmh"
    assert layer["raw"]["value"] == [20.668, 0.5, 31.0, None]


def test_the_first_form_is_what_it_was() -> None:
    """Each number by itself, in fixed classes: bundles that are out hold it."""
    release = make_release(queries=(make_city_query(),))
    package, privacy = (json.loads(make_documents(release)[name]) for name in (DATAPACKAGE, PRIVACY))
    published = published_map(public_tables(data_files(release), SPEED), package, privacy)
    old = published.page_data(FIRST_MAP_FORMAT)
    raw, smoothed = old["tables"][0]["measures"]
    assert (old["format"], old["privacy"].keys()) == (
        "hexveil-map-1",
        {"epsilon", "delta", "unit", "relation"},
    )
    assert (raw["name"], smoothed["name"]) == ("speed_mean_kmh", "speed_smoothed_kmh")
    assert raw["limits"] == [0, 10, 20, 30, 40, 50, 65]
    assert "subject" not in old


def test_the_second_form_has_no_words_and_no_key() -> None:
    """All else of the newest stood in it."""
    release = make_release(queries=(make_city_query(),))
    package, privacy = (json.loads(make_documents(release)[name]) for name in (DATAPACKAGE, PRIVACY))
    published = published_map(public_tables(data_files(release), SPEED), package, privacy)
    old, new = published.page_data(SECOND_MAP_FORMAT), published.page_data()
    assert "region" not in new
    told = dataclasses.replace(published, facts=dataclasses.replace(published.facts, region="Austin"))
    assert told.page_data()["region"] == "Austin"
    assert new.pop("words")["left"] == "left out: too few vehicles (not zero)"
    for table in new["tables"]:
        for layer in table["layers"]:
            assert (layer.pop("key")[0], layer.pop("key_unit")) == ("under 22 (slowest)", "km/h")
    assert old == new | {"format": "hexveil-map-2"}


def test_the_third_form_takes_biases_as_unlike() -> None:
    """So that bundles that are out verify as ever; the newest allows for what is alike in a part."""
    published = published_city(compared_release(bias=1_500))
    old, new = (published.page_data(form)["compared"] for form in (THIRD_MAP_FORMAT, MAP_FORMAT))
    for before, after in zip(old["cards"], new["cards"], strict=True):
        assert before["numbers"][0] == after["numbers"][0]
        assert after["numbers"][1] < before["numbers"][1] - 0.1
        assert after["numbers"][2] > before["numbers"][2] + 0.1


def test_regions_cut_the_day_where_any_of_them_begins_or_ends() -> None:
    rows = [
        {"slot_start": start, "slot_end": end}
        for start, end in (("06:00", "09:00"), ("07:00", "08:00"), ("10:00", "11:00"))
    ]
    assert slots_of(rows) == [("06:00", "07:00"), ("07:00", "08:00"), ("08:00", "09:00"), ("10:00", "11:00")]
    assert numbers_in("x", [{"x": ""}, {"x": "1.5"}]) == [None, 1.5]


def test_small_hexagons_come_after_large_ones_whose_rows_say_what_they_leave() -> None:
    found = find_json(MAP_PAGE, make_documents(shared_release())[MAP_PAGE], MAP_DATA_ID)
    assert found["levels"] == [0, 0, 1]
    assert found["tables"][0]["rest"] == [True, False, True, False, False]
    assert "levels" not in find_json(MAP_PAGE, make_documents()[MAP_PAGE], MAP_DATA_ID)
