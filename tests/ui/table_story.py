"""A contribution table of the made-up city beside its spec, and a session that has opened it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pytestqt.qtbot import QtBot

from core.contributions.file_facts import TABLE_MARK
from core.contributions.file_write import write_contributions
from core.release.contributions_source import contributions_for
from core.spec import load_spec
from tests.city import SPEC, write_city
from tests.ui.release_story import make_home, make_session
from ui.session.session import Session

TABLE = ('files = ["records.csv"]', 'contributions = "table.parquet"')
NO_MAPPING = (SPEC[SPEC.index("[data.mapping]") : SPEC.index("[hats]")], "")
ZONE, RESOLUTION, HOURS = "Asia/Kolkata", 7, ("09:00", "12:00")
"""What the table is made for."""


def write_table(folder: Path, *edits: tuple[str, str]) -> Path:
    """The table of the usual spec, or of one with edits, beside its records. Returns its path."""
    spec = load_spec(write_city(folder, edit=edits))
    write_contributions(contributions_for(spec)[0], folder / "table.parquet", physical=(0, 200_000))
    return folder / "table.parquet"


def first_version(table: Path) -> Path:
    """The same as an old table, which does not say where its speeds come from."""
    rows = pq.read_table(table).drop_columns("visits")
    metadata = {name: text for name, text in rows.schema.metadata.items() if name != b"derived_speed"}
    pq.write_table(rows.replace_schema_metadata(metadata | {TABLE_MARK: b"1"}), table)
    return table


def write_wrong_sum(table: Path, path: Path) -> None:
    """The table with another sum in its third row."""
    rows = pq.read_table(table)
    sums = rows.column("sum").to_pylist()
    sums[2] += 1
    place = rows.column_names.index("sum")
    pq.write_table(rows.set_column(place, rows.schema.field("sum"), pa.array(sums, pa.int64())), path)


def table_spec(folder: Path, *edits: tuple[str, str]) -> Path:
    """A spec that names the table alone."""
    write_table(folder, *edits)
    return write_city(folder, edit=(TABLE, NO_MAPPING, *edits))


def table_session(qtbot: QtBot, folder: Path, *edits: tuple[str, str]) -> Session:
    """Home, key, and a session that has opened that spec."""
    make_home()
    return make_session(qtbot, table_spec(folder / "city", *edits))
