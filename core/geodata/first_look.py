"""The layers of a file as they are first shown, named by the field that seems to hold names."""

from __future__ import annotations

import re
from pathlib import Path

from core.geodata.features import may_name, usual_name_field
from core.geodata.layer_files import LayerKind, layers_in
from core.geodata.map_layer import MapLayer
from core.progress import Progress, silent
from core.read.geopackage_tables import feature_tables
from core.read.map_database import MapDatabase, is_database
from core.system.nested_texts import json_value
from core.system.regular_files import read_regular

_PROPERTIES = re.compile(r'"properties"\s*:\s*(\{[^{}]*\})')
_FEATURES_LOOKED_AT = 20
_LOOKED_INTO = 1 << 20
"""Bytes of a GeoJSON file in which the fields of its first features are looked for."""


def first_look(path: Path, progress: Progress = silent) -> tuple[MapLayer, ...]:
    """Every layer of the file, below the hexagons. Raises InputError as `layers_in`."""
    path = path.absolute()
    found = layers_in(path)
    fields = _fields_by_table(path)
    progress(1.0, "Looking into the file")
    return tuple(
        MapLayer(file=path, table=layer.name, name_field=usual_name_field(fields.get(layer.name, ())))
        if layer.kind is LayerKind.FEATURES
        else MapLayer(file=path, table=layer.name)
        for layer in found
    )


def _fields_by_table(path: Path) -> dict[str, tuple[str, ...]]:
    if not is_database(path):
        beginning = read_regular(path, most=_LOOKED_INTO).decode("utf-8", "replace")
        return {"": _fields_seen(beginning)}
    database = MapDatabase(path)
    try:
        if "gpkg_contents" not in database.kinds:
            return {}
        return {table.name: table.fields for table in feature_tables(database)}
    finally:
        database.close()


def _fields_seen(beginning: str) -> tuple[str, ...]:
    """Fields of the first features, as far as they can be read without all of the file."""
    fields: dict[str, None] = {}
    start = max(0, beginning.find('"features"'))
    for number, found in enumerate(_PROPERTIES.finditer(beginning, start)):
        try:
            properties = json_value(found[1])
        except ValueError:
            continue
        fields |= dict.fromkeys(name for name, value in properties.items() if may_name(value))
        if number >= _FEATURES_LOOKED_AT:
            break
    return tuple(fields)
