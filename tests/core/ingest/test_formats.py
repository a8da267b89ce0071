"""Which reader reads a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.ingest.formats import all_readers, reader_for
from tests.records import assert_tells

ENDINGS = {
    "csv": ("csv", "CSV", "tsv", "txt", "csv.gz"),
    "json": ("json", "jsonl", "ndjson", "geojson", "Json.Gz"),
    "parquet": ("parquet", "pq", "parquet.gz"),
}


@pytest.mark.parametrize("key", ENDINGS)
def test_the_ending_tells_the_reader(key: str) -> None:
    assert [reader_for(Path(f"a.{ending}")).key for ending in ENDINGS[key]] == [key] * len(ENDINGS[key])


def test_readers_are_sorted_by_key() -> None:
    keys = [reader.key for reader in all_readers()]
    assert keys == sorted(keys)
    assert set(ENDINGS) <= set(keys)


@pytest.mark.parametrize("name", ["a", "a.gz", "a.doc", "csv"])
def test_an_unknown_ending_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(InputError, match="unknown") as caught:
        reader_for(Path(name))
    assert_tells(caught.value)
    assert "CSV" in caught.value.mend
