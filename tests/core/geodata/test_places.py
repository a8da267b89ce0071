"""Every hexagon has the name of what it lies in or near, the same on every machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h3
import pytest

from core.geodata.geojson_layer import read_geojson_layer
from core.geodata.places import cell_at, named_parts, names_of_cells, near, read_places
from core.geodata.places_source import PlacesSource
from tests.geojson import box, feature, polygon, write_geojson

CELL = h3.latlng_to_cell(21.18, 72.83, 8)
LATITUDE, LONGITUDE = h3.cell_to_latlng(CELL)


def beside(metres: float, name: object, *, north: bool = False) -> dict[str, Any]:
    """A stop so far east of the hexagon's middle, or north."""
    degrees = metres / 111_320
    there = [LONGITUDE, LATITUDE + degrees] if north else [LONGITUDE + degrees / 0.9325, LATITUDE]
    return feature({"type": "Point", "coordinates": there}, {"name": name})


def around(metres: float, name: object) -> dict[str, Any]:
    half = metres / 111_320
    return feature(
        polygon(box(LONGITUDE - half, LATITUDE - half, LONGITUDE + half, LATITUDE + half)), {"name": name}
    )


def name_of_cell(path: Path, *features: dict[str, Any], within: float = 1000) -> str | None:
    write_geojson(path / "places.geojson", {"type": "FeatureCollection", "features": features})
    layer = read_geojson_layer(path / "places.geojson", "name")
    return names_of_cells(layer, named_parts(layer), [CELL], within).get(CELL)


def test_the_nearest_place_names_a_hexagon_within_the_distance(tmp_path: Path) -> None:
    far, close = beside(900, "Far"), beside(300, "Udhna Junction", north=True)
    assert name_of_cell(tmp_path, far, close) == "near Udhna Junction"
    assert name_of_cell(tmp_path, close, far) == "near Udhna Junction"
    assert name_of_cell(tmp_path, close, within=290) is None
    assert name_of_cell(tmp_path, close, within=310) == "near Udhna Junction"
    assert name_of_cell(tmp_path) is None


def test_the_smallest_area_around_the_middle_names_it_whatever_is_near(tmp_path: Path) -> None:
    ward, city, stop = around(2000, "Ward 7"), around(20_000, "Surat"), beside(1, "Stop")
    assert name_of_cell(tmp_path, city, ward, stop) == "Ward 7"
    assert name_of_cell(tmp_path, stop, ward, city) == "Ward 7"


def test_ties_go_by_name_whatever_the_order(tmp_path: Path) -> None:
    one, other, same = beside(100, "beta"), beside(100, "Alpha"), beside(100, "Ägypten")
    for features in ((one, other, same), (same, other, one), (other, same, one)):
        assert name_of_cell(tmp_path, *features) == "near Alpha"


def test_what_has_no_name_hides_nothing(tmp_path: Path) -> None:
    assert name_of_cell(tmp_path, beside(1, None), beside(2, "\n"), beside(500, "Gate")) == "near Gate"


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "=1+1", "उधना जंक्शन", "x" * 500])
def test_names_stay_text_of_one_short_line(tmp_path: Path, name: str) -> None:
    found = name_of_cell(tmp_path, beside(1, name))
    assert found is not None
    assert found.startswith("near ")
    assert found.isprintable()
    assert len(found) <= 80


def test_a_position_lies_in_its_hexagon() -> None:
    assert cell_at(LATITUDE, LONGITUDE, 8) == CELL


def test_a_release_names_its_own_hexagons_each_once(tmp_path: Path) -> None:
    write_geojson(tmp_path / "a.geojson", {"type": "FeatureCollection", "features": [beside(10, "Gate")]})
    source = PlacesSource(file="a.geojson", name_field="name", within_m=1000)
    far = h3.latlng_to_cell(50, 8, 8)
    assert read_places(source, tmp_path, [CELL, far, CELL]) == {CELL: near("Gate")}
