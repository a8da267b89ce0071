"""Which rows of finer hexagons lie in that of a coarser one, which is of what they leave (method 3.2)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from h3.api import basic_str

from core.hats.joined_cells import spanned_cells

REST = "rest"
"""The column that says so, `true` or `false`."""
CellRow = tuple[str, Hashable]
"""Cell, and what tells rows of one cell apart: timeslot and labels."""


def finer_rows(rows: Iterable[CellRow]) -> dict[CellRow, frozenset[str]]:
    """Row -> the finer cells of rows of the same timeslot and labels that lie in its cell, at least partly.

    By the rows alone, so that everybody can see it; suppressed ones count too, as their records do.
    """
    listed = [*dict.fromkeys(rows)]
    inside: dict[CellRow, set[str]] = {row: set() for row in listed}
    levels = sorted({basic_str.get_resolution(cell) for cell, _ in listed})
    around = {cell: _around(cell, levels) for cell, _ in listed}
    for cell, apart in listed:
        for coarser in around[cell]:
            if (coarser, apart) in inside:
                inside[coarser, apart].add(cell)
    return {row: frozenset(found) for row, found in inside.items()}


def _around(cell: str, levels: Sequence[int]) -> list[str]:
    """The cells of coarser levels that a cell lies in."""
    number, own = basic_str.str_to_int(cell), basic_str.get_resolution(cell)
    found = (one for level in levels if level < own for one in spanned_cells(number, level))
    return [basic_str.int_to_str(one) for one in found]
