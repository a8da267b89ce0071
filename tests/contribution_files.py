"""Contribution files of a few rows, right and wrong: builders for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.contributions import Contributions, contributions_of
from core.contributions.file_write import write_contributions
from core.records.records import Records
from tests.records import SECRET, Ping, instant, make_records
from tests.strategies import RESOLUTION, window


def small_records() -> Records:
    """Three vehicles in one place, in an hour and the next."""
    start = instant("2022-01-01T10:00:00")
    return make_records(
        Ping(f"{SECRET} {step % 3}", start + step * 600_000, 21.17, 72.83, 3.5 * step) for step in range(9)
    )


def small_table() -> Contributions:
    """Three vehicles in one HAT and the next, on one day."""
    return contributions_of(small_records(), RESOLUTION, window(days=2))


def changed_file(tmp_path: Path, **columns: Any) -> Path:
    """The table with other columns; a function changes the list of a column."""
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    for name, new in columns.items():
        column = new(rows.column(name).to_pylist()) if callable(new) else new
        field = pa.field(name, column.type) if isinstance(column, pa.Array) else name
        rows = rows.set_column(rows.column_names.index(name), field, [column])
    pq.write_table(rows, path)
    return path


def second(change: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    """Change the second row only."""
    return lambda items: [items[0], change(items[1]), *items[2:]]
