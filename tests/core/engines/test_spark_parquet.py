"""What travels as the file stores it is in a worker what the reader of Parquet makes of the file."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.engines.spark_parquet import Carriers, carriers_of, restored, spark_schema
from core.errors import InputError
from core.read.reader_registry import reader_for

NOON = dt.datetime.fromisoformat("2022-01-03T12:00:00.123456")
STORED: dict[str, tuple[pa.Array, str]] = {
    "small": (pa.array([1, None, -3], pa.int8()), "int"),
    "large": (pa.array([2**63 + 5, None, 1], pa.uint64()), "bigint"),
    "half": (pa.array([2**31 + 5, None, 1], pa.uint32()), "int"),
    "single": (pa.array([1.5, None, float("inf")], pa.float32()), "float"),
    "text": (pa.array(["a", None, "ü"], pa.string()), "string"),
    "long text": (pa.array(["a", None, "ü"], pa.large_string()), "string"),
    "codes": (pa.array(["a", None, "a"]).dictionary_encode(), "string"),
    "bytes": (pa.array([b"a", None, b"b"], pa.binary()), "binary"),
    "flag": (pa.array([True, None, False]), "boolean"),
    "day": (pa.array([dt.date(2022, 1, 3), None, dt.date(1969, 1, 1)]), "int"),
    "ns": (pa.array([NOON, None, NOON], pa.timestamp("ns")), "bigint"),
    "ms": (
        pa.array([NOON.replace(microsecond=0), None, NOON.replace(microsecond=0)], pa.timestamp("ms", "UTC")),
        "bigint",
    ),
    "us": (pa.array([NOON, None, NOON], pa.timestamp("us", "Asia/Kolkata")), "bigint"),
    "list": (pa.array([[1.5, 2.0], None, [3.0, None]], pa.list_(pa.float64())), "array<double>"),
    "a.b": (pa.array(["x", "y", None]), "string"),
}
"""Columns, and what Spark reads each as."""
_RAW = {"int": pa.int32(), "bigint": pa.int64(), "float": pa.float32(), "string": pa.string()}


def _travelled(column: pa.Array, kind: str) -> pa.Array:
    """The column as Spark hands it to a worker: numbers as they stand in the file."""
    if kind not in ("int", "bigint"):
        return column.cast(_RAW.get(kind, column.type))
    whole: Any = column
    if pa.types.is_signed_integer(column.type):
        return column.cast(_RAW[kind])
    return whole.view(_RAW[kind])


def _written(folder: Path, columns: dict[str, pa.Array]) -> Path:
    path = folder / "x.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def _carriers(path: Path, names: list[str]) -> Carriers | None:
    with pq.ParquetFile(path) as file:
        return carriers_of(file, names, str(path))


def test_every_type_comes_back(tmp_path: Path) -> None:
    path = _written(tmp_path, {name: column for name, (column, _) in STORED.items()})
    carriers = _carriers(path, list(STORED))
    assert carriers is not None
    assert [carrier.kind for carrier in carriers] == [kind for _, kind in STORED.values()]
    assert "`a.b` string" in spark_schema(carriers)
    travelled = pa.record_batch(
        [_travelled(column, kind) for column, kind in STORED.values()], names=list(STORED)
    )
    back = restored(travelled, carriers, str(path))
    (batch,) = reader_for(path).batches(path, list(STORED))
    assert back.equals(batch.table)


def test_nested_fields_are_named_with_dots(tmp_path: Path) -> None:
    place = pa.array(
        [{"lat": 1.0, "on": {"x": 1}}],
        pa.struct([("lat", pa.float64()), ("on", pa.struct([("x", pa.int64())]))]),
    )
    carriers = _carriers(_written(tmp_path, {"at": place}), ["at.lat", "at.on.x"])
    assert carriers is not None
    assert spark_schema(carriers) == "`at` struct<`lat`: double, `on`: struct<`x`: bigint>>"


@pytest.mark.parametrize(
    "column",
    [pa.array([dt.time(1)]), pa.array([1], pa.decimal128(10, 2)), pa.array([b"ab"], pa.binary(2))],
)
def test_what_has_no_way_goes_whole(column: pa.Array, tmp_path: Path) -> None:
    assert _carriers(_written(tmp_path, {"a": column, "b": pa.array(["x"])}), ["b", "a"]) is None


def test_old_timestamps_go_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": pa.array([NOON])}), path, use_deprecated_int96_timestamps=True)
    assert _carriers(path, ["a"]) is None


def test_a_column_that_is_missing_or_holds_structures_is_refused(tmp_path: Path) -> None:
    path = _written(tmp_path, {"a": pa.array([[(1, 2)]], pa.map_(pa.int64(), pa.int64()))})
    for name in ("a", "b"):
        with pytest.raises(InputError, match=f"'{name}'"):
            _carriers(path, [name])
