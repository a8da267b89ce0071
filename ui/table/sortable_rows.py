"""What rows are sorted, found and filtered by: made in a worker, since a hundred thousand take a while."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_rounding import at_a_glance
from ui.session.marked_hats import Hat
from ui.table.rows import HatRows

PLACE_KEY: Final = "place"
"""Key of the column of names."""
_MOST_DECIMALS = 3
"""Of epsilons at a glance; tiny ones, which have more, would draw zeros behind all others."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SortableRows:
    """Rows, and what follows from all of them."""

    rows: HatRows
    hats: tuple[Hat, ...]
    place: Mapping[Hat, int]
    """HAT -> its row."""
    hexagons: tuple[str, ...]
    """Each once, sorted; `keys["hexagon"]` counts them."""
    keys: Mapping[str, NDArray[np.float64]]
    """Column -> shape (R,), what it is sorted by."""
    epsilon_decimals: int = 0
    """That every epsilon is shown with at least: their points stand below each other."""
    known: tuple[str, bool] = ("", False)
    """A column, and whether downwards."""
    known_order: NDArray[np.int64] | None = None
    """Shape (R,): the rows by it; None of no column."""

    def order(self, key: str, *, descending: bool) -> NDArray[np.int64]:
        """Every row in order; what has no number comes last either way, ties by hexagon, then slot."""
        if self.known == (key, descending) and self.known_order is not None:
            return self.known_order
        column = -self.keys[key] if descending else self.keys[key]
        return np.lexsort((self.keys["slot"], self.keys["hexagon"], column))


def sortable(rows: HatRows, wanted: tuple[str, bool] = ("", False)) -> SortableRows:
    """For a worker. wanted: a column whose order will be asked for, and whether downwards.

    No step holds Python's lock for long: what is filled in Python is filled piece by piece.
    """
    hats = tuple((cell, slot) for cell, slot in zip(rows.cells, rows.slots.tolist(), strict=True))
    hexagons = tuple(sorted(set(rows.cells)))
    code = {cell: float(number) for number, cell in enumerate(hexagons)}
    found = SortableRows(
        rows=rows,
        hats=hats,
        place={hat: row for row, hat in enumerate(hats)},
        hexagons=hexagons,
        keys={
            **rows.numbers,
            "slot": rows.slots.astype(float),
            "hexagon": np.fromiter((code[cell] for cell in rows.cells), float, len(rows)),
            PLACE_KEY: _ranks(rows),
            "status": -rows.status.astype(float),
        },
        epsilon_decimals=_decimals(rows.numbers["epsilon"]),
    )
    key, descending = wanted
    if key not in found.keys:
        return found
    return replace(found, known=wanted, known_order=found.order(key, descending=descending))


def planned_epsilon(number: float) -> Decimal:
    """As it was planned: in millionths."""
    return Decimal(f"{number:.6f}")


def _decimals(epsilons: NDArray[np.float64]) -> int:
    """The most that any of them has at a glance, as far as `_MOST_DECIMALS`."""
    most = 0
    for number in np.unique(epsilons[np.isfinite(epsilons)]).tolist():
        exponent = at_a_glance(planned_epsilon(number)).normalize().as_tuple().exponent
        most = max(most, -int(exponent))
        if most >= _MOST_DECIMALS:
            return _MOST_DECIMALS
    return most


def _ranks(rows: HatRows) -> NDArray[np.float64]:
    """Where the name of each row stands among all names; what has none comes last."""
    if not rows.places:
        return np.full(len(rows), np.nan)
    folded = [place.casefold() for place in rows.places]
    ranks = {name: float(rank) for rank, name in enumerate(sorted(set(folded)))} | {"": np.nan}
    return np.fromiter((ranks[name] for name in folded), float, len(folded))
