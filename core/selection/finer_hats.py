"""Which hexagon slots of a finer resolution take their records from the coarser ones (method 3.2)."""

from __future__ import annotations

import numpy as np

from core.arrays import Ints
from core.contributions import Contributions
from core.contributions.finest_cells import in_finest_cells
from core.selection.base import SelectionRequest
from core.selection.registry import require_rule


def counted_where_chosen(contributions: Contributions, request: SelectionRequest | None) -> Contributions:
    """The table with each record in the finest hexagon slot that the rule chooses, else in its coarsest one.

    request: None where nothing is chosen yet: then in its coarsest one.

    One of hexagons alike stays as it is. What is chosen of the result is what was chosen here, and of the
    coarsest hexagons what the rule chooses of the rest. Raises InputError for a rule that lacks something.
    """
    return in_finest_cells(contributions, lambda table: _chosen(table, request))


def _chosen(table: Contributions, request: SelectionRequest | None) -> Ints:
    if request is None:
        return np.zeros(0, np.int64)
    if request.cells:
        return np.flatnonzero(np.isin(table.cell, np.array(request.cells, np.uint64)))
    return require_rule(request.rule).select(table, request).index
