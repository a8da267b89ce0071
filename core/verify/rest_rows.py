"""Verify: rows of coarse hexagons and `rest`, what finer ones leave them (method 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from core.bundle.csv_columns import DataTable
from core.bundle.finer_rows import REST, finer_rows
from core.signed.findings import require
from core.verify.folder import TableRow
from core.verify.statement_reader import PrivacyStatement


def check_rest(table: DataTable, rows: Sequence[TableRow], statement: PrivacyStatement) -> None:
    """A row says that it is of a rest exactly where one of finer hexagons lies in its own. Raises Finding."""
    require(
        table.by_region or table.mixed == bool(statement.place.mixed),
        "{path} and {privacy} do not agree on the resolutions of hexagons",
        path=table.path,
    )
    if not table.mixed:
        return
    apart = [(row["h3_cell"], tuple(row[name] for name in table.place[1:])) for row in rows]
    finer = finer_rows(apart)
    for number, (row, own) in enumerate(zip(rows, apart, strict=True), start=2):
        require(
            row[REST] == ("true" if finer[own] else "false"),
            "{path}, line {number}: rest does not say whether rows of finer hexagons lie inside",
            path=table.path,
            number=number,
        )
