"""Map tiles in MBTiles or a GeoPackage, by SQL: their format, zoom levels, grid and numbering.

Tiles are numbered as web maps number them: zoom, column from the west, row from the north.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.geodata.shapes import HALF_WORLD_M, MapBox, to_metres
from core.read.geopackage_tables import MOST_TABLES
from core.read.map_database import MapDatabase, quoted
from core.release_texts import one_line

MOST_ZOOM = 24
PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""How a picture begins, and what it is."""
_FORMATS = ("png", "jpg", "jpeg", "image/png", "image/jpeg")
_VECTORS = ("pbf", "mvt", "application/x-protobuf", "application/vnd.mapbox-vector-tile")
_WEB_MERCATOR = ("3857", "900913", "3785", "102100", "102113")
_TILE_PIXELS = 256
_SECONDS_A_TILE = 2.0
_TABLES_OF_TILES = {"gpkg_tile_matrix_set", "gpkg_tile_matrix", "gpkg_spatial_ref_sys"}
_NEARLY = 1e-3
"""Part of a tile: how far the grid of map tiles in a file may lie from that of web maps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePyramid:
    """The tiles of one layer; they are read one by one when a map asks."""

    database: MapDatabase
    table: str
    least_zoom: int
    most_zoom: int
    from_south: bool
    """Rows are counted from the south (TMS), not from the north."""
    offsets: Mapping[int, tuple[int, int]]
    """Zoom -> column and row, as web maps count, of its first tile; empty: counted as web maps do."""
    box: MapBox | None
    """Where tiles lie; None where the file does not say."""

    def picture(self, zoom: int, column: int, row: int) -> tuple[str, bytes] | None:
        """Kind and bytes of a tile; None for a hole, and for what is no picture. Raises InputError."""
        across, down = self.offsets.get(zoom, (0, 0))
        y = row - down
        if self.from_south:
            y = (1 << zoom) - 1 - row
        found = self.database.rows(
            f"SELECT tile_data FROM {quoted(self.table)}"
            " WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1",
            [zoom, column - across, y],
            seconds=_SECONDS_A_TILE,
        )
        content = found[0][0] if found else None
        if not isinstance(content, bytes):
            return None
        kind = next((kind for start, kind in PICTURES.items() if content.startswith(start)), None)
        return None if kind is None else (kind, content)


def mbtiles_pyramid(database: MapDatabase) -> TilePyramid:
    """The tiles of an MBTiles file (version 1.3), which counts rows from the south unless it says otherwise.

    Raises InputError for vector tiles, other pictures than PNG and JPEG, and another projection.
    """
    where = str(database.path)
    stated = {
        str(name).lower(): str(value).strip()
        for name, value in database.rows("SELECT name, value FROM metadata LIMIT 1000")
    }
    _require_pictures(stated.get("format", "").lower(), where)
    for name in ("crs", "srs", "profile"):
        system = stated.get(name, "").lower()
        if system and not system.endswith((*_WEB_MERCATOR, "mercator")):
            raise _other_projection(system, where)
    scheme = stated.get("scheme", "tms").lower()
    if scheme not in ("tms", "xyz"):
        raise InputError(
            "The tiles have the unknown numbering scheme {scheme}.",
            scheme=f"{one_line(scheme)!r}",
            where=where,
            mend="save them as MBTiles with the scheme tms or xyz",
        )
    least, most = _zooms(database, "tiles", where)
    return TilePyramid(
        database=database,
        table="tiles",
        least_zoom=least,
        most_zoom=most,
        from_south=scheme == "tms",
        offsets={},
        box=_bounds(stated.get("bounds", "")),
    )


def _require_pictures(stated: str, where: str) -> None:
    if stated in _VECTORS:
        raise InputError(
            "The file contains vector tiles, which have no pictures to show.",
            where=where,
            mend="save it with pictures (PNG or JPEG), or its layers as a GeoPackage; QGIS does both",
        )
    if stated and stated not in _FORMATS:
        raise InputError(
            "The tiles have the unknown format {format}.",
            format=f"{one_line(stated)!r}",
            where=where,
            mend="save them as PNG or JPEG",
        )


def _other_projection(system: str, where: str) -> InputError:
    return InputError(
        "The tiles are in the reference system {system}, and the map is in Web Mercator.",
        system=one_line(system),
        where=where,
        mend="save them in EPSG:3857; gdalwarp and QGIS do that",
    )


def _zooms(database: MapDatabase, table: str, where: str) -> tuple[int, int]:
    ((least, most),) = database.rows(f"SELECT MIN(zoom_level), MAX(zoom_level) FROM {quoted(table)}")
    if not isinstance(least, int) or not isinstance(most, int) or not 0 <= least <= most <= MOST_ZOOM:
        raise InputError("The file holds no tile.", where=where, mend="save or download it again")
    return least, most


def _bounds(text: str) -> MapBox | None:
    try:
        west, south, east, north = (float(number) for number in text.split(","))
    except ValueError:
        return None
    return _box_of(west, south, east, north)


def _box_of(west: float, south: float, east: float, north: float) -> MapBox | None:
    """Degrees as metres of web maps; None for what is no box."""
    if not all(map(math.isfinite, (west, south, east, north))) or west >= east or south >= north:
        return None
    low, high = to_metres(np.array([[west, south], [east, north]]))
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def geopackage_pyramids(database: MapDatabase) -> tuple[tuple[str, str], ...]:
    """Name and title of each table of tiles in a GeoPackage."""
    if not database.kinds.keys() >= _TABLES_OF_TILES:
        return ()
    listed = database.rows(
        "SELECT table_name, identifier FROM gpkg_contents WHERE data_type = 'tiles' ORDER BY table_name"
        f" LIMIT {MOST_TABLES}"
    )
    return tuple(
        (str(name), one_line(str(title or name)))
        for name, title in listed
        if database.kinds.get(str(name)) == "table"
    )


def geopackage_pyramid(database: MapDatabase, table: str) -> TilePyramid:
    """The tiles of one table, which lie in the grid of web maps.

    Raises InputError for another projection, and for another grid.
    """
    where = f"{database.path}, {one_line(table)}"
    found = database.rows(
        "SELECT s.organization_coordsys_id, m.min_x, m.max_y FROM gpkg_tile_matrix_set m"
        " JOIN gpkg_spatial_ref_sys s ON s.srs_id = m.srs_id WHERE m.table_name = ? LIMIT 1",
        [table],
    )
    if not found:
        raise InputError("The tiles name no grid.", where=where, mend="save the layer again")
    code, west, north = found[0]
    if str(code) not in _WEB_MERCATOR:
        raise _other_projection(f"EPSG:{code}", where)
    matrices = database.rows(
        "SELECT zoom_level, pixel_x_size, pixel_y_size, tile_width, tile_height FROM gpkg_tile_matrix"
        " WHERE table_name = ? ORDER BY zoom_level LIMIT 100",
        [table],
    )
    offsets: dict[int, tuple[int, int]] = {}
    levels: dict[int, int] = {}
    for level, *matrix in matrices:
        zoom = _zoom_of(matrix)
        placed = None if zoom is None else _first_tile(zoom, west, north)
        if zoom is None or placed is None:
            raise InputError(
                "The tiles use their own grid, but the map needs that of web maps.",
                where=where,
                mend="save them with the tiling scheme GoogleMapsCompatible",
            )
        offsets[zoom], levels[zoom] = placed, level
    if not levels or any(zoom != level for zoom, level in levels.items()):
        raise InputError(
            "The zoom levels of the tiles are not those of web maps.",
            where=where,
            mend="save them with the tiling scheme GoogleMapsCompatible",
        )
    least, most = _zooms(database, table, where)
    return TilePyramid(
        database=database,
        table=table,
        least_zoom=least,
        most_zoom=most,
        from_south=False,
        offsets=offsets,
        box=None,
    )


def _zoom_of(matrix: list[object]) -> int | None:
    """The zoom of web maps with this size of pixels; None where there is none."""
    numbers = [number for number in matrix if isinstance(number, int | float)]
    if len(numbers) != len(matrix):
        return None
    wide, high, *pixels = numbers
    if pixels != [_TILE_PIXELS] * 2 or wide <= 0 or abs(wide - high) > 1e-6 * wide:
        return None
    exact = math.log2(2 * HALF_WORLD_M / _TILE_PIXELS / wide)
    zoom = round(exact)
    return zoom if abs(exact - zoom) < _NEARLY and 0 <= zoom <= MOST_ZOOM else None


def _first_tile(zoom: int, west: object, north: object) -> tuple[int, int] | None:
    """Column and row of the corner of the grid; None where no tile of web maps begins there."""
    if not isinstance(west, int | float) or not isinstance(north, int | float):
        return None
    side = 2 * HALF_WORLD_M / (1 << zoom)
    across, down = (west + HALF_WORLD_M) / side, (HALF_WORLD_M - north) / side
    if not math.isfinite(across) or not math.isfinite(down):
        return None
    if max(abs(across - round(across)), abs(down - round(down))) > _NEARLY:
        return None
    return round(across), round(down)
