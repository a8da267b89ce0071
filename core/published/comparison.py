"""Two releases of one statistic side by side: what each row has become, counted and ready to be shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from core.bundle.csv_columns import STATUS_AFTER, STATUS_BEFORE, DataTable
from core.published.bundle_frames import PublishedTable
from core.published.changes import (
    PublishedNumber,
    changes_of,
    label_number,
    numbers_of,
    row_key,
    shared_numbers,
    shown_label,
)
from core.quantity import Quantity
from core.release_texts import PRACTICE_PREFIX
from core.statistics.base import Measure
from core.statistics.error_figures import PERCENT
from core.statistics.false_discoveries import MISSED
from core.statistics.registry import published_statistics
from core.texts import text_of

CELLS, SLOT_START, SLOT_END, LABEL, GROUPS = "cells", "slot_start", "slot_end", "label", "groups"
OLD, NEW, CHANGE, LOW, HIGH = "before", "after", "change", "low", "high"
VERDICT, CONFIRMED = "verdict", "confirmed"
_NUMBERS = (OLD, NEW, CHANGE, LOW, HIGH)
_POINTS, _DECIMALS_OF_PERCENT = "points", 1
RANGE_TO = " to "
"""Between both ends of a range."""


class ChangeVerdict(StrEnum):
    """What a row has become."""

    LARGER = "larger"
    SMALLER = "smaller"
    WITHIN_NOISE = "within-noise"
    ONLY_BEFORE = "only-before"
    """Without a number in the later release."""
    ONLY_AFTER = "only-after"
    UNTOLD = "untold"
    """Without a number in both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCounts:
    """Rows of each verdict, and how many changes chance alone would make larger than the noise."""

    rows: Mapping[ChangeVerdict, int]
    confirmed: Mapping[ChangeVerdict, int] | None
    """Of the larger and smaller ones those that remain where at most 5 % of them are false; None where the
    numbers do not tell it."""

    @property
    def compared(self) -> int:
        """Rows with a number in both releases."""
        return sum(
            self.rows[one]
            for one in (ChangeVerdict.LARGER, ChangeVerdict.SMALLER, ChangeVerdict.WITHIN_NOISE)
        )

    @property
    def by_chance(self) -> int:
        """About so many at most would be called changed if nothing had changed."""
        return round(MISSED * self.compared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """From an earlier release to a later one, of one number."""

    before: str
    """Name of the earlier release."""
    after: str
    title: str
    """Of the statistic; of one of its further numbers the column."""
    number: PublishedNumber
    unit: str
    """Of the number; empty for counts without one. Shares of `rows` are in percent."""
    unit_of_changes: str
    """Shares change by percentage points."""
    decimals: int
    of_values: bool
    """It is of the quantity itself, so that its usual classes fit."""
    quantity: Quantity
    span: int
    """U in thousandths."""
    label: str
    """Name of the column, of ranges the first one, that tells rows of a hexagon slot apart; empty where there
    is one row."""
    frame: pd.DataFrame
    """Every number of the statistic, as `changes_of` has it: what is exported."""
    rows: pd.DataFrame
    """This number alone, sorted by slot and hexagon: `cells` (tuples of texts), `groups` (a label of each),
    `slot_start`, `slot_end`, `label`, `before`, `after`, `change`, `low`, `high`, `verdict`
    (`ChangeVerdict`) and `confirmed`."""
    counts: ChangeCounts
    groups: tuple[str, ...] = ()
    """Columns of labels that tell rows of one place and time apart."""
    outlines: Mapping[str, Mapping[str, Any]] | None = None
    """Place -> geometry, as `BundleValues` has them; None: places are hexagons."""

    def group_labels(self, group: int) -> tuple[str, ...]:
        """Of one of the groups."""
        return tuple(sorted({labels[group] for labels in self.rows[GROUPS]}))

    def of_labels(self, labels: tuple[str, ...]) -> Comparison:
        """The same with the rows of these labels alone, one of each group."""
        rows = self.rows[[own == labels for own in self.rows[GROUPS]]]
        return dataclasses.replace(self, rows=rows.reset_index(drop=True))

    @property
    def practice(self) -> bool:
        """One of the two is a practice release: only such a one has, and must have, such a name."""
        return any(name.startswith(PRACTICE_PREFIX) for name in (self.before, self.after))

    @property
    def slots(self) -> tuple[tuple[str, str], ...]:
        """Start and end of each part of the day in which no row begins or ends, in order."""
        edges = sorted({*self.rows[SLOT_START], *self.rows[SLOT_END]})
        return tuple(part for part in pairwise(edges) if not in_slot(self.rows, *part).empty)

    @property
    def labels(self) -> tuple[str, ...]:
        """What tells rows of a hexagon slot apart, of ranges both ends; empty where there is one row."""
        found = self.rows[LABEL].unique().tolist() if self.label else []
        return tuple(sorted(found, key=lambda label: [*map(label_number, label.split(RANGE_TO))]))


def in_slot(rows: pd.DataFrame, start: str, end: str) -> pd.DataFrame:
    """The rows of `Comparison.rows` that hold in a part of the day."""
    return rows[(rows[SLOT_START] <= start) & (rows[SLOT_END] >= end)]


def compare(before: PublishedTable, after: PublishedTable, value: str = "") -> Comparison:
    """From an earlier table to a later one of the same statistic.

    value: the column of the number; without it, or where one of them lacks it, the first that both have.
    Raises InputError where they cannot be compared.
    """
    numbers = shared_numbers(before, after)
    number = next((one for one in numbers if one.value == value), numbers[0])
    frame = changes_of([before, after])
    rows = _rows(frame, number, row_key(before.table), before.table)
    column = next(one for one in before.table.columns if one.name == number.value)
    measure = _measure_of(before, number.value)
    percent = measure is not None and measure.percent
    if percent:
        rows[list(_NUMBERS)] *= PERCENT
    if number is not numbers[0]:
        rows = _without_words(rows, before)
    label = next((name for name in before.table.primary_key if name not in before.table.place), "")
    return Comparison(
        before=before.release,
        after=after.release,
        title=title_of(before, number.value),
        number=number,
        unit="%" if percent else column.unit,
        unit_of_changes=_POINTS if percent else column.unit,
        decimals=_DECIMALS_OF_PERCENT if percent else column.decimals or 0,
        of_values=column.unit == before.quantity.unit,
        quantity=before.quantity,
        span=before.span,
        label=label,
        frame=frame,
        rows=rows,
        counts=_counts(rows, chance_known=number.own_noise),
        groups=before.table.groups,
        outlines=None if before.outlines is None else {**before.outlines, **(after.outlines or {})},
    )


def title_of(table: PublishedTable, value: str) -> str:
    """What people call a number of a table: by its statistic; a further number by its column.

    The smoothed one of shares and percentiles by both.
    """
    statistic = published_statistics()[table.statistic].of(table.quantity)
    if value == numbers_of(table.table)[0].value:
        return statistic.title
    if statistic.label is not None and statistic.smoothed is not None and value == statistic.smoothed.name:
        return text_of("{title}, smoothed", title=statistic.title)
    return value


def _measure_of(table: PublishedTable, value: str) -> Measure | None:
    statistic = published_statistics()[table.statistic].of(table.quantity)
    return next((one for one in statistic.all_measures if one.name == value), None)


def _without_words(rows: pd.DataFrame, table: PublishedTable) -> pd.DataFrame:
    """Of a further number, which rows of another kind do not have."""
    label = published_statistics()[table.statistic].label
    return rows if label is None else rows[rows[LABEL] != label.word].reset_index(drop=True)


def _rows(
    frame: pd.DataFrame, number: PublishedNumber, key: tuple[str, ...], table: DataTable
) -> pd.DataFrame:
    groups, by_region = table.groups, table.by_region
    name, (place, start, end, *others) = number.value, key
    labels = [label for label in others if label not in groups]
    old, new, change = frame[f"{name}_before"], frame[f"{name}_after"], frame[f"{name}_change"]
    changed = frame[f"{name}_changed"].fillna(value=False).to_numpy(bool)
    verdict = np.select(
        [
            (old.isna() & new.isna()).to_numpy(),
            old.isna().to_numpy(),
            new.isna().to_numpy(),
            changed & (change > 0).to_numpy(),
            changed,
        ],
        [
            ChangeVerdict.UNTOLD,
            ChangeVerdict.ONLY_AFTER,
            ChangeVerdict.ONLY_BEFORE,
            ChangeVerdict.LARGER,
            ChangeVerdict.SMALLER,
        ],
        ChangeVerdict.WITHIN_NOISE,
    )
    confirmed = frame[f"{name}_confirmed"].fillna(value=False) if number.own_noise else False
    rows = pd.DataFrame(
        {
            CELLS: [tuple(cells.split()) if by_region else (cells,) for cells in frame[place].astype(str)],
            GROUPS: list(frame[list(groups)].astype(str).itertuples(index=False, name=None))
            if groups
            else [()] * len(frame),
            SLOT_START: frame[start].astype(str),
            SLOT_END: frame[end].astype(str),
            LABEL: [RANGE_TO.join(map(shown_label, ends)) for ends in frame[labels].itertuples(index=False)],
            OLD: old,
            NEW: new,
            CHANGE: change,
            LOW: frame[f"{name}_change_low"],
            HIGH: frame[f"{name}_change_high"],
            VERDICT: pd.Series([ChangeVerdict(str(one)) for one in verdict], index=frame.index, dtype=object),
            CONFIRMED: confirmed,
            STATUS_BEFORE: frame[STATUS_BEFORE],
            STATUS_AFTER: frame[STATUS_AFTER],
        }
    )
    # the frame is in the order of the labels' numbers
    return rows.sort_values([SLOT_START, SLOT_END, CELLS], ignore_index=True, kind="stable")


def _counts(rows: pd.DataFrame, *, chance_known: bool) -> ChangeCounts:
    def by_verdict(some: pd.DataFrame) -> dict[ChangeVerdict, int]:
        found = some[VERDICT].value_counts()
        return {one: int(found.get(one, 0)) for one in ChangeVerdict}

    return ChangeCounts(
        rows=by_verdict(rows),
        confirmed=by_verdict(rows[rows[CONFIRMED].astype(bool)]) if chance_known else None,
    )
