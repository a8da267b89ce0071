"""Verify: published rows by label and HAT; labels that were not asked for, suppressed parts of a place."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.arrays import Floats
from core.bundle.csv_columns import DataTable
from core.bundle.release_result import SUPPRESSED
from core.fixed_point import THOUSAND
from core.signed.findings import require
from core.statistics.base import AnyStatistic
from core.statistics.share import range_label
from core.verify.folder import BundleFolder, TableRow
from core.verify.tables import rows_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRows:
    """Of G HATs with L labels each."""

    places: tuple[tuple[str, ...], ...]
    """What tells the HATs apart, in the order of the file."""
    rows: tuple[tuple[TableRow, ...], ...]
    """Of each HAT one of each label."""
    labels: int

    def numbers(self, column: str) -> Floats:
        """Shape (G, L)."""
        found = [[float(row[column]) for row in rows] for rows in self.rows]
        return np.array(found, np.float64).reshape(len(self.rows), self.labels)

    def split(self, first: int) -> tuple[LabelledRows, LabelledRows]:
        """Those of the first labels, and of all others."""
        before, after = (
            dataclasses.replace(self, rows=tuple(one[part] for one in self.rows), labels=many)
            for part, many in ((slice(first), first), (slice(first, None), self.labels - first))
        )
        return before, after

    @property
    def first(self) -> tuple[TableRow, ...]:
        """One row of each HAT."""
        return tuple(rows[0] for rows in self.rows)


def labelled_rows(
    table: DataTable, statistic: AnyStatistic, labels: Sequence[int], folder: BundleFolder
) -> LabelledRows:
    """labels: as estimates have them, in order. Raises Finding unless each HAT has one row of each."""
    label = statistic.label
    names = label.names if label else ()
    hats: dict[tuple[str, ...], list[TableRow]] = {}
    for row in rows_of(table, folder):
        hats.setdefault(tuple(row[name] for name in table.place), []).append(row)
    for rows in hats.values():
        ends = [
            [label.word_number]
            if label and label.is_word(row)
            else [int(Decimal(row[name]) * THOUSAND) for name in names]
            for row in rows
        ]
        found = [range_label(*one) if len(one) > 1 else one[0] for one in ends]
        require(found == [*labels], "{path} has other labels than were asked for", path=table.path)
        require(
            len({row["status"] == SUPPRESSED for row in rows}) == 1,
            "{path} suppresses a part of a place",
            path=table.path,
        )
    published = {place: tuple(rows) for place, rows in hats.items() if rows[0]["status"] != SUPPRESSED}
    return LabelledRows(places=tuple(published), rows=tuple(published.values()), labels=len(labels))
