"""Cleaning, batch by batch: parse, drop unusable, convert unit, drop impossible, clamp (SPEC 2).

Each row is judged by itself: no row changes how another is treated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.errors import InputError
from core.ingest import positions, times, zones
from core.ingest.mapping import UNIT_FACTORS, ColumnMapping, ReadingRules
from core.ingest.report import REASONS
from core.privacy import Confidential
from core.values import THOUSAND

_EPOCH_ORDINAL = 719_163
"""`date.toordinal` of 1970-01-01."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ParsedBatch(Confidential):
    """One batch after parsing, before anything is dropped; columns of shape (n,)."""

    ids: pa.Array
    """Dictionary of text; null where absent."""
    times: times.ParsedTimes
    positions: positions.ParsedPositions
    values: NDArray[np.float64]
    value_present: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CleanBatch(Confidential):
    """What is kept of a batch; columns of shape (kept,)."""

    names: tuple[str, ...]
    vehicle: NDArray[np.int32]
    """Index into `names`."""
    instant: NDArray[np.int64]
    latitude: NDArray[np.int32]
    longitude: NDArray[np.int32]
    value: NDArray[np.int32]
    dropped: dict[str, int]
    clamped: int


def parse_batch(table: pa.Table, rules: ReadingRules) -> ParsedBatch:
    """Read the mapped columns of a batch. Raises InputError for types that cannot be what they mean."""
    try:
        return _parse(table, rules.mapping)
    except pa.ArrowException:  # its message may quote a cell
        types = ", ".join(f"{field.name}: {field.type}" for field in table.schema)
        raise InputError(
            "A column's type does not fit what it is mapped to.",
            where=f"data.mapping ({types})",
            mend="map other columns, or write these ones as text",
        ) from None


def _parse(table: pa.Table, mapping: ColumnMapping) -> ParsedBatch:
    column = {name: table.column(name).combine_chunks() for name in mapping.columns}
    if mapping.derived:
        values, value_present = np.zeros(table.num_rows), np.ones(table.num_rows, bool)
    else:
        values, value_present = positions.parse_numbers(column[mapping.value])
    return ParsedBatch(
        ids=pc.utf8_trim_whitespace(column[mapping.vehicle].cast(pa.string())).dictionary_encode(),
        times=times.parse_times(column[mapping.time]),
        positions=(
            positions.parse_one_column(column[mapping.position], mapping.position_order)
            if mapping.position
            else positions.parse_two_columns(column[mapping.latitude], column[mapping.longitude])
        ),
        values=values,
        value_present=value_present,
    )


def clean_batch(batch: ParsedBatch, rules: ReadingRules, zone: str, now_ms: int) -> CleanBatch:
    """Keep the usable records of a batch, in integers, and count the others by reason."""
    raw_names = batch.ids.dictionary.to_pylist()
    codes = batch.ids.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    empty = np.array([not name for name in raw_names] + [True])
    no_id = empty[codes]
    instant = times.localise(batch.times.instants, batch.times.naive, zone)
    fails = dict.fromkeys(REASONS, np.zeros(codes.size, bool))
    fails |= {
        "no_id": no_id,
        "no_time": ~batch.times.present,
        "no_position": ~batch.positions.present,
        "no_value": ~batch.value_present,
        "unparsable": _unreadable(batch),
    }
    usable = ~np.logical_or.reduce(list(fails.values()))
    thousandths = np.zeros(codes.size)
    thousandths[usable] = _convert(batch.values[usable], instant[usable], rules, zone)
    here = positions.on_earth(batch.positions.latitude, batch.positions.longitude)
    fails["value_limit"] = usable & ~((thousandths >= 0) & (thousandths <= rules.mapping.physical_max))
    fails["position_limit"] = usable & ~(here & _in_box(batch.positions, rules))
    fails["time_limit"] = usable & ~((instant >= times.EARLIEST_MS) & (instant <= now_ms))
    keep = ~np.logical_or.reduce(list(fails.values()))
    kept = thousandths[keep].astype(np.int64)
    return CleanBatch(
        names=tuple((name or "").casefold() for name in raw_names),
        vehicle=codes[keep].astype(np.int32),
        instant=instant[keep],
        latitude=positions.to_integers(batch.positions.latitude[keep]),
        longitude=positions.to_integers(batch.positions.longitude[keep]),
        value=np.minimum(kept, rules.upper_bound).astype(np.int32),
        dropped=_count(fails),
        clamped=int((kept > rules.upper_bound).sum()),
    )


def _unreadable(batch: ParsedBatch) -> NDArray[np.bool_]:
    """Cells that are present but cannot be understood."""
    unread: NDArray[np.bool_] = batch.times.present & (batch.times.instants == times.MISSING)
    unread = unread | (
        batch.positions.present & np.isnan(batch.positions.latitude + batch.positions.longitude)
    )
    return unread | (batch.value_present & np.isnan(batch.values))


def _convert(
    values: NDArray[np.float64], instant: NDArray[np.int64], rules: ReadingRules, zone: str
) -> NDArray[np.float64]:
    """Values in whole thousandths of km/h; NaN on a date for which no unit is given."""
    if rules.mapping.derived:
        return values
    units = rules.mapping.units
    factor = np.full(values.size, np.nan)
    days = zones.local_days_and_ms(instant, zone)[0] if any(u.first or u.last for u in units) else None
    for item in units:
        inside = np.ones(values.size, bool)
        if days is not None and item.first:
            inside &= days >= item.first.toordinal() - _EPOCH_ORDINAL
        if days is not None and item.last:
            inside &= days <= item.last.toordinal() - _EPOCH_ORDINAL
        factor[inside] = float(UNIT_FACTORS[item.unit] * THOUSAND)
    with np.errstate(over="ignore"):  # an absurd value becomes infinite and fails the limit
        thousandths: NDArray[np.float64] = np.rint(values * factor)
    return thousandths


def _in_box(parsed: positions.ParsedPositions, rules: ReadingRules) -> NDArray[np.bool_]:
    box = rules.mapping.box
    if box is None:
        return np.ones(parsed.latitude.size, bool)
    return (
        (parsed.latitude >= box.south)
        & (parsed.latitude <= box.north)
        & (parsed.longitude >= box.west)
        & (parsed.longitude <= box.east)
    )


def _count(fails: dict[str, NDArray[np.bool_]]) -> dict[str, int]:
    """Rows by the first reason that applies to them."""
    counted: dict[str, int] = {}
    seen = np.zeros(next(iter(fails.values())).size, bool)
    for reason in REASONS:
        counted[reason] = int((fails[reason] & ~seen).sum())
        seen |= fails[reason]
    return counted
