"""The published numbers of a bundle, hexagon by hexagon: what a map of it shows. Nothing else is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.bundle.csv_columns import PLACE_NAME, Column, DataTable
from core.bundle.data_files import neutral
from core.bundle.place_outlines import stated_places
from core.bundle.row_outlines import coordinates_of, geometry_type
from core.portal.published_facts import PublishedFacts, published_facts
from core.quantity import Quantity
from core.signed.bundle_names import DATAPACKAGE, PLACES_PATH, PRIVACY
from core.signed.findings import Finding, json_object
from core.statistics.base import Label, Measure
from core.statistics.error_figures import PERCENT
from core.statistics.registry import published_statistics
from core.verify.folder import BundleFolder, TableRow, read_folder
from core.verify.statement_reader import read_statement
from core.verify.tables import rows_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleHat:
    """One row: a number of one hexagon, or of the hexagons of a region."""

    cells: tuple[str, ...]
    start: str
    """`HH:MM`, local time of the bundle's zone."""
    end: str
    """`HH:MM`, exclusive."""
    value: float | None
    """None where the row is suppressed."""
    low: float | None
    high: float | None
    groups: tuple[str, ...] = ()
    """Its labels, as the file has them."""
    place: str = ""
    """The name beside the hexagon, in bundles that have names."""
    smoothed: tuple[float, float, float] | None = None
    """The second number, under a prior, and the ends of its interval; None where there is none."""

    def holds(self, start: str, end: str, groups: tuple[str, ...] = ()) -> bool:
        """It is a number of this part of the day, and of these labels."""
        return self.start <= start and end <= self.end and self.groups == groups


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleLabel:
    """Which of several numbers of each HAT is stated: that of the first limit."""

    value: float
    """In the quantity's unit; of a range its lower end."""
    counts_above: bool
    """The number is of what lies above it; else of what lies at or below it."""
    end: float | None = None
    """The upper end of a range; None: the label is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleValues:
    """The leading numbers of a bundle."""

    release: str
    """`<name>-<version>`."""
    title: str
    """Of the table."""
    unit: str
    """Of the numbers; empty for curves and counts without one."""
    of_values: bool
    """They are of the quantity itself, so that its usual classes fit."""
    quantity: Quantity
    span: int
    """U: the quantity's range in thousandths."""
    hats: tuple[BundleHat, ...]
    label: BundleLabel | None = None
    """None where each HAT has one number."""
    groups: tuple[str, ...] = ()
    """Columns of labels that tell rows of one place and time apart."""
    outlines: Mapping[str, Mapping[str, Any]] | None = None
    """Place, as the file has it -> its geometry as GeoJSON; None: places are hexagons."""
    facts: PublishedFacts | None = None
    """Who publishes it, under which terms, and what it costs whom in privacy; None where it does not say."""

    @property
    def smoothed(self) -> bool:
        """There are second numbers."""
        return any(hat.smoothed is not None for hat in self.hats)

    @property
    def cells(self) -> tuple[str, ...]:
        """Every hexagon once, in the order of the rows."""
        return tuple(dict.fromkeys(cell for hat in self.hats for cell in hat.cells))

    @property
    def slots(self) -> tuple[tuple[str, str], ...]:
        """Start and end of each part of the day in which no row begins or ends, in order."""
        edges = sorted({edge for hat in self.hats for edge in (hat.start, hat.end)})
        return tuple(
            part for part in pairwise(edges) if any(hat.holds(*part, hat.groups) for hat in self.hats)
        )

    def labels(self, group: int) -> tuple[str, ...]:
        """Of one of the groups, in the order of the rows."""
        return tuple(sorted({hat.groups[group] for hat in self.hats}))


def bundle_values(path: Path) -> BundleValues:
    """The numbers of a bundle that holds: of its mean, or of the first statistic that it has.

    Of a statistic with several numbers a HAT the first is taken, and its smoothed one. Raises Finding
    for what is not as declared: check the bundle first.
    """
    folder = read_folder(path)
    statement, tables = read_statement(folder), folder.statistics
    key = min(tables, key=lambda one: one != "mean")
    table = tables[key]
    number, low, high = _numbers(table)
    statistic = published_statistics()[key].of(statement.quantity)
    second, label = statistic.smoothed, statistic.label
    shares = label is not None and bool(label.end)
    scale = PERCENT if shares else 1
    rows = rows_of(table, folder)
    hats: dict[tuple[str, ...], BundleHat] = {}
    for row in rows:
        # the first of each place
        hats.setdefault(
            tuple(row[name] for name in table.place),
            BundleHat(
                cells=tuple(row["h3_cells"].split()) if table.by_region else (row[table.place[0]],),
                start=row["slot_start"],
                end=row["slot_end"],
                value=_number(row, number, scale),
                low=_number(row, low, scale),
                high=_number(row, high, scale),
                groups=tuple(row[name] for name in table.groups),
                place=_place_name(row, table),
                smoothed=None if second is None else _number_of(row, second, scale),
            ),
        )
    return BundleValues(
        release=statement.release,
        title=table.title,
        unit="%" if shares else number.unit,
        of_values=number.unit == statement.quantity.unit,
        quantity=statement.quantity,
        span=statement.span,
        hats=tuple(hats.values()),
        label=None if label is None or not rows else _first_label(label, rows[0]),
        groups=table.groups,
        outlines=outlines_of(folder) if table.by_place else None,
        facts=bundle_facts(folder),
    )


def _place_name(row: TableRow, table: DataTable) -> str:
    """Beside the id; empty where there is none, or the same."""
    if table.by_place:
        return row["place_name"] if row["place_name"] != row["place_id"] else ""
    return row[PLACE_NAME.name] if PLACE_NAME in table.columns else ""


def outlines_of(folder: BundleFolder) -> dict[str, dict[str, Any]]:
    """Of areas, and lines of routes; none where places have neither."""
    if PLACES_PATH not in folder.files:
        return {}
    return {
        neutral(place): {"type": geometry_type(outline), "coordinates": coordinates_of(outline)}
        for place, (_, outline) in stated_places(folder.read(PLACES_PATH)).items()
    }


def bundle_facts(folder: BundleFolder) -> PublishedFacts | None:
    """What a bundle says of itself; None where something of it is missing."""
    try:
        package, privacy = (json_object(name, folder.read(name)) for name in (DATAPACKAGE, PRIVACY))
        return published_facts(package, privacy)
    except Finding:
        return None


def _numbers(table: DataTable) -> tuple[Column, Column, Column]:
    """The leading measure and the two ends of its interval."""
    first = next(
        index for index, column in enumerate(table.columns) if column.type == "number" and not column.required
    )
    low, high = table.columns[first + 1 : first + 3]
    return table.columns[first], low, high


def _first_label(label: Label, row: TableRow) -> BundleLabel:
    end = float(row[label.end]) if label.end else None
    return BundleLabel(value=float(row[label.name]), counts_above=label.counts_above, end=end)


def _number(row: TableRow, column: Column, scale: int) -> float | None:
    """As it is read; scale: shares in percent."""
    text = row[column.name]
    return scale * float(text) if text else None


def _number_of(row: TableRow, measure: Measure, scale: int) -> tuple[float, float, float] | None:
    """A number and its interval; None where the row or the whole table has none."""
    texts = [row.get(name, "") for name in (measure.name, measure.low, measure.high)]
    if not all(texts):
        return None
    value, low, high = (scale * float(text) for text in texts)
    return value, low, high
