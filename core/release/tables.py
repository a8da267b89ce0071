"""The data files of a bundle: bytes that depend on the release and on nothing else (SPEC 14)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import h3

from core.errors import InputError
from core.privacy import Relation, Unit
from core.release.columns import CELLS_PATH, EPSILON_SUMMARY, SPEED_BY_HAT, Table
from core.release.result import HatMean, QueryResult, Release
from core.values import THOUSAND, plain

UNITS = (Unit.VEHICLE_HAT_DAY, Unit.VEHICLE_DAY, Unit.VEHICLE)
"""Smallest first: the order of rows in `epsilon_summary.csv`."""
DELTA = Decimal(0)
"""All mechanisms are pure."""
_FORMULA = ("=", "+", "-", "@")
_DEGREES = 7

Ring = tuple[tuple[float, float], ...]


def data_files(release: Release) -> dict[str, bytes]:
    """Relative path -> content of every file below `data/`, byte-identical for the same release.

    Raises InputError unless the release has exactly one query, a mean.
    """
    query = only_query(release)
    return {
        SPEED_BY_HAT.path: csv_bytes(SPEED_BY_HAT, _speed_rows(release, query)),
        EPSILON_SUMMARY.path: csv_bytes(EPSILON_SUMMARY, _summary_rows(release)),
        CELLS_PATH: cells_geojson({row.cell for row in query.rows}),
    }


def only_query(release: Release) -> QueryResult:
    """The release's mean query: rows of several would collide in one file."""
    if len(release.queries) != 1 or release.queries[0].statistic != "mean":
        raise InputError(
            "A release holds exactly one query, a mean.", where="query", mend="release the others apart"
        )
    return release.queries[0]


def composition(unit: Unit, protected: Unit) -> str:
    """How the epsilons of rows add up to the charge of `unit` in a release that protects `protected`."""
    if unit is Unit.VEHICLE_HAT_DAY:
        return "maximum over HATs"
    if unit is Unit.VEHICLE_DAY:
        return "sum over the HATs of a vehicle-day; maximum over vehicle-days"
    days = "" if protected is Unit.VEHICLE else " and days"
    return f"sum over the HATs{days} of a vehicle; maximum over vehicles"


def kmh(thousandths: int) -> str:
    """Thousandths of km/h as text in km/h with exactly three decimals."""
    whole, rest = divmod(abs(thousandths), THOUSAND)
    return f"{'-' if thousandths < 0 else ''}{whole}.{rest:03d}"


def neutral(text: str) -> str:
    """One line of text that no spreadsheet takes for a formula: an apostrophe goes before one."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return f"'{line}" if line.lstrip().startswith(_FORMULA) else line


def csv_bytes(table: Table, rows: Iterable[Sequence[str]]) -> bytes:
    """A CSV file: UTF-8 without BOM, comma, LF, quotes only where needed; cells are texts."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(rows)
    return buffer.getvalue().encode("utf-8")


def cell_ring(cell: str) -> Ring:
    """The closed outline of a cell as (longitude, latitude), counter-clockwise, 7 decimals.

    A cell across the date line goes on beyond 180 degrees, so that it stays one small polygon.
    """
    corners = [(lon, lat) for lat, lon in h3.cell_to_boundary(cell)]
    if max(lon for lon, _ in corners) - min(lon for lon, _ in corners) > 180:
        corners = [(lon + 360 if lon < 0 else lon, lat) for lon, lat in corners]
    rounded = [(round(lon, _DEGREES) + 0.0, round(lat, _DEGREES) + 0.0) for lon, lat in corners]
    return (*rounded, rounded[0])


def cells_geojson(cells: Iterable[str]) -> bytes:
    """A FeatureCollection of the distinct cells, sorted, one feature a line."""
    features = ",\n".join(_feature(cell) for cell in sorted(set(cells)))
    return f'{{"type":"FeatureCollection","features":[\n{features}\n]}}\n'.encode()


def _feature(cell: str) -> str:
    ring = ",".join(f"[{lon:.{_DEGREES}f},{lat:.{_DEGREES}f}]" for lon, lat in cell_ring(cell))
    return (
        f'{{"type":"Feature","properties":{{"h3_cell":{json.dumps(cell)}}},'
        f'"geometry":{{"type":"Polygon","coordinates":[[{ring}]]}}}}'
    )


def _line(table: Table, cells: Mapping[str, str]) -> list[str]:
    """The cells in the table's order; texts neutralised."""
    return [
        neutral(cells[column.name]) if column.type == "string" else cells[column.name]
        for column in table.columns
    ]


def _optional_kmh(thousandths: int | None) -> str:
    return "" if thousandths is None else kmh(thousandths)


def _speed_rows(release: Release, query: QueryResult) -> list[list[str]]:
    ordered = sorted(query.rows, key=lambda row: (row.cell, row.slot_start))
    return [_speed_row(release, query, row) for row in ordered]


def _speed_row(release: Release, query: QueryResult, row: HatMean) -> list[str]:
    cells = {
        "h3_cell": row.cell,
        "h3_resolution": str(release.resolution),
        "slot_start": row.slot_start,
        "slot_end": row.slot_end,
        "speed_mean_kmh": _optional_kmh(row.mean),
        "ci95_low_kmh": _optional_kmh(row.low),
        "ci95_high_kmh": _optional_kmh(row.high),
        "bias_bound_kmh": _optional_kmh(row.bias_bound),
        "epsilon": plain(row.epsilon),
        "mechanism": query.mechanism,
        "status": row.status,
    }
    return _line(SPEED_BY_HAT, cells)


def _summary_rows(release: Release) -> list[list[str]]:
    ordered = sorted(release.queries, key=lambda query: query.query_id)
    return [_summary_row(release, query, unit) for query in ordered for unit in UNITS]


def _summary_row(release: Release, query: QueryResult, unit: Unit) -> list[str]:
    limit = release.limits.get(unit)
    cells = {
        "query_id": query.query_id,
        "statistic": query.statistic,
        "mechanism": query.mechanism,
        "unit": unit.value,
        "relation": Relation(release.relation).value,
        "epsilon": plain(query.charge.of(unit)),
        "delta": plain(DELTA),
        "sensitivity": plain(query.sensitivity),
        "lower_bound": kmh(0),
        "upper_bound": kmh(release.upper_bound),
        "contribution_cap": "" if query.contribution_cap is None else str(query.contribution_cap),
        "noise_scale": plain(query.noise_scale),
        "composition": composition(unit, release.unit),
        "period_start": min(first for first, _ in release.date_ranges).isoformat(),
        "period_end": max(last for _, last in release.date_ranges).isoformat(),
        "epsilon_cumulative": plain(release.cumulative[unit]),
        "epsilon_limit": "" if limit is None else plain(limit),
    }
    return _line(EPSILON_SUMMARY, cells)
