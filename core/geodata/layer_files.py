"""What kind of layer file it is, by its content: no GeoPackage, no such layer, pictures only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from core.errors import InputError
from core.geodata.features import Features
from core.geodata.geojson_layer import geojson_rows, read_geojson_layer
from core.geodata.geopackage import table_rows
from core.geodata.layer_rows import LayerRows
from core.geodata.shapefile_layer import shapefile_rows
from core.geodata.tile_pyramids import (
    TilePyramid,
    geopackage_pyramid,
    geopackage_pyramids,
    mbtiles_pyramid,
)
from core.progress import Progress, part, silent
from core.read.archives import is_zip
from core.read.geopackage_tables import CONTENTS, FeatureTable, feature_tables
from core.read.map_database import MapDatabase, is_database
from core.read.unreadable_files import unreadable_as_input_error
from core.release_texts import one_line
from core.texts import text_of

_Read = TypeVar("_Read", Features, LayerRows)
LAYER_ENDINGS = (".geojson", ".json", ".gpkg", ".mbtiles")
"""Of names of files of layers, for dialogs; the content shows what a file holds."""


class LayerKind(StrEnum):
    """What a layer is made of."""

    FEATURES = "features"
    TILES = "tiles"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTable:
    """One layer of a file."""

    name: str
    """Of its table; empty in a file of a single layer."""
    title: str
    kind: LayerKind


def layers_in(path: Path) -> tuple[LayerTable, ...]:
    """The layers of a file, at least one; features of a GeoJSON file are not looked at yet.

    Raises InputError for a file that cannot be read, or holds no layer that can be shown.
    """
    if not is_database(path):
        return (LayerTable(name="", title=one_line(path.stem), kind=LayerKind.FEATURES),)
    database = MapDatabase(path)
    try:
        if CONTENTS not in database.kinds:
            _require_mbtiles(database)
            mbtiles_pyramid(database)
            return (LayerTable(name="", title=one_line(path.stem), kind=LayerKind.TILES),)
        features = [
            LayerTable(name=table.name, title=table.title, kind=LayerKind.FEATURES)
            for table in feature_tables(database)
        ]
        tiles = [
            LayerTable(name=name, title=title, kind=LayerKind.TILES)
            for name, title in geopackage_pyramids(database)
        ]
        if not features and not tiles:
            raise InputError(
                "The GeoPackage contains no table of features or tiles.",
                where=str(path),
                mend="save its views as layers of their own",
            )
        return (*features, *tiles)
    finally:
        database.close()


def read_layer(
    path: Path, table: str = "", name_field: str = "", progress: Progress = silent
) -> Features | TilePyramid:
    """One layer of a file: its features, or its tiles, which stay in the file.

    Raises InputError as its readers do, and for a table that is not there; and what `progress` raises.
    """
    if not is_database(path):
        return read_geojson_layer(path, name_field, progress)
    wanted = (name_field,) if name_field else ()
    found = _in_database(path, table, wanted, part(progress, 0.0, 0.6))
    return found if isinstance(found, TilePyramid) else found.features(part(progress, 0.6, 1.0))


def read_features(path: Path, table: str = "", name_field: str = "", progress: Progress = silent) -> Features:
    """The features of a layer. Raises InputError as `read_layer`, and for a layer of tiles."""
    layer = read_layer(path, table, name_field, progress)
    return _no_pictures(layer, path)


def layer_rows(
    path: Path, table: str = "", wanted: tuple[str, ...] = (), progress: Progress = silent
) -> LayerRows:
    """The features of a layer as the file has them, also of a zipped Shapefile; wanted: fields.

    Raises InputError as `read_features`.
    """
    with unreadable_as_input_error(path):
        zipped = is_zip(path)
    if zipped:
        return shapefile_rows(path, table, wanted, progress)
    if path.suffix.lower() == ".shp":
        raise InputError(
            "A Shapefile is several files.",
            where=str(path),
            mend="zip the .shp with its .dbf, .prj and .cpg, and name the archive",
        )
    if not is_database(path):
        return geojson_rows(path, wanted, progress)
    return _no_pictures(_in_database(path, table, wanted, progress), path)


def _in_database(
    path: Path, table: str, wanted: tuple[str, ...], progress: Progress
) -> LayerRows | TilePyramid:
    database = MapDatabase(path)
    layer: LayerRows | TilePyramid | None = None
    try:
        layer = _layer_of(database, table, wanted, progress)
        return layer
    finally:
        if not isinstance(layer, TilePyramid):
            database.close()


def _layer_of(
    database: MapDatabase, table: str, wanted: tuple[str, ...], progress: Progress
) -> LayerRows | TilePyramid:
    if CONTENTS not in database.kinds:
        _require_mbtiles(database)
        return mbtiles_pyramid(database)
    found: dict[str, FeatureTable | None] = {item.name: item for item in feature_tables(database)}
    found |= {name: None for name, _ in geopackage_pyramids(database)}
    if table not in found and (table or len(found) != 1):
        raise _no_table(table, found, database.path)
    name = table or next(iter(found))
    features = found[name]
    if features is None:
        return geopackage_pyramid(database, name)
    return table_rows(database, features, wanted, progress)


def _no_pictures(layer: _Read | TilePyramid, path: Path) -> _Read:
    if isinstance(layer, TilePyramid):
        layer.database.close()
        raise InputError(
            "The layer contains pictures, and nothing in it has a name.",
            where=str(path),
            mend="choose a layer of points, lines or areas",
        )
    return layer


def _require_mbtiles(database: MapDatabase) -> None:
    if not {"metadata", "tiles"} <= database.kinds.keys():
        raise InputError(
            "This database is neither a GeoPackage nor MBTiles.",
            where=str(database.path),
            mend="choose a GeoJSON, GeoPackage or MBTiles file",
        )


def _no_table(table: str, found: dict[str, FeatureTable | None], path: Path) -> InputError:
    known = ", ".join(one_line(name) for name in list(found)[:10]) or "none"
    fault = (
        text_of("The file has no layer {table}.", table=f"{one_line(table)!r}")
        if table
        else "The file contains several layers."
    )
    return InputError(fault, where=str(path), mend=text_of("name one of its layers: {known}", known=known))
