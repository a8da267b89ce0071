"""ui.session.loaded_data: records and the table of the same records read alike, as far as both know it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.draft.draft import draft_of
from core.errors import InputError
from core.progress import silent
from core.release.loaded_table import LoadedTable
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import write_city
from tests.records import assert_same
from tests.ui.table_story import table_spec, write_table
from ui.session.loaded_data import (
    LoadedData,
    box_of_data,
    contributions_of_data,
    data_summary,
    dates_of_data,
    hold_table,
    record_count,
    vehicle_count,
)
from ui.session.table_passphrases import TablePassphrases


def _held(spec: Path) -> LoadedData:
    draft, source = draft_of(load_spec(spec))
    if not source.table:
        return load_records(source.files, source.rules)
    asked = TablePassphrases()
    return hold_table(source, silent, asked, resolution=draft.resolution, window=None, private=False)


@pytest.mark.usefixtures("qapp")
def test_a_table_is_told_as_its_records_are(tmp_path: Path) -> None:
    table = _held(table_spec(tmp_path))
    spec = write_city(tmp_path)
    records, window = _held(spec), load_spec(spec).window
    assert isinstance(table, LoadedTable)
    assert record_count(table) == record_count(records)
    assert vehicle_count(table) == vehicle_count(records) == 12
    assert dates_of_data(table) == dates_of_data(records)
    one, other = (
        contributions_of_data(held, 7, window, silent, empty_allowed=False) for held in (table, records)
    )
    assert_same(one, other)
    south, west, north, east = box_of_data(table) or (0, 0, 0, 0)
    inner = box_of_data(records)
    assert inner is not None
    assert south <= inner[0] < inner[2] <= north
    assert west <= inner[1] < inner[3] <= east
    assert data_summary(table) == f"Contribution table: {record_count(table)} records, 12 vehicles"
    assert "rows read" in data_summary(records)


@pytest.mark.usefixtures("qapp")
def test_an_empty_table_has_no_box(tmp_path: Path) -> None:
    table = _held(table_spec(tmp_path))
    assert isinstance(table, LoadedTable)
    nothing = {name: getattr(table.table, name)[:0] for name in ("cell", "slot", "hat", "vehicle", "day")}
    empty = dataclasses.replace(table, table=dataclasses.replace(table.table, **nothing))
    assert box_of_data(empty) is None


def test_what_is_no_table_is_refused_as_one(tmp_path: Path) -> None:
    path = write_table(tmp_path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="not a contribution table"):
        _held(write_city(tmp_path, edit=(('files = ["records.csv"]', 'contributions = "table.parquet"'),)))
