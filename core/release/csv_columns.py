"""The columns of a bundle's CSV files, declared once: writer, datapackage.json and verify read them.

Source: method 14; Frictionless DataTable Schema v2.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.errors import InputError
from core.privacy import Relation, Unit
from core.quantity import SPEED, Quantity
from core.release.release_result import PUBLISHED, SUPPRESSED
from core.statistics.base import AnyStatistic, Label, Measure
from core.statistics.registry import all_statistics
from core.values import THOUSAND

_CELL = r"8[0-9a-f]{14}"
_SLOT_START = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_SLOT_END = r"(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)"
_KEY = r"[a-z0-9]+([_-][a-z0-9]+)*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: what it is called, what it may hold, what it means."""

    name: str
    type: str
    """`string`, `integer`, `number` or `date` of DataTable Schema."""
    description: str
    unit: str = ""
    required: bool = True
    """No cell may be empty; an empty cell means missing."""
    pattern: str = ""
    """What a text must match as a whole."""
    options: tuple[str, ...] = ()
    minimum: int | float | None = None
    """Negative: a sign may stand before a number."""
    maximum: int | None = None
    decimals: int | None = None
    """Exactly so many decimals are written; None: as many as the number needs."""

    def field(self) -> dict[str, Any]:
        """The column as a DataTable Schema field."""
        constraints: dict[str, Any] = {}
        if self.required:
            constraints["required"] = True
        if self.pattern:
            constraints["pattern"] = self.pattern
        if self.options:
            constraints["enum"] = list(self.options)
        if self.minimum is not None:
            constraints["minimum"] = self.minimum
        if self.maximum is not None:
            constraints["maximum"] = self.maximum
        field: dict[str, Any] = {"name": self.name, "type": self.type, "description": self.description}
        if self.unit:
            field["unit"] = self.unit
        return field | ({"constraints": constraints} if constraints else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTable:
    """One CSV file of a bundle."""

    name: str
    path: str
    title: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...]

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def schema(self) -> dict[str, Any]:
        """The DataTable Schema."""
        return {
            "fields": [column.field() for column in self.columns],
            "missingValues": [""],
            "primaryKey": list(self.primary_key),
        }


def _amount(
    name: str,
    description: str,
    *,
    unit: str = "",
    minimum: int | float = 0,
    required: bool = True,
    decimals: int | None = None,
) -> Column:
    """A number in that unit, or in the one of the query's first measure."""
    return Column(
        name=name,
        type="number",
        unit=unit,
        description=description,
        required=required,
        minimum=minimum,
        decimals=decimals,
    )


def _in_unit(thousandths: int) -> int | float:
    """A bound as JSON writes it: whole where it is."""
    return thousandths // THOUSAND if thousandths % THOUSAND == 0 else thousandths / THOUSAND


def _epsilon(name: str, description: str, *, required: bool = True) -> Column:
    return Column(name=name, type="number", description=description, required=required, minimum=0)


def _text(name: str, description: str, *, pattern: str = "", options: tuple[str, ...] = ()) -> Column:
    return Column(name=name, type="string", description=description, pattern=pattern, options=options)


_PLACE = (
    _text("h3_cell", "H3 cell of the hexagon, lower-case hexadecimal", pattern=_CELL),
    Column(
        name="h3_resolution",
        type="integer",
        description="H3 resolution of the cell",
        minimum=5,
        maximum=10,
    ),
    _text("slot_start", "Start of the timeslot, local time (zone: privacy.json)", pattern=_SLOT_START),
    _text("slot_end", "End of the timeslot, exclusive; 24:00 at midnight", pattern=_SLOT_END),
)
_FACTS = (
    _epsilon("epsilon", "What this hexagon and timeslot cost each protected unit in it; 0 if suppressed"),
    _text("mechanism", "Key of the mechanism", pattern=_KEY),
    _text("status", "Whether the row is published or suppressed", options=(PUBLISHED, SUPPRESSED)),
)
LABEL_DECIMALS = 3
KEY = ("h3_cell", "slot_start")
"""Columns that tell HATs apart."""


def data_table(statistic: AnyStatistic) -> DataTable:
    """The data file of a statistic: place, label, measures, facts."""
    return DataTable(
        name=statistic.table,
        path=f"data/{statistic.table}.csv",
        title=statistic.table_title,
        primary_key=(*KEY, *((statistic.label.name,) if statistic.label else ())),
        columns=(
            *_PLACE,
            *((_label_column(statistic.label, statistic.quantity),) if statistic.label else ()),
            *(column for measure in statistic.measures for column in _measure_columns(measure)),
            *_FACTS,
        ),
    )


def _label_column(label: Label, quantity: Quantity) -> Column:
    return _amount(
        label.name,
        label.description,
        unit=quantity.unit,
        minimum=_in_unit(quantity.lower),
        decimals=LABEL_DECIMALS,
    )


def _measure_columns(measure: Measure) -> tuple[Column, ...]:
    least = _in_unit(measure.lower)
    columns = (
        (measure.name, measure.description, least),
        (measure.low, "Lower end of the 95 % interval of the noise", least),
        (measure.high, "Upper end of the 95 % interval of the noise", least),
        (measure.bias, "Largest possible systematic error, besides the noise", 0),
    )
    return tuple(
        _amount(
            name, description, unit=measure.unit, minimum=minimum, required=False, decimals=measure.decimals
        )
        for name, description, minimum in columns
        if name
    )


EPSILON_SUMMARY = DataTable(
    name="epsilon_summary",
    path="data/epsilon_summary.csv",
    title="Privacy loss of every query, by unit of protection",
    primary_key=("query_id", "unit"),
    columns=(
        _text("query_id", "Name of the query"),
        _text("statistic", "What the query computes", pattern=_KEY),
        _text("mechanism", "Key of the mechanism", pattern=_KEY),
        _text("unit", "What is protected", options=tuple(unit.value for unit in Unit)),
        _text(
            "relation",
            "What neighbouring data sets differ in",
            options=tuple(relation.value for relation in Relation),
        ),
        _epsilon("epsilon", "Privacy loss of the query for this unit and relation"),
        Column(name="delta", type="number", description="Delta of the query", minimum=0, maximum=1),
        _amount("sensitivity", "Largest sensitivity over the published rows, in the unit of the value"),
        _amount("lower_bound", "Smallest possible value", decimals=3),
        _amount("upper_bound", "Largest possible value; empty: none", required=False, decimals=3),
        Column(
            name="contribution_cap",
            type="integer",
            unit="records",
            description="Most records kept of one protected unit in one hexagon and timeslot; empty: no cap",
            required=False,
            minimum=1,
        ),
        _amount("noise_scale", "Largest scale of the Laplace noise over the rows, in the unit of the value"),
        _text("composition", "How the rows' epsilons add up for this unit"),
        Column(name="period_start", type="date", description="First date of the period"),
        Column(name="period_end", type="date", description="Last date of the period"),
        _epsilon("epsilon_cumulative", "All releases so far of the same vehicles, this one included"),
        _epsilon("epsilon_limit", "The publisher's limit on it; empty: none", required=False),
    ),
)


CELLS_PATH = "data/cells.geojson"
SUMMARY_PATHS = (EPSILON_SUMMARY.path, CELLS_PATH)
"""In every bundle, beside the data files of its statistics."""
_BOUND_COLUMNS = ("lower_bound", "upper_bound")


@cache
def epsilon_summary(quantity: Quantity = SPEED) -> DataTable:
    """The summary of releases of a quantity: its bounds may be negative."""
    least = min(_in_unit(quantity.lower), 0)
    columns = (
        dataclasses.replace(column, minimum=least) if column.name in _BOUND_COLUMNS else column
        for column in EPSILON_SUMMARY.columns
    )
    return dataclasses.replace(EPSILON_SUMMARY, columns=tuple(columns))


@cache
def data_tables(quantity: Quantity = SPEED) -> dict[str, DataTable]:
    """The data file of every statistic of a quantity, by the statistic's key."""
    return {key: data_table(statistic.of(quantity)) for key, statistic in all_statistics().items()}


def tables_of(statistics: Iterable[str], quantity: Quantity = SPEED) -> tuple[DataTable, ...]:
    """The tables of a bundle with these statistics, the summary last."""
    return (*(data_tables(quantity)[key] for key in statistics), epsilon_summary(quantity))


def require_own_names(quantity: Quantity) -> None:
    """Raise InputError for a name or unit that makes two files, or two columns of one, the same."""
    tables = tables_of(all_statistics(), quantity)
    names = [[table.path for table in tables], *(table.header for table in tables)]
    for each in names:
        twice = sorted({name for name in each if each.count(name) > 1})
        if twice:
            raise InputError(
                f"With this name and unit two files or columns would be called {twice[0]!r}.",
                where="data.value.name",
                mend="choose another name, or another column_unit",
            )
