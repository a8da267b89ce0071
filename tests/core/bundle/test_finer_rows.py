"""core.bundle.finer_rows: which rows of finer hexagons lie in a row of a coarser one."""

from __future__ import annotations

import h3

from core.bundle.finer_rows import finer_rows
from core.hats.joined_cells import spanned_cells
from tests.mixed_city import crossed


def test_a_shared_hexagon_lies_in_both_and_only_in_its_own_timeslot() -> None:
    fine = h3.latlng_to_cell(*crossed(), 8)
    one, other = (h3.int_to_str(cell) for cell in sorted(spanned_cells(h3.str_to_int(fine), 6)))
    away = next(cell for cell in h3.grid_ring(one, 2) if cell != other)
    middle = h3.latlng_to_cell(*crossed(), 7)
    rows = [(cell, slot) for slot in (9, 10) for cell in (one, other, away)] + [(fine, 9), (middle, 10)]
    found = finer_rows(rows)
    assert found[one, 9] == found[other, 9] == {fine}
    assert found[one, 10] | found[other, 10] == {middle}
    assert found[away, 9] == found[away, 10] == found[fine, 9] == frozenset()
    assert finer_rows([(fine, 9), (middle, 9), (one, 9)])[middle, 9] == {fine}
    assert finer_rows([(one, 9), (other, 9)]) == {(one, 9): frozenset(), (other, 9): frozenset()}
