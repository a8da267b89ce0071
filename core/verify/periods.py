"""Whether a row is of one of the periods, and of the labels, that privacy.json names."""

from __future__ import annotations

from core.bundle.csv_columns import PERIOD
from core.bundle.data_files import neutral
from core.hats.groups import as_cell
from core.hats.slots import clock
from core.verify.folder import TableRow
from core.verify.statement_reader import PrivacyStatement


def is_period(row: TableRow, statement: PrivacyStatement) -> bool:
    """Whether start, end and name are those of one period."""
    stated = row["slot_start"], row["slot_end"], row.get(PERIOD.name)
    return any(stated == (clock(one.start), clock(one.end), neutral(one.name)) for one in statement.periods)


def has_labels(row: TableRow, statement: PrivacyStatement) -> bool:
    """Whether a row's labels are of the groups."""
    return all(row.get(group.name) in {*map(as_cell, group.labels)} for group in statement.groups)
