"""Small files of layers, made by hand: GeoPackage and MBTiles by SQLite, as other programs write them."""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

WGS84 = (4326, "EPSG", 4326, "GEOGCS[...]")
UTM_43 = (32643, "EPSG", 32643, "PROJCS[...]")
WEB = (3857, "EPSG", 3857, "PROJCS[...]")
Feature = tuple[bytes | None, str | None]
WORLD_M = 20_037_508.342789244


def point_wkb(x: float, y: float) -> bytes:
    return struct.pack("<BIdd", 1, 1, x, y)


def blob_of(wkb: bytes, srs: int = 4326, flags: int = 1) -> bytes:
    """A GeoPackage's blob around a well-known binary, without an envelope."""
    return b"GP" + bytes([0, flags]) + struct.pack("<i", srs) + wkb


def write_geopackage(
    path: Path,
    tables: Mapping[str, Sequence[Feature]],
    *,
    system: tuple[int, str, int, str] = WGS84,
    extra: Iterable[str] = (),
) -> Path:
    """Tables of features with a field `name`; extra: statements of SQL to run last."""
    with closing(sqlite3.connect(path)) as made:
        _begin_geopackage(made, system)
        made.execute(
            "CREATE TABLE gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id, z, m)"
        )
        for name, features in tables.items():
            quoted = '"' + name.replace('"', '""') + '"'
            made.execute(f"CREATE TABLE {quoted} (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT, photo BLOB)")
            made.executemany(f"INSERT INTO {quoted} (geom, name) VALUES (?, ?)", features)
            made.execute("INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?)", (name, name, system[0]))
            made.execute(
                "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'GEOMETRY', ?, 0, 0)", (name, system[0])
            )
        for statement in extra:
            made.execute(statement)
        made.commit()
    return path


def _begin_geopackage(made: sqlite3.Connection, system: tuple[int, str, int, str]) -> None:
    made.execute("CREATE TABLE gpkg_contents (table_name, data_type, identifier, srs_id)")
    made.execute(
        "CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, definition)"
    )
    made.execute("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?)", system)


def picture(colour: tuple[int, int, int] = (40, 90, 200), side: int = 256) -> bytes:
    """A PNG of one colour."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    rows = (b"\0" + bytes(colour) * side) * side
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write_mbtiles(
    path: Path, tiles: Mapping[tuple[int, int, int], bytes], metadata: Mapping[str, str] | None = None
) -> Path:
    """Tiles by zoom, column and row as the file counts them; metadata: in place of PNG."""
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        told = {"name": "city", "format": "png"} if metadata is None else metadata
        made.executemany("INSERT INTO metadata VALUES (?, ?)", told.items())
        made.execute("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)")
        made.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [(*at, data) for at, data in tiles.items()])
        made.commit()
    return path


def write_tile_package(
    path: Path,
    tiles: Mapping[tuple[int, int, int], bytes],
    *,
    corner: tuple[float, float] = (-WORLD_M, WORLD_M),
    system: tuple[int, str, int, str] = WEB,
    pixel_factor: float = 1.0,
) -> Path:
    """A GeoPackage of tiles; corner: west and north of its grid, metres."""
    with closing(sqlite3.connect(path)) as made:
        _begin_geopackage(made, system)
        made.execute("INSERT INTO gpkg_contents VALUES ('base', 'tiles', 'Base map', ?)", (system[0],))
        made.execute("CREATE TABLE gpkg_tile_matrix_set (table_name, srs_id, min_x, min_y, max_x, max_y)")
        made.execute(
            "INSERT INTO gpkg_tile_matrix_set VALUES ('base', ?, ?, ?, ?, ?)",
            (system[0], corner[0], -WORLD_M, WORLD_M, corner[1]),
        )
        made.execute(
            "CREATE TABLE gpkg_tile_matrix (table_name, zoom_level, pixel_x_size, pixel_y_size, tile_width,"
            " tile_height)"
        )
        for zoom in sorted({zoom for zoom, _, _ in tiles}):
            size = 2 * WORLD_M / 256 / (1 << zoom) * pixel_factor
            made.execute(
                "INSERT INTO gpkg_tile_matrix VALUES ('base', ?, ?, ?, 256, 256)", (zoom, size, size)
            )
        made.execute("CREATE TABLE base (zoom_level, tile_column, tile_row, tile_data)")
        made.executemany("INSERT INTO base VALUES (?, ?, ?, ?)", [(*at, data) for at, data in tiles.items()])
        made.commit()
    return path
