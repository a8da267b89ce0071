"""The tables of a bundle as maps and portals take them: rows of text, and what they are of (method 14.9).

Made of the bytes below `data/` alone, so that anybody who has a bundle can make the same again.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.bundle.csv_columns import Column, DataTable, tables_among
from core.bundle.data_files import neutral
from core.bundle.place_outlines import drawn_outlines, stated_places
from core.bundle.region_outlines import cell_ring
from core.bundle.row_outlines import GeoLine, RowOutline, rings_of
from core.quantity import Quantity
from core.signed.bundle_names import PLACES_PATH
from core.statistics.base import AnyStatistic, Measure
from core.statistics.registry import published_statistics

AREAS, LINES = "areas", "lines"

PropertyValue = str | int | float | None
"""What a cell of a table holds; None where it is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTable:
    """One statistic of a bundle."""

    statistic: AnyStatistic
    """Of the bundle's quantity."""
    table: DataTable
    rows: Sequence[Mapping[str, str]]
    """In the order of the file."""
    outlines: Mapping[str, RowOutline] = field(default_factory=dict)
    """By id as the rows have it, of places that are no hexagons."""

    @property
    def drawn(self) -> bool:
        """Whether any of its places has an outline."""
        return bool(self.outlines) or not self.table.by_place

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The numbers that its columns hold, the smoothed one last."""
        return tuple(one for one in self.statistic.all_measures if one.name in self.table.header)

    @property
    def shape(self) -> str:
        """What places that are no hexagons are drawn as: areas or lines; empty for hexagons."""
        if not self.table.by_place:
            return ""
        return LINES if isinstance(next(iter(self.outlines.values()), None), GeoLine) else AREAS

    def drawn_places(self, row: Mapping[str, str]) -> tuple[str, ...]:
        """The cells that a row is of; of other places the id, where it has an outline."""
        if self.table.by_place:
            return (row["place_id"],) if row["place_id"] in self.outlines else ()
        return tuple(row["h3_cells"].split(" ")) if self.table.by_region else (row["h3_cell"],)

    def rings(self, place: str) -> Sequence[Sequence[tuple[float, float]]]:
        """The outline of a cell, or of what else is drawn: its rings, or its line."""
        return rings_of(self.outlines[place]) if self.table.by_place else [cell_ring(place)]


def public_tables(data: Mapping[str, bytes], quantity: Quantity) -> tuple[PublicTable, ...]:
    """Every statistic among these files, in the registry's order; `data` maps paths to content.

    Raises Finding for outlines that cannot be read.
    """
    rows = {
        key: (table, list(csv.DictReader(io.StringIO(data[table.path].decode("utf-8"), newline=""))))
        for key, table in tables_among(data, quantity=quantity).items()
    }
    return tables_of(rows, quantity, data.get(PLACES_PATH))


def tables_of(
    rows: Mapping[str, tuple[DataTable, Sequence[Mapping[str, str]]]],
    quantity: Quantity,
    places: bytes | None,
) -> tuple[PublicTable, ...]:
    """Of the rows of each statistic; places: the file of their outlines, None: none has one."""
    published, outlines = published_statistics(), _outlines(places, [found for _, found in rows.values()])
    return tuple(
        PublicTable(statistic=published[key].of(quantity), table=table, rows=found, outlines=outlines)
        for key, (table, found) in rows.items()
    )


def _outlines(
    places: bytes | None, tables: Sequence[Sequence[Mapping[str, str]]]
) -> Mapping[str, RowOutline]:
    """By id as rows have it, with as many corners as files of these rows take."""
    if places is None:
        return {}
    rows = max((Counter(row.get("place_id", "") for row in found) for found in tables), key=Counter.total)
    stated = {neutral(place): outline for place, (_, outline) in stated_places(places).items()}
    return drawn_outlines(stated, rows)


def property_value(column: Column, cell: str) -> PropertyValue:
    """A cell as a value of its column's type."""
    if not cell:
        return None
    if column.type == "integer":
        return int(cell)
    return float(cell) if column.type == "number" else cell


def properties(table: DataTable, row: Mapping[str, str]) -> dict[str, PropertyValue]:
    """A row's columns with their values."""
    return {column.name: property_value(column, row[column.name]) for column in table.columns}
