"""The tables of a bundle as maps and portals take them: rows of text, and what they are of (method 14.9).

Made of the bytes below `data/` alone, so that anybody who has a bundle can make the same again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.bundle.csv_columns import Column, DataTable, tables_among
from core.quantity import Quantity
from core.statistics.base import AnyStatistic, Measure
from core.statistics.registry import published_statistics

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

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The numbers that its columns hold, the smoothed one last."""
        return tuple(one for one in self.statistic.all_measures if one.name in self.table.header)

    def hexagons(self, row: Mapping[str, str]) -> tuple[str, ...]:
        """The cells that a row is of."""
        if self.table.by_place:
            return ()
        return tuple(row["h3_cells"].split(" ")) if self.table.by_region else (row["h3_cell"],)


def public_tables(data: Mapping[str, bytes], quantity: Quantity) -> tuple[PublicTable, ...]:
    """Every statistic among these files, in the registry's order; `data` maps paths to content."""
    published = published_statistics()
    found = []
    for key, table in tables_among(data, quantity=quantity).items():
        rows = list(csv.DictReader(io.StringIO(data[table.path].decode("utf-8"), newline="")))
        found.append(PublicTable(statistic=published[key].of(quantity), table=table, rows=rows))
    return tuple(found)


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
