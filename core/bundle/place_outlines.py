"""Outlines of zones or lines of routes in `data/places.geojson`, with fewer corners (method 14.9)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from core.bundle.row_outlines import GeoLine, RowOutline, rings_of, simpler
from core.geodata.route_lines import RouteLine
from core.geodata.zones_source import PublicZones
from core.signed.bundle_names import PLACES_PATH
from core.signed.findings import Finding, json_object, require, same_json

_DEPTH = {"LineString": 0, "Polygon": 1, "MultiPolygon": 2}
"""Lists around a ring, or a line."""
_FEWEST_CORNERS = {"LineString": 2, "Polygon": 4, "MultiPolygon": 4}
MOST_ROW_CORNERS = 1_000_000
"""Corners of the outlines of all rows of a table together: 25 MB of GeoJSON."""
_FIRST_STEP = 1e-5
"""Degrees, a metre: by so much a corner of an outline may move first, then by twice as much, and so on."""


def places_geojson(zones: PublicZones, ids: Collection[str]) -> bytes:
    """The zones that have a row, sorted by id."""
    listed = zip(zones.ids, zones.names, zones.outlines(), strict=True)
    features = [_feature(place, name, outline) for place, name, outline in listed if place in ids]
    return _document({"licence": zones.source.licence}, features)


def lines_geojson(lines: Mapping[str, RouteLine]) -> bytes:
    """The lines of routes, sorted by label."""
    return _document({}, [_feature(label, label, line) for label, line in line_geometries(lines).items()])


def line_geometries(lines: Mapping[str, RouteLine]) -> dict[str, dict[str, Any]]:
    """Label -> the line as GeoJSON has it, sorted."""
    return {label: {"type": "LineString", "coordinates": lines[label]} for label in sorted(lines)}


def _feature(place: str, name: str, geometry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": {"place_id": place, "place_name": name},
        "geometry": geometry,
    }


def _document(facts: Mapping[str, str], features: list[dict[str, Any]]) -> bytes:
    document = {"type": "FeatureCollection", **facts, "features": features}
    return (json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def stated_places(content: bytes) -> dict[str, tuple[str, RowOutline]]:
    """Id -> name and outline, in the order of the file. Raises Finding for what is no such file.

    Areas have a licence beside them, lines have none.
    """
    document = json_object(PLACES_PATH, content)
    features = document.pop("features", None)
    licence = document.pop("licence", None)
    if document != {"type": "FeatureCollection"} or not isinstance(features, list):
        raise Finding("{places_path} is not a collection of places")
    found = [_place_of(feature) for feature in features]
    places = {place: (name, outline) for place, name, outline in filter(None, found)}
    require(None not in found, "{places_path}: a feature is not the outline of a place")
    require(
        [place for place, _, _ in filter(None, found)] == sorted(places),
        "{places_path}: the places are not in order",
    )
    lines = {isinstance(outline, GeoLine) for _, outline in places.values()}
    require(
        lines == {licence is None} and isinstance(licence, str | None),
        "{places_path} has areas with a licence, or lines without",
    )
    return places


def _place_of(feature: Any) -> tuple[str, str, RowOutline] | None:
    """Id, name and outline; None where it is no feature of ours."""
    properties = feature.get("properties") if isinstance(feature, dict) else None
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    if not isinstance(properties, dict) or not isinstance(geometry, dict) or not is_outline(geometry):
        return None
    place, name = properties.get("place_id"), properties.get("place_name")
    kind, coordinates = geometry["type"], geometry["coordinates"]
    expected = _feature(str(place), str(name), {"type": kind, "coordinates": coordinates})
    if not isinstance(place, str) or not isinstance(name, str) or not same_json(feature, expected):
        return None
    return place, name, _outline(kind, coordinates)


def _outline(kind: str, coordinates: list[Any]) -> RowOutline:
    if kind == "LineString":
        return GeoLine((lon, lat) for lon, lat in coordinates)
    polygons = [coordinates] if kind == "Polygon" else coordinates
    return [[[(lon, lat) for lon, lat in ring] for ring in polygon] for polygon in polygons]


def is_outline(geometry: Any) -> bool:
    """Whether it is a polygon, or several, of closed rings in degrees, or a line."""
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if not isinstance(kind, str) or kind not in _DEPTH:
        return False
    rings = [geometry.get("coordinates")]
    for _ in range(_DEPTH[kind]):
        if not all(isinstance(one, list) and one for one in rings):
            return False
        rings = [inner for one in rings for inner in one]
    return all(
        isinstance(ring, list)
        and len(ring) >= _FEWEST_CORNERS[kind]
        and all(_is_position(position) for position in ring)
        and (kind == "LineString" or ring[0] == ring[-1])
        for ring in rings
    )


def _is_position(position: Any) -> bool:
    return (
        isinstance(position, list)
        and len(position) == 2
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in position)
        and abs(position[0]) <= 180
        and abs(position[1]) <= 90
    )


def drawn_outlines(outlines: Mapping[str, RowOutline], rows: Mapping[str, int]) -> Mapping[str, RowOutline]:
    """The same with fewer corners where a file of all rows would be too large.

    rows: of each place. Raises Finding for outlines that cross themselves, which cannot be made simpler.
    """
    step, drawn = _FIRST_STEP, outlines
    while _corners(drawn, rows) > MOST_ROW_CORNERS and step < 1:
        try:
            drawn = {place: simpler(outline, step) for place, outline in outlines.items()}
        except ValueError:
            raise Finding("{places_path}: an outline crosses itself") from None
        step *= 2
    return drawn


def _corners(outlines: Mapping[str, RowOutline], rows: Mapping[str, int]) -> int:
    return sum(
        len(ring) * rows.get(place, 0) for place, outline in outlines.items() for ring in rings_of(outline)
    )
