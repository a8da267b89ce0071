"""`data/places.geojson`: each place of the data once, with its name and one outline (method 14.9)."""

from __future__ import annotations

from typing import Any

from core.bundle.csv_columns import PLACES_PATH, DataTable
from core.bundle.data_files import neutral
from core.counted import count_of
from core.signed.findings import Finding, json_object, require, same_json
from core.verify.folder import BundleFolder, TableRow

_DEPTH = {"Polygon": 1, "MultiPolygon": 2}
"""Lists around a ring."""
_FEWEST_CORNERS = 4


def check_place_outlines(folder: BundleFolder, rows: list[tuple[DataTable, list[TableRow]]]) -> str:
    """Raises Finding unless the places of the rows are those of the file, with the same names.

    rows: of each table; regions have none that are places.
    """
    names = {(row["place_id"], row["place_name"]) for table, found in rows if table.by_place for row in found}
    document = json_object(PLACES_PATH, folder.read(PLACES_PATH))
    features = document.get("features")
    if (
        document.keys() != {"type", "licence", "features"}
        or document["type"] != "FeatureCollection"
        or not isinstance(document["licence"], str)
        or not isinstance(features, list)
        or len(features) != len(names)
    ):
        raise Finding(
            "{places_path} is no collection of the {counted_places}, with a licence",
            places_path=PLACES_PATH,
            counted_places=count_of(len(names), "place"),
        )
    found = [_place_of(feature) for feature in features]
    require(None not in found, "{places_path}: a feature is no outline of a place", places_path=PLACES_PATH)
    ids = [place for place, _ in filter(None, found)]
    require(ids == sorted(set(ids)), "{places_path}: the places are not in order", places_path=PLACES_PATH)
    stated = {(neutral(place), neutral(name)) for place, name in filter(None, found)}
    require(stated == names, "{places_path} has other places than the data", places_path=PLACES_PATH)
    return count_of(len(names), "place with one outline", "places with one outline each")


def _place_of(feature: Any) -> tuple[str, str] | None:
    """Id and name; None where it is no feature of ours."""
    properties = feature.get("properties") if isinstance(feature, dict) else None
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    if not isinstance(properties, dict) or not isinstance(geometry, dict) or not is_outline(geometry):
        return None
    place, name = properties.get("place_id"), properties.get("place_name")
    expected = {
        "type": "Feature",
        "properties": {"place_id": place, "place_name": name},
        "geometry": {"type": geometry["type"], "coordinates": geometry["coordinates"]},
    }
    if isinstance(place, str) and isinstance(name, str) and same_json(feature, expected):
        return place, name
    return None


def is_outline(geometry: Any) -> bool:
    """Whether it is a polygon, or several, of closed rings in degrees."""
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if not isinstance(kind, str) or kind not in _DEPTH:
        return False
    rings = [geometry.get("coordinates")]
    for _ in range(_DEPTH[kind]):
        if not all(isinstance(one, list) and one for one in rings):
            return False
        rings = [inner for one in rings for inner in one]
    return all(map(_is_ring, rings))


def _is_ring(ring: Any) -> bool:
    """Closed, of positions on the Earth."""
    return (
        isinstance(ring, list)
        and len(ring) >= _FEWEST_CORNERS
        and all(_is_position(position) for position in ring)
        and ring[0] == ring[-1]
    )


def _is_position(position: Any) -> bool:
    return (
        isinstance(position, list)
        and len(position) == 2
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in position)
        and abs(position[0]) <= 180
        and abs(position[1]) <= 90
    )
