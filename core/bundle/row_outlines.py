"""Outlines of rows to a centimetre, as RFC 7946 has them: right-hand rule, antimeridian (method 14.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import shapely

from core.bundle.region_outlines import cell_ring, outline

DEGREE_DECIMALS = 7
"""Of degrees of a row's outline, a centimetre; the outlines below `data/` have as many."""
_ANTIMERIDIAN = 180
_TURN = 360

GeoRing = list[tuple[float, float]]
"""Closed, of (longitude, latitude)."""
GeoPolygon = list[GeoRing]
"""The outer ring, counter-clockwise, then holes, clockwise."""


class GeoLine(tuple[tuple[float, float], ...]):
    """The line of a route: corners of (longitude, latitude)."""

    __slots__ = ()


RowOutline = Sequence[GeoPolygon] | GeoLine
"""What a row is drawn as: areas, or a line."""


def row_outline(cells: Sequence[str]) -> list[GeoPolygon]:
    """The union of cells as polygons, none of which crosses the antimeridian; sorted."""
    polygons = [[list(cell_ring(cells[0]))]] if len(cells) == 1 else _union(cells)
    if all(_within(polygon) for polygon in polygons):
        return polygons
    return sorted(part for polygon in polygons for part in _cut(polygon))


def geometry_type(outline: RowOutline) -> str:
    """What GeoJSON calls this outline."""
    if isinstance(outline, GeoLine):
        return "LineString"
    return "Polygon" if len(outline) == 1 else "MultiPolygon"


def coordinates_of(outline: RowOutline) -> Sequence[Any]:
    """Its coordinates, nested as GeoJSON has them."""
    return outline[0] if geometry_type(outline) == "Polygon" else outline


def rings_of(outline: RowOutline) -> Sequence[Sequence[tuple[float, float]]]:
    """Every ring, or the line."""
    return [outline] if isinstance(outline, GeoLine) else [ring for polygon in outline for ring in polygon]


def as_shape(outline: RowOutline) -> shapely.Geometry:
    """The outline as a geometry, ring by ring."""
    if isinstance(outline, GeoLine):
        return shapely.LineString(outline)
    parts = [shapely.Polygon(outer, holes) for outer, *holes in outline]
    return parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts)


def middle_of(outline: RowOutline) -> tuple[float, float]:
    """Latitude and longitude of the centroid."""
    centroid = as_shape(outline).centroid
    return centroid.y, centroid.x


def middles_of_areas(
    outlines: Mapping[str, RowOutline], *, lines_too: bool = False
) -> dict[str, tuple[float, float]]:
    """By id; lines have none: they are drawn, and nothing is computed from them (method 3.1)."""
    return {
        place: middle_of(outline)
        for place, outline in outlines.items()
        if lines_too or not isinstance(outline, GeoLine)
    }


def simpler(outline: RowOutline, step: float) -> RowOutline:
    """Of some of its corners: none that is left out lies farther than `step` degrees off.

    Raises ValueError for an outline that crosses itself.
    """
    try:
        shape = shapely.simplify(as_shape(outline), step)
    except shapely.GEOSException as error:
        raise ValueError(str(error)) from error
    if isinstance(shape, shapely.LineString):
        return GeoLine(shape.coords)
    return [
        [list(ring.coords) for ring in (part.exterior, *part.interiors)] for part in shapely.get_parts(shape)
    ]


def _union(cells: Sequence[str]) -> list[GeoPolygon]:
    return [[list(ring) for ring in polygon] for polygon in outline(cells)]


def _within(polygon: GeoPolygon) -> bool:
    """Rings go on beyond 180 degrees rather than cross it."""
    return all(abs(lon) <= _ANTIMERIDIAN for lon, _ in polygon[0])


def _cut(polygon: GeoPolygon) -> Iterable[GeoPolygon]:
    """What lies west of the antimeridian, and what lies east of it, turned back by 360 degrees."""
    outer, *holes = polygon
    shape = shapely.Polygon(outer, holes)
    for west, turned in ((-_ANTIMERIDIAN, 0), (_ANTIMERIDIAN, _TURN)):
        side = shapely.intersection(shape, shapely.box(west, -90, west + _TURN, 90))
        for part in shapely.get_parts(side):
            if part.geom_type == "Polygon" and not part.is_empty:
                rings = [part.exterior, *part.interiors]
                first, *others = [_turned(list(ring.coords), turned) for ring in rings]
                yield [
                    _wound(first, counter_clockwise=True),
                    *sorted(_wound(one, counter_clockwise=False) for one in others),
                ]


def _turned(corners: GeoRing, degrees: int) -> GeoRing:
    return [(round(lon - degrees, DEGREE_DECIMALS), round(lat, DEGREE_DECIMALS)) for lon, lat in corners]


def _wound(ring: GeoRing, *, counter_clockwise: bool) -> GeoRing:
    """The same ring in this direction, from its westernmost corner."""
    corners = ring[:-1]
    if bool(shapely.is_ccw(shapely.LinearRing(ring))) is not counter_clockwise:
        corners = corners[::-1]
    first = corners.index(min(corners))
    return [*corners[first:], *corners[:first], corners[first]]
