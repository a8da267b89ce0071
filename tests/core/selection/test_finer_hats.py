"""core.selection.finer_hats: every rule chooses finer hexagons as it chooses others."""

from __future__ import annotations

import h3

from core.contributions import contributions_of
from core.selection.base import SelectionRequest
from core.selection.finer_hats import counted_where_chosen
from core.selection.registry import select
from tests.core.contributions.test_finest_cells import expected_rows, rows_of
from tests.mixed_city import MIXED, WINDOW, counted_by_hand, drives
from tests.records import make_records


def test_rules_choose_among_finer_hexagons_as_among_others() -> None:
    pings = drives(3)
    joined = contributions_of(make_records(pings), 8, WINDOW, choice=MIXED)
    plain = contributions_of(make_records(pings), 8, WINDOW)
    every = SelectionRequest(rule="every-slot", threshold=1)
    chosen = select(plain, every)
    table = counted_where_chosen(joined, every)
    fine = [h3.get_resolution(h3.int_to_str(int(cell))) == 8 for cell in table.cell]
    assert table.cell[fine].tolist() == chosen.cell.tolist()
    assert {*chosen.cell.tolist()} < {*plain.cell.tolist()}
    assert {*select(table, every).cell.tolist()} >= {*chosen.cell.tolist()}
    # a list names cells of both; a record counts in the finest that holds it
    some = int(plain.cell[0])
    coarse = int(h3.str_to_int(h3.latlng_to_cell(pings[0].latitude, pings[0].longitude, 6)))
    listed = counted_where_chosen(joined, SelectionRequest(rule="cells", cells=(coarse, some)))
    by_hand = counted_by_hand(pings, (6, 8), lambda cell, *_: cell == h3.int_to_str(some))
    assert rows_of(listed) == expected_rows(by_hand)
    none = counted_where_chosen(joined, None)
    assert none.cell.tolist() == contributions_of(make_records(pings), 6, WINDOW).cell.tolist()
