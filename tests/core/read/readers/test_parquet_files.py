"""Parquet: nested names, types that cannot be used, wide integers."""

from __future__ import annotations

import decimal
import gzip
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import InputError
from core.read.readers.parquet_files import READER
from core.store.load_records import load_records
from tests.records import (
    SECRET,
    assert_same,
    assert_tells,
    make_records,
    parquet_columns,
    rules,
    sample_pings,
    write_parquet,
)

PINGS = sample_pings()
COLUMNS = parquet_columns(PINGS)
NAMES = tuple(COLUMNS)


def test_preview_names_nested_fields_with_dots(tmp_path: Path) -> None:
    nested = pa.array([{"x": {"y": 1.5}, "z": [1, 2]}, None])
    preview = READER.preview(write_parquet(tmp_path / "a.parquet", {"plain": ["a", None], "deep": nested}))
    assert preview.columns == ("plain", "deep.x.y", "deep.z")
    assert preview.rows == (("a", "1.5", "[1, 2]"), ("", "", ""))


def test_number_types_read_as_their_numbers(tmp_path: Path) -> None:
    speeds = pa.array([decimal.Decimal(str(value)) for value in COLUMNS["speed"]], pa.decimal128(8, 2))
    path = write_parquet(tmp_path / "a.parquet", COLUMNS | {"speed": speeds})
    assert_same(load_records([path], rules()).records, make_records(PINGS))


@pytest.mark.parametrize("name", ["observationDateTime", "speed", "latitude"])
def test_an_integer_too_wide_for_a_double_is_one_bad_record(name: str, tmp_path: Path) -> None:
    numbers = {
        "observationDateTime": [ping.instant for ping in PINGS],
        "speed": [int(ping.value) for ping in PINGS],
        "latitude": [21] * len(PINGS),
    }[name]
    path = write_parquet(
        tmp_path / "a.parquet", COLUMNS | {name: pa.array([2**62 + 1, *numbers[1:]], pa.int64())}
    )
    report = load_records([path], rules()).report
    assert report.rows_used == len(PINGS) - 1
    assert sum(report.dropped.values()) == 1


def test_integers_as_ids_stay_what_they_are(tmp_path: Path) -> None:
    ids = pa.array([2**60 + 1] * len(PINGS), pa.int64())
    path = write_parquet(tmp_path / "a.parquet", COLUMNS | {"license_plate": ids})
    assert load_records([path], rules()).records.vehicles == (str(2**60 + 1),)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "column",
    [
        pytest.param([{SECRET: 1}] * len(PINGS), id="map"),
        pytest.param([[{"a": SECRET}]] * len(PINGS), id="list of structs"),
    ],
)
def test_a_column_of_an_unusable_type_is_refused(name: str, column: list[object], tmp_path: Path) -> None:
    kind = pa.map_(pa.string(), pa.int64()) if column[0] == {SECRET: 1} else None
    values = pa.array([list(cell.items()) for cell in column], kind) if kind else pa.array(column)  # type: ignore[attr-defined]
    path = write_parquet(tmp_path / "a.parquet", COLUMNS | {name: values})
    with pytest.raises(InputError, match=f"column '{name}' contains neither") as caught:
        load_records([path], rules())
    assert SECRET not in str(caught.value)


def test_a_type_that_does_not_fit_its_meaning_is_refused(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", COLUMNS | {"speed": pa.array([[1.5]] * len(PINGS))})
    with pytest.raises(InputError, match="type does not fit") as caught:
        load_records([path], rules())
    assert "speed: list" in caught.value.where


def test_a_file_without_rows_has_no_preview(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", {"a": pa.array([], pa.string())})
    with pytest.raises(InputError, match="holds no rows"):
        READER.preview(path)


def test_what_was_read_does_not_stay_in_memory(tmp_path: Path) -> None:
    path, before = tmp_path / "a.parquet", pa.total_allocated_bytes()
    with pq.ParquetWriter(path, pa.schema([("value", pa.int64())])) as writer:
        for seed in range(40):
            numbers = np.random.default_rng(seed).integers(0, 2**62, 50_000)
            writer.write_table(pa.table({"value": numbers}))
    most = max(pa.total_allocated_bytes() - before for _ in READER.batches(path, ["value"]))
    assert most < path.stat().st_size / 2


@pytest.mark.parametrize("compression", ["snappy", "zstd", "brotli", "gzip"])
def test_texts_that_repeat_stay_dictionaries(compression: str, tmp_path: Path) -> None:
    columns = {"plate": ["a", "b", None] * 500, "note": [f"text {n}" for n in range(1500)]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet", compression=compression)
    (batch,) = READER.batches(tmp_path / "a.parquet", ["plate", "note"])
    assert batch.table.schema.types == [pa.dictionary(pa.int32(), pa.string()), pa.string()]
    assert batch.table.column("plate").cast(pa.string()).to_pylist() == columns["plate"]
    assert batch.table.column("note").to_pylist() == columns["note"]


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.string()])
def test_every_type_of_text_is_text(kind: pa.DataType, tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", {"a": pa.array(["x", None], kind)})
    (batch,) = READER.batches(path, ["a"])
    assert batch.table.column("a").type == pa.string()
    assert batch.table.column("a").to_pylist() == ["x", None]


def test_packed_parquet_has_a_limit_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.read.input_files.read_whole.__defaults__", (1 << 20,))
    (tmp_path / "a.parquet.gz").write_bytes(gzip.compress(b"PAR1" + bytes(1 << 20)))
    with pytest.raises(InputError, match="more than 1 MiB unpacked") as caught:
        READER.preview(tmp_path / "a.parquet.gz")
    assert_tells(caught.value)


@pytest.mark.parametrize("zone", [None, "UTC"])
@pytest.mark.parametrize(("unit", "instant"), [("us", 2**62), ("us", -(2**62)), ("ms", 2**62)])
def test_an_instant_beyond_all_calendars_is_an_empty_cell(
    zone: str | None, unit: str, instant: int, tmp_path: Path
) -> None:
    instants = pa.array([instant, 10**9], pa.int64()).cast(pa.timestamp(unit, zone))
    pq.write_table(pa.table({"time": instants}), tmp_path / "a.parquet")
    beyond, within = READER.preview(tmp_path / "a.parquet").column("time")
    assert beyond == ""
    assert within.startswith("1970-01-")


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX are bytes")
def test_the_name_of_a_file_need_not_be_text(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", COLUMNS)
    named = path.rename(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.parquet"))
    assert_same(load_records([named], rules()).records, make_records(PINGS))


def test_a_column_whose_name_is_no_text_is_told(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", {"speed": [1.5]})
    path.write_bytes(path.read_bytes().replace(b"speed", b"\x96\x8feed"))
    with pytest.raises(InputError, match="not readable Parquet"):
        READER.preview(path)


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())]
)
def test_a_cell_that_is_no_text_is_empty_and_stops_no_other(tmp_path: Path, kind: pa.DataType) -> None:
    """Its bytes may be called a text all the same."""
    plain = pa.array([b"2022-01-03T09:00:00", b"2022\xc8", None] * 500, pa.binary())
    texts = pa.Array.from_buffers(pa.string(), len(plain), plain.buffers())
    column = plain if kind == pa.binary() else texts.view(pa.string())
    if kind == pa.large_string():
        column = plain.cast(pa.large_binary()).view(pa.large_string())
    if pa.types.is_dictionary(kind):
        values = pa.Array.from_buffers(pa.string(), 2, plain[:2].buffers())
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None] * 500, pa.int32()), values)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"time": column}), path)
    (batch,) = READER.batches(path, ["time"])
    cells = batch.table.column("time").to_pylist()
    assert cells == ["2022-01-03T09:00:00", None, None] * 500
