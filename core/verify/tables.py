"""Verify: data files as declared: columns, cells, dialect, outlines of cells (method 14)."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

import h3

from core.accounting.epsilon_rounding import is_plain
from core.bundle.csv_columns import Column, DataTable
from core.bundle.data_files import csv_line, neutral
from core.bundle.region_outlines import cell_ring
from core.clean.record_filter import is_seen
from core.counted import count_of
from core.signed.bundle_names import CELLS_PATH, PLACES_PATH
from core.signed.findings import Finding, decoded, json_object, require, same_json, shown
from core.texts import Name, joined, text_of
from core.verify.folder import BundleFolder, CsvRow, TableRead, TableRow
from core.verify.place_outlines import check_place_outlines

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INTEGER = re.compile(r"0|[1-9][0-9]{0,17}")
_WHOLE_PART = r"(0|[1-9][0-9]{0,17})"
TOLERANCE = 1e-6
"""Degrees of an outline, a tenth of a metre: systems may differ in a coordinate's last decimal."""


def check_table(table: DataTable) -> Callable[[BundleFolder], str]:
    """A check that a CSV file holds what its columns declare."""

    def check(folder: BundleFolder) -> str:
        return text_of(
            "{counted_rows} as declared", counted_rows=count_of(len(rows_of(table, folder)), "row")
        )

    return check


def check_data(folder: BundleFolder) -> str:
    """The data file of every statistic holds what its columns declare."""
    rows = {table.name: len(rows_of(table, folder)) for table in folder.statistics.values()}
    return joined(
        ", ",
        (
            text_of("{name}: {counted_rows} as declared", name=name, counted_rows=count_of(count, "row"))
            for name, count in rows.items()
        ),
    )


def rows_of(table: DataTable, folder: BundleFolder) -> list[TableRow]:
    """The rows of a CSV file, in their order. Raises Finding unless all of it is as declared."""
    content = folder.read(table.path)
    earlier = folder.tables_read.get(table.path)
    if earlier is None or earlier.table != table or earlier.content is not content:
        earlier = _read_rows(table, content, folder)
        folder.tables_read[table.path] = earlier
    require(earlier.wrong is None, earlier.wrong or "")
    return earlier.rows


def _read_rows(table: DataTable, content: bytes, folder: BundleFolder) -> TableRead:
    try:
        return TableRead(table=table, content=content, rows=_rows(table, content, folder))
    except Finding as finding:
        return TableRead(table=table, content=content, wrong=str(finding))


def _rows(table: DataTable, content: bytes, folder: BundleFolder) -> list[TableRow]:
    """Line by line: of rows that were read their cells alone stay, equal ones once."""
    text = decoded(table.path, content)
    require("\r" not in text and "\0" not in text, "{path} holds CR or NUL", path=table.path)
    places = {name: place for place, name in enumerate(table.header)}
    keyed = [places[name] for name in table.primary_key if name in places]
    lines = text.count("\n")
    rows, keys, known, as_written = list[TableRow](), set[bytes](), dict[str, str](), True
    try:
        for number, (line, record) in enumerate(_records(text), start=1):
            if number == 1:
                require(
                    tuple(line) == table.header, "{path} has other columns than declared", path=table.path
                )
            else:
                _check_line(table, line, text_of("{path}, line {number}", path=table.path, number=number))
                cells = tuple(known.setdefault(cell, cell) for cell in line)
                rows.append(CsvRow(places, cells))
                keys.add(_mark_of([cells[place] for place in keyed]))
                folder.advance(number, lines)
            as_written = as_written and csv_line(line) == record
    except csv.Error:
        raise Finding("{path} is not valid CSV", path=table.path) from None
    require(bool(text), "{path} has other columns than declared", path=table.path)
    require(as_written, "{path} is not written in its declared dialect", path=table.path)
    require(len(keys) == len(rows), "{path} repeats a row", path=table.path)
    return rows


def _records(text: str) -> Iterator[tuple[list[str], str]]:
    """Each line of a CSV file: its cells, and how it is written."""
    written: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            written.append(line)
            yield line

    for cells in csv.reader(lines(), strict=True):
        yield cells, "".join(written)
        written.clear()


def _mark_of(cells: Sequence[str]) -> bytes:
    """What no other cells have."""
    return hashlib.sha256(json.dumps(cells).encode()).digest()


def is_date(text: str) -> bool:
    """Whether this is a date `YYYY-MM-DD` of the calendar."""
    if not _DATE.fullmatch(text):
        return False
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check_line(table: DataTable, line: list[str], where: str) -> None:
    require(len(line) == len(table.columns), "{where}: another number of cells than columns", where=where)
    for column, cell in zip(table.columns, line, strict=True):
        if not _fits(column, cell):
            raise Finding(
                "{where}, {name}: {cell} is not as declared",
                where=where,
                name=Name(column.name),
                cell=shown(cell),
            )


def _fits(column: Column, cell: str) -> bool:
    if not cell:
        return not column.required
    if column.type == "string":
        return _fits_text(column, cell)
    if column.type == "date":
        return is_date(cell)
    return _is_number(column, cell) and _within(column, Decimal(cell))


def _fits_text(column: Column, cell: str) -> bool:
    return (
        is_seen(cell)
        and neutral(cell) == cell
        and (not column.options or cell in column.options)
        and (not column.pattern or bool(re.fullmatch(column.pattern, cell)))
    )


def _is_number(column: Column, cell: str) -> bool:
    if column.type == "integer":
        return bool(_INTEGER.fullmatch(cell))
    if column.decimals is not None:
        signed = column.minimum is not None and column.minimum < 0 and cell.startswith("-")
        amount = cell[1:] if signed and cell.strip("-0.") else cell  # what is nothing has no sign
        return bool(re.fullmatch(rf"{_WHOLE_PART}\.[0-9]{{{column.decimals}}}", amount))
    return is_plain(cell)


def _within(column: Column, value: Decimal) -> bool:
    return (column.minimum is None or value >= Decimal(str(column.minimum))) and (
        column.maximum is None or value <= column.maximum
    )


def check_cells(folder: BundleFolder) -> str:
    """`cells.geojson` outlines exactly the cells of the data, where H3 has them; `places.geojson` zones."""
    if not folder.drawn:
        require(CELLS_PATH not in folder.files, "{cells_path} outlines no place")
        if PLACES_PATH not in folder.files:
            return "places without outlines"
        return check_place_outlines(
            folder, [(table, rows_of(table, folder)) for table in folder.statistics.values()]
        )
    document = json_object(CELLS_PATH, folder.read(CELLS_PATH))
    tables = folder.statistics.values()
    cells = sorted(
        {cell for table in tables for row in rows_of(table, folder) for cell in _cells_of(table, row)}
    )
    features = document.get("features")
    whole = document.keys() == {"type", "features"} and document["type"] == "FeatureCollection"
    if not whole or not isinstance(features, list) or len(features) != len(cells):
        raise Finding(
            "{cells_path} is not a collection of the {counted_cells}",
            counted_cells=count_of(len(cells), "cell"),
        )
    for cell, feature in zip(cells, features, strict=True):
        require(_outlines(cell, feature), "{cells_path}: the feature of {cell} is wrong", cell=cell)
    return count_of(len(cells), "cell where it belongs", "cells where they belong")


def _cells_of(table: DataTable, row: TableRow) -> list[str]:
    return row["h3_cells"].split(" ") if table.by_region else [row["h3_cell"]]


def near_points(stated: Any, expected: Any) -> bool:
    """Whether nested lists of coordinates are those expected, but for the last decimals of systems."""
    if not isinstance(expected[0], tuple | list):
        return _near(stated, expected)
    return (
        isinstance(stated, list)
        and len(stated) == len(expected)
        and all(near_points(one, other) for one, other in zip(stated, expected, strict=True))
    )


def _outlines(cell: str, feature: Any) -> bool:
    if not h3.is_valid_cell(cell) or not isinstance(feature, dict):
        return False
    geometry = feature.get("geometry")
    rings = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if not isinstance(rings, list) or len(rings) != 1 or not isinstance(rings[0], list):
        return False
    expected = {
        "type": "Feature",
        "properties": {"h3_cell": cell},
        "geometry": {"type": "Polygon", "coordinates": rings},
    }
    ring = cell_ring(cell)
    return (
        same_json(feature, expected)
        and len(rings[0]) == len(ring)
        and same_json(rings[0][0], rings[0][-1])
        and all(_near(point, corner) for point, corner in zip(rings[0], ring, strict=True))
    )


def _near(point: Any, corner: tuple[float, float]) -> bool:
    return (
        isinstance(point, list)
        and len(point) == 2
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in point)
        and all(abs(number - other) <= TOLERANCE for number, other in zip(point, corner, strict=True))
    )


def in_order(keys: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the keys rise strictly."""
    return all(one < other for one, other in pairwise(keys))
