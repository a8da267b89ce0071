"""A map for print: what is on it, where it stands, and that nothing of it is cut."""

from __future__ import annotations

import dataclasses
import math
from xml.etree import ElementTree

import h3
import pytest

from core.charts.hexagon_map import (
    DOTTED,
    HATCHED,
    MAP_WIDTH,
    OUTLINED,
    ColourClass,
    HexagonMap,
    MapFill,
    MapHexagon,
    map_picture,
    rough_measure,
    round_length,
    wrapped,
)
from core.charts.shapes import Area, Picture, Polyline, Words
from core.charts.svg import svg

CENTRE = h3.latlng_to_cell(21.17, 72.83, 7)
FILLS: tuple[MapFill, ...] = (0, 1, HATCHED, DOTTED, OUTLINED, 1, 0)
HOSTILE = '<img src=x onerror="alert(1)"> & <b>Surat</b>'


def hexagons(centre: str = CENTRE) -> tuple[MapHexagon, ...]:
    cells = h3.grid_disk(centre, 1)
    return tuple(
        MapHexagon(ring=h3.cell_to_boundary(cell), fill=fill) for cell, fill in zip(cells, FILLS, strict=True)
    )


MAP = HexagonMap(
    title="Speeds of buses in Surat",
    subtitle="1 January 2022, 09:00 – 10:00",
    legend="Released mean speed",
    unit="km/h",
    classes=(ColourClass(label="0 – 10", colour="#112233"), ColourClass(label="10 – 20", colour="#ddcc44")),
    hexagons=hexagons(),
    names={HATCHED: "suppressed", DOTTED: "no information", OUTLINED: "not released"},
    notes=("Epsilon 2 for each vehicle.", "CC BY 4.0, City of Surat."),
)


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Words)]


def test_it_says_what_it_must() -> None:
    told = texts(map_picture(MAP))
    for text in (MAP.title, MAP.subtitle, MAP.legend, MAP.unit, *MAP.notes, *MAP.names.values()):
        assert text in told
    assert told.index("10 – 20") < told.index("0 – 10")  # high above low, as a ramp is read
    assert any(text.endswith(" km") for text in told)


def test_only_what_is_on_the_map_is_named() -> None:
    plain = dataclasses.replace(MAP, hexagons=(MAP.hexagons[0],))
    assert not set(MAP.names.values()) & set(texts(map_picture(plain)))


def test_lines_around_hexagons_are_named_where_there_are_any() -> None:
    named = dataclasses.replace(MAP, line_name="edge of a region")
    assert "edge of a region" not in texts(map_picture(named))
    assert "edge of a region" in texts(map_picture(dataclasses.replace(named, lines=(MAP.hexagons[0].ring,))))


def test_every_hexagon_has_its_fill() -> None:
    areas = [shape for shape in map_picture(MAP).shapes if isinstance(shape, Area)]
    on_map = [shape for shape in areas if len(shape.points) == 6 and shape.points[0][0] < 650]
    assert sorted(shape.fill for shape in on_map) == sorted(
        ["#112233"] * 2 + ["#ddcc44"] * 2 + ["#f3f1ec"] * 2 + ["#ffffff"]
    )


def test_all_of_it_lies_on_the_paper() -> None:
    picture = map_picture(dataclasses.replace(MAP, title=HOSTILE * 8, notes=(HOSTILE * 9, *MAP.notes)))
    assert picture.width == MAP_WIDTH
    for shape in picture.shapes:
        if isinstance(shape, Words):
            assert shape.at[0] + rough_measure(shape.text, shape.size) <= picture.width
            assert shape.at[1] - shape.size / 2 >= 0
            assert shape.at[1] + shape.size / 2 <= picture.height
        else:
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in shape.points)


def test_markup_is_plain_text() -> None:
    root = ElementTree.fromstring(svg(map_picture(dataclasses.replace(MAP, title=HOSTILE))))
    assert {child.tag.split("}")[1] for child in root} <= {"title", "rect", "polygon", "polyline", "text"}
    assert HOSTILE in [child.text for child in root if child.tag.endswith("text")]


def test_a_hexagon_is_as_wide_as_the_scale_bar_says() -> None:
    picture = map_picture(MAP)
    label = next(shape for shape in picture.shapes if isinstance(shape, Words) and shape.text.endswith(" km"))
    bars = [shape for shape in picture.shapes if isinstance(shape, Polyline) and len(shape.points) == 4]
    kilometre = (bars[0].points[2][0] - bars[0].points[1][0]) / float(label.text.split()[0])
    area = next(shape for shape in picture.shapes if isinstance(shape, Area) and shape.fill == "#112233")
    assert math.dist(area.points[0], area.points[1]) / kilometre == pytest.approx(
        h3.edge_length(h3.origin_to_directed_edges(CENTRE)[0], unit="km"), rel=0.1
    )


def test_hatching_stays_in_its_hexagon() -> None:
    alone = dataclasses.replace(MAP, hexagons=(MAP.hexagons[2],))
    shapes = map_picture(alone).shapes
    area = next(shape for shape in shapes if isinstance(shape, Area))
    lines = [s for s in shapes if isinstance(s, Polyline) and len(s.points) == 2 and s.points[0][0] < 650]
    assert len(lines) > 20
    box = [(min(axis), max(axis)) for axis in zip(*area.points, strict=True)]
    for point in (point for line in lines for point in line.points):
        assert all(low - 1e-6 <= at <= high + 1e-6 for at, (low, high) in zip(point, box, strict=True))


def test_around_the_date_line_neighbours_stay_neighbours() -> None:
    far = dataclasses.replace(MAP, hexagons=hexagons(h3.latlng_to_cell(-17.0, 180.0, 7)))
    rings = [shape for shape in map_picture(far).shapes if isinstance(shape, Area) and len(shape.points) == 6]
    widths = [max(x for x, _ in one.points) - min(x for x, _ in one.points) for one in rings if one.points]
    assert max(widths[:7]) < 3 * min(widths[:7])


@pytest.mark.parametrize(
    ("most", "expected"), [(0.2, 1), (1.5, 1), (4.9, 2), (5.0, 5), (999.0, 500), (23_000.0, 20_000)]
)
def test_lengths_are_round(most: float, expected: int) -> None:
    assert round_length(most) == expected


def test_long_words_are_cut_and_nothing_is_lost() -> None:
    text = "a" * 100 + " and then"
    lines = wrapped(text, 10.0, 100.0)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(rough_measure(line, 10.0) <= 100.0 for line in lines)
    assert wrapped("", 10.0, 100.0) == []


def test_routes_are_lines_in_the_colour_of_their_class() -> None:
    """Without a number they are dashed; nothing of them is filled."""
    lines = tuple(
        MapHexagon(ring=((21.1, 72.8), (21.15, 72.9), (21.3, 72.9)), fill=fill, open=True)
        for fill in (1, HATCHED, OUTLINED)
    )
    shapes = map_picture(dataclasses.replace(MAP, hexagons=lines)).shapes
    drawn = [one for one in shapes if isinstance(one, Polyline) and len(one.points) == 3]
    assert [(one.colour == "#ddcc44", one.dash is None) for one in drawn] == [
        (False, False),
        (False, True),
        (True, True),
    ]
