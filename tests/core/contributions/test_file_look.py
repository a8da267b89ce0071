"""A look at a file tells a contribution table from any other, by its metadata alone."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.contributions.file_look import look_at_table
from core.contributions.file_write import write_contributions
from core.errors import InputError
from tests.contribution_files import changed_file, small_table
from tests.records import parquet_columns, sample_pings, write_csv, write_parquet


def test_a_table_tells_its_facts(tmp_path: Path) -> None:
    table = small_table()
    write_contributions(table, tmp_path / "table.parquet", physical=(0, 200_000))
    facts = look_at_table(tmp_path / "table.parquet")
    assert facts is not None
    assert (facts.window, facts.resolution, facts.zone) == (table.window, table.resolution, table.zone)
    assert (facts.upper_bound, facts.derived, facts.physical) == (65_000, False, (0, 200_000))


def test_rows_are_not_looked_at(tmp_path: Path) -> None:
    path = changed_file(tmp_path, count=lambda counts: [0 for _ in counts])
    assert look_at_table(path) is not None


def test_any_other_file_is_none(tmp_path: Path) -> None:
    assert look_at_table(write_parquet(tmp_path / "records.parquet", parquet_columns(sample_pings()))) is None
    assert look_at_table(write_csv(tmp_path / "records.csv", sample_pings())) is None
    empty = tmp_path / "empty.parquet"
    empty.touch()
    assert look_at_table(empty) is None
    torn = tmp_path / "torn.parquet"
    write_contributions(small_table(), tmp_path / "table.parquet")
    torn.write_bytes((tmp_path / "table.parquet").read_bytes()[:-9])
    assert look_at_table(torn) is None


def test_a_table_of_another_version_and_a_file_that_is_gone_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    changed = {**rows.schema.metadata, b"hexveil_contributions": b"9"}
    pq.write_table(rows.replace_schema_metadata(changed), path)
    with pytest.raises(InputError, match="another version"):
        look_at_table(path)
    with pytest.raises(InputError, match="no such file"):
        look_at_table(tmp_path / "gone.parquet")
