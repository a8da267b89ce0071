"""Which labels a column has where nobody typed them: relation `values` alone asks (method 3.1)."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.arrays import Ints
from core.contributions.table import distinct
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
    column, where = records.labels[group.name], f"hats.group, {group.name}"
    vehicles = _vehicles_of_each(column.code.astype(np.int64), records)
    labels, alone = int((vehicles > 0).sum()), int((vehicles == 1).sum())
    if 2 * alone > labels:
        raise InputError(
            "More than half of the labels belong to one vehicle each: a column that names vehicles, drivers "
            "or trips cannot be a place or a group.",
            where=where,
            mend="group by a column that many vehicles share, such as a direction",
        )
    listed = [text for text, many in zip(column.texts, vehicles.tolist(), strict=True) if many]
    require_group_labels(listed, where=where)
    common = [
        text for text, many in zip(column.texts, vehicles.tolist(), strict=True) if many >= group.fewest
    ]
    if not common:
        raise InputError(
            "No label of the group is of as many as {counted_vehicles}.",
            counted_vehicles=count_of(group.fewest, "vehicle"),
            where=where,
            mend="lower selection.minimum_vehicles, or leave the group out",
        )
    return dataclasses.replace(group, labels=require_group_labels(common, where=where))


def _vehicles_of_each(code: Ints, records: Records) -> Ints:
    """Text -> how many vehicles have a record with it."""
    texts = int(code.max(initial=-1)) + 1
    pairs = distinct(code * max(len(records.vehicles), 1) + records.vehicle)
    return np.bincount(pairs // max(len(records.vehicles), 1), minlength=texts)
