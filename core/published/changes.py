"""What has changed between two published tables, and which changes are larger than the noise.

The interval of a difference is recovered from the intervals of both numbers (MOVER: G. Y. Zou and A. Donner,
Construction of confidence limits about effect measures: a general approach, Statistics in Medicine 27, 2008,
doi 10.1002/sim.3095): each end goes as far as the two ends that lead there, as the sides of a right angle.
It is exact for normal noise and a little wide for Laplace noise; the noises of two releases are independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from core.errors import InputError
from core.published.bundle_frames import PublishedTable
from core.release.csv_columns import DataTable

BEFORE, AFTER = "before", "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedNumber:
    """A number of a row, and the ends of its interval: names of columns."""

    value: str
    low: str
    high: str


def numbers_of(table: DataTable) -> tuple[PublishedNumber, ...]:
    """The numbers of a table that have an interval, in its order."""
    names = table.header
    return tuple(
        PublishedNumber(value=value, low=low, high=high)
        for value, low, high in zip(names, names[1:], names[2:], strict=False)
        if "low_" in low and "high_" in high
    )


def changes_of(tables: list[PublishedTable]) -> pd.DataFrame:
    """The changes from each table to the one after it, one below the other.

    Columns: `before` and `after` (names of releases), those that tell rows apart, and for each measure its
    two values, `<measure>_change` with `_change_low` and `_change_high` (about 95 %), and
    `<measure>_changed`: whether the interval leaves out zero. A row of one release alone, or without a value
    in one of them, has no change.
    Raises InputError for fewer than two tables, and for tables of other columns.
    """
    if len(tables) < 2:
        raise InputError("A change takes two bundles.", mend="name the earlier bundle first, then the later")
    return pd.concat([_changes(*pair) for pair in pairwise(tables)], ignore_index=True)


def _changes(before: PublishedTable, after: PublishedTable) -> pd.DataFrame:
    _require_alike(before, after)
    key = list(before.table.primary_key)
    measures = numbers_of(before.table)
    numbers = [name for one in measures for name in (one.value, one.low, one.high)]
    joined = before.frame[key + numbers].merge(
        after.frame[key + numbers], on=key, how="outer", suffixes=("_before", "_after"), sort=True
    )
    found = joined[key].copy()
    found.insert(0, BEFORE, before.release)
    found.insert(1, AFTER, after.release)
    for one in measures:
        old, new = joined[f"{one.value}_before"], joined[f"{one.value}_after"]
        change = new - old
        low = change - np.hypot(new - joined[f"{one.low}_after"], joined[f"{one.high}_before"] - old)
        high = change + np.hypot(joined[f"{one.high}_after"] - new, old - joined[f"{one.low}_before"])
        found[f"{one.value}_before"], found[f"{one.value}_after"] = old, new
        found[f"{one.value}_change"] = change
        found[f"{one.value}_change_low"], found[f"{one.value}_change_high"] = low, high
        found[f"{one.value}_changed"] = ((low > 0) | (high < 0)).astype("boolean").mask(change.isna())
    return found


def _require_alike(before: PublishedTable, after: PublishedTable) -> None:
    told = [(one.value, one.low, one.high) for one in numbers_of(before.table)]
    if before.table.primary_key != after.table.primary_key or told != [
        (one.value, one.low, one.high) for one in numbers_of(after.table)
    ]:
        raise InputError(
            f"{before.release} and {after.release} hold other columns.",
            where=f"{before.table.path}, {after.table.path}",
            mend="compare releases of the same statistic, quantity and kind of rows",
        )
