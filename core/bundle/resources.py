"""The files for people, maps and portals as datapackage.json lists them (method 14.9, 14.10)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.bundle.csv_columns import DataTable
from core.signed.bundle_names import CATALOGUE_RECORD, MAP_FOLDER, MAP_PAGE, POLICY_MARKDOWN, POLICY_PAGE

GEOJSON_MEDIA = "application/geo+json"
PARQUET_MEDIA = "application/vnd.apache.parquet"


def feature_path(table: DataTable) -> str:
    """Where a table's features are."""
    return f"{MAP_FOLDER}{table.name}.geojson"


def geoparquet_path(table: DataTable) -> str:
    """Where a table's GeoParquet file is."""
    return f"{MAP_FOLDER}{table.name}.parquet"


def map_paths(tables: Iterable[DataTable]) -> tuple[str, ...]:
    """Every file for maps and portals of a bundle in which places of these tables have outlines."""
    drawn = list(tables)
    of_tables = (path for table in drawn for path in (feature_path(table), geoparquet_path(table)))
    return (*of_tables, *((MAP_PAGE,) if drawn else ()), CATALOGUE_RECORD)


def file_facts(content: bytes) -> dict[str, Any]:
    """Size and hash of a file, as datapackage.json states them."""
    return {"bytes": len(content), "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}


def map_resources(
    files: Mapping[str, Any],
    tables: tuple[DataTable, ...],
    facts_of: Callable[[Any], Mapping[str, Any]] = file_facts,
) -> list[dict[str, Any]]:
    """The descriptors of those of these files that are there; tables: of the bundle's statistics.

    files: path -> content, or what else `facts_of` takes.
    """
    listed = [
        *(
            entry
            for table in tables
            for entry in (
                (f"{table.name}.geojson", feature_path(table), f"{table.title}, as GeoJSON", "geojson"),
                (
                    f"{table.name}.parquet",
                    geoparquet_path(table),
                    f"{table.title}, as GeoParquet",
                    "geoparquet",
                ),
            )
        ),
        ("map", MAP_PAGE, "Map of the release, for a browser", "html"),
        ("catalogue", CATALOGUE_RECORD, "Description for portals (DCAT-AP)", "jsonld"),
    ]
    return [_resource(*one, facts_of(files[one[1]])) for one in listed if one[1] in files]


def policy_resources(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """The descriptors of the epsilon policy, where it is among the files (method 14.10)."""
    listed = (
        ("policy", POLICY_PAGE, "Epsilon policy, for a browser", "html"),
        ("policy-text", POLICY_MARKDOWN, "Epsilon policy, as text", "markdown"),
    )
    return [_resource(*one, file_facts(files[one[1]])) for one in listed if one[1] in files]


_MEDIA = {
    "geojson": GEOJSON_MEDIA,
    "geoparquet": PARQUET_MEDIA,
    "html": "text/html",
    "jsonld": "application/ld+json",
    "markdown": "text/markdown",
}


def _resource(name: str, path: str, title: str, kind: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "path": path,
        "title": title,
        "format": kind,
        "mediatype": _MEDIA[kind],
        **facts,
    }
