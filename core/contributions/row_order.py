"""The rows of a contribution table in another order; values stay where they are."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from core.contributions.order import order_of
from core.contributions.table import Contributions
from core.contributions.values import RunValues, run_values


def reordered(contributions: Contributions, rows: NDArray[np.int64]) -> Contributions:
    """The same rows in that order, which none but their writer or reader need know."""
    return dataclasses.replace(
        contributions,
        hat=contributions.hat[rows],
        vehicle=contributions.vehicle[rows],
        day=contributions.day[rows],
        start=np.concatenate(([0], np.cumsum(contributions.counts[rows]))),
        values=_values_of_rows(contributions, rows),
        visits=None if contributions.visits is None else contributions.visits[rows],
    )


def table_as_read(contributions: Contributions) -> Contributions | None:
    """The table as it was while ids were trimmed and case-folded alone; None where that is this table.

    None also where a vehicle with rows was read as several texts: it was several vehicles then.
    """
    texts = contributions.other_texts
    several = {name for name, found in texts.items() if len(found) > 1}
    present = np.unique(contributions.vehicle).tolist()
    if not texts or any(contributions.vehicles[code] in several for code in present):
        return None
    names = [texts.get(name, (name,))[0] for name in contributions.vehicles]
    order = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size)
    renamed = dataclasses.replace(
        contributions,
        vehicles=tuple(names[code] for code in order.tolist()),
        vehicle=rank[contributions.vehicle],
        other_texts={},
    )
    return reordered(renamed, order_of(renamed.hat, renamed.vehicle, renamed.day))


def _values_of_rows(contributions: Contributions, rows: NDArray[np.int64]) -> RunValues:
    values, start = contributions.values, contributions.start
    if not isinstance(values, RunValues):
        return run_values(values[:], start[rows], contributions.counts[rows])
    first = np.searchsorted(values.before, start[rows])
    many = np.searchsorted(values.before, start[rows + 1]) - first
    run = np.repeat(first - (np.cumsum(many) - many), many) + np.arange(many.sum())
    return run_values(values.source, values.first[run], np.diff(values.before)[run])
