"""Verify: exact counts beside the numbers of relation `values`; impossible ones (method 14.5)."""

from __future__ import annotations

from core.bundle.csv_columns import count_names
from core.bundle.release_result import SUPPRESSED
from core.counted import count_of
from core.privacy import Relation
from core.signed.findings import Finding, require
from core.texts import text_of
from core.verify.folder import BundleFolder, TableRow
from core.verify.statement_reader import PrivacyStatement, read_statement
from core.verify.tables import rows_of


def holds_counts(folder: BundleFolder) -> bool:
    """Whether the statement, or a data file, says that there are any."""
    try:
        return read_statement(folder).stated.counts or any(
            table.counted for table in folder.statistics.values()
        )
    except Finding:
        return False


def check_counts(folder: BundleFolder) -> str:
    """Every published row has counts that can be, the same in each file that publishes it; no suppressed one
    has any: users may have left a place and time for one query alone.

    Raises Finding.
    """
    statement, tables = read_statement(folder), folder.statistics.values()
    require(
        statement.stated.counts
        and all(table.counted for table in tables)
        and statement.relation is Relation.VALUES,
        "{privacy} and the data files do not agree on exact counts",
    )
    seen: dict[tuple[str, ...], tuple[str, ...]] = {}
    for table in tables:
        for number, row in enumerate(rows_of(table, folder), start=2):
            counts = tuple(row[name] for name in count_names(table.subject))
            place = tuple(row[name] for name in table.place)
            same = row["status"] == SUPPRESSED or seen.setdefault(place, counts) == counts
            require(
                same and _can_be(row, counts, statement),
                "{path}, line {number}: the counts are impossible, or others than elsewhere",
                path=table.path,
                number=number,
            )
    places = count_of(len(seen), "place and time", "places and times")
    return text_of("exact counts of {counted_places}", counted_places=places)


def _can_be(row: TableRow, counts: tuple[str, ...], statement: PrivacyStatement) -> bool:
    """A visit is of one vehicle on one day and leaves a record; counts of rows follow from the same."""
    if row["status"] == SUPPRESSED:
        return not any(counts)
    vehicles, visits, records, days = (int(text) if text else None for text in counts)
    if vehicles is None or records is None or days is None:
        return False
    least = statement.stated.selection.minimum_vehicles or 1
    pairs = records if visits is None else visits
    return least <= vehicles and max(vehicles, days) <= pairs <= records and days <= statement.days
