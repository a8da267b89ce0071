"""A zipped Shapefile: a missing .dbf or .prj, a damaged file, several layers in one archive.

Sources: ESRI Shapefile Technical Description (1998); lengths of records are checked before the library sees
them, for a negative one would lead it round in circles.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import shapefile
import shapely

from core.clean.projections import to_degrees
from core.errors import InputError
from core.geodata.features import MOST_FEATURES, require_field, too_many
from core.geodata.layer_rows import LayerRows
from core.geodata.shapes import UNREADABLE, Shapes
from core.progress import Progress, silent
from core.read.archives import members
from core.read.input_files import opened, read_whole
from core.read.unreadable_files import unreadable_as_input_error
from core.release_texts import one_line
from core.texts import text_of

_MOST_BYTES = 128 << 20
"""Bytes of one of the files of a zipped Shapefile, unpacked."""
_BATCH = 250
_HEAD_BYTES, _RECORD_HEAD = 100, struct.Struct(">2i")
_FAULTS = (ArithmeticError, AssertionError, LookupError, MemoryError, TypeError, ValueError, struct.error)
"""What the library raises for bytes that it did not foresee."""
_POINTS, _LINES, _AREAS = (1, 8, 11, 18, 21, 28), (3, 13, 23), (5, 15, 25)
"""Types of shapes; without and with heights and measures."""
_NAMING = "CNF"
"""Types of fields whose cells may name a feature."""
_PAGE = re.compile(r"(?:cp|ansi|oem|windows|ms)?[ _-]*([0-9]{3,4})", re.IGNORECASE)
_ISO = re.compile(r"(?:iso)?[ _-]*8859[ _-]*([0-9]{1,2})", re.IGNORECASE)


def shapefile_rows(
    path: Path, table: str = "", wanted: tuple[str, ...] = (), progress: Progress = silent
) -> LayerRows:
    """The features as they stand in the archive; table: name of the .shp, where it holds several.

    Raises InputError for what is missing, damaged or too large, a reference system that there is no way from
    and a field that is not there; and what `progress` raises.
    """
    files = _files_of(path, table)
    where = str(files[".shp"])
    system = _read(files[".prj"]).decode("utf-8", "replace").strip("\ufeff\0 \r\n")
    project = to_degrees(system, where)
    shp, dbf = _read(files[".shp"]), _read(files[".dbf"])
    lengths = _record_lengths(shp, where)
    page = _encoding(_read(files[".cpg"]) if ".cpg" in files else b"", dbf)
    cells: list[tuple[object, ...]] = []
    pieces: list[Shapes] = []
    try:
        with warnings.catch_warnings(action="ignore"):
            reader = shapefile.Reader(
                shp=io.BytesIO(shp), dbf=io.BytesIO(dbf), encoding=page, encodingErrors="replace"
            )
            fields = tuple(field.name for field in reader.data_fields if field.field_type in _NAMING)
            for field in wanted:
                require_field(field, fields, where)
            if reader.numRecords != len(lengths):
                raise _damaged(where)
            rows = zip(
                reader.shp_reader.iterShapes(shape_lengths_B=lengths),
                reader.dbf_reader.iterRecords(fields=list(wanted) or None, deleted_as_None=True),
                strict=True,
            )
            while batch := list(islice(rows, _BATCH)):
                progress(len(cells) / len(lengths), "Reading the layer")
                present = [(shape, record) for shape, record in batch if record is not None]
                pieces.append(np.array([*(_shape_of(shape) for shape, _ in present), None], object)[:-1])
                cells += [tuple(record[field] for field in wanted) for _, record in present]
    except InputError:
        raise
    except (*_FAULTS, shapefile.ShapefileException):
        raise _damaged(where) from None
    return LayerRows(pieces=pieces, cells=tuple(cells), fields=fields, system=system, to_degrees=project)


def _files_of(path: Path, table: str) -> Mapping[str, Path]:
    """By their endings, the files of the layer that is asked for."""
    with unreadable_as_input_error(path):
        found = [member.path for member in members(path)]
    layers = [one for one in found if one.suffix.lower() == ".shp"]
    chosen = [one for one in layers if table in ("", one.stem)]
    if len(chosen) != 1:
        known = ", ".join(one_line(one.stem) for one in layers[:10])
        raise InputError(
            "The archive contains {count} such layers of a Shapefile (.shp).",
            count=len(chosen),
            where=str(path),
            mend=text_of("name one of them: {known}", known=known)
            if layers
            else "zip the files of a Shapefile",
        )
    (shp,) = chosen
    files = {one.suffix.lower(): one for one in found if one.with_suffix("") == shp.with_suffix("")}
    for ending in (".dbf", ".prj"):
        if ending not in files:
            raise InputError(
                "The archive has no {ending} beside the .shp.",
                ending=ending,
                where=str(shp),
                mend="zip all files of the Shapefile: .dbf holds the ids, .prj says where it lies",
            )
    return files


def _read(path: Path) -> bytes:
    with opened(path) as stream:
        return read_whole(stream, path, _MOST_BYTES)


def _record_lengths(shp: bytes, where: str) -> list[int]:
    """Bytes of each record, without its head."""
    lengths: list[int] = []
    at = _HEAD_BYTES
    while at + _RECORD_HEAD.size <= len(shp):
        _, words = _RECORD_HEAD.unpack_from(shp, at)
        at += _RECORD_HEAD.size + 2 * words
        if words < 2 or at > len(shp):
            raise _damaged(where)
        lengths.append(2 * words)
        if len(lengths) > MOST_FEATURES:
            raise too_many(where)
    return lengths


def _encoding(page: bytes, dbf: bytes) -> str:
    """What the texts are written in: as the .cpg says, else UTF-8 where they can be, else that of Windows."""
    name = page[:40].decode("ascii", "replace").strip()
    if found := _ISO.fullmatch(name):
        return f"iso8859-{found[1]}"
    if found := _PAGE.fullmatch(name):
        return f"cp{found[1]}"
    try:
        dbf[32:].decode()
    except UnicodeDecodeError:
        return "utf-8" if "utf" in name.lower() else "cp1252"
    return "utf-8"


def _shape_of(shape: Any) -> object:
    """Of shapely; None where it is empty."""
    if shape is None or not shape.points:
        return None
    corners = np.array([corner[:2] for corner in shape.points], float)
    if shape.shapeType in _POINTS:
        return shapely.multipoints(corners)
    starts = list(shape.parts)
    runs = [corners[start:end] for start, end in zip(starts, [*starts[1:], len(corners)], strict=True)]
    try:
        if shape.shapeType in _LINES:
            return shapely.multilinestrings([shapely.linestrings(run) for run in runs])
        if shape.shapeType in _AREAS:
            return _area_of(np.array([shapely.linearrings(run) for run in runs], object))
    except (ValueError, shapely.errors.ShapelyError):  # too few corners, none of them a number
        return UNREADABLE
    return UNREADABLE


def _area_of(rings: Shapes) -> object:
    """Outer rings run clockwise, holes the other way; each hole belongs to the smallest ring around it."""
    hole = shapely.is_ccw(rings)
    if hole.all():  # written the wrong way round
        hole = ~hole
    areas = shapely.polygons(rings[~hole])
    holes: list[list[object]] = [[] for _ in areas]
    size = shapely.area(areas)
    corners = shapely.get_point(rings[hole], 0)
    for ring, owner in zip(rings[hole], _smallest_around(areas, size, corners), strict=True):
        holes[owner].append(ring)
    return shapely.multipolygons(
        [shapely.Polygon(ring, inner) for ring, inner in zip(rings[~hole], holes, strict=True)]
    )


def _smallest_around(areas: Shapes, size: Any, corners: Shapes) -> Iterator[int]:
    """For each corner the smallest area that it lies in; the largest of all where it lies in none."""
    corner, area = shapely.STRtree(areas).query(corners, predicate="intersects")
    smallest: dict[int, int] = {}
    for one, around in zip(corner.tolist(), area.tolist(), strict=True):
        if one not in smallest or size[around] < size[smallest[one]]:
            smallest[one] = around
    return (smallest.get(number, int(np.argmax(size))) for number in range(len(corners)))


def _damaged(where: str) -> InputError:
    return InputError(
        "The file is damaged, or not a Shapefile.",
        where=where,
        mend="save the layer again, or as a GeoPackage",
    )
