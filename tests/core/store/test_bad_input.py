"""Files that cannot be used: each says what, where and how to mend it, and quotes no cell."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.assist.column_guesses import guess_mapping
from core.clean.mapping import ColumnMapping
from core.errors import InputError
from core.read.reader_registry import reader_for
from core.store.load_records import load_records
from tests.records import (
    COLUMNS,
    MAPPING,
    POINT_MAPPING,
    SECRET,
    Ping,
    as_itms,
    as_rows,
    assert_tells,
    csv_text,
    mapping_in,
    parquet_columns,
    rules,
    sample_pings,
)

PINGS = [ping._replace(vehicle=f"{SECRET} {ping.vehicle}") for ping in sample_pings()]
CSV = csv_text(as_rows(PINGS))
HEADER, *ROWS = CSV.splitlines(keepends=True)
JSON = json.dumps(as_itms(PINGS))


def _parquet(columns: dict[str, object] | None = None) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns or parquet_columns(PINGS)), buffer)
    return buffer.getvalue()


def _cut(data: bytes) -> bytes:
    return gzip.compress(data)[:-30]


def _spoilt_pages() -> bytes:
    data = bytearray(_parquet())
    data[20:400] = b"\xff" * 380
    return bytes(data)


def _unusable(pings: list[Ping]) -> bytes:
    return csv_text(as_rows([ping._replace(latitude=0.0, longitude=0.0) for ping in pings])).encode()


FILES: dict[str, tuple[str, Callable[[], bytes], ColumnMapping, str]] = {
    "csv.gz cut short": ("a.csv.gz", lambda: _cut(CSV.encode() * 500), MAPPING, "truncated or damaged"),
    "json.gz cut short": ("a.json.gz", lambda: _cut(JSON.encode()), POINT_MAPPING, "truncated or damaged"),
    "jsonl.gz cut short": (
        "a.jsonl.gz",
        lambda: _cut("\n".join(map(json.dumps, as_itms(PINGS) * 50)).encode()),
        POINT_MAPPING,
        "truncated or damaged",
    ),
    "parquet.gz cut short": ("a.parquet.gz", lambda: _cut(_parquet()), MAPPING, "truncated or damaged"),
    "gz with a changed byte": (
        "a.csv.gz",
        lambda: gzip.compress(CSV.encode())[:-6] + b"\0" * 6,
        MAPPING,
        "truncated or damaged",
    ),
    "json number": ("a.json", lambda: b"3", POINT_MAPPING, "not an array of objects"),
    "json text": ("a.json", lambda: json.dumps(SECRET).encode(), POINT_MAPPING, "not an array of objects"),
    "json numbers": ("a.json", lambda: b"[1, 2]", POINT_MAPPING, "not an array of objects"),
    "json texts": ("a.json", lambda: json.dumps([SECRET]).encode(), POINT_MAPPING, "not an array of objects"),
    "json empty object": ("a.json", lambda: b"{}", POINT_MAPPING, "not an array of objects"),
    "json empty array": ("a.json", lambda: b"[]", POINT_MAPPING, "No usable record is left of 0 rows"),
    "json broken off": ("a.json", lambda: JSON[:-40].encode(), POINT_MAPPING, "is cut off"),
    "json broken object": ("a.json", lambda: f'{{"a": "{SECRET}'.encode(), POINT_MAPPING, "is cut off"),
    "json with more behind": ("a.json", lambda: (JSON + SECRET).encode(), POINT_MAPPING, "is cut off"),
    "json lines broken off": (
        "a.jsonl",
        lambda: "\n".join(map(json.dumps, as_itms(PINGS))).encode()[:-9],
        POINT_MAPPING,
        "is cut off",
    ),
    "json not UTF-8": (
        "a.json",
        lambda: JSON.replace("GJ", "Gé").encode("latin-1"),
        POINT_MAPPING,
        "not UTF-8",
    ),
    "wrapped json not UTF-8": (
        "a.json",
        lambda: json.dumps({"name": "é", "rows": as_itms(PINGS)}, ensure_ascii=False, indent=1).encode(
            "latin-1"
        ),
        POINT_MAPPING,
        "not UTF-8",
    ),
    "json without a mapped field": ("a.json", lambda: JSON.encode(), MAPPING, "No record has the field"),
    "csv without a mapped column": ("a.csv", lambda: CSV.encode(), POINT_MAPPING, "missing"),
    "csv with a mapped column twice": (
        "a.csv",
        lambda: csv_text(as_rows(PINGS), header=[*COLUMNS[:4], "latitude"]).encode(),
        mapping_in("km/h", value="latitude", latitude="longitude", longitude="longitude"),
        "more than once",
    ),
    "parquet without a mapped column": ("a.parquet", _parquet, POINT_MAPPING, "missing"),
    "empty csv": ("a.csv", lambda: b"", MAPPING, "empty"),
    "empty csv.gz": ("a.csv.gz", lambda: gzip.compress(b""), MAPPING, "empty"),
    "empty json": ("a.json", lambda: b" \n", POINT_MAPPING, "empty"),
    "empty parquet": ("a.parquet", lambda: b"", MAPPING, "empty"),
    "empty workbook": ("a.xlsx", lambda: b"", MAPPING, "empty"),
    "empty feed": ("a.pb", lambda: b"", MAPPING, "empty"),
    "csv header only": ("a.csv", HEADER.encode, MAPPING, "No usable record is left of 0 rows"),
    "csv header only, no newline": ("a.csv", HEADER.strip().encode, MAPPING, "No usable record is left of 0"),
    "csv without a header": (
        "a.csv",
        lambda: "".join(ROWS).encode(),
        MAPPING,
        "data instead of column names",
    ),
    "only ragged rows": ("a.csv", lambda: (HEADER + f"{SECRET},1\n" * 3).encode(), MAPPING, "unparsable 3"),
    "only unusable rows": ("a.csv", lambda: _unusable(PINGS), MAPPING, f"position_limit {len(PINGS)}"),
    "csv not UTF-8": ("a.csv", lambda: CSV.replace("GJ", "Gé").encode("latin-1"), MAPPING, "not UTF-8"),
    "csv in UTF-16 without mark": ("a.csv", lambda: CSV.encode("utf-16-le"), MAPPING, "not UTF-8"),
    "a quote that never ends": (
        "a.csv",
        lambda: (HEADER + f'"{SECRET}' + ("x" * 99 + "\n") * 90_000).encode(),
        MAPPING,
        "a quote is opened and never closed",
    ),
    "text as parquet": ("a.parquet", CSV.encode, MAPPING, "not readable Parquet"),
    "parquet cut short": ("a.parquet", lambda: _parquet()[:-20], MAPPING, "not readable Parquet"),
    "parquet with spoilt pages": ("a.parquet", _spoilt_pages, MAPPING, "not readable Parquet"),
    "unknown extension": ("a.xyz", CSV.encode, MAPPING, "unknown"),
}


@pytest.mark.parametrize("kind", FILES)
def test_an_unusable_file_is_refused_and_not_quoted(kind: str, tmp_path: Path) -> None:
    name, data, mapping, what = FILES[kind]
    path = tmp_path / name
    path.write_bytes(data())
    with pytest.raises(InputError, match=what) as caught:
        load_records([path], rules(mapping))
    assert_tells(caught.value)


def test_a_column_that_is_there_twice_is_not_advised(tmp_path: Path) -> None:
    """The fix was to map one of the columns, that one among them."""
    name, data, mapping, _ = FILES["csv with a mapped column twice"]
    path = tmp_path / name
    path.write_bytes(data())
    with pytest.raises(InputError, match="more than once") as caught:
        load_records([path], rules(mapping))
    assert caught.value.mend == "give each of them another name in the file"


@pytest.mark.parametrize("kind", [kind for kind in FILES if FILES[kind][3].startswith("No usable record is")])
def test_where_there_is_no_row_no_cell_is_blamed(kind: str, tmp_path: Path) -> None:
    name, data, mapping, _ = FILES[kind]
    path = tmp_path / name
    path.write_bytes(data())
    with pytest.raises(InputError) as caught:
        load_records([path], rules(mapping))
    assert caught.value.mend == "choose a file with records"


@pytest.mark.parametrize("kind", [kind for kind in FILES if "rows" not in kind])
def test_a_preview_quotes_nothing_either(kind: str, tmp_path: Path) -> None:
    name, data, _, _ = FILES[kind]
    path = tmp_path / name
    path.write_bytes(data())
    try:
        preview = reader_for(path).preview(path)
        guess_mapping(preview, where=str(path))
    except InputError as error:
        assert_tells(error)
    else:
        assert SECRET not in repr(preview)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    for name in ("a.csv", "a.json.gz", "a.parquet", "a.xyz"):
        with pytest.raises(InputError, match="no such file") as caught:
            load_records([tmp_path / name], rules())
        assert_tells(caught.value)


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    with pytest.raises(InputError, match="no such file") as caught:
        load_records([tmp_path / "a.csv" / "b.csv"], rules())
    assert_tells(caught.value)


@pytest.mark.parametrize("name", ["records", "records.csv", "records.json", "records.parquet"])
def test_a_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="folder") as caught:
        load_records([tmp_path / name], rules())
    assert_tells(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(CSV)
    path.chmod(0)
    with pytest.raises(InputError, match="not allowed to read") as caught:
        load_records([path], rules())
    assert_tells(caught.value)


@pytest.mark.parametrize(
    "name", ["Mars/Olympus", "", "asia/kolkata ", "localtime", "Factory", "../etc", "Asia"]
)
def test_an_unknown_zone_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(CSV.replace("+05:30", ""))
    with pytest.raises(InputError, match="zone") as caught:
        load_records([path], rules(zone=name))
    assert_tells(caught.value)


@pytest.mark.parametrize("year", ["1446", "2568"])
def test_years_of_another_calendar_are_named_as_a_cause(year: str, tmp_path: Path) -> None:
    """It was advised to look at the coordinates."""
    time = f"{year}-03-04 10:00:00"
    path = tmp_path / "a.csv"
    path.write_text(csv_text([row | {"observationDateTime": time} for row in as_rows(PINGS)]))
    with pytest.raises(InputError, match="time_limit") as caught:
        load_records([path], rules(MAPPING))
    assert "years of another calendar" in caught.value.mend


@pytest.mark.parametrize("offset", ["", "+00:00", "Z"])
def test_times_without_an_offset_need_a_named_zone(offset: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(CSV.replace("+05:30", offset))
    with pytest.raises(InputError, match="zone must be named") as caught:
        load_records([path], rules(zone=None))
    assert_tells(caught.value)


def test_one_time_without_an_offset_needs_a_named_zone(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(CSV.replace("+05:30", "", 1))
    with pytest.raises(InputError, match="zone must be named"):
        load_records([path], rules(zone=None))


def test_offsets_that_no_zone_has_need_a_named_zone(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(CSV.replace("+05:30", "+05:37", 1))
    with pytest.raises(InputError, match="No single zone") as caught:
        load_records([path], rules(zone=None))
    assert_tells(caught.value)


def test_no_file_at_all_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        load_records([], rules())
    assert_tells(caught.value)
