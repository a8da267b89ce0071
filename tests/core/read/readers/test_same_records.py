"""One set of records in every format that can hold it: the same `Records` come out."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from core.clean.mapping import ColumnMapping
from core.store.load_records import load_records
from tests.records import (
    COLUMNS,
    MAPPING,
    POINT_MAPPING,
    ZONE,
    Ping,
    as_itms,
    as_rows,
    assert_same,
    csv_text,
    make_records,
    parquet_columns,
    rules,
    sample_pings,
    write_bytes,
    write_parquet,
)

PINGS = sample_pings()
TIMES = [ping.instant for ping in PINGS]
PAIRS = [[ping.longitude, ping.latitude] for ping in PINGS]


def _typed(times: pa.Array) -> dict[str, object]:
    return parquet_columns(PINGS) | {"observationDateTime": times}


def _with_position(name: str, position: object) -> dict[str, object]:
    columns = parquet_columns(PINGS)
    return {key: columns[key] for key in COLUMNS if key not in ("latitude", "longitude")} | {name: position}


def _wall_clock() -> list[dt.datetime]:
    return [
        dt.datetime.fromisoformat(row["observationDateTime"]).replace(tzinfo=None) for row in as_rows(PINGS)
    ]


def _csv(delimiter: str = ",", **changes: str) -> bytes:
    return csv_text(as_rows(PINGS), delimiter=delimiter).replace("\n", changes.get("end", "\n")).encode()


def _quoted() -> bytes:
    rows = [{"note": 'two\nlines, and a "quote"', **row} for row in as_rows(PINGS)]
    return csv_text(rows).encode()


def _pair_text() -> bytes:
    rows = [
        {
            "license_plate": ping.vehicle,
            "observationDateTime": row["observationDateTime"],
            "location.coordinates": f"[{ping.longitude}, {ping.latitude}]",
            "speed": ping.value,
        }
        for ping, row in zip(PINGS, as_rows(PINGS), strict=True)
    ]
    return csv_text(rows).encode()


def _epochs(factor: float) -> bytes:
    rows = [
        row | {"observationDateTime": int(t * factor)} for t, row in zip(TIMES, as_rows(PINGS), strict=True)
    ]
    return csv_text(rows).encode()


TEXT_FILES: dict[str, tuple[str, bytes, ColumnMapping]] = {
    "comma": ("a.csv", _csv(), MAPPING),
    "semicolon": ("a.csv", _csv(";"), MAPPING),
    "tab": ("a.tsv", _csv("\t"), MAPPING),
    "bar": ("a.txt", _csv("|"), MAPPING),
    "windows lines": ("a.csv", _csv(end="\r\n"), MAPPING),
    "byte order mark": ("a.csv", b"\xef\xbb\xbf" + _csv(), MAPPING),
    "quoted newline": ("a.csv", _quoted(), MAPPING),
    "padded header": (
        "a.csv",
        csv_text(as_rows(PINGS), header=[f" {name} " for name in COLUMNS]).encode(),
        MAPPING,
    ),
    "no last newline": ("a.csv", _csv().rstrip(b"\n"), MAPPING),
    "coordinates as text": ("a.csv", _pair_text(), POINT_MAPPING),
    "epoch seconds": ("a.csv", _epochs(0.001), MAPPING),
    "epoch milliseconds": ("a.csv", _epochs(1), MAPPING),
    "array": ("a.json", json.dumps(as_itms(PINGS), separators=(",", ":")).encode(), POINT_MAPPING),
    "pretty array": ("a.json", json.dumps(as_itms(PINGS), indent=2).encode(), POINT_MAPPING),
    "array with mark": ("a.json", b"\xef\xbb\xbf" + json.dumps(as_itms(PINGS)).encode(), POINT_MAPPING),
    "flat array": ("a.json", json.dumps(as_rows(PINGS)).encode(), MAPPING),
    "GeoJSON point": (
        "a.json",
        json.dumps(as_itms(PINGS)).encode(),
        ColumnMapping(
            vehicle="license_plate", time="observationDateTime", position="location", value="speed"
        ),
    ),
    "dotted name": (
        "a.json",
        json.dumps(
            [{**item, "location.coordinates": item.pop("location")["coordinates"]} for item in as_itms(PINGS)]
        ).encode(),
        POINT_MAPPING,
    ),
    "lines": ("a.jsonl", "\n".join(map(json.dumps, as_itms(PINGS))).encode(), POINT_MAPPING),
    "lines in .json": ("a.json", "\r\n".join(map(json.dumps, as_itms(PINGS))).encode(), POINT_MAPPING),
    "pretty objects in a row": (
        "a.ndjson",
        "\n".join(json.dumps(item, indent=1) for item in as_itms(PINGS)).encode(),
        POINT_MAPPING,
    ),
    "wrapped": (
        "a.json",
        json.dumps({"type": "x", "count": [1, 2], "results": as_itms(PINGS)}).encode(),
        POINT_MAPPING,
    ),
    "pretty wrapped": ("a.json", json.dumps({"results": as_itms(PINGS)}, indent=1).encode(), POINT_MAPPING),
}

PARQUET_FILES: dict[str, tuple[Callable[[], dict[str, object]], ColumnMapping]] = {
    "text": (lambda: dict(parquet_columns(PINGS)), MAPPING),
    "categories": (
        lambda: {
            name: pa.array([str(cell) for cell in column]).dictionary_encode()
            for name, column in parquet_columns(PINGS).items()
        },
        MAPPING,
    ),
    "times with zone": (lambda: _typed(pa.array(TIMES, pa.timestamp("ms", tz=ZONE))), MAPPING),
    "times in UTC": (lambda: _typed(pa.array(TIMES, pa.timestamp("ms", tz="UTC"))), MAPPING),
    "local times": (lambda: _typed(pa.array(_wall_clock(), pa.timestamp("us"))), MAPPING),
    "epoch numbers": (lambda: _typed(pa.array([t // 1000 for t in TIMES], pa.int64())), MAPPING),
    "coordinate lists": (
        lambda: _with_position("location.coordinates", pa.array(PAIRS, pa.list_(pa.float64()))),
        POINT_MAPPING,
    ),
    "coordinate pairs": (
        lambda: _with_position("location.coordinates", pa.array(PAIRS, pa.list_(pa.float64(), 2))),
        POINT_MAPPING,
    ),
    "coordinate texts in lists": (
        lambda: _with_position("location.coordinates", pa.array([list(map(str, pair)) for pair in PAIRS])),
        POINT_MAPPING,
    ),
    "location as struct": (
        lambda: _with_position(
            "location", pa.array([{"type": "Point", "coordinates": pair} for pair in PAIRS])
        ),
        POINT_MAPPING,
    ),
    "well-known text": (
        lambda: _with_position("location.coordinates", [f"POINT ({lon} {lat})" for lon, lat in PAIRS]),
        POINT_MAPPING,
    ),
}


def _check(path: Path, mapping: ColumnMapping, pings: list[Ping] = PINGS) -> None:
    loaded = load_records([path], rules(mapping))
    assert_same(loaded.records, make_records(pings))
    assert loaded.report.rows_read == loaded.report.rows_used == len(pings)
    assert loaded.report.dropped == {}


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("kind", TEXT_FILES)
def test_text_formats_give_the_same_records(kind: str, suffix: str, tmp_path: Path) -> None:
    name, data, mapping = TEXT_FILES[kind]
    _check(write_bytes(tmp_path / (name + suffix), data), mapping)


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("kind", PARQUET_FILES)
def test_parquet_formats_give_the_same_records(kind: str, suffix: str, tmp_path: Path) -> None:
    columns, mapping = PARQUET_FILES[kind]
    _check(write_parquet(tmp_path / ("a.parquet" + suffix), columns()), mapping)


def test_compression_is_seen_in_the_file_not_in_its_name(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet.gz", parquet_columns(PINGS))
    _check(path.rename(tmp_path / "b.parquet"), MAPPING)
