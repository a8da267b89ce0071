"""The table of tiles gives, for every position, what direct indexing gives."""

from __future__ import annotations

import h3
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.hats import tile_table
from core.hats.cells import RESOLUTIONS, cell_text
from core.hats.tile_table import cells_of, index_directly
from core.ingest.positions import DEGREE
from core.progress import Cancelled

EVERY_RESOLUTION = pytest.mark.parametrize("resolution", RESOLUTIONS)
Places = tuple[NDArray[np.int32], NDArray[np.int32]]


@given(
    st.lists(
        st.tuples(st.integers(-90 * 10**7, 90 * 10**7), st.integers(-180 * 10**7, 180 * 10**7)), max_size=20
    ),
    st.sampled_from(RESOLUTIONS),
)
def test_cells_are_those_of_the_library(places: list[tuple[int, int]], resolution: int) -> None:
    latitude = np.array([place[0] for place in places], np.int32)
    longitude = np.array([place[1] for place in places], np.int32)
    found = cells_of(latitude, longitude, resolution)
    expected = [
        h3.latlng_to_cell(float(f"{a / 1e7:.7f}"), float(f"{b / 1e7:.7f}"), resolution) for a, b in places
    ]
    assert [cell_text(cell) for cell in found] == expected
    assert found.dtype == np.uint64


def crowd(
    latitude: float, longitude: float, *, seed: int, size: int = 6_000, spread: float = 0.004
) -> Places:
    """Positions so close together that most tiles hold many; degrees."""
    rng = np.random.default_rng(seed)
    north = np.clip(latitude + rng.normal(0, spread, size), -90, 90) * DEGREE
    east = np.clip(longitude + rng.normal(0, spread, size), -180, 180) * DEGREE
    return np.rint(north).astype(np.int32), np.rint(east).astype(np.int32)


def assert_same(places: Places, resolution: int) -> None:
    np.testing.assert_array_equal(cells_of(*places, resolution), index_directly(*places, resolution))


@EVERY_RESOLUTION
@settings(max_examples=8)
@given(st.floats(-90, 90), st.floats(-180, 180), st.integers(0, 1000))
def test_anywhere_on_earth(resolution: int, latitude: float, longitude: float, seed: int) -> None:
    assert_same(crowd(latitude, longitude, seed=seed), resolution)


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


@pytest.mark.parametrize("resolution", [5, 7, 9])
def test_where_cells_bend_over_an_edge_of_the_icosahedron(resolution: int) -> None:
    """Their seventh corner makes them other than convex: no tile may count on it."""
    bent = []
    for cell in h3.grid_disk(h3.get_pentagons(resolution)[3], 30):
        outline = h3.cell_to_boundary(cell)
        if len(outline) > 6 and not h3.is_pentagon(cell):
            bent.append(outline)
    assert bent
    for seed, outline in enumerate(bent[:12]):
        for corner in outline:
            assert_same(crowd(*corner, seed=seed, size=800, spread=0.0008), resolution)


def test_a_stray_position_does_not_blow_the_table_up() -> None:
    latitude, longitude = crowd(21.17, 72.83, seed=1)
    strays = ([0, 900_000_000, -899_999_999], [0, -1_800_000_000, 1_800_000_000])
    places = tuple(
        np.concatenate((ours, np.array(stray, np.int32)))
        for ours, stray in zip((latitude, longitude), strays, strict=True)
    )
    assert_same((places[0], places[1]), 9)


def test_most_positions_need_no_indexing_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counting(latitude: NDArray[np.int32], *rest: object) -> NDArray[np.uint64]:
        asked.append(latitude.size)
        return index_directly(latitude, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(tile_table, "index_directly", counting)
    cells_of(*crowd(21.17, 72.83, seed=2, size=200_000), 7)
    assert sum(asked) < 20_000


def test_progress_rises_and_can_stop_it() -> None:
    places = crowd(10, 10, seed=3, size=200_000, spread=2.0)
    told: list[float] = []
    cells_of(*places, 8, lambda done, _="": told.append(done))
    assert told == sorted(told)
    assert len(told) > 2

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        cells_of(*places, 8, stop)


def test_nothing_gives_nothing() -> None:
    none = np.zeros(0, np.int32)
    assert cells_of(none, none, 7).size == 0
