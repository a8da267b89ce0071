"""Points in a GeoPackage (OGC 12-128r19) as records: the fields of its one layer of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from core.errors import InputError
from core.read.archives import member_of
from core.read.file_format import AS_FOUND, FileFormat
from core.read.geopackage_tables import CONTENTS, FeatureTable, feature_tables, well_known_binary
from core.read.input_files import NoRecord, base_name
from core.read.map_database import MapDatabase, quoted
from core.read.preview_rows import PREVIEW_ROWS, NoRows, Preview, as_text, some_names
from core.read.readers.base import Batch, require_columns, text_batch

_POINTS = ("POINT", "MULTIPOINT", "GEOMETRY")
_ROWS = 50_000
_SECONDS = 86_400.0


class GeopackageReader:
    """The geometry is well-known binary as digits, in the layer's reference system."""

    key: ClassVar[str] = "geopackage"
    title: ClassVar[str] = "GeoPackage"
    endings: ClassVar[tuple[str, ...]] = (".gpkg",)
    options: ClassVar[tuple[str, ...]] = ("decimal", "date_order")

    def preview(self, path: Path, file_format: FileFormat = AS_FOUND) -> Preview:  # noqa: ARG002
        with _layer(path) as (database, layer, names):
            found = _rows(database, layer, names)
            rows = tuple(tuple(map(as_text, row)) for row in islice(found, PREVIEW_ROWS))
            found.close()
        preview = Preview(columns=names, rows=rows, system=layer.system)
        if not rows:
            raise NoRows("The file holds no rows.", preview, where=str(path), mend="choose a file with rows")
        return preview

    def batches(
        self,
        path: Path,
        columns: Sequence[str],
        file_format: FileFormat = AS_FOUND,  # noqa: ARG002
    ) -> Iterator[Batch]:
        with _layer(path) as (database, layer, names):
            require_columns(columns, names, path)
            ((total,),) = database.rows(f"SELECT COUNT(*) FROM {quoted(layer.name)}", seconds=_SECONDS)
            if not total:
                raise NoRecord("The file holds no rows.", where=str(path), mend="choose a file with rows")
            found, done = _rows(database, layer, columns), 0
            while rows := list(islice(found, _ROWS)):
                done += len(rows)
                cells = {
                    name: [as_text(cell) or None for cell in column]
                    for name, column in zip(columns, zip(*rows, strict=True), strict=True)
                }
                yield text_batch(cells, done / total)


READER = GeopackageReader()


@contextlib.contextmanager
def _layer(path: Path) -> Iterator[tuple[MapDatabase, FeatureTable, tuple[str, ...]]]:
    """The one layer of points with the names of its columns. Raises InputError for none and for several."""
    if member_of(path) is not None or base_name(path.name) != path.name.lower():
        raise InputError(
            "A GeoPackage is not read within an archive.",
            where=str(path),
            mend="unpack it, and name the file",
        )
    database = MapDatabase(path)
    with contextlib.closing(database):
        if CONTENTS not in database.kinds:
            raise InputError(
                "The file is a database, but not a GeoPackage.",
                where=str(path),
                mend="export the table of the records as CSV or Parquet",
            )
        layers = [layer for layer in feature_tables(database) if layer.kind in _POINTS]
        if len(layers) != 1:
            raise InputError(
                "The GeoPackage has {layers} of points: records are read from one.",
                layers=some_names(layer.name for layer in layers) or "no layer",
                where=str(path),
                mend="save the layer of the records as a separate GeoPackage",
            )
        yield database, layers[0], tuple(name for name, _ in database.columns(layers[0].name))


def _rows(database: MapDatabase, layer: FeatureTable, columns: Sequence[str]) -> Any:
    """The cells of these columns, row by row; a geometry as digits."""
    asked = ", ".join(map(quoted, columns))
    places = [place for place, name in enumerate(columns) if name == layer.geometry]
    for row in database.each(f"SELECT {asked} FROM {quoted(layer.name)}", seconds=_SECONDS):
        cells = list(row)
        for place in places:
            cells[place] = well_known_binary(cells[place]).hex() or None
        yield cells
