"""Which reader reads a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.read.reader_registry import all_readers, reader_by_name, reader_for
from tests.records import assert_tells

ENDINGS = {
    "csv": ("csv", "CSV", "tsv", "txt", "csv.gz"),
    "json": ("json", "jsonl", "ndjson", "geojson", "Json.Gz"),
    "parquet": ("parquet", "pq", "parquet.gz"),
    "gtfs": ("pb", "protobuf", "PB.gz"),
    "workbook": ("xlsx", "XLS", "ods", "xlsx.gz"),
    "zip": ("zip", "ZIP"),
}


@pytest.mark.parametrize("key", ENDINGS)
def test_the_ending_tells_the_reader(key: str) -> None:
    readers = [reader_by_name(f"a.{ending}") for ending in ENDINGS[key]]
    assert [reader and reader.key for reader in readers] == [key] * len(ENDINGS[key])


def test_readers_are_sorted_by_key() -> None:
    keys = [reader.key for reader in all_readers()]
    assert keys == sorted(keys)
    assert set(ENDINGS) <= set(keys)


@pytest.mark.parametrize("name", ["a", "a.gz", "a.doc", "csv"])
def test_an_unknown_ending_is_refused_with_those_there_are(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"some text")
    assert reader_by_name(name) is None
    with pytest.raises(InputError, match="unknown") as caught:
        reader_for(tmp_path / name)
    assert_tells(caught.value)
    assert "CSV" in caught.value.mend
