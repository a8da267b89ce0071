"""Small GeoJSON documents: builders for tests of boundaries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Corners = Sequence[Sequence[float]]


def ring(corners: Corners) -> list[list[float]]:
    """The corners as a closed ring."""
    return [list(corner) for corner in (*corners, corners[0])]


def box(west: float, south: float, east: float, north: float) -> list[list[float]]:
    """The four corners of a rectangle."""
    return [[west, south], [east, south], [east, north], [west, north]]


def polygon(*rings: Corners) -> dict[str, Any]:
    """A polygon from the corners of its outer ring and of its holes."""
    return {"type": "Polygon", "coordinates": [ring(corners) for corners in rings]}


def feature(geometry: dict[str, Any] | None, properties: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties or {"name": "ward"}, "geometry": geometry}


def features(*geometries: dict[str, Any] | None) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": [feature(geometry) for geometry in geometries]}


def write_geojson(path: Path, document: object) -> Path:
    """The document as a file."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
