"""A map for a paper: each hexagon in the colour of its class, and what is said about them."""

from __future__ import annotations

import h3

from core.charts.hexagon_map import ColourClass
from core.charts.shapes import Area, Words
from core.figures.city_map import CityMap, city_map_csv, city_map_picture

CELLS = sorted(h3.str_to_int(cell) for cell in h3.grid_disk("8742d9d69ffffff", 1))
CITY = CityMap(
    name="map",
    title="A city",
    note="Made up.",
    legend="Hexagons",
    classes=(ColourClass(label="a few", colour="#112233"), ColourClass(label="many", colour="#ddcc44")),
    others="none",
    cells=tuple((cell, (0, 1, 1, None)[min(place, 3)]) for place, cell in enumerate(CELLS)),
)


def test_each_hexagon_has_the_colour_of_its_class() -> None:
    shapes = city_map_picture(CITY).shapes
    fills = [shape.fill for shape in shapes if isinstance(shape, Area)]
    # one more of each in the legend
    assert (fills.count("#112233"), fills.count("#ddcc44")) == (1 + 1, 2 + 1)
    texts = {shape.text for shape in shapes if isinstance(shape, Words)}
    assert {"A city", "Made up.", "Hexagons", "a few", "many", "none"} <= texts


def test_the_table_names_each_hexagon_and_its_class() -> None:
    lines = city_map_csv(CITY).decode().splitlines()
    assert lines[:3] == [
        "h3_cell,belongs_to",
        f"{h3.int_to_str(CELLS[0])},a few",
        f"{h3.int_to_str(CELLS[1])},many",
    ]
    assert [line.split(",")[1] for line in lines[4:]] == ["none"] * 4
