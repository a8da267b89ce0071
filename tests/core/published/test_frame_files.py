"""core.published.frame_files: other tools read what was written, and see the hexagons where they are."""

from __future__ import annotations

import json
from pathlib import Path

import h3
import pandas as pd
import pyarrow.parquet as pq
import pytest
import shapely
from python_calamine import CalamineWorkbook

from core.errors import InputError
from core.published.bundle_frames import published_tables, table_of
from core.published.frame_files import write_frame

BUNDLE = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases" / "quantiles-1.0.0"


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return table_of(published_tables(BUNDLE), "mean").frame


def test_csv_comes_back_as_it_was(frame: pd.DataFrame, tmp_path: Path) -> None:
    write_frame(frame, tmp_path / "one.csv")
    again = pd.read_csv(tmp_path / "one.csv", dtype=dict(frame.dtypes), keep_default_na=False, na_values=[""])
    assert again.equals(frame)


def test_a_workbook_holds_the_same_cells_and_no_formula(frame: pd.DataFrame, tmp_path: Path) -> None:
    risky = frame.assign(status="=1+1", mechanism="https://city.example")
    write_frame(risky, tmp_path / "one.xlsx")
    header, *rows = CalamineWorkbook.from_path(str(tmp_path / "one.xlsx")).get_sheet_by_index(0).to_python()
    assert header == list(frame.columns)
    wanted = [["" if pd.isna(cell) else cell for cell in row] for row in risky.to_numpy(object).tolist()]
    assert rows == wanted
    assert b"<f>" not in (tmp_path / "one.xlsx").read_bytes()


def test_geoparquet_has_the_outline_of_each_cell(frame: pd.DataFrame, tmp_path: Path) -> None:
    write_frame(frame, tmp_path / "one.parquet")
    table = pq.read_table(tmp_path / "one.parquet")
    told = json.loads(table.schema.metadata[b"geo"])
    column = told["columns"][told["primary_column"]]
    assert (told["version"], column["encoding"], column["geometry_types"]) == ("1.1.0", "WKB", ["Polygon"])
    outlines = shapely.from_wkb(table["geometry"].to_pylist())
    for cell, outline in zip(table["h3_cell"].to_pylist(), outlines, strict=True):
        latitude, longitude = h3.cell_to_latlng(cell)
        assert outline.contains(shapely.Point(longitude, latitude))
        assert outline.exterior.is_ccw
    assert column["bbox"] == pytest.approx(shapely.total_bounds(outlines).tolist())
    rows = table.drop_columns(["geometry", "bbox"]).to_pandas()
    pd.testing.assert_frame_equal(rows, frame, check_dtype=False, check_column_type=False)


def test_regions_are_drawn_as_their_cells(tmp_path: Path) -> None:
    cells = sorted(h3.grid_disk(h3.latlng_to_cell(21.17, 72.83, 7), 1))
    frame = pd.DataFrame({"region": ["r001", "r002"], "h3_cells": [" ".join(cells), cells[0]]})
    write_frame(frame, tmp_path / "regions.parquet")
    table = pq.read_table(tmp_path / "regions.parquet")
    many, one = shapely.from_wkb(table["geometry"].to_pylist())
    assert (many.geom_type, len(many.geoms), one.geom_type) == ("MultiPolygon", 7, "Polygon")
    kinds = json.loads(table.schema.metadata[b"geo"])["columns"]["geometry"]["geometry_types"]
    assert kinds == ["MultiPolygon", "Polygon"]


WARD = {"type": "Polygon", "coordinates": [[[72.8, 21.1], [72.9, 21.1], [72.9, 21.2], [72.8, 21.1]]]}


def test_places_have_the_outlines_of_their_bundle(tmp_path: Path) -> None:
    frame = pd.DataFrame({"place_id": ["7", "8", "7"], "speed": [1.0, 2.0, 3.0]})
    write_frame(frame, tmp_path / "one.parquet", outlines={"7": WARD})
    table = pq.read_table(tmp_path / "one.parquet")
    drawn = shapely.from_wkb(table["geometry"].to_pylist())
    assert [one and shapely.geometry.mapping(one)["type"] for one in drawn] == ["Polygon", None, "Polygon"]
    assert table.drop_columns(["geometry", "bbox"]).to_pandas().equals(frame)


def test_rows_without_outlines_are_rows_all_the_same(frame: pd.DataFrame, tmp_path: Path) -> None:
    """Of routes without shapes, of the whole area, of differences: refused, where CSV was not."""
    plain = frame.drop(columns="h3_cell")
    write_frame(plain, tmp_path / "one.parquet")
    table = pq.read_table(tmp_path / "one.parquet")
    assert b"geo" not in table.schema.metadata
    pd.testing.assert_frame_equal(table.to_pandas(), plain, check_dtype=False, check_column_type=False)


def test_what_cannot_be_written_is_said_and_leaves_nothing(frame: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no table format \.doc") as told:
        write_frame(frame, tmp_path / "one.doc")
    assert ".xlsx" in told.value.mend
    many = pd.DataFrame({"row": range(1_048_576)})
    with pytest.raises(InputError, match="do not fit on one sheet"):
        write_frame(many, tmp_path / "one.xlsx")
    assert list(tmp_path.iterdir()) == []
