"""The formats that bundles had: each with files, columns and rules of its own. Old bundles: tests/golden."""

from __future__ import annotations

from core.bundle.csv_columns import DataTable
from core.bundle.formats import FORMATS, NEWEST_FORMAT
from core.signed.bundle_names import STATEMENT_FORMAT
from tests.builders import SPEED_BY_HAT


def _statuses(table: DataTable) -> tuple[str, ...]:
    (status,) = (column for column in table.columns if column.name == "status")
    return status.options


def test_what_is_written_is_the_newest() -> None:
    assert list(FORMATS) == [f"hexveil-privacy-{number}" for number in (1, 2, 3)]
    assert FORMATS[STATEMENT_FORMAT] is NEWEST_FORMAT
    assert NEWEST_FORMAT.tables["mean"] == SPEED_BY_HAT


def test_the_first_format_knows_nothing_of_later_ones() -> None:
    first = FORMATS["hexveil-privacy-1"]
    assert _statuses(first.tables["mean"]) == ("published", "suppressed")
    assert _statuses(NEWEST_FORMAT.tables["mean"]) == ("published", "suppressed", "no_information")
    assert "cdf_of_vehicles" not in first.tables


def test_formats_have_the_same_columns_where_they_share_a_table() -> None:
    """Stored draws of one are published again as the other, byte for byte."""
    for key, table in FORMATS["hexveil-privacy-1"].tables.items():
        assert (table.path, table.header) == (
            NEWEST_FORMAT.tables[key].path,
            NEWEST_FORMAT.tables[key].header,
        )


def test_intervals_are_said_to_be_of_what_they_are_of() -> None:
    def said(key: str) -> str:
        return next(one.description for one in NEWEST_FORMAT.tables[key].columns if "low" in one.name)

    for key in ("query1", "query2", "cdf_of_vehicles"):
        assert said(key) == "Lower end of the 95 % interval of the noise"
    for key in ("mean", "mean_variance", "cdf"):
        assert "modelled bias" in said(key)
