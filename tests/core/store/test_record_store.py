"""Stores: what was written is what is opened, and damage is noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.progress import silent
from core.read.file_stamps import stamps_of
from core.records.column_cache import MemoryColumnCache
from core.store.record_store import is_store, open_store
from core.store.store_build import build_store
from tests.records import assert_same, instant, make_records, rules, sample_pings, write_csv

NOW = instant("2026-01-01T00:00:00")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    stamps = stamps_of([write_csv(tmp_path / "a.csv", sample_pings())])
    assert build_store(folder, stamps, rules(), NOW, silent, in_memory=False) is None
    return folder


def test_a_store_opens_as_the_records_it_was_made_of(store: Path) -> None:
    assert is_store(store)
    column_cache = MemoryColumnCache()
    records, facts = open_store(store, column_cache)
    assert_same(records, make_records(sample_pings()))
    assert records.column_cache is column_cache
    assert facts.report.rows_used == len(sample_pings())
    assert facts.valid_until_ms is None
    assert "gj05" not in repr(facts)


def test_a_store_holds_nothing_but_itself(store: Path) -> None:
    names = {"vehicle", "second", "latitude", "longitude", "value"}
    assert {path.name for path in store.iterdir()} == {
        *(f"{name}.column" for name in names),
        "meta.json",
        "vehicles.json",
    }


@pytest.mark.parametrize("name", ["meta.json", "vehicles.json", "value.column", "vehicle.column"])
@pytest.mark.parametrize("harm", ["cut", "longer", "gone"])
def test_damage_is_noticed(store: Path, name: str, harm: str) -> None:
    path = store / name
    data = path.read_bytes()
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-3] if harm == "cut" else data + b"1]")
    with pytest.raises((OSError, ValueError)):
        open_store(store, MemoryColumnCache())


def test_a_changed_description_is_noticed(store: Path) -> None:
    digest, body = json.loads((store / "meta.json").read_bytes())
    for changed in ([digest, body | {"zone": "UTC"}], [digest], {}, [1, 2]):
        (store / "meta.json").write_text(json.dumps(changed))
        with pytest.raises(ValueError, match="description of the records is damaged"):
            open_store(store, MemoryColumnCache())
