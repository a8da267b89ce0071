"""A look at a file tells a contribution table from any other, by its metadata alone."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.contributions.encryption import WrongPassphrase
from core.contributions.file_look import is_table, joined_dates, look_at_table
from core.contributions.file_write import write_contributions, write_partitioned
from core.errors import InputError
from core.privacy import Confidential
from tests.contribution_files import changed_file, small_table
from tests.records import parquet_columns, sample_pings, write_csv, write_parquet

PASSPHRASE = "correct horse battery"


def test_a_table_tells_its_facts(tmp_path: Path) -> None:
    table = small_table()
    write_contributions(table, tmp_path / "table.parquet", physical=(0, 200_000))
    offer = look_at_table(tmp_path / "table.parquet")
    assert offer is not None
    facts = offer.facts
    assert isinstance(offer, Confidential)
    assert offer.resolutions == (table.resolution,)
    assert offer.ranges(table.resolution) == table.window.date_ranges
    assert offer.ranges(9) == ()
    assert (facts.window, facts.resolution, facts.zone) == (table.window, table.resolution, table.zone)
    assert (facts.upper_bound, facts.derived, facts.physical) == (65_000, False, (0, 200_000))


def test_a_folder_of_parts_is_one_table(tmp_path: Path) -> None:
    table = small_table()
    write_partitioned(table, tmp_path / "table", ("resolution", "date"))
    offer = look_at_table(tmp_path / "table")
    assert offer is not None
    assert offer.resolutions == (table.resolution,)
    assert offer.ranges(table.resolution)[0][0] == table.window.dates[0]
    assert len(offer.stamps) == len(list((tmp_path / "table").rglob("*.parquet")))


def test_a_folder_of_records_is_none(tmp_path: Path) -> None:
    assert not is_table(tmp_path)
    write_parquet(tmp_path / "records.parquet", parquet_columns(sample_pings()))
    assert look_at_table(tmp_path) is None


def test_an_encrypted_table_is_opened_by_its_passphrase_alone(tmp_path: Path) -> None:
    write_contributions(small_table(), tmp_path / "table.parquet", passphrase=PASSPHRASE)
    asked: list[Path] = []

    def answer(table: Path) -> str:
        asked.append(table)
        return PASSPHRASE

    offer = look_at_table(tmp_path / "table.parquet", answer)
    assert offer is not None
    assert offer.facts.window == small_table().window
    assert asked == [tmp_path / "table.parquet"]
    with pytest.raises(WrongPassphrase):
        look_at_table(tmp_path / "table.parquet", lambda _: "another long phrase")
    with pytest.raises(InputError, match="is encrypted"):
        look_at_table(tmp_path / "table.parquet")
    foreign = tmp_path / "foreign.parquet"
    foreign.write_bytes(b"PARE of somebody else PARE")
    assert look_at_table(foreign) is None


def test_dates_are_joined_to_ranges() -> None:
    days = [dt.date(2022, 1, day) for day in (4, 1, 2)]
    assert joined_dates(frozenset(days)) == ((days[1], days[2]), (days[0], days[0]))
    assert joined_dates(frozenset()) == ()


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
