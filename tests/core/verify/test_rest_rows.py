"""core.verify.rest_rows: a row says that it is of a rest exactly where a finer one lies inside."""

from __future__ import annotations

import dataclasses

import h3
import pytest

from core.bundle.csv_columns import data_tables, with_rest
from core.hats.joined_cells import spanned_cells
from core.hats.places import PlaceChoice
from core.signed.findings import Finding
from core.verify.folder import TableRow, read_folder
from core.verify.rest_rows import check_rest
from core.verify.statement_reader import PrivacyStatement, read_statement
from tests.builders import usual_bundle
from tests.mixed_city import crossed

TABLE = with_rest(data_tables()["mean"], mixed=True)


@pytest.fixture(scope="module")
def statement(tmp_path_factory: pytest.TempPathFactory) -> PrivacyStatement:
    bundle = usual_bundle(tmp_path_factory.mktemp("out"))
    return dataclasses.replace(read_statement(read_folder(bundle)), place=PlaceChoice(mixed=(6, 8)))


def rows(*rests: str) -> list[TableRow]:
    fine = h3.latlng_to_cell(*crossed(), 8)
    coarse = [h3.int_to_str(cell) for cell in sorted(spanned_cells(h3.str_to_int(fine), 6))]
    slots = ["09:00"] * len(coarse) + ["09:00", "10:00"]
    return [
        {"h3_cell": cell, "rest": rest, "slot_start": slot}
        for cell, rest, slot in zip((*coarse, fine, coarse[0]), rests, slots, strict=True)
    ]


def test_what_rows_say_is_what_they_are(statement: PrivacyStatement) -> None:
    check_rest(TABLE, rows("true", "true", "false", "false"), statement)
    for wrong in (("true", "false", "false", "false"), ("true", "true", "false", "true")):
        with pytest.raises(Finding, match="rest does not say"):
            check_rest(TABLE, rows(*wrong), statement)
    alike = dataclasses.replace(statement, place=PlaceChoice())
    for table, stated in ((TABLE, alike), (data_tables()["mean"], statement)):
        with pytest.raises(Finding, match="do not agree on the resolutions"):
            check_rest(table, [], stated)
