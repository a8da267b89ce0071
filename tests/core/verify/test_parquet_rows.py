"""core.verify.parquet_rows: what Arrow writes is read; bombs and broken files are refused."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.signed.findings import Finding
from core.verify.parquet_rows import read_parquet_rows

ROWS = 50
TABLE = pa.table(
    {
        "text": ["one", "two", None, "three", ""] * 10,
        "number": pa.array([1.5, None] * 25),
        "whole": [*range(ROWS)],
        "bytes": [b"\0\xff"] * ROWS,
    }
).replace_schema_metadata({"told": "more"})


def packed(table: pa.Table = TABLE, **options: Any) -> bytes:
    content = io.BytesIO()
    pq.write_table(table, content, **({"compression": "zstd"} | options))
    return content.getvalue()


@pytest.mark.parametrize(
    "options",
    [{}, {"use_dictionary": False}, {"compression": "none"}, {"row_group_size": 7}, {"data_page_size": 64}],
)
def test_what_arrow_writes_is_read(options: dict[str, Any]) -> None:
    found = read_parquet_rows("one", packed(**options), ROWS)
    assert found.kinds == {"text": "string", "number": "double", "whole": "int64", "bytes": "binary"}
    assert found.columns == TABLE.to_pydict()
    assert found.metadata["told"] == b"more"


def test_columns_of_a_group_are_called_by_both_names() -> None:
    sides = pa.struct([pa.field(name, pa.float64(), nullable=False) for name in ("low", "high")])
    boxes = pa.array([None, {"low": 1.5, "high": 2.5}, {"low": -1.0, "high": 0.0}], sides)
    table = pa.table({"n": [1, 2, 3], "box": boxes, "text": ["a", "b", None]})
    found = read_parquet_rows("one", packed(table), 3)
    assert list(found.kinds) == ["n", "box.low", "box.high", "text"]
    assert found.columns["box.high"] == [None, 2.5, 0.0]
    assert found.columns["text"] == ["a", "b", None]


@pytest.mark.parametrize(
    "kind",
    [
        pa.struct([pa.field("low", pa.float64())]),
        pa.struct(
            [pa.field("in", pa.struct([pa.field("low", pa.float64(), nullable=False)]), nullable=False)]
        ),
        pa.list_(pa.float64()),
    ],
)
def test_groups_with_gaps_or_of_groups_are_refused(kind: pa.DataType) -> None:
    with pytest.raises(Finding, match="damaged Parquet file"):
        read_parquet_rows("one", packed(pa.table({"box": pa.array([None], kind)})), 1)


@given(
    st.lists(
        st.tuples(st.none() | st.text(max_size=3), st.none() | st.integers(-(2**63), 2**63 - 1)), min_size=1
    )
)
def test_any_rows_are_read(rows: list[tuple[str | None, int | None]]) -> None:
    table = pa.table(
        {
            "text": pa.array([one for one, _ in rows], pa.string()),
            "n": pa.array([n for _, n in rows], pa.int64()),
        }
    )
    assert read_parquet_rows("one", packed(table), len(rows)).columns == table.to_pydict()


REPEATED = pa.table({"text": ["x" * 30_000] * ROWS})
BOMBS = {
    "more rows than the table": (packed(pa.table({"number": [0] * 1_000_000})), "rows"),
    "pages that unpack to too much": (packed(REPEATED, use_dictionary=False), "damaged"),
    "prefixes that are repeated": (
        packed(REPEATED, use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY"}),
        "damaged",
    ),
    "another packing": (packed(compression="gzip"), "damaged"),
    "newer pages": (packed(data_page_version="2.0"), "damaged"),
    "nested columns": (packed(pa.table({"list": [[1]] * ROWS})), "damaged"),
    "a description of 1 MB": (packed(TABLE.replace_schema_metadata({"more": "x" * (1 << 20)})), "too large"),
    "no Parquet": (b"PAR1" + bytes(40) + b"PAR2", "not a Parquet"),
    "nothing": (b"", "not a Parquet"),
    "a footer of zeros": (b"PAR1" + bytes(40) + b"\x10\0\0\0PAR1", "damaged"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused(bomb: str) -> None:
    content, reason = BOMBS[bomb]
    with pytest.raises(Finding, match=reason):
        read_parquet_rows("one", content, ROWS)


@given(place=st.integers(0, len(packed()) - 1), bit=st.integers(0, 7))
@example(place=0, bit=0)
def test_a_flipped_bit_is_a_finding_or_a_file(place: int, bit: int) -> None:
    content = bytearray(packed())
    content[place] ^= 1 << bit
    with contextlib.suppress(Finding):
        found = read_parquet_rows("one", bytes(content), ROWS)
        assert all(len(values) == ROWS for values in found.columns.values())
