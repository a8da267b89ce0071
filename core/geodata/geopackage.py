"""Layers of features in a GeoPackage (OGC 12-128r19): its tables, and their rows as features."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from core.clean.projections import to_degrees
from core.errors import InputError
from core.geodata.features import (
    MOST_FEATURES,
    Features,
    name_in_cell,
    require_field,
    too_many,
)
from core.geodata.shapes import Shapes, from_wkb, parts_of
from core.progress import Progress, part, silent
from core.read.geopackage_tables import FeatureTable, well_known_binary
from core.read.map_database import MapDatabase, quoted
from core.release_texts import one_line

_BATCH = 250


def read_feature_table(
    database: MapDatabase, table: FeatureTable, name_field: str = "", progress: Progress = silent
) -> Features:
    """The features of a layer.

    Raises InputError for a damaged file, a reference system that there is no way from, a field of names that
    is not there, and too many features; and what `progress` raises.
    """
    where = f"{database.path}, {one_line(table.name)}"
    require_field(name_field, table.fields, where)
    if not table.system:
        raise InputError(
            "The layer names no reference system: where it lies is not known.",
            where=where,
            mend="set the system in QGIS (Layer, Set Layer CRS), then save the layer anew",
        )
    project = to_degrees(table.system, where)
    names: list[str] = []
    found: list[Shapes] = []
    rows = _rows(database, table, name_field, progress)
    while batch := list(islice(rows, _BATCH)):
        if len(names) + len(batch) > MOST_FEATURES:
            raise too_many(where)
        found.append(from_wkb([None if blob is None else well_known_binary(blob) for blob, _ in batch]))
        names += [name_in_cell(name) for _, name in batch]
        progress(0.6 * len(names) / (len(names) + MOST_FEATURES / 20), "Reading the layer")
    parts = parts_of(found, project, part(progress, 0.6, 1.0))
    return Features(
        parts=parts, names=tuple(names), fields=table.fields, system=table.system if project else ""
    )


def _rows(
    database: MapDatabase, table: FeatureTable, name_field: str, progress: Progress
) -> Iterator[tuple[Any, ...]]:
    named = quoted(name_field) if name_field else "NULL"
    question = f"SELECT {quoted(table.geometry)}, {named} FROM {quoted(table.name)}"
    yield from database.each(question, progress=progress)
