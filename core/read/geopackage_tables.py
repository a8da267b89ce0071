"""Tables, fields and blobs of a GeoPackage by SQL, and how many there may be (OGC 12-128r19)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from core.read.map_database import MapDatabase
from core.release_texts import one_line

MOST_FIELDS = 200
"""Fields of a layer of a GeoPackage."""
MOST_TABLES = 5_000
"""Tables of a GeoPackage: more may be one that is listed again and again."""
CONTENTS = "gpkg_contents"
_ENVELOPE_BYTES = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}
_HEAD_BYTES = 8
_EXTENDED = 0x20
"""Flag of a GeoPackage's blob that holds no well-known binary."""
_NAMING = ("TEXT", "VARCHAR", "CHAR", "INT", "REAL", "DOUBLE", "FLOAT", "DATE")
"""How types of columns begin whose cells may name a feature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureTable:
    """One layer of features, as the GeoPackage lists it."""

    name: str
    title: str
    geometry: str
    """Name of the column."""
    kind: str
    """What it holds: `POINT`, `MULTIPOLYGON`, or `GEOMETRY` for any."""
    system: str
    """Its reference system, for `to_degrees`; empty where the file names none."""
    fields: tuple[str, ...]


def feature_tables(database: MapDatabase) -> tuple[FeatureTable, ...]:
    """The layers of features that are tables; a view would be the file's own code. Raises InputError."""
    if "gpkg_geometry_columns" not in database.kinds:
        return ()
    listed = database.rows(
        "SELECT c.table_name, c.identifier, g.column_name, g.srs_id, g.geometry_type_name"
        " FROM gpkg_contents c"
        " JOIN gpkg_geometry_columns g ON g.table_name = c.table_name"
        f" WHERE c.data_type = 'features' ORDER BY c.table_name LIMIT {MOST_TABLES}"
    )
    return tuple(
        FeatureTable(
            name=str(name),
            title=one_line(str(title or name)),
            geometry=str(column),
            kind=str(kind).upper(),
            system=_system(database, system),
            fields=_fields(database, str(name), str(column)),
        )
        for name, title, column, system, kind in listed
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
        " WHERE srs_id = ? LIMIT 1",
        [number],
    )
    if not found:
        return ""
    organization, code, definition = found[0]
    if str(organization).upper() == "EPSG":
        return f"EPSG:{code}"
    return str(definition)


def well_known_binary(blob: object) -> bytes:
    """The geometry in a GeoPackage's blob; no byte of one where it is no blob of that kind."""
    if not isinstance(blob, bytes) or len(blob) < _HEAD_BYTES or blob[:2] != b"GP":
        return b""
    flags = blob[3]
    envelope = _ENVELOPE_BYTES.get(flags >> 1 & 7)
    if envelope is None or flags & _EXTENDED:
        return b""
    return blob[_HEAD_BYTES + envelope :]
