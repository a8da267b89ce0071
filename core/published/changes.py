"""What has changed between two bundles, beyond noise; ones that cannot be compared (method 14.8).

The interval of a difference is recovered from the intervals of both numbers (MOVER: G. Y. Zou and A. Donner,
Construction of confidence limits about effect measures: a general approach, Statistics in Medicine 27, 2008,
doi 10.1002/sim.3095): each end goes as far as the two ends that lead there, as the sides of a right angle.
It is exact for normal noise and a little wide for Laplace noise; the noises of two releases are independent.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from core.arrays import Floats
from core.bundle.csv_columns import (
    AFTER,
    BEFORE,
    PLACE_NAME,
    REMARK_COLUMN,
    STATUS_AFTER,
    STATUS_BEFORE,
    DataTable,
)
from core.bundle.finer_rows import finer_rows
from core.errors import InputError
from core.hats.slots import day_periods_text
from core.published.bundle_frames import PublishedTable
from core.statistics.false_discoveries import MISSED, Flags, p_values, retained_discoveries
from core.texts import joined, text_of

PLACE = PLACE_NAME.name
_STATUS = "status"
_UNCLAMPED = "_unclamped_"
_BEYOND = 6
"""Digits of a change beyond the last published one that may be more than how machines add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedNumber:
    """A number of a row, and the ends of its interval: names of columns."""

    value: str
    low: str
    high: str
    centre: str = ""
    """Of the number before it was cut to its range; empty where no column tells it."""
    decimals: int = 3
    """It is published with as many."""
    own_noise: bool = False
    """Independent noise lies about it alone, so that chance is known beyond the interval (method 14.8)."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them."""
        return (self.value, self.low, self.high, *((self.centre,) if self.centre else ()))


def numbers_of(table: DataTable) -> tuple[PublishedNumber, ...]:
    """The numbers of a table that have an interval, in its order."""
    names = table.header
    found = [
        (value, low, high)
        for value, low, high in zip(names, names[1:], names[2:], strict=False)
        if "low_" in low and "high_" in high and low not in table.primary_key  # ends of a range are none
    ]
    centre = next((name for name in names if _UNCLAMPED in name), "")
    own = table.primary_key == table.place and not table.weight
    decimals = {column.name: column.decimals for column in table.columns}
    return tuple(
        PublishedNumber(
            value=value,
            low=low,
            high=high,
            centre="" if place else centre,
            decimals=decimals[value] or 0,
            own_noise=own and not place,
        )
        for place, (value, low, high) in enumerate(found)
    )


def row_key(table: DataTable) -> tuple[str, ...]:
    """The columns that tell the same row in two releases: of regions the hexagons, not the name."""
    place = ("h3_cells",) if table.by_region else table.place[:1]
    labels = tuple(name for name in table.primary_key if name not in table.place)
    return (*place, "slot_start", "slot_end", *labels, *table.groups)


def changes_of(tables: list[PublishedTable]) -> pd.DataFrame:
    """The changes from each table to the one after it, one below the other.

    Columns: `before` and `after` (names of releases), those that tell rows apart, the status in both
    releases, and for each measure its two values, `<measure>_change` with `_change_low` and `_change_high`
    (about 95 %), `<measure>_changed`: whether the interval leaves out zero, and where chance can be judged
    `<measure>_confirmed`: whether it is one of those of which at most 5 % are false. A row of one release
    alone, or without a value in one of them, has no change; one that leaves other records to finer hexagons
    in the other release is left out.
    Raises InputError for fewer than two tables, and for tables that cannot be compared.
    """
    if len(tables) < 2:
        raise InputError("A change takes two bundles.", mend="name the earlier bundle first, then the later")
    found = pd.concat([_changes(*pair) for pair in pairwise(tables)], ignore_index=True)
    if any(one.remark for one in tables):
        remarks = {one.release: f"{one.release}: {one.remark}" for one in tables if one.remark}
        found[REMARK_COLUMN] = [
            " ".join(remarks[name] for name in pair if name in remarks)
            for pair in zip(found[BEFORE], found[AFTER], strict=True)
        ]
    return found


def _changes(before: PublishedTable, after: PublishedTable) -> pd.DataFrame:
    measures = shared_numbers(before, after)
    key = list(row_key(before.table))
    numbers = [name for one in measures for name in one.columns]
    columns = [*key, _STATUS, PLACE, *numbers]
    labels = [name for name in before.table.primary_key if name not in before.table.place]
    same = _of_the_same_records(before.frame, after.frame, before.table)
    frames = [one.reindex(columns=columns) for one in same]
    for name in labels:
        if any(frame[name].dtype == "string" for frame in frames):  # of which one is a word
            frames = [frame.assign(**{name: frame[name].map(shown_label)}) for frame in frames]
    joined = (
        frames[0]
        .merge(frames[1], on=key, how="outer", suffixes=("_before", "_after"), indicator=True)
        .sort_values(
            key,
            key=lambda column: column.map(label_number) if column.name in labels else column,
            ignore_index=True,
        )
    )
    if not (joined["_merge"] == "both").any():
        raise InputError(
            "{release} and {release2} have no row in common.",
            release=before.release,
            release2=after.release,
            where=", ".join(key),
            mend="compare releases of the same hexagons and hours",
        )
    found = joined[[*key, STATUS_BEFORE, STATUS_AFTER]].copy()
    places = joined[f"{PLACE}_after"].fillna(joined[f"{PLACE}_before"])
    if places.notna().any():
        found.insert(len(key), PLACE, places)
    found.insert(0, BEFORE, before.release)
    found.insert(1, AFTER, after.release)
    normal = before.normal_noise and after.normal_noise
    for one in measures:
        found = found.assign(**_differences(joined, one, normal=normal))
    return found


def shown_label(label: float | str) -> str:
    """What tells a row from others of its place: `15`, `0.5`, or a word."""
    number = label_number(label)
    return f"{number:g}" if number < math.inf else str(label)


def label_number(label: float | str) -> float:
    """What such rows are sorted by: a word comes last."""
    return math.inf if isinstance(label, str) and label.isalpha() else float(label)


def _of_the_same_records(
    before: pd.DataFrame, after: pd.DataFrame, table: DataTable
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows without those of a hexagon that leaves other records to finer ones in the other release."""
    if not table.mixed:
        return before, after
    apart = [*table.place[1:]]
    rows = [
        [*zip(one["h3_cell"], one[apart].itertuples(index=False, name=None), strict=True)]
        for one in (before, after)
    ]
    old, new = map(finer_rows, rows)
    other = {row for row in old.keys() & new.keys() if old[row] != new[row]}
    retained = ([row not in other for row in one] for one in rows)
    return before[next(retained)], after[next(retained)]


def _differences(joined: pd.DataFrame, one: PublishedNumber, *, normal: bool) -> dict[str, pd.Series]:
    """The columns of one measure."""
    old, new = joined[f"{one.value}_before"], joined[f"{one.value}_after"]
    change = new - old
    # as published: beyond that there is only how machines add; ends go outwards
    unit = 10.0**one.decimals
    down = np.hypot(new - joined[f"{one.low}_after"], joined[f"{one.high}_before"] - old)
    up = np.hypot(joined[f"{one.high}_after"] - new, old - joined[f"{one.low}_before"])
    low = np.floor(((change - down) * unit).round(_BEYOND)) / unit
    high = np.ceil(((change + up) * unit).round(_BEYOND)) / unit
    changed = ((low > 0) | (high < 0)).astype("boolean").mask(change.isna())
    columns = {
        f"{one.value}_before": old,
        f"{one.value}_after": new,
        f"{one.value}_change": change.round(one.decimals),
        f"{one.value}_change_low": low,
        f"{one.value}_change_high": high,
        f"{one.value}_changed": changed,
    }
    if one.own_noise:
        columns[f"{one.value}_confirmed"] = _confirmed(joined, one, changed, normal=normal)
    return columns


def _confirmed(joined: pd.DataFrame, one: PublishedNumber, changed: pd.Series, *, normal: bool) -> pd.Series:
    """Which changes remain where at most 5 % of them may be false; missing where there is no change."""
    known = changed.notna().to_numpy()
    before, after = (_noisy(joined.loc[known], one, f"_{side}") for side in (BEFORE, AFTER))
    p = p_values(after[0] - before[0], np.hypot(before[1], after[1]), normal=normal)
    p = np.where(before[2] | after[2], MISSED, p)
    p = np.where(changed[known].to_numpy(bool), np.minimum(p, MISSED), 1.0)
    confirmed = pd.Series(pd.NA, index=joined.index, dtype="boolean")
    confirmed[known] = retained_discoveries(p)
    return confirmed


def _noisy(rows: pd.DataFrame, one: PublishedNumber, side: str) -> tuple[Floats, Floats, Flags]:
    """Each number before it was cut, its half-width, and whether the cut hides them.

    An end of the interval that was cut lies nearer than the other; of a number that was cut itself, and of
    which no column tells more, nothing is known but that it lies at the end of its interval.
    """
    value, low, high = (rows[f"{name}{side}"].to_numpy(float) for name in (one.value, one.low, one.high))
    if one.centre:
        centre, hidden = rows[f"{one.centre}{side}"].to_numpy(float), np.zeros(value.size, bool)
    else:
        centre, hidden = value, (value <= low) | (value >= high)
    return centre, np.maximum(high - centre, centre - low), hidden


def shared_numbers(before: PublishedTable, after: PublishedTable) -> tuple[PublishedNumber, ...]:
    """The numbers that both tables have. Raises InputError where a difference would mean nothing."""
    for what, old, new in (
        ("measure other quantities", before.quantity.unit, after.quantity.unit),
        ("hold other rows", ", ".join(row_key(before.table)), ", ".join(row_key(after.table))),
        ("have hexagons of other resolutions", _resolutions(before), _resolutions(after)),
        ("have timeslots of other lengths", _slots(before), _slots(after)),
        ("use other time zones", before.zone, after.zone),
    ):
        if old != new:
            raise _unlike(before, after, text_of("{what}: {old}, and {new}", what=what, old=old, new=new))
    others = {(one.value, one.low, one.high): one for one in numbers_of(after.table)}
    shared = [
        (one, others[key])
        for one in numbers_of(before.table)
        if (key := (one.value, one.low, one.high)) in others
    ]
    if not shared:
        raise _unlike(before, after, "hold other columns")
    return tuple(
        dataclasses.replace(
            one,
            centre=one.centre if one.centre == other.centre else "",
            own_noise=one.own_noise and other.own_noise,
        )
        for one, other in shared
    )


def _resolutions(table: PublishedTable) -> str:
    return joined(" and ", map(str, table.resolutions))


def _slots(table: PublishedTable) -> str:
    return day_periods_text(table.periods) or f"{table.slot_minutes} min"


def _unlike(before: PublishedTable, after: PublishedTable, what: str) -> InputError:
    return InputError(
        "{release} and {release2} cannot be compared: they {what}.",
        release=before.release,
        release2=after.release,
        what=what,
        where=f"{before.table.path}, {after.table.path}",
        mend="compare releases of the same statistic, quantity, resolution, timeslot and zone",
    )
