"""The bytes of a bundle's data files, and how rows' epsilons add up: sum, maximum, one draw (method 14)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from h3.api.basic_str import get_resolution

from core.accounting.budgets import JOINT
from core.accounting.epsilon_rounding import plain
from core.bounding.bounding_facts import NOISY_WEIGHTS
from core.bundle.csv_columns import (
    EFFECTIVE_VEHICLES,
    LABEL_DECIMALS,
    PERIOD,
    PLACE_NAME,
    DataTable,
    has_word,
    summary_for,
    tables_for,
)
from core.bundle.finer_rows import REST, finer_rows
from core.bundle.place_outlines import lines_geojson, places_geojson
from core.bundle.region_outlines import cell_ring, regions_geojson
from core.bundle.release_result import HatRow, QueryResult, Release, RowCounts
from core.bundle.row_outlines import DEGREE_DECIMALS
from core.bundle.smoothed_facts import SIGN
from core.clean.record_filter import is_seen
from core.hats.groups import as_cell
from core.hats.places import place_name
from core.privacy import Relation, Unit
from core.signed.bundle_names import CELLS_PATH, PLACES_PATH, REGIONS_PATH
from core.statistics.base import AnyStatistic, Label, Measure
from core.statistics.registry import require_statistic
from core.statistics.share import ends_of
from core.subject import Subject

UNITS_IN_ORDER = (Unit.VEHICLE_HAT_DAY, Unit.VEHICLE_DAY, Unit.VEHICLE)
"""Smallest first: the order of rows in `epsilon_summary.csv`."""
_FLAGS = ("false", "true")
PURE = Decimal(0)
"""The delta of a release without Gaussian noise."""


def written_tables(release: Release, query: QueryResult) -> dict[str, DataTable]:
    """Key of a statistic -> the table that a data file of a query is written as; its own first."""
    placed = release.places is not None
    by_place = not release.place.hexagons
    return tables_for(
        query,
        release.quantity,
        placed=placed,
        by_place=by_place,
        mixed=bool(release.place.mixed),
        slot_columns=slot_columns(release),
        counted=release.counts is not None,
    )


def slot_columns(release: Release) -> tuple[str, ...]:
    """What its data files have beside the start and end of a slot."""
    return (*((PERIOD.name,) if release.periods else ()), *(group.name for group in release.groups))


def data_files(release: Release) -> dict[str, bytes]:
    """Relative path -> content of every file below `data/`, byte-identical for the same release."""
    files = {}
    for query in release.queries:
        for key, table in written_tables(release, query).items():
            statistic = require_statistic(key).of(release.quantity)
            files[table.path] = csv_bytes(table, _data_rows(table, release, query, statistic))
            if table.by_region:
                files[REGIONS_PATH] = regions_geojson(query.rows)
    summary = summary_for(release.queries, release.quantity)
    files[summary.path] = csv_bytes(summary, _summary_rows(release))
    if release.place.hexagons:
        files[CELLS_PATH] = cells_geojson(
            {cell for query in release.queries for row in query.rows for cell in row.hexagons}
        )
    if release.zones:
        files[PLACES_PATH] = places_geojson(release.zones, release.row_places)
    elif release.drawn_lines:
        files[PLACES_PATH] = lines_geojson(release.drawn_lines)
    return files


_FROM_CONSTANTS = {
    True: "one draw of all candidate HATs: the total, from public constants alone",
    False: "from public constants alone: to change a part of a unit replaces it, which counts twice; units "
    "of one vehicle add up",
}


def stated_delta(release: Release) -> Decimal:
    """That of the release's own epsilons, and of each query's: 0 where none of them buys Gaussian noise."""
    return release.delta if release.charge.rho else PURE


def composition(unit: Unit, protected: Unit, relation: Relation, *, squared: bool = False) -> str:
    """How the epsilons of rows add up to the charge of `unit` in a release that protects `protected`.

    squared: they have Gaussian noise HAT by HAT, whose rho grows with the square of what moves.
    """
    if relation is Relation.USER:
        return _FROM_CONSTANTS[unit == protected]
    if unit is Unit.VEHICLE_HAT_DAY:
        return "maximum over HATs"
    if unit is Unit.VEHICLE_DAY:
        return "sum over the HATs of a vehicle-day; maximum over vehicle-days"
    days = "" if protected is Unit.VEHICLE else " and days"
    squares = "; rho of n days in one HAT counts n^2 times" if squared and days else ""
    return f"sum over the HATs{days} of a vehicle; maximum over vehicles{squares}"


def squares_days(queries: Iterable[QueryResult]) -> bool:
    """Whether any of them has Gaussian noise HAT by HAT."""
    return any(query.charge.rho and query.division != JOINT for query in queries)


def measured_statistic(release: Release, query: QueryResult) -> AnyStatistic:
    """The statistic of a query, of what the release measured."""
    return require_statistic(query.statistic).of(release.quantity)


def in_unit(thousandths: int) -> str:
    """Thousandths of a unit as text with exactly three decimals: `-0.250`."""
    return fixed(thousandths, LABEL_DECIMALS)


def label_text(label: int, *, is_range: bool) -> str:
    """What tells a row from others of its HAT: `40.000`, or `10.000 to 20.000`."""
    return " to ".join(map(in_unit, ends_of(label) if is_range else (label,)))


def fixed(value: int, decimals: int) -> str:
    """An integer of 10^-decimals as text with exactly so many decimals."""
    whole, rest = divmod(abs(value), 10**decimals)
    point = f".{rest:0{decimals}d}" if decimals else ""
    return f"{'-' if value < 0 else ''}{whole}{point}"


def neutral(text: str) -> str:
    """One line of text that no spreadsheet takes for a formula: an apostrophe goes before one."""
    return as_cell("".join(letter if is_seen(letter) else " " for letter in text))


def csv_bytes(table: DataTable, rows: Iterable[Sequence[str]]) -> bytes:
    """A CSV file: UTF-8 without BOM, comma, LF, quotes only where needed; cells are texts."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(rows)
    return buffer.getvalue().encode("utf-8")


def csv_line(cells: Sequence[str]) -> str:
    """A line of such a file."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()


def cells_geojson(cells: Iterable[str]) -> bytes:
    """A FeatureCollection of the distinct cells, sorted, one feature a line."""
    features = ",\n".join(_feature(cell) for cell in sorted(set(cells)))
    return f'{{"type":"FeatureCollection","features":[\n{features}\n]}}\n'.encode()


def _feature(cell: str) -> str:
    ring = ",".join(f"[{lon:.{DEGREE_DECIMALS}f},{lat:.{DEGREE_DECIMALS}f}]" for lon, lat in cell_ring(cell))
    return (
        f'{{"type":"Feature","properties":{{"h3_cell":{json.dumps(cell)}}},'
        f'"geometry":{{"type":"Polygon","coordinates":[[{ring}]]}}}}'
    )


def _line(table: DataTable, cells: Mapping[str, str]) -> list[str]:
    """The cells in the table's order; texts neutralised."""
    return [
        neutral(cells[column.name]) if column.type == "string" else cells[column.name]
        for column in table.columns
    ]


def _data_rows(
    table: DataTable, release: Release, query: QueryResult, statistic: AnyStatistic
) -> list[list[str]]:
    """One line for each HAT and label; a suppressed HAT has its lines too, without values."""
    labels, names = list[int | None]([None]), {one.name for one in statistic.all_measures}
    if statistic.label is not None and query.bounding is not None and query.facts is not None:
        # whether or not anybody is there, and whatever is suppressed
        labels = [*statistic.labels_of(query.facts.parameters, release.upper_bound)]
        labels += [statistic.label.word_number] if has_word(query, statistic) else []
    elif statistic.label is not None:
        every = (item for row in query.rows for item in row.estimates)
        used = {item.label for item in every if item.label is not None and item.measure in names}
        labels = [*sorted(used)]
    ordered = sorted(query.rows, key=lambda row: row.order)
    finer = finer_rows(_place_of(row) for row in ordered) if table.mixed else {}
    return [
        _line(
            table,
            _data_row(release, query, statistic, row, label)
            | ({REST: _FLAGS[bool(finer[_place_of(row)])]} if table.mixed else {}),
        )
        for row in ordered
        for label in labels
    ]


def called(release: Release, place_id: str) -> str:
    """What people call a place that is no hexagon."""
    if release.zones:
        return release.zones.names[release.zones.ids.index(place_id)]
    return place_name(release.place.place_kind, place_id)


def _place_of(row: HatRow) -> tuple[str, tuple[str, tuple[str, ...]]]:
    """Its cell, and what else tells it from others."""
    return row.cell, (row.slot_start, row.groups)


def _data_row(
    release: Release, query: QueryResult, statistic: AnyStatistic, row: HatRow, label: int | None
) -> dict[str, str]:
    measures, subject = {one.name: one for one in statistic.all_measures}, release.quantity.subject
    effective, weights = subject.column(EFFECTIVE_VEHICLES), map(subject.column, NOISY_WEIGHTS)
    place = {
        "h3_cell": row.cell,
        "h3_resolution": _resolution(release, row),
        PLACE_NAME.name: (release.places or {}).get(row.cell, ""),
    }
    if not release.place.hexagons:
        place = {"place_id": row.cell, "place_name": called(release, row.cell)}
    if row.cells:
        place = {"region": row.cell, "h3_cells": " ".join(row.cells)}
    cells = place | {
        "slot_start": row.slot_start,
        "slot_end": row.slot_end,
        PERIOD.name: row.period,
        **dict(zip((group.name for group in release.groups), row.groups, strict=True)),
        "epsilon": plain(row.epsilon),
        "mechanism": query.mechanism,
        "status": row.status_of(label, measures),
        effective: "",
        SIGN: "",
        **dict.fromkeys(weights, ""),
        **_counts(release, row, subject),
    }
    if statistic.label is not None and label is not None:
        cells |= dict(zip(statistic.label.names, _label_cells(statistic.label, label), strict=True))
    for measure in measures.values():
        cells |= dict.fromkeys(_names(measure), "")
    for item in row.estimates:
        if item.label == label and item.measure in measures:
            measure = measures[item.measure]
            values = (item.value, item.low, item.high, item.bias_bound)
            made = (item.modelled_bias, item.unclamped, item.deviation)
            cells |= {
                name: "" if value is None else fixed(value, measure.decimals)
                for name, value in zip(_names(measure), (*values, *made), strict=True)
            }
            if item.effective_users is not None:
                cells[effective] = in_unit(item.effective_users)
            if item.sign is not None:
                cells[SIGN] = in_unit(item.sign)
            if item.noisy_weight is not None and query.bounding is not None and query.bounding.weight:
                cells[subject.column(query.bounding.weight)] = in_unit(item.noisy_weight)
    return cells


def _label_cells(label: Label, number: int) -> tuple[str, ...]:
    if label.word and number == label.word_number:
        return (label.word,)
    return tuple(map(in_unit, ends_of(number) if label.end else (number,)))


def _resolution(release: Release, row: HatRow) -> str:
    return str(get_resolution(row.cell) if release.place.mixed else release.resolution)


def _counts(release: Release, row: HatRow, subject: Subject) -> dict[str, str]:
    """Of a row with numbers, where they are published; none of a suppressed one."""
    found = (release.counts or {}).get(row.key) if row.estimates else None
    names = map(subject.column, RowCounts._fields)
    return (
        dict.fromkeys(names, "")
        if found is None
        else {name: "" if one is None else str(one) for name, one in zip(names, found, strict=True)}
    )


def _names(measure: Measure) -> tuple[str, ...]:
    bias = measure.bias or measure.suppression_bias
    made = measure.modelled_bias, measure.unclamped, measure.deviation
    return measure.name, measure.low, measure.high, bias, *made


def bound_texts(measure: Measure, upper_bound: int) -> tuple[str, str]:
    """The smallest and the largest value as the summary writes them; empty where there is none."""
    least, largest = measure.range_for(upper_bound)
    return _bound(least, measure), "" if largest is None else _bound(largest, measure)


def _bound(value: int, measure: Measure) -> str:
    return f"{Decimal(value).scaleb(-measure.decimals):.{LABEL_DECIMALS}f}"


def _summary_rows(release: Release) -> list[list[str]]:
    ordered = sorted(release.queries, key=lambda query: query.query_id)
    return [_summary_row(release, query, unit) for query in ordered for unit in UNITS_IN_ORDER]


def _summary_row(release: Release, query: QueryResult, unit: Unit) -> list[str]:
    limit = release.limits.get(unit)
    lower, upper = bound_texts(measured_statistic(release, query).measures[0], release.upper_bound)
    cells = {
        "query_id": query.query_id,
        "statistic": query.statistic,
        "mechanism": query.mechanism,
        "unit": unit.value,
        "relation": Relation(release.relation).value,
        "epsilon": plain(release.stated(query.charge, unit, query.conversion).epsilon),
        "epsilon_pure": plain(query.charge.of(unit)),
        "rho": plain(query.charge.rho.of(unit)),
        "delta": plain(stated_delta(release)),
        "sensitivity": plain(query.sensitivity),
        "lower_bound": lower,
        "upper_bound": upper,
        "contribution_cap": "" if query.contribution_cap is None else str(query.contribution_cap),
        "noise_scale": plain(query.noise_scale),
        "composition": release.quantity.subject.says(
            composition(unit, release.unit, release.relation, squared=squares_days([query]))
        ),
        "period_start": min(first for first, _ in release.date_ranges).isoformat(),
        "period_end": max(last for _, last in release.date_ranges).isoformat(),
        "epsilon_cumulative": plain(release.cumulative[unit]),
        "epsilon_limit": "" if limit is None else plain(limit),
    }
    return _line(summary_for(release.queries, release.quantity), cells)
