"""Rule `boundary`: the cells of a file, whatever the data hold."""

from __future__ import annotations

from pathlib import Path

import h3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import SelectionRequest
from core.selection.boundary import RULE, read_boundary, read_columns
from core.selection.registry import require_rule, select
from tests.geojson import box, feature, features, polygon, write_geojson
from tests.records import assert_tells
from tests.selections import check_index, places
from tests.strategies import CELLS, RESOLUTION, contributions


@given(contributions(), st.lists(st.sampled_from(CELLS), min_size=1, max_size=9))
def test_it_chooses_as_a_fixed_list_does(table: Contributions, cells: list[int]) -> None:
    by_boundary, by_list = (
        select(table, SelectionRequest(rule=rule, cells=tuple(cells))) for rule in ("boundary", "cells")
    )
    assert places(by_boundary) == places(by_list)
    assert by_boundary.index.tolist() == by_list.index.tolist()
    check_index(by_boundary, table)


@given(contributions())
def test_no_hexagon_is_refused(table: Contributions) -> None:
    with pytest.raises(InputError, match="no hexagon") as caught:
        select(table, SelectionRequest(rule="boundary"))
    assert_tells(caught.value)


def test_the_cell_of_each_ring_is_found_from_its_own_outline(tmp_path: Path) -> None:
    outlines = [
        polygon([corner[::-1] for corner in h3.cell_to_boundary(h3.int_to_str(cell))]) for cell in CELLS
    ]
    path = write_geojson(tmp_path / "b.geojson", features(*outlines))
    assert read_boundary(path, RESOLUTION) == CELLS


def test_a_fault_names_the_file(tmp_path: Path) -> None:
    path = write_geojson(tmp_path / "b.geojson", polygon(box(72.8, 21.1, 72.8001, 21.1001)))
    with pytest.raises(InputError, match="No hexagon") as caught:
        read_boundary(path, 5)
    assert_tells(caught.value)
    assert caught.value.where == str(path)


def test_a_boundary_whose_coordinates_are_exchanged_says_so(tmp_path: Path) -> None:
    """Oslo the other way round lies in the sea off Arabia; a far island is taken as it stands."""
    oslo = box(10.7, 59.88, 10.8, 59.94)
    right = write_geojson(tmp_path / "right.geojson", polygon(oslo))
    assert len(read_boundary(right, 7)) > 5
    swapped = write_geojson(tmp_path / "swapped.geojson", polygon([[y, x] for x, y in oslo]))
    with pytest.raises(InputError) as refused:
        read_boundary(swapped, 7)
    assert_tells(refused.value)
    assert "near Oslo" in refused.value.what
    bouvet = write_geojson(tmp_path / "far.geojson", polygon(box(3.3, -54.45, 3.4, -54.40)))
    assert read_boundary(bouvet, 7)


def test_the_rule_reads_geojson() -> None:
    file = require_rule("boundary").cell_file
    assert file is not None
    assert file.read is read_boundary
    assert ".geojson" in file.suffixes


def test_numbers_of_features_belong_to_the_cells_in_them(tmp_path: Path) -> None:
    """Of polygons that overlap the largest counts; what is no positive number is passed over."""
    outlines = [
        polygon([corner[::-1] for corner in h3.cell_to_boundary(h3.int_to_str(cell))]) for cell in CELLS
    ]
    told = [{"people": 10 * number + 1, "name": "ward", "none": 0, "yes": True} for number in range(7)]
    told_twice = [(outlines[2], {"people": 1000}), (outlines[3], {"people": 2})]
    listed = [feature(*one) for one in (*zip(outlines, told, strict=True), *told_twice)]
    document = {"type": "FeatureCollection", "features": listed}
    path = write_geojson(tmp_path / "b.geojson", document)
    expected = {cell: 10.0 * number + 1 for number, cell in enumerate(CELLS)} | {CELLS[2]: 1000.0}
    assert read_columns(path, RESOLUTION) == {"people": expected}
    assert RULE.cell_file is not None
    request = RULE.cell_file.request("boundary", path, RESOLUTION)
    assert (request.cells, request.columns) == (CELLS, {"people": expected})


@given(contributions())
def test_a_selection_carries_what_the_file_tells(table: Contributions) -> None:
    columns = {"people": {CELLS[0]: 2.0}}
    chosen = select(table, SelectionRequest(rule="boundary", cells=CELLS, columns=columns))
    assert chosen.columns == columns
