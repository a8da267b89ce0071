"""A contribution file comes back as it was written, whatever the order and types of its rows."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import h3
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.contributions import Contributions, contributions_of
from core.contributions import file_read as module
from core.contributions import table as tables
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions
from core.errors import InputError
from core.progress import Cancelled
from tests.contribution_files import changed_file, small_table
from tests.records import Ping, assert_same, instant, make_records
from tests.strategies import RESOLUTION, contributions, pings, window

PER_EXAMPLE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@PER_EXAMPLE
@given(pings(max_size=40), st.integers(1, 5), st.integers(1, 5))
def test_what_is_written_comes_back(tmp_path: Path, found: list[Ping], few: int, rows: int) -> None:
    """Vehicles without a record in the window too."""
    inside = [*found, Ping("Bus 9", instant("2022-01-01T10:00:00"), 21.17, 72.83, 5.0)]
    table = contributions_of(make_records(inside), RESOLUTION, window(days=2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK_VALUES", few)
        write_contributions(table, tmp_path / "table.parquet")
        patch.setattr(module, "_ROWS", rows)
        assert_same(read_contributions(tmp_path / "table.parquet"), table)


@PER_EXAMPLE
@given(contributions(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(tmp_path: Path, table: Contributions, random: Any) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(table, path)
    rows = pq.read_table(path)
    order = list(range(rows.num_rows))
    random.shuffle(order)
    pq.write_table(rows.take(order), path)
    assert_same(read_contributions(path), table)


def test_other_types_of_the_same_content_are_read(tmp_path: Path) -> None:
    path = changed_file(
        tmp_path,
        cell=lambda cells: [f" {h3.int_to_str(cell).upper()}" for cell in cells],
        slot_start=lambda starts: [f"{start // 60:02d}:00" for start in starts],
        vehicle=lambda names: pa.array([f" {name.upper()} " for name in names]).dictionary_encode(),
        date=lambda dates: [str(date) for date in dates],
        count=lambda counts: pa.array(counts, pa.uint16()),
        sum=lambda sums: pa.array(map(float, sums), pa.float64()),
        values=lambda lists: pa.array(lists, pa.large_list(pa.int64())),
    )
    assert_same(read_contributions(path), small_table())


def test_dates_that_pandas_wrote_as_midnights_are_read(tmp_path: Path) -> None:
    path = changed_file(tmp_path, date=lambda dates: pa.array(dates, pa.date32()).cast(pa.timestamp("ns")))
    assert_same(read_contributions(path), small_table())


def test_a_table_of_the_first_version_has_no_visits(tmp_path: Path) -> None:
    """Whatever a column of that name may mean there."""
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    pq.write_table(
        rows.replace_schema_metadata(rows.schema.metadata | {b"hexveil_contributions": b"1"}), path
    )
    assert_same(read_contributions(path), dataclasses.replace(small_table(), visits=None))


def test_a_row_twice_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    pq.write_table(rows.take([*range(rows.num_rows), 1]), path)
    with pytest.raises(InputError, match="Two rows") as caught:
        read_contributions(path)
    assert str(caught.value.where).endswith(f"row {rows.num_rows + 1}")


def test_a_file_without_rows_or_columns_or_no_parquet_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    pq.write_table(rows.slice(0, 0), path)
    with pytest.raises(InputError, match="no rows"):
        read_contributions(path)
    empty = read_contributions(path, empty_allowed=True)
    assert (empty.hats, len(empty.values), empty.start.tolist()) == (0, 0, [0])
    assert empty.window == small_table().window
    pq.write_table(rows.drop_columns(["sum"]), path)
    with pytest.raises(InputError, match="no column sum"):
        read_contributions(path)
    twice = pa.Table.from_arrays([*rows.columns, rows.column("count")], names=[*rows.column_names, "count"])
    pq.write_table(twice.replace_schema_metadata(rows.schema.metadata), path)
    with pytest.raises(InputError, match="more than one column count"):
        read_contributions(path)
    twice = pa.Table.from_arrays([*rows.columns, rows.column("count")], names=[*rows.column_names, "visits"])
    pq.write_table(twice.replace_schema_metadata(rows.schema.metadata), path)
    with pytest.raises(InputError, match="more than one column visits"):
        read_contributions(path)
    path.write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match="no readable Parquet"):
        read_contributions(path)
    with pytest.raises(InputError, match="no such file"):
        read_contributions(tmp_path / "absent.parquet")


def test_values_are_read_as_integers_of_32_bits(tmp_path: Path) -> None:
    write_contributions(small_table(), tmp_path / "table.parquet")
    found = read_contributions(tmp_path / "table.parquet")
    assert found.values[:].dtype == np.int32
    assert repr(found).startswith("<confidential Contributions: ")


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    write_contributions(small_table(), tmp_path / "table.parquet")
    with pytest.raises(Cancelled):
        read_contributions(tmp_path / "table.parquet", stop)
