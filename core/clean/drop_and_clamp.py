"""Cleaning, batch by batch: parse, drop, convert, clamp, days since 1970; a column's wrong type (method 2).

Each row is judged by itself: no row changes how another is treated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.clean import positions, times, vehicle_ids
from core.clean.ingest_report import no_label, reasons_of
from core.clean.mapping import ReadingRules
from core.clean.missing_words import rows_with_word, without_other_words
from core.clean.placed_positions import placed
from core.clean.read_times import MISSING
from core.clean.record_filter import labels_of
from core.clean.split_times import joined_times
from core.clean.text_columns import is_valid
from core.clean.value_units import behind_number, unit_factor
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.privacy import Confidential
from core.read import json_cells
from core.records import zones
from core.records.labels import LABEL_OF_ZONE, LabelColumn, LabelledZones, Labels
from core.records.records import DEGREE

_EPOCH_ORDINAL = 719_163
"""`date.toordinal` of 1970-01-01."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ParsedBatch(Confidential):
    """One batch after parsing, before anything is dropped; columns of shape (n,)."""

    ids: pa.Array
    """Dictionary of distinct ids, trimmed and case-folded; null where absent."""
    times: times.ParsedTimes
    positions: positions.ParsedPositions
    values: NDArray[np.float64]
    """0 throughout where the speed is derived from positions later."""
    value_present: NDArray[np.bool_]
    selected: NDArray[np.bool_]
    """False for records that a filter leaves out."""
    labels: Labels
    """Of the columns that are places or groups."""
    missing_words: int
    """Cells that hold a word for "missing"."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CleanBatch(Confidential):
    """What is retained of a batch; columns of shape (retained,)."""

    names: tuple[str, ...]
    vehicle: NDArray[np.int32]
    """Index into `names`, which are distinct and may hold more than are used."""
    instant: NDArray[np.int64]
    latitude: NDArray[np.int32]
    longitude: NDArray[np.int32]
    value: NDArray[np.int32]
    labels: Labels
    """Their texts may hold more than are used."""
    dropped: dict[str, int]
    clamped: int
    missing_words: int


def parse_batch(table: pa.Table, rules: ReadingRules) -> ParsedBatch:
    """Read the mapped columns of a batch. Raises InputError for types that cannot be what they mean."""
    try:
        return _parse(table, rules)
    except pa.ArrowException:  # its message may quote a cell
        types = ", ".join(f"{field.name}: {field.type}" for field in table.schema)
        raise InputError(
            "A column's type does not fit what it is mapped to.",
            where=f"data.mapping ({types})",
            mend="map other columns, or write these ones as text",
        ) from None


def _parse(table: pa.Table, rules: ReadingRules) -> ParsedBatch:
    mapping, decimal = rules.mapping, rules.format.decimal
    column = {name: _whole(table.column(name)) for name in mapping.columns}
    for name in set(mapping.columns) - {mapping.position}:
        column[name] = json_cells.without_lists(column[name], table.schema.field(name))
    before = sum(cells.null_count for cells in column.values())
    column = {name: without_other_words(cells, rules.format.missing) for name, cells in column.items()}
    others = sum(cells.null_count for cells in column.values()) - before
    time = column[mapping.time]
    if mapping.date:
        time = joined_times(column[mapping.date], time, mapping.time)
    if mapping.derived:
        values, value_present = np.zeros(table.num_rows), np.ones(table.num_rows, bool)
    else:
        one = {item.unit for item in mapping.units} if rules.value is None else set()
        behind = behind_number(*one) if len(one) == 1 else ""
        values, value_present = positions.parse_numbers(column[mapping.value], decimal, behind)
    selected = np.ones(table.num_rows, bool)
    public = dict(mapping.public_columns)
    for item in rules.filters:
        selected &= item.passes(column[public[item.name]])
    ids = vehicle_ids.parse_joined([column[name] for name in mapping.vehicle_columns], rules.format.missing)
    read = times.parse_times(time, rules.format)
    here = (
        positions.parse_one_column(column[mapping.position], mapping.position_order)
        if mapping.position
        else positions.parse_two_columns(column[mapping.latitude], column[mapping.longitude], decimal)
    )
    here = placed(here, mapping.position_unit, mapping.crs)
    nowhere = np.isnan(here.latitude) | np.isnan(here.longitude)
    words = dict.fromkeys(mapping.vehicle_columns, ~is_valid(ids.indices))
    words |= dict.fromkeys(mapping.time_columns, read.instants == MISSING)
    words |= dict.fromkeys(mapping.position_columns, nowhere)
    words |= {} if mapping.derived else {mapping.value: np.isnan(values)}
    found = {name: rows_with_word(column[name], rows, rules.format.missing) for name, rows in words.items()}
    for present, names in (
        (read.present, mapping.time_columns),
        (here.present, mapping.position_columns),
        (value_present, (mapping.value,) if mapping.value else ()),
    ):
        for name in names:
            present[found[name]] = False
    return ParsedBatch(
        ids=ids,
        times=read,
        positions=here,
        values=values,
        value_present=value_present,
        selected=selected,
        labels={
            name: _zone_labels(here, rules.zones)
            if name == LABEL_OF_ZONE and rules.zones
            else labels_of(column[public[name]], rules.format.missing)
            for name in rules.labels
        },
        missing_words=others + sum(rows.size for rows in found.values()),
    )


def _zone_labels(here: positions.ParsedPositions, zones: LabelledZones) -> LabelColumn:
    """By the positions that are stored: in whole 1e-7 degrees."""
    with np.errstate(over="ignore"):  # an absurd position becomes infinite and lies in none
        longitude, latitude = (np.rint(axis * DEGREE) / DEGREE for axis in (here.longitude, here.latitude))
    return LabelColumn(texts=zones.ids, code=zones.locate(longitude, latitude))


def _whole(column: pa.ChunkedArray) -> pa.Array:
    # a single chunk would be copied by combining
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def clean_batch(batch: ParsedBatch, rules: ReadingRules, zone: str, now_ms: int) -> CleanBatch:
    """Keep the usable records of a batch, in integers, and count the others by reason."""
    rows = _judge(batch, rules, zone, now_ms)
    keep, vehicle, instant, thousandths = rows.keep, rows.vehicle, rows.instant, rows.thousandths
    latitude, longitude = batch.positions.latitude, batch.positions.longitude
    reasons, labels = reasons_of(rules), batch.labels
    dropped = dict.fromkeys(reasons, 0)
    if not keep.all():
        dropped = _count(rows, np.flatnonzero(~keep), reasons)
        labels = {name: column[keep] for name, column in labels.items()}
        vehicle, instant, thousandths = vehicle[keep], instant[keep], thousandths[keep]
        latitude, longitude = latitude[keep], longitude[keep]
    value = thousandths.astype(np.int64)
    value -= rules.quantity.lower
    bounded = np.clip(value, 0, rules.upper_bound)
    return CleanBatch(
        names=tuple(batch.ids.dictionary.to_pylist()),
        vehicle=vehicle,
        instant=instant,
        latitude=positions.to_integers(latitude),
        longitude=positions.to_integers(longitude),
        value=bounded.astype(np.int32),
        labels=labels,
        dropped=dropped,
        clamped=int(np.count_nonzero(value != bounded)),
        missing_words=batch.missing_words,
    )


def judged_rows(
    batch: ParsedBatch, rules: ReadingRules, zone: str, now_ms: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which rows of a batch `clean_batch` keeps, and each value in the unit that is published; shape (n,)."""
    rows = _judge(batch, rules, zone, now_ms)
    return rows.keep, rows.thousandths / THOUSAND


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Rows(Confidential):
    """What is known of each row of a batch; shape (n,)."""

    batch: ParsedBatch
    vehicle: NDArray[np.int32]
    instant: NDArray[np.int64]
    thousandths: NDArray[np.float64]
    in_value: NDArray[np.bool_]
    in_place: NDArray[np.bool_]
    in_time: NDArray[np.bool_]

    @property
    def keep(self) -> NDArray[np.bool_]:
        """Nothing speaks against them."""
        within = self.in_value & self.in_place & self.in_time
        usable = (self.vehicle >= 0) & self.batch.value_present & self.batch.selected & within
        for column in self.batch.labels.values():
            usable &= column.code >= 0
        return usable


def _judge(batch: ParsedBatch, rules: ReadingRules, zone: str, now_ms: int) -> _Rows:
    instant = zones.localise(batch.times.instants, batch.times.naive, zone)
    thousandths = _convert(batch.values, instant, rules, zone)
    least, most = rules.physical_limits
    # absent and unreadable cells are NaN or `MISSING`, which lie within no limits
    return _Rows(
        batch=batch,
        vehicle=batch.ids.indices.fill_null(-1).to_numpy(zero_copy_only=False),
        instant=instant,
        thousandths=thousandths,
        in_value=(thousandths >= least) & (thousandths <= most),
        in_place=positions.on_earth(batch.positions.latitude, batch.positions.longitude)
        & _in_box(batch.positions, rules),
        in_time=(instant >= times.EARLIEST_MS) & (instant <= now_ms),
    )


def _count(rows: _Rows, dropped: NDArray[np.intp], reasons: Sequence[str]) -> dict[str, int]:
    """The dropped rows by the first reason that applies to each."""
    batch = rows.batch
    here, value = batch.positions, batch.value_present[dropped]
    time, place = batch.times.present[dropped], here.present[dropped]
    applies = {
        "unparsable": (time & (rows.instant[dropped] == MISSING))
        | (place & (np.isnan(here.latitude[dropped]) | np.isnan(here.longitude[dropped])))
        | (value & np.isnan(batch.values[dropped])),
        "no_id": rows.vehicle[dropped] < 0,
        "no_time": ~time,
        "no_position": ~place,
        "no_value": ~value,
        "value_limit": ~rows.in_value[dropped],
        "position_limit": ~rows.in_place[dropped],
        "time_limit": ~rows.in_time[dropped],
        "filtered": ~batch.selected[dropped],
    } | {no_label(name): column.code[dropped] < 0 for name, column in batch.labels.items()}
    first = np.argmax(np.stack([applies[reason] for reason in reasons]), axis=0)
    counted = np.bincount(first, minlength=len(reasons)).tolist()
    return dict(zip(reasons, counted, strict=True))


def _convert(
    values: NDArray[np.float64], instant: NDArray[np.int64], rules: ReadingRules, zone: str
) -> NDArray[np.float64]:
    """Values in whole thousandths of their unit, speeds of km/h; NaN on a date for which no unit is given."""
    if rules.mapping.derived:
        return values
    with np.errstate(over="ignore"):  # an absurd value becomes infinite and fails the limit
        thousandths: NDArray[np.float64] = np.rint(values * _factors(instant, rules, zone))
    return thousandths


def _factors(instant: NDArray[np.int64], rules: ReadingRules, zone: str) -> NDArray[np.float64] | float:
    """Thousandths of km/h in one of each value's unit: shape (n,), or one number for all."""
    if rules.value is not None:
        return float(THOUSAND)
    units = rules.mapping.units
    if not any(item.first or item.last for item in units):
        return _thousandths_in(units[-1].unit)
    days, _ = zones.local_days_and_ms(instant, zone)
    factor = np.full(instant.size, np.nan)
    for item in units:
        inside = np.ones(instant.size, bool)
        if item.first:
            inside &= days >= item.first.toordinal() - _EPOCH_ORDINAL
        if item.last:
            inside &= days <= item.last.toordinal() - _EPOCH_ORDINAL
        factor[inside] = _thousandths_in(item.unit)
    return factor


def _thousandths_in(unit: str) -> float:
    factor = unit_factor(unit)
    assert factor is not None  # `require_units` has seen it
    return float(factor * THOUSAND)


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
