"""Typed candidates become files that a spec names: each by its content, and read as any other."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import h3
import pytest

from core.errors import InputError
from core.selection.boundary import read_boundary
from core.selection.candidate_files import read_box, write_box, write_cells, write_place_ids
from core.selection.cells import read_cells
from core.selection.place_ids import read_place_ids
from tests.records import assert_tells

EDGES = {"south": 21.1, "west": 72.7, "north": 21.3, "east": 72.9}
CELL = h3.latlng_to_cell(21.2, 72.8, 7)


def test_a_box_is_a_boundary_with_the_cells_whose_centre_lies_in_it(tmp_path: Path) -> None:
    path = write_box(tmp_path / "new", **EDGES)
    cells = read_boundary(path, 7)
    assert h3.str_to_int(CELL) in cells
    for cell in cells:
        latitude, longitude = h3.cell_to_latlng(h3.int_to_str(cell))
        assert 21.1 <= latitude <= 21.3
        assert 72.7 <= longitude <= 72.9
    assert read_box(path) == (21.1, 72.7, 21.3, 72.9)


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_it_is_its_owner_s_alone_as_all_in_a_home(tmp_path: Path) -> None:
    for path in (write_box(tmp_path, **EDGES), write_cells(tmp_path, CELL, 7)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_name_tells_its_content(tmp_path: Path) -> None:
    one = write_box(tmp_path, **EDGES)
    assert write_box(tmp_path, **EDGES) == one
    assert write_box(tmp_path, **EDGES | {"east": 73.0}) != one


@pytest.mark.parametrize("edges", [{"north": 21.0}, {"east": 72.0}, {"north": 91.0}, {"south": float("nan")}])
def test_edges_that_enclose_nothing_are_refused(tmp_path: Path, edges: dict[str, float]) -> None:
    with pytest.raises(InputError, match="enclose nothing") as caught:
        write_box(tmp_path, **EDGES | edges)
    assert_tells(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", [f"{CELL}", f" {CELL},{CELL}\n{CELL}; "])
def test_a_typed_list_is_one_cell_a_line(tmp_path: Path, text: str) -> None:
    assert read_cells(write_cells(tmp_path, text, 7), 7) == (h3.str_to_int(CELL),)


@pytest.mark.parametrize("text", ["", " , ", "nonsense", h3.cell_to_parent(CELL, 6)])
def test_what_is_no_list_of_this_resolution_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        write_cells(tmp_path, text, 7)
    assert_tells(caught.value)


@pytest.mark.parametrize("text", ["", "{}", '{"geometry": {"coordinates": [[[1]]]}}'])
def test_other_files_are_no_box(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.geojson"
    assert read_box(path) is None
    path.write_text(text, encoding="utf-8")
    assert read_box(path) is None


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be created"):
        write_box(tmp_path / "taken", **EDGES)


def test_ids_of_places_are_listed_as_a_spec_reads_them(tmp_path: Path) -> None:
    path = write_place_ids(tmp_path / "new", ("Line, 2", "1", "1"))
    assert read_place_ids(path) == ("1", "Line, 2")
    for texts in ((), ("\x07",), ("x" * 81,)):
        with pytest.raises(InputError) as refused:
            write_place_ids(tmp_path, texts)
        assert_tells(refused.value)
