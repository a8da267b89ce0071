"""From the hexagons of each resolution to the one in which a record counts (method 3.2).

A record counts in its finest hexagon slot that is chosen, else in its coarsest one. What is behind this step
knows one hexagon of each record, whatever its size.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.contributions.order import order_of
from core.contributions.table import Contributions, changes
from core.contributions.values import RunValues, run_values
from core.hats.joined_cells import cells_of_texts
from core.hats.places import HEXAGONS

ChooseHats = Callable[[Contributions], Ints]
"""Numbers of the chosen HATs of a table whose hexagons are of one resolution; none where none is."""


def in_finest_cells(table: Contributions, choose: ChooseHats) -> Contributions:
    """The table with each record in the hexagon in which it counts; one of hexagons alike stays as it is.

    choose: asked for each resolution but the coarsest, the finest first, with the records that are left.
    """
    if not table.choice.mixed or table.places.hexagons:
        return table
    each = cells_of_texts(table.places.ids, len(table.choice.mixed))
    cells = each[table.cell.astype(np.int64)]
    found = cells[:, 0].copy()
    """Shape (HATs of the table,): the hexagon in which each one counts."""
    left = np.arange(table.hats)
    for level in range(cells.shape[1] - 1, 0, -1):
        if not left.size:
            break
        own = _rekeyed(table, cells[:, level], left)
        index = choose(own)
        wanted = {*zip(own.cell[index].tolist(), own.slot[index].tolist(), strict=True)}
        hats = zip(cells[left, level].tolist(), table.slot[left].tolist(), strict=True)
        taken = np.array([hat in wanted for hat in hats], bool)
        found[left[taken]] = cells[left[taken], level]
        left = left[~taken]
    return _rekeyed(table, found, np.arange(table.hats))


def _rekeyed(table: Contributions, cell: NDArray[np.uint64], hats: Ints) -> Contributions:
    """The records of some HATs by another hexagon of each; cell: shape (HATs of the table,).

    Values of a row are in the order of their source: of records in that of time.
    """
    row = np.flatnonzero(np.isin(table.hat, hats))
    first, length, run_row = _runs(table, row)
    hat, vehicle, day = table.hat[run_row], table.vehicle[run_row], table.day[run_row]
    cells, code = np.unique(cell[hat], return_inverse=True)
    slot = table.slot[hat]
    in_time = np.argsort(first, kind="stable")
    order = in_time[order_of(code[in_time], slot[in_time], vehicle[in_time], day[in_time])]
    arrives = _arrivals(first, length, code, slot, vehicle, day, in_time)
    first, length, arrives = first[order], length[order], arrives[order]
    code, slot, vehicle, day = code[order], slot[order], vehicle[order], day[order]
    new_hat = changes(code, slot)
    begin = np.flatnonzero(new_hat | changes(vehicle, day))
    hat_begin = np.flatnonzero(new_hat)
    values = run_values(_source(table), first, length)
    return dataclasses.replace(
        table,
        places=HEXAGONS,
        cell=cells[code[hat_begin]],
        slot=slot[hat_begin],
        hat=np.cumsum(new_hat[begin].astype(np.int32), dtype=np.int32) - 1,
        vehicle=vehicle[begin],
        day=day[begin],
        start=np.append(values.before[begin], len(values)),
        values=values,
        visits=None
        if table.visits is None
        else np.add.reduceat(arrives.astype(np.int32), begin, dtype=np.int32)
        if begin.size
        else np.zeros(0, np.int32),
    )


def _source(table: Contributions) -> NDArray[np.int32]:
    return table.values.source if isinstance(table.values, RunValues) else table.values[:]


def _runs(table: Contributions, row: Ints) -> tuple[Ints, Ints, Ints]:
    """Of each run of some rows its first value in the source, its length, and its row."""
    values = table.values
    if not isinstance(values, RunValues):
        return table.start[row], table.counts[row], row
    begin = np.searchsorted(values.before, table.start[row])
    many = np.searchsorted(values.before, table.start[row + 1]) - begin
    run = np.repeat(begin - (np.cumsum(many) - many), many) + np.arange(many.sum())
    return values.first[run], np.diff(values.before)[run], np.repeat(row, many)


def _arrivals(
    first: Ints,
    length: Ints,
    code: Ints,
    slot: NDArray[np.int16],
    vehicle: NDArray[np.int32],
    day: NDArray[np.int16],
    in_time: Ints,
) -> NDArray[np.bool_]:
    """Whether the vehicle comes to the hexagon with a run: it was elsewhere with the record before."""
    arrives = np.ones(first.size, bool)
    columns = [column[in_time] for column in (code, slot, vehicle, day)]
    goes_on = ~changes(*columns) if first.size else np.zeros(0, bool)
    ends = (first + length)[in_time]
    goes_on[1:] &= first[in_time][1:] == ends[:-1]
    arrives[in_time] = ~goes_on
    return arrives
