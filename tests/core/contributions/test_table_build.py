"""Blocks of several parts become one table, whatever their order and codes."""

from __future__ import annotations

import dataclasses
import datetime as dt
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from core.contributions.file_columns import Block, Rows, read_block
from core.contributions.file_facts import facts_of
from core.contributions.file_write import write_contributions
from core.contributions.table_build import TableBuild
from core.errors import InputError
from tests.contribution_files import small_table
from tests.records import assert_same, assert_tells

FACTS = facts_of(small_table(), set())


def _blocks(tmp_path: Path) -> list[Block]:
    """A block of each row."""
    write_contributions(small_table(), tmp_path / "table.parquet")
    with pq.ParquetFile(tmp_path / "table.parquet") as file:
        return [read_block(batch, FACTS, Rows("", 1)) for batch in file.iter_batches(batch_size=1)]


def _built(blocks: list[Block], dates: tuple[dt.date, ...] = FACTS.window.dates) -> TableBuild:
    build = TableBuild(FACTS.window, FACTS)
    for number, block in enumerate(blocks):
        build.add(block, Rows(f"part-{number}", 1), dates)
    return build


def test_blocks_in_any_order_are_the_table(tmp_path: Path) -> None:
    blocks = _blocks(tmp_path)
    assert len(blocks) > 2
    for order in (blocks, blocks[::-1]):
        assert_same(_built(order).table(), small_table())


def test_vehicles_without_a_row_are_named_once(tmp_path: Path) -> None:
    build = _built(_blocks(tmp_path))
    for _ in range(2):
        build.add_others(("zz nobody", small_table().vehicles[0]))
    assert build.table().vehicles == (*small_table().vehicles, "zz nobody")


def test_rows_of_other_dates_are_left_out_with_their_vehicles(tmp_path: Path) -> None:
    later = tuple(date + dt.timedelta(days=1) for date in FACTS.window.dates[-1:] * 2)
    build = _built(_blocks(tmp_path), later)
    assert build.empty
    table = build.table()
    assert (table.hats, len(table.values), table.vehicles) == (0, 0, ())
    assert table.start.tolist() == [0]


def test_a_row_twice_is_told_with_both_places(tmp_path: Path) -> None:
    blocks = _blocks(tmp_path)
    with pytest.raises(InputError, match="Two rows") as caught:
        _built([*blocks, blocks[1]]).table()
    assert caught.value.where == f"part-1, row 1 and part-{len(blocks)}, row 1"
    assert_tells(caught.value)


def test_columns_are_as_narrow_as_the_table_has_them(tmp_path: Path) -> None:
    table = _built(_blocks(tmp_path)).table()
    assert table.values[:].dtype == np.int32
    kinds = [column.dtype for column in (table.slot, table.day, table.hat, table.vehicle, table.start)]
    assert kinds == [np.int16, np.int16, np.int32, np.int32, np.int64]


def _written(block: Block, *names: str) -> Block:
    return dataclasses.replace(block, names=list(names))


def test_rows_of_ids_that_fold_together_are_one_row(tmp_path: Path) -> None:
    """Its values come in the order of what was written, wherever the rows stand; visits add up."""
    block = _blocks(tmp_path)[0]
    assert block.visits is not None
    one = _written(block, "bus 7")
    other = dataclasses.replace(_written(block, "ｂｕｓ  7"), values=block.values + 1)
    tables = [_built(order).table() for order in ([one, other], [other, one])]
    for table in tables:
        assert (table.vehicles, table.vehicle.tolist(), table.hats) == (("bus 7",), [0], 1)
        assert table.values[:].tolist() == [*block.values.tolist(), *(block.values + 1).tolist()]
        assert table.start.tolist() == [0, 2 * block.values.size]
        assert table.visits is not None
        assert table.visits.tolist() == [2 * int(block.visits[0])]
        assert table.other_texts == {"bus 7": ("ｂｕｓ  7",)}
    with pytest.raises(InputError, match="Two rows"):
        _built([one, other, other]).table()


def test_a_vehicle_without_a_row_is_the_one_with_rows_if_their_ids_fold_together(tmp_path: Path) -> None:
    build = _built([_written(_blocks(tmp_path)[0], "bus 7")])
    build.add_others(("bus  7",))
    build.add_texts({"bus 7": ("ｂｕｓ 7",)})
    table = build.table()
    assert table.vehicles == ("bus 7",)
    assert table.other_texts == {"bus 7": ("bus  7", "ｂｕｓ 7")}
