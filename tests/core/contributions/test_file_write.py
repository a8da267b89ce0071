"""Writing a contribution file: private, whole or absent, in the documented columns."""

from __future__ import annotations

import dataclasses
import os
import stat
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.contributions.file_facts import TABLE_SCHEMA, VISITS
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions
from core.errors import InputError
from core.progress import Cancelled
from tests.contribution_files import small_table
from tests.records import assert_same


def test_a_file_is_private_and_replaces_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    path.write_bytes(b"old")
    write_contributions(small_table(), path)
    assert_same(read_contributions(path), small_table())
    assert [item.name for item in tmp_path.iterdir()] == ["table.parquet"]
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        write_contributions(small_table(), tmp_path / "table.parquet", stop)
    assert list(tmp_path.iterdir()) == []


def test_the_columns_are_those_of_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    assert rows.schema.remove_metadata().equals(TABLE_SCHEMA.append(VISITS))
    assert rows.column("slot_start").to_pylist() == [600, 600, 600, 660, 660, 660]
    assert rows.column("count").to_pylist() == [len(found) for found in rows.column("values").to_pylist()]
    assert rows.column("sum").to_pylist() == [sum(found) for found in rows.column("values").to_pylist()]
    assert rows.column("values").to_pylist()[0] == [0, 10_500]
    assert rows.column("visits").to_pylist() == [1] * 6
    timeless = dataclasses.replace(small_table(), visits=None)
    write_contributions(timeless, path)
    assert pq.read_table(path).schema.remove_metadata().equals(TABLE_SCHEMA)
    assert_same(read_contributions(path), timeless)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_contributions(small_table(), tmp_path / "absent" / "table.parquet")
