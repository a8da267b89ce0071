"""Rows in another order keep their values; the table as it was read has the ids and the order of then."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.contributions.row_order import reordered, table_as_read
from tests.contribution_files import small_table
from tests.records import assert_same
from tests.strategies import contributions


@given(contributions(), st.randoms(use_true_random=False))
def test_rows_keep_their_values_in_any_order(table: Contributions, draw: object) -> None:
    rows = np.random.default_rng(draw.getrandbits(32)).permutation(table.hat.size)  # type: ignore[attr-defined]
    there = reordered(table, rows)
    for place, row in enumerate(rows.tolist()):
        values = table.values[table.start[row] : table.start[row + 1]]
        assert there.values[there.start[place] : there.start[place + 1]].tolist() == values.tolist()
        assert (there.hat[place], there.vehicle[place], there.day[place]) == (
            table.hat[row],
            table.vehicle[row],
            table.day[row],
        )
    assert_same(reordered(there, np.argsort(rows)), table)


def test_a_table_whose_ids_were_read_as_they_are_was_no_other() -> None:
    table = small_table()
    assert table_as_read(table) is None
    first = table.vehicles[int(table.vehicle[0])]
    assert table_as_read(dataclasses.replace(table, other_texts={first: ("x", "y")})) is None
    last = dataclasses.replace(table, other_texts={first: ("zz last",)})
    there = table_as_read(last)
    assert there is not None
    assert there.vehicles == (*(name for name in table.vehicles if name != first), "zz last")
    key = [there.hat.tolist(), there.vehicle.tolist(), there.day.tolist()]
    assert sorted(zip(*key, strict=True)) == list(zip(*key, strict=True))
    assert sorted(there.values[:].tolist()) == sorted(table.values[:].tolist())
