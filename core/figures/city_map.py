"""A map of a city's hexagons for a paper: every hexagon with what it belongs to, as picture and as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import h3

from core.charts.hexagon_map import OUTLINED, ColourClass, HexagonMap, MapHexagon, map_picture
from core.charts.shapes import Picture
from core.charts.typeface import text_width
from core.hats.cells import cell_text
from core.privacy import Confidential


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CityMap(Confidential):
    """One figure, beside `core.charts.chart.Chart`."""

    name: str
    """Of its files, without ending."""
    title: str
    note: str
    """What it is made of and how, below the map."""
    legend: str
    classes: tuple[ColourClass, ...]
    others: str
    """What the legend calls hexagons of no class."""
    cells: tuple[tuple[int, int | None], ...]
    """At least one; each with the number of its class."""


def city_map_picture(city: CityMap) -> Picture:
    """Every shape of the map."""
    return map_picture(
        HexagonMap(
            title=city.title,
            subtitle="",
            legend=city.legend,
            unit="",
            classes=city.classes,
            hexagons=tuple(
                MapHexagon(
                    ring=h3.cell_to_boundary(cell_text(cell)), fill=OUTLINED if number is None else number
                )
                for cell, number in city.cells
            ),
            names={OUTLINED: city.others},
            notes=(city.note,),
        ),
        text_width,
    )


def city_map_csv(city: CityMap) -> bytes:
    """A row for each hexagon; UTF-8, comma, LF; the first line names the columns."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("h3_cell", "belongs_to"))
    for cell, number in city.cells:
        writer.writerow((cell_text(cell), city.others if number is None else city.classes[number].label))
    return buffer.getvalue().encode()
