"""core.portal.geoparquet: what GeoParquet 1.1 asks for; other programs open it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely

from core.bundle.csv_columns import Column
from core.bundle.data_files import data_files
from core.bundle.public_tables import public_tables
from core.bundle.region_outlines import cell_ring
from core.portal.feature_rows import row_outlines
from core.portal.geoparquet import (
    BOX,
    GEO_KEY,
    GEOMETRY,
    SIDES,
    arrow_table,
    column_type,
    geo_metadata,
    geoparquet,
    geoparquet_rows,
)
from core.published.bundle_frames import published_tables
from core.published.changes import changes_of
from core.published.frame_files import write_frame
from core.quantity import SPEED
from tests.builders import CELLS, make_release

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases"
(TABLE,) = public_tables(data_files(make_release()), SPEED)
CONTENT = geoparquet_rows(TABLE, row_outlines(TABLE))
OTHERS = """
import sys, duckdb, geopandas
frame = geopandas.read_parquet(sys.argv[1])
assert frame.crs.equals("OGC:CRS84") or frame.crs.to_epsg() == 4326, frame.crs
assert frame.geometry.is_valid.all()
assert frame.speed_mean_kmh.tolist()[:3] == [20.668, 0.5, 31.0] and frame.speed_mean_kmh.isna()[3]
query = "SELECT slot_start, count(*), round(sum(speed_mean_kmh), 3) FROM read_parquet(?) GROUP BY 1"
assert sorted(duckdb.execute(query, [sys.argv[1]]).fetchall()) == [("09:00", 2, 51.668), ("10:00", 2, 0.5)]
changes = geopandas.read_parquet(sys.argv[2])
assert changes.crs.equals("OGC:CRS84") or changes.crs.to_epsg() == 4326, changes.crs
assert changes.geometry.is_valid.all() and len(changes) == 12
assert changes.speed_mean_kmh_change_low.le(changes.speed_mean_kmh_change).all()
print(len(frame), frame.total_bounds.round(3).tolist())
"""


def test_rows_have_their_columns_and_outlines() -> None:
    table = pq.read_table(io.BytesIO(CONTENT))
    assert table.schema.names == [*TABLE.table.header, GEOMETRY, BOX]
    assert table.drop([GEOMETRY, BOX]).to_pylist() == arrow_table(TABLE).to_pylist()
    outlines = shapely.from_wkb(table[GEOMETRY].to_pylist())
    assert list(outlines[0].exterior.coords) == list(cell_ring(CELLS[0]))
    assert outlines[0] == outlines[1]
    assert [tuple(box.values()) for box in table[BOX].to_pylist()] == [one.bounds for one in outlines]
    group = pq.ParquetFile(io.BytesIO(CONTENT)).metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    assert [one.path_in_schema for one in columns if one.is_stats_set] == [f"{BOX}.{side}" for side in SIDES]


def test_the_first_form_has_no_box() -> None:
    content = geoparquet_rows(TABLE, row_outlines(TABLE), boxed=False)
    assert pq.read_schema(io.BytesIO(content)).names == [*TABLE.table.header, GEOMETRY]
    assert b"covering" not in content
    assert pq.read_table(io.BytesIO(geoparquet(arrow_table(TABLE), [None] * 4)))[BOX].null_count == 4


def test_the_metadata_say_what_the_outlines_are() -> None:
    told = json.loads(pq.read_schema(io.BytesIO(CONTENT)).metadata[GEO_KEY.encode()])
    assert (told["version"], told["primary_column"]) == ("1.1.0", GEOMETRY)
    column = told["columns"][GEOMETRY]
    assert column["covering"] == {"bbox": {side: [BOX, side] for side in SIDES}}
    assert (column["encoding"], column["geometry_types"]) == ("WKB", ["Polygon"])
    assert (column["orientation"], column["edges"]) == ("counterclockwise", "planar")
    west, south, east, north = column["bbox"]
    assert west < 72.83 < east
    assert south < 21.18 < north


def test_the_same_rows_are_the_same_bytes() -> None:
    assert geoparquet_rows(TABLE, row_outlines(TABLE)) == CONTENT


@pytest.mark.skipif(os.name == "nt", reason="the Windows program has nothing beside it but what ships")
def test_geopandas_and_duckdb_open_it(tmp_path: Path) -> None:
    """In a process of their own: both are heavy, and nothing else needs them."""
    path, changes = tmp_path / "speed_by_hat.parquet", tmp_path / "changes.parquet"
    path.write_bytes(CONTENT)
    compared = [published_tables(GOLDEN / name)["mean"] for name in ("one-query-1.0.0", "quantiles-1.0.0")]
    write_frame(changes_of(compared), changes)
    command = [sys.executable, "-c", OTHERS, path, changes]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 [72.8")


def test_types_follow_the_columns() -> None:
    kinds = {"string": pa.string(), "date": pa.string(), "integer": pa.int64(), "number": pa.float64()}
    assert {kind: column_type(Column(name="one", type=kind, description="")) for kind in kinds} == kinds


def test_a_table_without_rows_has_no_box() -> None:
    assert "bbox" not in geo_metadata([])["columns"][GEOMETRY]  # type: ignore[index]
    content = geoparquet(arrow_table(TABLE).slice(0, 0), [])
    assert pq.read_table(io.BytesIO(content)).num_rows == 0
