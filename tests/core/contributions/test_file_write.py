"""Writing a contribution file: private, whole or absent, in the documented columns."""

from __future__ import annotations

import dataclasses
import os
import stat
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.contributions import contributions_of
from core.contributions.file_facts import TABLE_SCHEMA, VISITS
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions, write_partitioned
from core.errors import InputError
from core.hats.slots import ALL, SlotLength
from core.progress import Cancelled
from tests.contribution_files import small_records, small_table
from tests.records import assert_same
from tests.strategies import RESOLUTION, window


def test_a_file_is_private_and_replaces_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    path.write_bytes(b"old")
    write_contributions(small_table(), path)
    assert_same(read_contributions(path), small_table())
    assert [item.name for item in tmp_path.iterdir()] == ["table.parquet"]
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("hours", "length", "starts"),
    [
        (("09:30", "12:30"), 60, {570, 630}),
        (("09:30", "13:30"), 240, {570}),
        (("05:20", "21:00"), ALL, {320}),
        (("09:50", "10:35"), 15, {590, 605, 620}),
    ],
)
def test_slots_counted_from_the_start_come_back(
    tmp_path: Path, hours: tuple[str, str], length: SlotLength, starts: set[int]
) -> None:
    path = tmp_path / "table.parquet"
    table = contributions_of(small_records(), RESOLUTION, window(days=2, hours=hours, slot_minutes=length))
    write_contributions(table, path)
    assert set(pq.read_table(path).column("slot_start").to_pylist()) == starts
    assert_same(read_contributions(path), table)


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


def test_a_folder_of_parts_is_private_and_named_as_engines_name_them(tmp_path: Path) -> None:
    """A part for each date of the window, with rows or without; vehicles without rows are told once."""
    table = dataclasses.replace(small_table(), vehicles=(*small_table().vehicles, "zz nobody"))
    write_partitioned(table, tmp_path / "table", ("date", "resolution"), physical=(0, 200_000))
    parts = sorted((tmp_path / "table").rglob("*.parquet"))
    assert [path.relative_to(tmp_path / "table").as_posix() for path in parts] == [
        f"resolution={RESOLUTION}/date=2022-01-0{day}/part-0.parquet" for day in (1, 2)
    ]
    assert [pq.read_metadata(path).num_rows for path in parts] == [table.hat.size, 0]
    told = [pq.read_schema(path).metadata for path in parts]
    assert [one[b"dates"] for one in told] == [b"2022-01-01/2022-01-01", b"2022-01-02/2022-01-02"]
    assert [one[b"other_vehicles"] for one in told] == [b'["zz nobody"]', b"[]"]
    assert {one[b"physical_max"] for one in told} == {b"200000"}
    assert_same(read_contributions(tmp_path / "table"), table)
    if os.name != "nt":
        modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "table").rglob("*")}
        assert modes == {0o600, 0o700}
        assert stat.S_IMODE((tmp_path / "table").stat().st_mode) == 0o700


def test_values_that_a_file_gave_are_written_by_date(tmp_path: Path) -> None:
    """They lie in an array here, in runs where records gave them; a slice of a table read has both."""
    table = small_table()
    plain = dataclasses.replace(table, values=table.values[:])
    write_partitioned(plain, tmp_path / "table", ("date",))
    write_partitioned(read_contributions(tmp_path / "table"), tmp_path / "again", ("date",))
    assert_same(read_contributions(tmp_path / "again"), table)


def test_a_folder_is_whole_or_absent_and_never_over_another(tmp_path: Path) -> None:
    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        write_partitioned(small_table(), tmp_path / "table", ("date",), stop)
    assert not list(tmp_path.iterdir())
    write_partitioned(small_table(), tmp_path / "table", ("date",))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match="already"):
        write_partitioned(small_table(), tmp_path / "table", ("date",))
    with pytest.raises(InputError, match="cannot be written"):
        write_partitioned(small_table(), tmp_path / "absent" / "table", ("date",))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("by", [(), ("vehicle",), ("date", "date")])
def test_partitions_that_are_none_are_refused(tmp_path: Path, by: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="by resolution and date"):
        write_partitioned(small_table(), tmp_path / "table", by)
    assert not list(tmp_path.iterdir())
