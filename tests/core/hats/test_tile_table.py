"""The table of tiles gives, for every position, what direct indexing gives."""

from __future__ import annotations

import h3
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.hats import cell_codes
from core.hats.cell_codes import index_cells
from core.hats.cells import RESOLUTIONS
from core.hats.cells_one_by_one import index_directly
from core.hats.face_planes import plane_keys
from core.hats.tile_table import rectangle_around
from core.hats.tile_table import tile_table as tile_table_of
from core.records.records import DEGREE

EVERY_RESOLUTION = pytest.mark.parametrize("resolution", RESOLUTIONS)
Places = tuple[NDArray[np.int32], NDArray[np.int32]]


def crowd(
    latitude: float,
    longitude: float,
    *,
    seed: int,
    size: int = 6_000,
    spread: float = 0.004,
) -> Places:
    """Positions so close together that many tiles hold several, most of all in the middle; degrees."""
    rng = np.random.default_rng(seed)
    around = np.where(np.arange(size) % 2, spread, spread / 8)
    north = np.clip(latitude + rng.normal(0, around, size), -90, 90) * DEGREE
    east = np.clip(longitude + rng.normal(0, around, size), -180, 180) * DEGREE
    return np.rint(north).astype(np.int32), np.rint(east).astype(np.int32)


def assert_same(places: Places, resolution: int, block: int = 1 << 18) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cell_codes, "_BLOCK", block)
        found = index_cells(*places, resolution)
    np.testing.assert_array_equal(found.cells[found.code], index_directly(*places, resolution))
    assert (np.diff(found.cells) > 0).all()
    assert np.unique(found.code).size == found.cells.size, "no cell without a position"


@EVERY_RESOLUTION
@settings(max_examples=8)
@given(st.floats(-90, 90), st.floats(-180, 180), st.integers(0, 1000), st.sampled_from((700, 1 << 18)))
def test_anywhere_on_earth(resolution: int, latitude: float, longitude: float, seed: int, block: int) -> None:
    assert_same(crowd(latitude, longitude, seed=seed), resolution, block)


@EVERY_RESOLUTION
@settings(max_examples=8)
@given(st.floats(-60, 65), st.floats(-180, 180), st.integers(0, 1000))
def test_positions_on_the_lines_of_the_grid(
    resolution: int, latitude: float, longitude: float, seed: int
) -> None:
    """Rounded to 1e-4 degrees they would lie on edges and corners of tiles."""
    north, east = crowd(latitude, longitude, seed=seed, spread=0.002)
    assert_same((north // 1_000 * 1_000, east // 1_000 * 1_000), resolution)


@EVERY_RESOLUTION
def test_at_the_poles_the_date_line_and_greenwich(resolution: int) -> None:
    for seed, place in enumerate(
        [(90, 0), (-90, 40), (0, 180), (-17, -180), (0, 0), (51.5, 0), (79.999, 12)]
    ):
        assert_same(crowd(*place, seed=seed), resolution)


@EVERY_RESOLUTION
def test_around_pentagons(resolution: int) -> None:
    for seed, cell in enumerate(h3.get_pentagons(resolution)):
        assert_same(crowd(*h3.cell_to_latlng(cell), seed=seed, size=2_000), resolution)


def bent_cells(resolution: int) -> list[tuple[tuple[float, float], ...]]:
    """Outlines of cells that lie on two faces of the icosahedron; degrees."""
    near = h3.grid_disk(h3.get_pentagons(resolution)[3], 30)
    bent = [cell for cell in near if len(h3.get_icosahedron_faces(cell)) == 2]
    assert len(bent) > 12
    return [h3.cell_to_boundary(cell) for cell in bent[::5]]


@EVERY_RESOLUTION
def test_where_cells_bend_over_an_edge_of_the_icosahedron(resolution: int) -> None:
    for seed, outline in enumerate(bent_cells(resolution)[:6]):
        for corner in (*outline, np.mean(outline, axis=0)):
            assert_same(crowd(*corner, seed=seed, size=800, spread=0.0008), resolution)


@EVERY_RESOLUTION
def test_wide_crowds_around_bent_cells(resolution: int) -> None:
    """Over many cells and both faces at once."""
    width = 0.15 / 2.6 ** (resolution - 5)
    for seed, outline in enumerate(bent_cells(resolution)[:4]):
        assert_same(crowd(*outline[0], seed=seed, size=20_000, spread=width), resolution)


def test_a_bent_cell_has_tiles_too() -> None:
    """Few of its positions need no look of their own."""
    for outline in bent_cells(5)[:3]:
        latitude, longitude = crowd(*np.mean(outline, axis=0), seed=1, size=20_000, spread=0.01)
        blocks = [slice(0, latitude.size)]
        table = tile_table_of(
            rectangle_around(latitude, longitude, 5, blocks), latitude, longitude, 5, blocks
        )
        assert (table.codes(latitude, longitude) >= 0).mean() > 0.6
        cells = index_directly(table.latitude, table.longitude, 5)
        assert np.unique(cells).size < cells.size, "two parts of one cell"


def test_a_stray_position_does_not_blow_the_table_up() -> None:
    latitude, longitude = crowd(21.17, 72.83, seed=1)
    strays = ([0, 900_000_000, -899_999_999], [0, -1_800_000_000, 1_800_000_000])
    places = tuple(
        np.concatenate((ours, np.array(stray, np.int32)))
        for ours, stray in zip((latitude, longitude), strays, strict=True)
    )
    assert_same((places[0], places[1]), 9)


def test_h3_is_asked_for_few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counting(latitude: NDArray[np.int32], *rest: object) -> NDArray[np.uint64]:
        asked.append(latitude.size)
        return index_directly(latitude, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(cell_codes, "index_directly", counting)
    index_cells(*crowd(21.17, 72.83, seed=2, size=200_000), 10)
    assert 0 < sum(asked) < 1_000


def test_a_table_tells_only_what_is_certain() -> None:
    latitude, longitude = crowd(21.17, 72.83, seed=5)
    blocks = [slice(0, 3_000), slice(3_000, latitude.size)]
    table = tile_table_of(rectangle_around(latitude, longitude, 9, blocks), latitude, longitude, 9, blocks)
    code = table.codes(latitude, longitude)
    sure = code >= 0
    assert 0 < sure.sum() < sure.size
    cells = index_directly(table.latitude, table.longitude, 9)
    np.testing.assert_array_equal(cells[code[sure]], index_directly(latitude[sure], longitude[sure], 9))
    np.testing.assert_array_equal(table.keys, plane_keys(table.latitude, table.longitude, 9))
    far = np.array([900_000_000, -5], np.int32)
    assert table.codes(far, far).tolist() == [-1, -1]


def test_no_tile_near_a_pole_is_trusted() -> None:
    """A parallel is far from a great circle there."""
    latitude, longitude = crowd(89.9, 10, seed=3)
    blocks = [slice(0, latitude.size)]
    table = tile_table_of(rectangle_around(latitude, longitude, 5, blocks), latitude, longitude, 5, blocks)
    assert (table.place < 0).all()
