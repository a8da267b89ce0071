"""Labels of a table that another command made: those that few vehicles have are left out (method 3.1).

Of records `group_labels` does the same while they are read; who made a table may not have known what is few.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from core.contributions.group_labels import group_vehicles, labelled
from core.contributions.table import Contributions
from core.contributions.values import run_values
from core.hats.groups import Groups


def with_common_labels(table: Contributions, asked: Groups) -> Contributions:
    """The table without rows of labels that fewer than `Group.fewest` vehicles have, of groups that are open.

    asked: groups of the release, in the table's order. Raises InputError as `group_labels` does.
    """
    window = table.window
    groups = tuple(
        labelled(one, group.labels, group_vehicles(table, number)) if one.is_open else group
        for number, (one, group) in enumerate(zip(asked, window.groups, strict=True))
    )
    if [one.labels for one in groups] == [one.labels for one in window.groups]:
        return table
    narrow = window.labelled(groups)
    grid = narrow.grid
    new = np.array(
        [grid.slot_in(window.grid.timeslot(slot), window.grid.labels(slot)) for slot in window.slots]
    )[table.slot - window.slots.start]
    hats = np.flatnonzero(new >= 0)
    number = np.full(table.hats, -1, np.int32)
    number[hats] = np.arange(hats.size, dtype=np.int32)
    rows = np.flatnonzero(number[table.hat] >= 0)
    values = run_values(table.values[:], table.start[rows], table.counts[rows])
    return dataclasses.replace(
        table,
        window=narrow,
        cell=table.cell[hats],
        slot=new[hats].astype(np.int16),
        hat=number[table.hat[rows]],
        vehicle=table.vehicle[rows],
        day=table.day[rows],
        start=values.before,
        values=values,
        visits=None if table.visits is None else table.visits[rows],
    )
