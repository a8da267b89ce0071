"""Hexagons whose centre lies in a polygon: none or too many, crossing lines, half the Earth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import h3
import numpy as np
import shapely
from h3.api import basic_int

from core.errors import InputError
from core.geodata.shapes import fault_of
from core.hats.cells import mean_area_km2
from core.selection.geojson import PolygonRings

MOST_CELLS = 200_000
"""Hexagons of a polygon: more than any city needs, at resolution 10 about 3,000 square kilometres."""

Tile = tuple[float, float, float, float]
"""West, south, east, north in degrees."""

_TILE_CELLS = 512
_TILE_DEGREES = 45.0
_MARGIN = 1e-6
"""Degrees around a polygon, a tenth of a metre: rounding moves a centre by less, a hexagon is larger."""
_EARTH_RADIUS_KM = 6371.0
_HALF_THE_EARTH = 180.0


def cells_in(polygons: Iterable[PolygonRings], resolution: int, *, where: str) -> tuple[int, ...]:
    """The cells of a resolution whose centre lies in one of the polygons, sorted.

    Edges are straight between longitudes and latitudes (RFC 7946, 3.1.1); a centre exactly on an edge
    lies inside, also on the edge of a hole. Polygons may overlap; each is looked at by itself.

    Raises InputError for a polygon that crosses itself or spans more than half the Earth, for no cell
    and for more than `MOST_CELLS`.
    """
    found: set[int] = set()
    for polygon in polygons:
        for cells in _cells_by_tile(_shape(polygon), resolution):
            found.update(cells)
            if len(found) > MOST_CELLS:
                raise InputError(
                    "The boundary contains more than {most_cells} hexagons of resolution {resolution}.",
                    most_cells=f"{MOST_CELLS:,}",
                    resolution=resolution,
                    where=where,
                    mend="choose a coarser resolution or a smaller boundary",
                )
    if not found:
        raise InputError(
            "No hexagon of resolution {resolution} has its centre in the boundary.",
            resolution=resolution,
            where=where,
            mend="choose a finer resolution or a larger boundary",
        )
    return tuple(sorted(found))


def columns_in(polygons: Iterable[PolygonRings], resolution: int) -> dict[str, dict[int, float]]:
    """Name of a column -> cell -> its number there; of polygons that overlap, the largest.

    Only cells of polygons that have the column. Raises InputError as `cells_in` does for polygons.
    """
    columns: dict[str, dict[int, float]] = {}
    for polygon in polygons:
        cells = [cell for tile in _cells_by_tile(_shape(polygon), resolution) for cell in tile]
        for name, number in polygon.columns.items():
            column = columns.setdefault(name, {})
            column.update((cell, max(number, column.get(cell, 0.0))) for cell in cells)
    return columns


def _shape(rings: PolygonRings) -> shapely.Polygon:
    """A prepared polygon. Raises InputError unless it is valid and its sides are beyond doubt."""
    polygon = shapely.Polygon(rings.shell, rings.holes)
    if not shapely.is_valid(polygon):
        raise InputError(
            "A polygon of the boundary is not valid: {polygon}.",
            polygon=fault_of(polygon),
            where=rings.where,
            mend="draw it without crossing lines, or repair it in a map program",
        )
    west, _, east, _ = polygon.bounds
    if east - west > _HALF_THE_EARTH:
        raise InputError(
            "A polygon of the boundary spans more than half the Earth, or crosses the date line.",
            where=rings.where,
            mend="cut it in two at longitude 180",
        )
    shapely.prepare(polygon)
    return polygon


def _cells_by_tile(polygon: shapely.Polygon, resolution: int) -> Iterator[list[int]]:
    """Cells of the polygon in small batches, so that a huge polygon is found out early."""
    tiles: list[Tile] = [tuple(polygon.bounds)]
    while tiles:
        tile = tiles.pop()
        if not shapely.intersects(polygon, shapely.box(*_grown(tile))):
            continue
        west, _, east, _ = tile
        if _cells_about(tile, resolution) > _TILE_CELLS or east - west > _TILE_DEGREES:
            tiles += _halves(tile)
        else:
            yield _inside(polygon, _fill(_grown(tile), resolution))


def _cells_about(tile: Tile, resolution: int) -> float:
    west, south, east, north = map(math.radians, tile)
    area = _EARTH_RADIUS_KM**2 * (east - west) * (math.sin(north) - math.sin(south))
    return area / mean_area_km2(resolution)


def _halves(tile: Tile) -> tuple[Tile, Tile]:
    """The tile cut across its longer side."""
    west, south, east, north = tile
    if east - west > north - south:
        middle = (west + east) / 2
        return (west, south, middle, north), (middle, south, east, north)
    middle = (south + north) / 2
    return (west, south, east, middle), (west, middle, east, north)


def _grown(tile: Tile) -> Tile:
    """A little larger on all sides: a centre on the edge of a tile must not be lost by rounding."""
    west, south, east, north = tile
    return (
        max(west - _MARGIN, -180.0),
        max(south - _MARGIN, -90.0),
        min(east + _MARGIN, 180.0),
        min(north + _MARGIN, 90.0),
    )


def _fill(tile: Tile, resolution: int) -> list[int]:
    """The cells with their centre in a rectangle, by H3."""
    west, south, east, north = tile
    corners = [(south, west), (south, east), (north, east), (north, west)]
    return list(basic_int.h3shape_to_cells(h3.LatLngPoly(corners), resolution))


def _inside(polygon: shapely.Polygon, cells: list[int]) -> list[int]:
    """The cells whose centre lies in the polygon or on its edge."""
    if not cells:
        return []
    latitude, longitude = np.array([basic_int.cell_to_latlng(cell) for cell in cells]).T
    keep = shapely.intersects_xy(polygon, longitude, latitude)
    return [cell for cell, retained in zip(cells, keep.tolist(), strict=True) if retained]
