"""Outlines of zones, as the layer has them, with its licence (method 14.9)."""

from __future__ import annotations

import json
from collections.abc import Collection

from core.geodata.zones_source import PublicZones


def places_geojson(zones: PublicZones, ids: Collection[str]) -> bytes:
    """The zones that have a row, sorted by id."""
    features = [
        {
            "type": "Feature",
            "properties": {"place_id": place, "place_name": name},
            "geometry": outline,
        }
        for place, name, outline in zip(zones.ids, zones.names, zones.outlines(), strict=True)
        if place in ids
    ]
    document = {"type": "FeatureCollection", "licence": zones.source.licence, "features": features}
    return (json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
