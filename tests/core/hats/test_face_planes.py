"""Keys of the parts of cells: one cell each, convex, and none where rounding could matter."""

from __future__ import annotations

import math

import h3
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import Floats
from core.hats.cells import RESOLUTIONS
from core.hats.cells_one_by_one import index_directly
from core.hats.face_planes import NO_KEY, plane_keys
from core.records.records import DEGREE

EVERY_RESOLUTION = pytest.mark.parametrize("resolution", RESOLUTIONS)


def around(latitude: float, longitude: float, spread: float, seed: int, size: int = 4_000) -> list[Floats]:
    """Positions in 1e-7 degrees, as far as `spread` degrees apart."""
    rng = np.random.default_rng(seed)
    north = np.clip(latitude + rng.normal(0, spread, size), -90, 90) * DEGREE
    east = np.clip(longitude + rng.normal(0, spread, size), -180, 180) * DEGREE
    return [np.rint(north), np.rint(east)]


def assert_one_cell_each(places: list[Floats], resolution: int, *, unsure: float = 0.01) -> None:
    keys, cells = plane_keys(*places, resolution), index_directly(*places, resolution)
    known = keys != NO_KEY
    assert (~known).mean() <= unsure
    _, first, number = np.unique(keys[known], return_index=True, return_inverse=True)
    np.testing.assert_array_equal(cells[known][first][number], cells[known])
    # two keys share a cell only where it lies on several faces
    shared, times = np.unique(cells[known][first], return_counts=True)
    for cell in shared[times > 1].tolist():
        assert len(h3.get_icosahedron_faces(h3.int_to_str(cell))) >= times[shared == cell].item()


@EVERY_RESOLUTION
@settings(max_examples=12)
@given(st.floats(-90, 90), st.floats(-180, 180), st.integers(0, 999), st.sampled_from((0.5, 2.0, 20.0)))
def test_anywhere_on_earth(
    resolution: int, latitude: float, longitude: float, seed: int, width: float
) -> None:
    spread = width * math.sqrt(7) ** -(resolution - 5) * 0.1
    assert_one_cell_each(around(latitude, longitude, spread, seed), resolution)


@EVERY_RESOLUTION
def test_all_over_the_earth_at_once(resolution: int) -> None:
    """Positions on all 20 faces; each face is 18 degrees or more wide."""
    rng = np.random.default_rng(resolution)
    north = np.rint(np.degrees(np.arcsin(rng.uniform(-1, 1, 40_000))) * DEGREE)
    places = [north, rng.uniform(-180, 180, 40_000) * DEGREE]
    assert_one_cell_each(places, resolution)
    assert np.unique(plane_keys(*places, resolution) >> 40).size == 21, "20 faces, and the unsure"


@EVERY_RESOLUTION
def test_around_pentagons(resolution: int) -> None:
    """Five faces meet there, and one sixth of the hexagon is missing."""
    for seed, cell in enumerate(h3.get_pentagons(resolution)):
        spread = 0.2 * math.sqrt(7) ** -(resolution - 5)
        assert_one_cell_each(around(*h3.cell_to_latlng(cell), spread, seed), resolution)


@EVERY_RESOLUTION
def test_no_key_on_the_sides_of_cells_and_the_edges_of_faces(resolution: int) -> None:
    for cell in h3.grid_disk(h3.latlng_to_cell(21.17, 72.83, resolution), 1):
        outline = np.array(h3.cell_to_boundary(cell)) * DEGREE
        assert (plane_keys(outline[:, 0], outline[:, 1], resolution) == NO_KEY).all()


@EVERY_RESOLUTION
def test_no_key_at_the_centres_of_faces(resolution: int) -> None:
    """H3's own distance from there has few digits."""
    corners = [h3.cell_to_latlng(cell) for cell in h3.get_pentagons(0)]
    vectors = np.array(
        [(math.cos(a) * math.cos(b), math.cos(a) * math.sin(b), math.sin(a)) for a, b in np.radians(corners)]
    )
    near = vectors @ vectors.T > 0.4
    first, second = next((a, b) for a in range(12) for b in range(a) if near[a, b])
    third = next(c for c in range(12) if near[first, c] and near[second, c] and c not in (first, second))
    middle = vectors[[first, second, third]].sum(axis=0)
    north = math.degrees(math.asin(middle[2] / float(np.linalg.norm(middle))))
    east = math.degrees(math.atan2(middle[1], middle[0]))
    at = np.array([north, north + 0.001, north + 0.02]) * DEGREE, np.full(3, east) * DEGREE
    assert (plane_keys(*at, resolution) == NO_KEY).tolist()[:2] == [True, True]
    assert_one_cell_each(around(north, east, 0.05, 1), resolution, unsure=0.1)


@EVERY_RESOLUTION
@settings(max_examples=10)
@given(st.floats(-80, 80), st.floats(-179, 179), st.integers(0, 99))
def test_what_lies_between_positions_of_a_key_has_it_too(
    resolution: int, latitude: float, longitude: float, seed: int
) -> None:
    spread = 0.04 * math.sqrt(7) ** -(resolution - 5)
    north, east = around(latitude, longitude, spread, seed, 600)
    keys = plane_keys(north, east, resolution)
    order = np.argsort(keys, kind="stable")
    one, other = order[:-1], order[1:]
    same = (keys[one] == keys[other]) & (keys[one] != NO_KEY)
    ends = [
        np.stack((np.cos(a) * np.cos(b), np.cos(a) * np.sin(b), np.sin(a)))
        for a, b in ((np.radians(north[at] / DEGREE), np.radians(east[at] / DEGREE)) for at in (one, other))
    ]
    between = 0.3 * ends[0] + 0.7 * ends[1]
    between /= np.linalg.norm(between, axis=0)
    found = plane_keys(
        np.degrees(np.arcsin(between[2])) * DEGREE,
        np.degrees(np.arctan2(between[1], between[0])) * DEGREE,
        resolution,
    )
    known = same & (found != NO_KEY)
    assert known.sum() > 0.95 * same.sum()
    np.testing.assert_array_equal(found[known], keys[one][known])


def test_none() -> None:
    assert plane_keys(np.zeros(0), np.zeros(0), 7).size == 0
