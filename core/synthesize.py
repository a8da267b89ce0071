"""Synthetic records of city buses in the shape of an ITMS feed, about the place and size of Surat.

Nothing here is taken from real vehicles: routes, plates and drivers are drawn from a seed. The
bundled sample is `synthesize(Path("surat-synthetic.parquet"), records=220_000)`, nothing else.

Routes run through shared hubs and suburbs and are stored at equal steps of *undisturbed travel
time*. A bus moves along its route by `pace x seconds` and reports `pace x local speed`, so that
speeds and positions agree without integrating anything.
"""

from __future__ import annotations

import datetime as dt
import gzip
import math
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.errors import InputError
from core.progress import Progress, silent

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Columns = Literal["full", "short"]
_Bytes = IO[bytes] | gzip.GzipFile

DEFAULT_SEED = 1
FIRST_DAY = dt.date(2022, 1, 3)
"""A Monday."""
ZONE_OFFSET = "+05:30"
SHORT_COLUMNS = ("license_plate", "observationDateTime", "speed", "location.coordinates")

_CENTRE_LAT, _CENTRE_LON = 21.18, 72.83
_HALF_EAST_KM, _HALF_NORTH_KM = 14.0, 14.7
"""Semi-axes of the outermost ring of terminals; the routes span about 26 x 28 km."""
_KM_PER_DEGREE = 110.6
_KM_PER_DEGREE_EAST = _KM_PER_DEGREE * math.cos(math.radians(_CENTRE_LAT))
_GPS_ERROR_KM = 0.006

_HUBS, _SUBURBS, _TERMINALS_PER_SUBURB = 9, 16, 2
_ROUTES, _RING_ROUTES, _ROUTE_STEPS = 60, 10, 512
_SPEED_CENTRE_KMH, _SPEED_OUTSIDE_KMH, _MAX_SPEED_KMH = 21.0, 42.0, 65.0
_STOPPED_SHARE = 0.24

_PLATES = 9000
_RECORDS_PER_VEHICLE = 800
_DAY_START, _DAY_END = round(8.25 * 3600), round(21.7 * 3600)
"""Mean first and last second of service; about 90 % of it lies in 09:00-21:00."""
_SHIFT_JITTER = 900
_BUSIEST = 0.9
"""A bus may fill at most this share of its shift with pings."""
_TYPICAL_DUTY = 0.16
"""Share of the shift that a bus of mean activity reports; far below `_BUSIEST`: counts stay uneven."""
_SLOWEST_INTERVAL = 60
_TRIP_SECONDS, _STOP_SECONDS = 1500, 30
_BATCH_ROWS = 250_000
_SMALL_FILE = 500_000
_SOURCE_ID = "city.example/synthetic/bus-live"


def synthesize(
    out: Path,
    *,
    records: int,
    seed: int = DEFAULT_SEED,
    vehicles: int | None = None,
    days: int = 7,
    columns: Columns | None = None,
    progress: Progress = silent,
) -> None:
    """Write exactly `records` synthetic bus records, in time order, to a new file.

    out: the suffix chooses the format: .csv, .csv.gz, .parquet, .json (array) or .jsonl.
    vehicles: size of the fleet, 1..9000; default one per 800 records, between 40 and 2,500.
    days: local days in Asia/Kolkata from 2022-01-03 on; memory is that of one day's numbers.
    columns: "full" (the ITMS profile of SPEC 2) or "short" (plate, time, speed, position);
    default short for .parquet, full otherwise.

    The same arguments give the same bytes (with the same numpy and pyarrow). The file is whole
    or absent. Raises InputError for a file that exists or cannot be written, an unknown suffix,
    or more records than the fleet can send.
    """
    suffix = _suffix(out)
    fleet_size = vehicles if vehicles is not None else min(max(records // _RECORDS_PER_VEHICLE, 40), 2500)
    _check(records=records, vehicles=fleet_size, days=days, seed=seed)
    names = SHORT_COLUMNS if (columns or _default_columns(suffix)) == "short" else None
    tables = _tables(records=records, seed=seed, vehicles=fleet_size, days=days, progress=progress)
    with _new_file(out) as file:
        _WRITERS[suffix](file, (table.select(names) if names else table for table in tables), records)


# --- the city: hubs, suburbs, routes -------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Routes:
    """Routes at `_ROUTE_STEPS` points of equal undisturbed travel time."""

    east: Floats
    """Shape (routes, steps), km east of the centre."""
    north: Floats
    """Shape (routes, steps), km north of the centre."""
    speed: Floats
    """Shape (routes, steps), undisturbed speed in km/h."""
    seconds: Floats
    """Shape (routes,), undisturbed travel time from end to end."""


def _make_routes(rng: np.random.Generator) -> _Routes:
    corners = np.concatenate([_radial_routes(rng, _ROUTES - _RING_ROUTES), _ring_routes(rng, _RING_ROUTES)])
    lines = _rounded(corners)
    speed = _local_speed(lines)
    legs = np.hypot(*np.diff(lines, axis=1).transpose(2, 0, 1))
    elapsed = np.cumsum(legs / (speed[:, 1:] + speed[:, :-1]) * 7200, axis=1)
    elapsed = np.concatenate([np.zeros((len(lines), 1)), elapsed], axis=1)
    resampled = np.stack([_at_equal_times(times, line) for times, line in zip(elapsed, lines, strict=True)])
    return _Routes(
        east=resampled[..., 0],
        north=resampled[..., 1],
        speed=_local_speed(resampled),
        seconds=elapsed[:, -1],
    )


def _suburbs() -> tuple[Floats, Floats]:
    """Suburbs (16, 2) and terminals (16, 2, 2), km from the centre; the same for every seed.

    A fixed plan keeps the extent of the city, whatever the seed.
    """
    rng = np.random.default_rng(2118)
    around = np.arange(_SUBURBS) / _SUBURBS * 2 * np.pi
    suburbs = _ellipse(around + rng.normal(0, 0.08, _SUBURBS), rng.uniform(0.40, 0.62, _SUBURBS))
    shape = (_SUBURBS, _TERMINALS_PER_SUBURB)
    bearing = around[:, None] + np.array([-0.1, 0.12]) + rng.normal(0, 0.03, shape)
    return suburbs, _ellipse(bearing, rng.uniform(0.78, 1.0, shape))


def _ellipse(bearing: Floats, radius: Floats) -> Floats:
    return np.stack([_HALF_EAST_KM * radius * np.cos(bearing), _HALF_NORTH_KM * radius * np.sin(bearing)], -1)


def _radial_routes(rng: np.random.Generator, count: int) -> Floats:
    """Corners (count, 6, 2): terminal, suburb, two hubs, an opposite suburb, its terminal."""
    suburbs, terminals = _suburbs()
    hubs = rng.normal(0, 2.2, (_HUBS, 2))
    start = rng.integers(0, _SUBURBS, count)
    end = (start + rng.integers(5, _SUBURBS - 4, count)) % _SUBURBS
    choice = rng.integers(0, _TERMINALS_PER_SUBURB, (2, count))
    via = hubs[rng.permuted(np.tile(np.arange(_HUBS), (count, 1)), axis=1)[:, :2]]
    # The hub nearer to the first suburb comes first: no route doubles back on itself.
    distance = np.hypot(*(via - suburbs[start][:, None]).transpose(2, 0, 1))
    via = np.where((distance[:, 0] > distance[:, 1])[:, None, None], via[:, ::-1], via)
    parts = [terminals[start, choice[0]], suburbs[start], via[:, 0], via[:, 1]]
    return np.stack([*parts, suburbs[end], terminals[end, choice[1]]], axis=1)


def _ring_routes(rng: np.random.Generator, count: int) -> Floats:
    """Corners (count, 6, 2): six neighbouring suburbs."""
    suburbs, _ = _suburbs()
    corners: Floats = suburbs[(rng.integers(0, _SUBURBS, (count, 1)) + np.arange(6)) % _SUBURBS]
    return corners


def _rounded(corners: Floats, times: int = 5) -> Floats:
    """Cut the corners of polylines (n, points, 2) again and again (Chaikin); the ends stay."""
    lines = corners
    for _ in range(times):
        before, after = lines[:, :-1], lines[:, 1:]
        cut = np.stack([0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after], axis=2)
        lines = np.concatenate([lines[:, :1], cut.reshape(len(lines), -1, 2)[:, 1:-1], lines[:, -1:]], axis=1)
    return lines


def _local_speed(points: Floats) -> Floats:
    """Undisturbed speed in km/h at points (..., 2): slow in the centre, faster outside."""
    outward = np.minimum(np.hypot(points[..., 0], points[..., 1]) / 11.0, 1.0)
    return _SPEED_CENTRE_KMH + (_SPEED_OUTSIDE_KMH - _SPEED_CENTRE_KMH) * outward


def _at_equal_times(elapsed: Floats, line: Floats) -> Floats:
    at = np.linspace(0.0, elapsed[-1], _ROUTE_STEPS)
    return np.stack([np.interp(at, elapsed, line[:, axis]) for axis in (0, 1)], axis=-1)


# --- the fleet: who sends how much ---------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fleet:
    plate: pa.Array
    label: pa.Array
    activity: Floats
    """Relative number of records, log-normal."""
    attendance: Floats
    """Probability of running on a day."""
    route: Ints
    pace: Floats
    """Speed relative to the others."""


def _make_fleet(rng: np.random.Generator, size: int) -> _Fleet:
    numbers = np.sort(rng.choice(_PLATES, size, replace=False)) + 1000
    return _Fleet(
        plate=pa.array([f"GJ05BX{number}" for number in numbers]),
        label=pa.array([f"{'ABCDP'[index % 5]}{index // 5 + 1:02d}" for index in range(size)]),
        activity=rng.lognormal(0.0, 1.1, size),
        attendance=rng.beta(6.0, 1.5, size),
        route=rng.integers(0, _ROUTES, size),
        pace=rng.normal(1.0, 0.07, size).clip(0.75, 1.25),
    )


def _ping_interval(records: int, vehicles: int, days: int) -> int:
    """Seconds between two pings of a running bus: the denser the data, the shorter."""
    per_vehicle_day = records / (vehicles * days)
    return int(min(max(_TYPICAL_DUTY * (_DAY_END - _DAY_START) / per_vehicle_day, 1), _SLOWEST_INTERVAL))


def _largest_count(interval: int) -> int:
    """The most pings of one bus on one day; holds for the shortest shift."""
    return int(_BUSIEST * (_DAY_END - _DAY_START - 2 * _SHIFT_JITTER)) // interval


def _counts(rng: np.random.Generator, fleet: _Fleet, total: int, largest: int) -> Ints:
    """Split a day's records over the buses, in proportion to activity, none above `largest`."""
    share = fleet.activity * rng.lognormal(0.0, 0.35, fleet.activity.size)
    running = rng.random(share.size) < fleet.attendance
    if running.sum() * largest >= total:
        share = np.where(running, share, 0.0)
    return _split(total, share, largest)


def _split(total: int, share: Floats, largest: int) -> Ints:
    """Integers that sum to `total`, each at most `largest`, otherwise in proportion to `share`."""
    order = np.argsort(-share, kind="stable")
    ordered = share[order]
    rest_of_share = np.cumsum(ordered[::-1])[::-1]
    factor = (total - np.arange(share.size) * largest) / np.where(rest_of_share > 0, rest_of_share, 1.0)
    # A whisker of tolerance: a total that fills every bus must not fail by a rounding error.
    full = int(np.argmax(factor * ordered <= largest * (1 + 1e-9)))
    exact = np.where(np.arange(share.size) < full, largest, np.minimum(factor[full] * ordered, largest))
    counts = np.floor(exact).astype(np.int64)
    missing = total - int(counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:missing]] += 1
    return counts[np.argsort(order)]


# --- a day: trips, pings, positions --------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trips:
    """The trips of one day, bus by bus in time order; all arrays have shape (trips,)."""

    vehicle: Ints
    start: Ints
    """Second of the local day."""
    pings: Ints


def _make_trips(rng: np.random.Generator, counts: Ints, interval: int) -> _Trips:
    """Cut each bus's pings into trips of about half an hour, with pauses at random between them."""
    trips = -(-counts * interval // _TRIP_SECONDS)
    vehicle = np.repeat(np.arange(counts.size), trips)
    number = np.arange(vehicle.size) - np.repeat(np.cumsum(trips) - trips, trips)
    before = counts[vehicle] * number // trips[vehicle]
    after = counts[vehicle] * (number + 1) // trips[vehicle]
    shift_start = _DAY_START + rng.integers(-_SHIFT_JITTER, _SHIFT_JITTER, counts.size)
    shift_end = _DAY_END + rng.integers(-_SHIFT_JITTER, _SHIFT_JITTER, counts.size)
    idle = (shift_end - shift_start - counts * interval)[vehicle]
    waited = rng.random(vehicle.size)
    waited = waited[np.lexsort((waited, vehicle))]
    start = shift_start[vehicle] + before * interval + (idle * waited).astype(np.int64)
    return _Trips(vehicle=vehicle, start=start, pings=after - before)


def _one_day(
    rng: np.random.Generator, *, fleet: _Fleet, routes: _Routes, counts: Ints, interval: int
) -> dict[str, NDArray[Any]]:
    """The numeric columns of one day's pings, sorted by time."""
    trips = _make_trips(rng, counts, interval)
    trip = np.repeat(np.arange(trips.pings.size), trips.pings)
    ping = np.arange(trip.size) - np.repeat(np.cumsum(trips.pings) - trips.pings, trips.pings)
    vehicle = trips.vehicle[trip]
    jitter = rng.integers(0, min(interval, 3), trip.size)
    second = trips.start[trip] + ping * interval + jitter

    block = _blocks(trip, ping, max(1, _STOP_SECONDS // interval))
    stopped = (rng.random(block[-1] + 1) < _STOPPED_SHARE)[block]
    pace = fleet.pace[vehicle] * _rush(second) * rng.gamma(9.0, 1 / 9, block[-1] + 1)[block]
    pace *= rng.gamma(25.0, 1 / 25, trip.size)
    pace[stopped] = 0.0

    changed = rng.random(counts.size) < 0.2
    daily_route = np.where(changed, rng.integers(0, _ROUTES, counts.size), fleet.route)
    route = daily_route[vehicle]
    phase = rng.uniform(0, 2, counts.size)[vehicle]
    phase = (phase + _since_first(pace * interval, counts) / routes.seconds[route]) % 2.0
    there = np.where(phase > 1.0, 2.0 - phase, phase) * (_ROUTE_STEPS - 1)
    step = np.minimum(there.astype(np.int64), _ROUTE_STEPS - 2)

    # A standing bus repeats its last fix, error included.
    fix = np.maximum.accumulate(np.where(stopped, 0, np.arange(trip.size)))
    error = rng.normal(0.0, _GPS_ERROR_KM, (2, trip.size))[:, fix]
    east = _between(routes.east, route, step, there) + error[0]
    north = _between(routes.north, route, step, there) + error[1]
    speed = np.minimum(pace * routes.speed[route, step], _MAX_SPEED_KMH)
    unsorted: dict[str, NDArray[Any]] = {
        "second": second,
        "vehicle": vehicle,
        "speed": np.round(speed, 1),
        "lat": np.round(_CENTRE_LAT + north / _KM_PER_DEGREE, 6),
        "lon": np.round(_CENTRE_LON + east / _KM_PER_DEGREE_EAST, 6),
        "returning": phase > 1.0,
        "stop": route * 100 + step // 16,
        "trip": trip,
        "trip_start": trips.start[trip],
        "delay": np.round(rng.normal(120, 260, trips.pings.size)).astype(np.int64)[trip],
        "arrival": second - rng.integers(5, 240, trip.size),
    }
    order = np.argsort(second, kind="stable")
    return {name: values[order] for name, values in unsorted.items()}


def _blocks(trip: Ints, ping: Ints, length: int) -> Ints:
    """Number of the block of `length` successive pings that each ping is in; blocks end with trips."""
    first = ping % length == 0
    first[1:] |= trip[1:] != trip[:-1]
    return np.cumsum(first) - 1


def _rush(second: Ints) -> Floats:
    """Share of the undisturbed speed that is left in the traffic of that time of day."""
    hour = second / 3600
    return 1.0 - 0.28 * np.exp(-((hour - 9.8) ** 2) / 1.6) - 0.36 * np.exp(-((hour - 18.6) ** 2) / 2.4)


def _since_first(steps: Floats, counts: Ints) -> Floats:
    """Running sums that start anew at each bus; `counts` are the pings per bus."""
    total = np.concatenate([[0.0], np.cumsum(steps)])
    begins = np.cumsum(counts) - counts
    sums: Floats = total[1:] - np.repeat(total[begins], counts)
    return sums


def _between(table: Floats, route: Ints, step: Ints, there: Floats) -> Floats:
    """Linear interpolation of `table` at the fractional step `there`."""
    rest = there - step
    value: Floats = table[route, step] * (1.0 - rest) + table[route, step + 1] * rest
    return value


# --- from numbers to tables ----------------------------------------------------------------------


def _tables(*, records: int, seed: int, vehicles: int, days: int, progress: Progress) -> Iterator[pa.Table]:
    """The records as tables of at most `_BATCH_ROWS` rows and all columns, in time order."""
    rng = np.random.default_rng(seed)
    routes, fleet = _make_routes(rng), _make_fleet(rng, vehicles)
    interval = _ping_interval(records, vehicles, days)
    largest = _largest_count(interval)
    weekday = np.array([1.03, 1.0, 1.02, 1.0, 1.04, 0.98, 0.80])[np.arange(days) % 7]
    totals = _split(records, weekday, largest * vehicles)
    clock = pc.strftime(pa.array(np.arange(86_400).astype("datetime64[s]")), "%H:%M:%S")
    for day in range(days):
        progress(day / days, f"day {day + 1} of {days}")
        if totals[day]:
            of_day = np.random.default_rng([seed, day])
            counts = _counts(of_day, fleet, int(totals[day]), largest)
            numbers = _one_day(of_day, fleet=fleet, routes=routes, counts=counts, interval=interval)
            yield from _day_tables(day, numbers, fleet, clock)
    progress(1.0, f"{records} records")


def _day_tables(
    day: int, numbers: dict[str, NDArray[Any]], fleet: _Fleet, clock: pa.Array
) -> Iterator[pa.Table]:
    date = f"{FIRST_DAY + dt.timedelta(days=day)}T"
    stamp = pc.binary_join_element_wise(date, clock, ZONE_OFFSET, "")
    for start in range(0, numbers["second"].size, _BATCH_ROWS):
        batch = {name: values[start : start + _BATCH_ROWS] for name, values in numbers.items()}
        yield _table(day, batch, fleet, clock, stamp)


def _table(
    day: int, numbers: dict[str, NDArray[Any]], fleet: _Fleet, clock: pa.Array, stamp: pa.Array
) -> pa.Table:
    """The ITMS profile of SPEC 2; `clock` and `stamp` hold the text of each second of the day."""
    rows = numbers["second"].size
    coordinates = pc.binary_join_element_wise(
        "[", _text(numbers["lon"]), ", ", _text(numbers["lat"]), "]", ""
    )
    return pa.table(
        {
            "trip_direction": pa.array(["UP", "DN"]).take(pa.array(numbers["returning"].astype(np.int64))),
            "last_stop_id": _text(numbers["stop"]),
            "speed": pa.array(numbers["speed"]),
            "trip_delay": pa.array(numbers["delay"]),
            "last_stop_arrival_time": clock.take(pa.array(numbers["arrival"])),
            "actual_trip_start_time": stamp.take(pa.array(numbers["trip_start"])),
            "observationDateTime": stamp.take(pa.array(numbers["second"])),
            "trip_id": _text(numbers["trip"] + (day + 1) * 1_000_000),
            "id": pa.array([_SOURCE_ID]).take(pa.array(np.zeros(rows, dtype=np.int64))),
            "vehicle_label": fleet.label.take(pa.array(numbers["vehicle"])),
            "license_plate": fleet.plate.take(pa.array(numbers["vehicle"])),
            "location.coordinates": coordinates,
        }
    )


def _text(values: NDArray[Any]) -> pa.Array:
    return pa.array(values).cast(pa.string())


# --- files ---------------------------------------------------------------------------------------


def _write_csv(file: _Bytes, tables: Iterator[pa.Table], _records: int) -> None:
    first = next(tables)
    options = pa_csv.WriteOptions(quoting_style="needed")
    with pa_csv.CSVWriter(file, first.schema, write_options=options) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _write_csv_gz(file: _Bytes, tables: Iterator[pa.Table], records: int) -> None:
    # Neither name nor time in the header: the same records are the same bytes.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=4, fileobj=file, mtime=0) as packed:
        _write_csv(packed, tables, records)


def _write_parquet(file: _Bytes, tables: Iterator[pa.Table], records: int) -> None:
    first = next(tables)
    with pq.ParquetWriter(file, first.schema, **_parquet_options(first.schema, records)) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _parquet_options(schema: pa.Schema, records: int) -> dict[str, Any]:
    """Columns with few values as dictionaries; times and positions by what they share with the row before."""
    shared_beginnings = ("observationDateTime", "location.coordinates")
    return {
        "compression": "zstd",
        # The strongest level takes a minute per million records: right for a bundled sample only.
        "compression_level": 19 if records <= _SMALL_FILE else 3,
        "use_dictionary": [name for name in schema.names if name not in shared_beginnings],
        "column_encoding": dict.fromkeys(shared_beginnings, "DELTA_BYTE_ARRAY"),
    }


def _write_json(file: _Bytes, tables: Iterator[pa.Table], _records: int) -> None:
    file.write(b"[")
    separator = b"\n"
    for table in tables:
        file.write(separator)
        file.write(b",\n".join(_json_objects(table)))
        separator = b",\n"
    file.write(b"\n]\n")


def _write_jsonl(file: _Bytes, tables: Iterator[pa.Table], _records: int) -> None:
    for table in tables:
        file.write(b"\n".join(_json_objects(table)))
        file.write(b"\n")


def _json_objects(table: pa.Table) -> list[bytes]:
    """One JSON object per row, made column by column. No text of ours needs escaping."""
    pieces: list[Any] = []
    for name in table.schema.names:
        lead = "{" if not pieces else ","
        text = table[name].combine_chunks().cast(pa.string())
        if name == "location.coordinates":
            pieces += [f'{lead}"location":{{"type":"Point","coordinates":', text, "}"]
        elif pa.types.is_string(table.schema.field(name).type):
            pieces += [f'{lead}"{name}":"', text, '"']
        else:
            pieces += [f'{lead}"{name}":', text]
    rows: list[bytes] = pc.binary_join_element_wise(*pieces, "}", "").cast(pa.binary()).to_pylist()
    return rows


_WRITERS: dict[str, Callable[[_Bytes, Iterator[pa.Table], int], None]] = {
    ".csv": _write_csv,
    ".csv.gz": _write_csv_gz,
    ".parquet": _write_parquet,
    ".json": _write_json,
    ".jsonl": _write_jsonl,
}


def _suffix(out: Path) -> str:
    for suffix in _WRITERS:
        if out.name.lower().endswith(suffix):
            return suffix
    raise InputError(
        "This file format cannot be written.",
        where=str(out),
        mend="end the name in one of " + ", ".join(_WRITERS),
    )


def _default_columns(suffix: str) -> Columns:
    return "short" if suffix == ".parquet" else "full"


def _check(*, records: int, vehicles: int, days: int, seed: int) -> None:
    limits = {"records": (records, 1, 10**9), "vehicles": (vehicles, 1, _PLATES), "days": (days, 1, 3660)}
    limits["seed"] = (seed, 0, 2**63 - 1)
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            raise InputError(
                f"{name} is out of range.", where=name, mend=f"write an integer from {low} to {high}"
            )
    capacity = vehicles * days * _largest_count(_ping_interval(records, vehicles, days))
    if records > capacity:
        raise InputError(
            f"{vehicles} vehicles cannot send {records} records in {days} days.",
            where="records",
            mend=f"ask for at most {capacity} records, or for more vehicles or days",
        )


@contextmanager
def _new_file(out: Path) -> Iterator[IO[bytes]]:
    """A file that appears under its name when whole, and never replaces another."""
    if out.exists():
        raise InputError("This file exists already.", where=str(out), mend="choose another name or remove it")
    temporary = out.with_name(f".{out.name}.{secrets.token_hex(6)}.partial")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(out)
    except OSError as error:
        raise InputError(
            f"The file cannot be written: {error.strerror or 'input/output error'}.",
            where=str(out),
            mend="choose a folder that exists, may be written and has room",
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
