"""Layers of features in a GeoPackage (OGC 12-128r19): its tables, and their rows as features."""

from __future__ import annotations

from itertools import islice

from core.clean.projections import to_degrees
from core.geodata.features import MOST_FEATURES, require_field, too_many
from core.geodata.layer_rows import LayerRows
from core.geodata.shapes import Shapes, from_wkb
from core.progress import Progress, silent
from core.read.geopackage_tables import FeatureTable, well_known_binary
from core.read.map_database import MapDatabase, quoted
from core.release_texts import one_line

_BATCH = 250


def table_rows(
    database: MapDatabase, table: FeatureTable, wanted: tuple[str, ...] = (), progress: Progress = silent
) -> LayerRows:
    """The features of a layer as they stand in its table; wanted: fields.

    Raises InputError for a damaged file, a reference system that there is no way from, a field that is not
    there, and too many features; and what `progress` raises.
    """
    where = f"{database.path}, {one_line(table.name)}"
    for field in wanted:
        require_field(field, table.fields, where)
    project = to_degrees(table.system, where)
    cells: list[tuple[object, ...]] = []
    found: list[Shapes] = []
    columns = ", ".join(map(quoted, (table.geometry, *wanted)))
    rows = database.each(f"SELECT {columns} FROM {quoted(table.name)}", progress=progress)
    while batch := list(islice(rows, _BATCH)):
        if len(cells) + len(batch) > MOST_FEATURES:
            raise too_many(where)
        found.append(from_wkb([None if blob is None else well_known_binary(blob) for blob, *_ in batch]))
        cells += [tuple(row[1:]) for row in batch]
        progress(len(cells) / (len(cells) + MOST_FEATURES / 20), "Reading the layer")
    return LayerRows(
        pieces=found, cells=tuple(cells), fields=table.fields, system=table.system, to_degrees=project
    )
