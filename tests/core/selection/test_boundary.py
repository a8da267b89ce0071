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
from core.selection.boundary import read_boundary
from core.selection.registry import require_rule, select
from tests.geojson import box, features, polygon, write_geojson
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


def test_the_rule_reads_geojson() -> None:
    file = require_rule("boundary").cell_file
    assert file is not None
    assert file.read is read_boundary
    assert ".geojson" in file.suffixes
