"""Labels that nobody typed: of a column that names vehicles or drivers, or of too few of them (method 3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from core.arrays import Ints
from core.contributions.table import Contributions, distinct
from core.counted import count_of
from core.errors import InputError
from core.hats.groups import Group, require_group_labels
from core.hats.window import Window
from core.records.records import Records


def with_known_labels(window: Window, records: Records) -> Window:
    """The window with the labels that the records have, each of at least `Group.fewest` vehicles.

    Raises InputError for a column that names vehicles, for one with too many labels, and where none is left.
    """
    if not any(group.is_open for group in window.groups):
        return window
    return window.labelled(
        tuple(_known(group, records) if group.is_open else group for group in window.groups)
    )


def _known(group: Group, records: Records) -> Group:
    column = records.labels[group.name]
    many = max(len(records.vehicles), 1)
    pairs = distinct(column.code.astype(np.int64) * many + records.vehicle)
    # a text may be of records alone that were dropped as repeats
    return labelled(group, column.texts, np.bincount(pairs // many, minlength=len(column.texts)))


def group_vehicles(table: Contributions, group: int) -> Ints:
    """Distinct vehicles of each label of a table's group, by its number, over the window; shape (labels,)."""
    window = table.window
    labels = window.groups[group].labels
    code = np.array([labels.index(window.grid.labels(slot)[group]) for slot in window.slots], np.int64)
    found = code[table.slot[table.hat] - window.slots.start]
    vehicles = max(len(table.vehicles), 1)
    return np.bincount(distinct(found * vehicles + table.vehicle) // vehicles, minlength=len(labels))


def labelled(group: Group, texts: Sequence[str], vehicles: Ints) -> Group:
    """The group with those texts that at least `Group.fewest` vehicles have; vehicles: of each.

    Raises InputError for a column that names vehicles, for one with too many labels, and where none is left.
    """
    where = f"hats.group, {group.name}"
    labels, alone = int((vehicles > 0).sum()), int((vehicles == 1).sum())
    if 2 * alone > labels:
        raise InputError(
            "More than half of the labels belong to one vehicle each: a column that names vehicles, drivers "
            "or trips cannot be a place or a group.",
            where=where,
            mend="group by a column that many vehicles share, such as a direction",
        )
    pairs = list(zip(texts, vehicles.tolist(), strict=True))
    require_group_labels([text for text, many in pairs if many], where=where)
    common = [text for text, many in pairs if many >= group.fewest]
    if not common:
        raise InputError(
            "No label of the group is of as many as {counted_vehicles}.",
            counted_vehicles=count_of(group.fewest, "vehicle"),
            where=where,
            mend="lower selection.minimum_vehicles, or leave the group out",
        )
    return dataclasses.replace(group, labels=require_group_labels(common, where=where))
