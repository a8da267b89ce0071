"""`datapackage.json`: what the data and outlines are, for machines (Frictionless Data Package v2)."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from core.bundle.csv_columns import (
    EPSILON_SUMMARY,
    NEWEST_WORDING,
    DataTable,
    Wording,
    summary_of_content,
    tables_among,
)
from core.bundle.licences import find_licence
from core.bundle.protection_texts import counted_exactly
from core.bundle.release_result import Release
from core.quantity import SPEED, Quantity
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import CELLS_PATH, PLACES_PATH, REGIONS_PATH

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"


def json_bytes(document: Mapping[str, Any]) -> bytes:
    """JSON as all files of a bundle hold it: indented, UTF-8, one newline at the end."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def datapackage(
    release: Release, texts: ReleaseTexts, published_on: dt.date, data: Mapping[str, bytes]
) -> dict[str, Any]:
    """The content of datapackage.json; `data` maps each path below `data/` to its content."""
    first = min(start for start, _ in release.date_ranges)
    last = max(end for _, end in release.date_ranges)
    return {
        "$schema": PROFILE,
        "name": texts.name,
        "version": texts.version,
        "title": texts.title,
        "description": f"Differentially private: epsilon and its meaning are in privacy.json. "
        f"Relation {release.relation.value}, unit {release.unit.value}.{_counted(release)}",
        "created": f"{published_on.isoformat()}T00:00:00Z",
        "keywords": [
            *("traffic", release.quantity.title, *(["h3"] if release.place.hexagons else [])),
            "differential-privacy",
        ],
        "licenses": [find_licence(texts.licence).descriptor()],
        "contributors": [_publisher(texts)],
        "temporal": {
            "start": first.isoformat(),
            "end": last.isoformat(),
            "hours": list(release.hours),
            "zone": release.zone,
        },
        "resources": resources_of(data, quantity=release.quantity),
    }


def _counted(release: Release) -> str:
    """What stands beside the numbers."""
    if release.counts is None:
        return ""
    # visits of some records are not known, as of events
    counted = counted_exactly(dwell=any(one.visits is not None for one in release.counts.values()))
    return release.quantity.subject.says(f" Beside each number: exact numbers of {counted}.")


def resources_of(
    data: Mapping[str, bytes], wording: Wording = NEWEST_WORDING, quantity: Quantity = SPEED
) -> list[dict[str, Any]]:
    """The descriptors of all data files; `verify` demands exactly these of a bundle."""
    tables = tables_among(data, wording, quantity).values()
    by_place = any(table.by_place for table in tables)
    summary = summary_of_content(data[EPSILON_SUMMARY.path], wording, quantity, by_place=by_place)
    return [
        *(_table_resource(table, data[table.path]) for table in (*tables, summary)),
        *(
            _outlines_resource("cells", path, "Outlines of the hexagons (WGS 84)", data[path])
            for path in (CELLS_PATH,)
            if path in data
        ),
        *(
            _outlines_resource("places", path, "Outlines of the places (WGS 84)", data[path])
            for path in (PLACES_PATH,)
            if path in data
        ),
        *(
            _outlines_resource(
                "regions", REGIONS_PATH, "Outlines of the regions (WGS 84)", data[REGIONS_PATH]
            )
            for table in tables
            if table.by_region
        ),
    ]


def _publisher(texts: ReleaseTexts) -> dict[str, Any]:
    publisher: dict[str, Any] = {"title": texts.publisher, "roles": ["publisher"]}
    contact = texts.contact.strip()
    if contact.startswith(("https://", "http://")):
        return publisher | {"path": contact}
    return publisher | ({"email": contact} if "@" in contact and " " not in contact else {"contact": contact})


def _table_resource(table: DataTable, content: bytes) -> dict[str, Any]:
    return {
        "name": table.name,
        "path": table.path,
        "type": "table",
        "title": table.title,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **_size(content),
        "dialect": {
            "delimiter": ",",
            "lineTerminator": "\n",
            "quoteChar": '"',
            "doubleQuote": True,
            "header": True,
        },
        "schema": table.schema(),
    }


def _outlines_resource(name: str, path: str, title: str, content: bytes) -> dict[str, Any]:
    return {
        "name": name,
        "path": path,
        "title": title,
        "format": "geojson",
        "mediatype": "application/geo+json",
        "encoding": "utf-8",
        **_size(content),
    }


def _size(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}
