"""Small records, and the files that may hold them: builders for tests."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
import json
import threading
import traceback
import unicodedata
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.clean.mapping import ColumnMapping, ReadingRules, UnitRange
from core.contributions.values import RunValues
from core.errors import HexveilError
from core.fixed_point import THOUSAND
from core.progress import Cancelled, Progress
from core.records.records import DEGREE, Records

ZONE = "Asia/Kolkata"
UPPER_BOUND = 65 * THOUSAND
COLUMNS = ("license_plate", "observationDateTime", "latitude", "longitude", "speed")
MAPPING = ColumnMapping(
    vehicle="license_plate",
    time="observationDateTime",
    latitude="latitude",
    longitude="longitude",
    value="speed",
)
POINT_MAPPING = ColumnMapping(
    vehicle="license_plate", time="observationDateTime", position="location.coordinates", value="speed"
)
SECRET = "SECRET123"
"""What tests plant into cells: no message may show it."""


class Ping(NamedTuple):
    """One record as a file tells it."""

    vehicle: str
    instant: int
    """UTC milliseconds."""
    latitude: float
    longitude: float
    value: float
    """km/h."""


def instant(text: str, zone: str = ZONE) -> int:
    """UTC milliseconds of a local ISO time (or of one with its own offset)."""
    moment = dt.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zoneinfo.ZoneInfo(zone))
    return (moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(milliseconds=1)


def local_day(instant_ms: int, zone: str = ZONE) -> int:
    """Days from 1970-01-01 to the local date."""
    local = dt.datetime.fromtimestamp(instant_ms / 1000, tz=zoneinfo.ZoneInfo(zone))
    return (local.date() - dt.date(1970, 1, 1)).days


def iso(instant_ms: int, zone: str = ZONE) -> str:
    """Local ISO time with offset."""
    return dt.datetime.fromtimestamp(instant_ms / 1000, tz=zoneinfo.ZoneInfo(zone)).isoformat()


def sample_pings() -> list[Ping]:
    """Three buses in Surat in the morning of one day; no repeats, nothing to drop."""
    start = instant("2022-01-01T10:10:00")
    return [
        Ping(f"GJ05BX{bus:04d}", start + 10_000 * step, 21.1 + bus / 100, 72.8 + step / 1000, 3.25 * step)
        for bus in range(3)
        for step in range(4 + bus)
    ]


def rules(
    mapping: ColumnMapping = MAPPING, *, zone: str | None = ZONE, upper_bound: int = UPPER_BOUND
) -> ReadingRules:
    """Reading rules for the columns of `write_csv` and its like."""
    return ReadingRules(mapping=mapping, zone=zone, upper_bound=upper_bound)


def mapping_in(unit: str, **changes: Any) -> ColumnMapping:
    """The usual mapping with another unit and other changes."""
    named = {name: getattr(MAPPING, name) for name in ("vehicle", "time", "latitude", "longitude", "value")}
    return ColumnMapping(**(named | {"units": (UnitRange(unit=unit),)} | changes))


def make_records(pings: Iterable[Ping], *, zone: str = ZONE, upper_bound: int = UPPER_BOUND) -> Records:
    """Records without any reader: plain Python sorting, repeats removed, values clamped."""
    pings = list(pings)
    rows = sorted(
        (
            _id_of(ping),
            ping.instant,
            round(ping.latitude * DEGREE),
            round(ping.longitude * DEGREE),
            min(round(ping.value * THOUSAND), upper_bound),
        )
        for ping in pings
    )
    smallest: dict[tuple[str, int], tuple[str, int, int, int, int]] = {}
    for row in rows:
        smallest.setdefault(row[:2], row)
    retained = sorted(smallest.values(), key=lambda row: (local_day(row[1], zone), row))
    days = [local_day(row[1], zone) for row in retained]
    vehicles = tuple(sorted({row[0] for row in retained}))
    texts: dict[str, set[str]] = {}
    for ping in pings:
        name, text = _id_of(ping), ping.vehicle.strip().casefold()
        if name != text:
            texts.setdefault(name, set()).add(text)
    return Records(
        other_texts={name: tuple(sorted(texts[name])) for name in sorted(texts)},
        vehicles=vehicles,
        vehicle=np.array([vehicles.index(row[0]) for row in retained], np.int16),
        second=np.array([row[1] // 1000 - days[0] * 86_400 for row in retained], np.int32),
        latitude=np.array([row[2] for row in retained], np.int32),
        longitude=np.array([row[3] for row in retained], np.int32),
        value=np.array([row[4] for row in retained], np.int32),
        days=np.array(sorted(set(days)), np.int32),
        first=np.array([*(days.index(day) for day in sorted(set(days))), len(days)], np.int64),
        zone=zone,
        upper_bound=upper_bound,
    )


def _id_of(ping: Ping) -> str:
    return " ".join(unicodedata.normalize("NFKC", ping.vehicle).casefold().split())


def assert_same(left: Any, right: Any) -> None:
    """Two confidential tables (Records, Contributions, ...) are equal, field by field, types included."""
    assert type(left) is type(right)
    for name in type(left).__dataclass_fields__:
        one, other = getattr(left, name), getattr(right, name)
        if isinstance(one, RunValues) or isinstance(other, RunValues):
            one, other = one[:], other[:]
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype, name
            np.testing.assert_array_equal(one, other, err_msg=name)
        elif name != "column_cache" and type(left).__dataclass_fields__[name].compare:
            assert one == other, name


def as_rows(pings: Iterable[Ping]) -> list[dict[str, Any]]:
    """Pings under the names of `COLUMNS`; times as local ISO text with offset."""
    return [
        dict(zip(COLUMNS, (p.vehicle, iso(p.instant), p.latitude, p.longitude, p.value), strict=True))
        for p in pings
    ]


def as_itms(pings: Iterable[Ping]) -> list[dict[str, Any]]:
    """Pings as ITMS objects, with the position nested as GeoJSON does: [lon, lat]."""
    return [
        {
            "license_plate": p.vehicle,
            "observationDateTime": iso(p.instant),
            "location": {"type": "Point", "coordinates": [p.longitude, p.latitude]},
            "speed": p.value,
        }
        for p in pings
    ]


def write_bytes(path: Path, data: bytes) -> Path:
    """The data, gzip-compressed where the name ends in .gz."""
    path.write_bytes(gzip.compress(data) if path.name.endswith(".gz") else data)
    return path


def csv_text(
    rows: Sequence[Mapping[str, Any]], *, delimiter: str = ",", header: Sequence[str] | None = None
) -> str:
    """Rows as CSV; `header` replaces the names in the first line."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header or list(rows[0]))
    writer.writerows(list(row.values()) for row in rows)
    return text.getvalue()


def write_csv(path: Path, pings: Iterable[Ping], *, delimiter: str = ",") -> Path:
    """A CSV file of the columns `COLUMNS`."""
    return write_bytes(path, csv_text(as_rows(pings), delimiter=delimiter).encode())


def write_json(path: Path, pings: Iterable[Ping]) -> Path:
    """A JSON array of ITMS objects."""
    return write_bytes(path, json.dumps(as_itms(pings)).encode())


def write_json_lines(path: Path, pings: Iterable[Ping]) -> Path:
    """ITMS objects, one a line."""
    return write_bytes(path, "".join(json.dumps(item) + "\n" for item in as_itms(pings)).encode())


def write_parquet(path: Path, columns: Mapping[str, Any]) -> Path:
    """A Parquet file of these columns (lists or Arrow arrays)."""
    buffer = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), buffer)
    return write_bytes(path, buffer.getvalue())


def parquet_columns(pings: Sequence[Ping]) -> dict[str, Any]:
    """The columns `COLUMNS`, times as text."""
    rows = as_rows(pings)
    return {name: [row[name] for row in rows] for name in COLUMNS}


def assert_tells(error: HexveilError, *, exit_code: int = 2, hidden: Sequence[str] = (SECRET,)) -> None:
    """The error says what, where and how to mend it, and shows nothing hidden, however it is printed."""
    assert error.exit_code == exit_code
    assert error.what
    assert error.where
    assert error.mend
    printed = "".join(traceback.format_exception(error))
    messages = [line for line in printed.splitlines() if not line.startswith("    ")]
    for text in hidden:
        assert text not in str(error)
        assert not any(text in line for line in messages), "printed with the traceback"
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


def stop_at(wanted: int) -> Progress:
    """A progress that stops the work when it is called for the `wanted`-th time."""
    calls = 0

    def stop(done: float, text: str = "") -> None:
        nonlocal calls
        calls += 1
        if calls == wanted:
            raise Cancelled(f"{text} at {done}")

    return stop


def settle() -> None:
    """Wait for the derived columns that are still being entered on disk."""
    for thread in threading.enumerate():
        if thread.name == "shelf":
            thread.join()
