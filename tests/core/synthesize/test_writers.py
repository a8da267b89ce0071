"""Every format writes all tables of a stream, whatever their number."""

from __future__ import annotations

import gzip
import io
import json

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

from core.synthesize.writers import WRITERS

TABLES = [
    pa.table(
        {
            "license_plate": [f"GJ05BX{number}"],
            "observationDateTime": ["2022-01-03T09:00:00+05:30"],
            "speed": [number / 10],
            "location.coordinates": ["[72.83, 21.18]"],
        }
    )
    for number in (1000, 1001, 1002)
]


def _written(suffix: str, tables: list[pa.Table]) -> bytes:
    file = io.BytesIO()
    file.close = lambda: None  # type: ignore[method-assign] - the Parquet writer closes what it is given
    WRITERS[suffix](file, iter(tables), len(tables))
    return file.getvalue()


@pytest.mark.parametrize("count", [1, 3])
def test_tables_come_back_as_they_were(count: int) -> None:
    expected = pa.concat_tables(TABLES[:count]).to_pylist()
    plain = _written(".csv", TABLES[:count])
    as_found = pa_csv.ConvertOptions(column_types={"observationDateTime": pa.string()})
    assert pa_csv.read_csv(io.BytesIO(plain), convert_options=as_found).to_pylist() == expected
    assert gzip.decompress(_written(".csv.gz", TABLES[:count])) == plain
    assert pq.read_table(io.BytesIO(_written(".parquet", TABLES[:count]))).to_pylist() == expected


@pytest.mark.parametrize("count", [1, 3])
def test_json_is_an_array_or_lines_of_the_same_objects(count: int) -> None:
    objects = json.loads(_written(".json", TABLES[:count]))
    assert [json.loads(line) for line in _written(".jsonl", TABLES[:count]).splitlines()] == objects
    assert [one["speed"] for one in objects] == [100.0, 100.1, 100.2][:count]
    assert objects[0]["location"] == {"type": "Point", "coordinates": [72.83, 21.18]}
