"""Layers of features in a GeoPackage (OGC 12-128r19): its tables, and their rows as features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.clean.projections import to_degrees
from core.errors import InputError
from core.geodata.features import (
    MOST_FEATURES,
    MOST_FIELDS,
    Features,
    name_in_cell,
    require_field,
    too_many,
)
from core.geodata.map_database import MapDatabase, quoted
from core.geodata.shapes import Shapes, from_wkb, parts_of
from core.progress import Progress, part, silent
from core.release_texts import one_line

CONTENTS = "gpkg_contents"
_ENVELOPE_BYTES = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}
_HEAD_BYTES = 8
_EXTENDED = 0x20
"""Flag of a blob that holds no well-known binary."""
_NAMING = ("TEXT", "VARCHAR", "CHAR", "INT", "REAL", "DOUBLE", "FLOAT", "DATE")
"""How types of columns begin whose cells may name a feature."""
_BATCH = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureTable:
    """One layer of features, as the GeoPackage lists it."""

    name: str
    title: str
    geometry: str
    """Name of the column."""
    system: str
    """Its reference system, for `to_degrees`; empty where the file names none."""
    fields: tuple[str, ...]


def feature_tables(database: MapDatabase) -> tuple[FeatureTable, ...]:
    """The layers of features that are tables; a view would be the file's own code. Raises InputError."""
    if "gpkg_geometry_columns" not in database.kinds:
        return ()
    listed = database.rows(
        "SELECT c.table_name, c.identifier, g.column_name, g.srs_id FROM gpkg_contents c"
        " JOIN gpkg_geometry_columns g ON g.table_name = c.table_name"
        " WHERE c.data_type = 'features' ORDER BY c.table_name"
    )
    return tuple(
        FeatureTable(
            name=str(name),
            title=one_line(str(title or name)),
            geometry=str(column),
            system=_system(database, system),
            fields=_fields(database, str(name), str(column)),
        )
        for name, title, column, system in listed
        if database.kinds.get(str(name)) == "table"
    )


def _fields(database: MapDatabase, table: str, geometry: str) -> tuple[str, ...]:
    found = (
        name
        for name, kind in database.columns(table)
        if name != geometry and (not kind or kind.startswith(_NAMING))
    )
    return tuple(islice(found, MOST_FIELDS))


def _system(database: MapDatabase, number: object) -> str:
    """Code or text of a reference system; -1 and 0 are the format's for one that nobody knows."""
    if number in (-1, 0):
        return ""
    found = database.rows(
        "SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys"
        " WHERE srs_id = ?",
        [number],
    )
    if not found:
        return ""
    organization, code, definition = found[0]
    if str(organization).upper() == "EPSG":
        return f"EPSG:{code}"
    return str(definition)


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


def well_known_binary(blob: object) -> bytes:
    """The geometry in a GeoPackage's blob; no byte of one where it is no blob of that kind."""
    if not isinstance(blob, bytes) or len(blob) < _HEAD_BYTES or blob[:2] != b"GP":
        return b""
    flags = blob[3]
    envelope = _ENVELOPE_BYTES.get(flags >> 1 & 7)
    if envelope is None or flags & _EXTENDED:
        return b""
    return blob[_HEAD_BYTES + envelope :]
