"""The SQL of docs/large-data.md, run by DuckDB on raw records, gives our own contributions."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import duckdb
import h3
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.contributions import contributions_of
from core.contributions.file_read import read_contributions
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import write_city
from tests.records import assert_same

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "large-data.md"


def _statement() -> str:
    found = re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def _write_places(records: Path, to: Path) -> None:
    with records.open(newline="", encoding="utf-8") as file:
        places = sorted({(float(row["lat"]), float(row["lon"])) for row in csv.DictReader(file)})
    lat, lon = zip(*places, strict=True)
    cells = [h3.str_to_int(h3.latlng_to_cell(*place, 7)) for place in places]
    pq.write_table(pa.table({"lat": lat, "lon": lon, "cell": pa.array(cells, pa.uint64())}), to)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_documented_statement_makes_our_own_table(kind: str, tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    records = tmp_path / "records.csv"
    text = records.read_text(encoding="utf-8")
    repeated = text.splitlines()[1].split(",")
    extra = (
        [f" {repeated[0].upper()} ", *repeated[1:4], "64.9"],  # the same instant again: dropped
        ["bus-new", "2022-01-03T11:59:59+05:30", "21.17", "72.83", "80.25"],  # above the bound
        ["bus-late", "2022-01-03T12:00:00+05:30", "21.17", "72.83", "20"],  # after the hours
        ["bus-early", "2022-01-02T11:00:00+05:30", "21.17", "72.83", "20"],  # before the dates
    )
    records.write_text(text + "".join(",".join(row) + "\n" for row in extra), encoding="utf-8")
    _write_places(records, tmp_path / "places.parquet")
    loaded = load_records(spec.data.paths(), spec.data.rules)
    ours = contributions_of(loaded.records, spec.resolution, spec.window)

    statement = _statement()
    if kind == "parquet":
        copy = f"COPY (FROM '{records}') TO '{tmp_path / 'records.parquet'}' (FORMAT parquet)"
        duckdb.sql(copy)
        statement = statement.replace("records.csv", "records.parquet")
    others = json.dumps(["bus-late", "bus-early"])
    statement = statement.replace("unit: '0.001 km/h'", f"unit: '0.001 km/h', other_vehicles: '{others}'")
    for name in (f"records.{kind}", "places.parquet", "table.parquet"):
        assert f"'{name}'" in statement
        statement = statement.replace(f"'{name}'", f"'{tmp_path / name}'")
    duckdb.sql(statement)

    theirs = read_contributions(tmp_path / "table.parquet")
    assert_same(theirs, ours)
    assert theirs.values[:].max() == 65_000
