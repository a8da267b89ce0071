"""What lies around a position, and next to it, whichever tree it is in."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from core.geodata import part_trees
from core.geodata.part_trees import PartTrees, inside, nearest, trees_of
from core.geodata.shapes import AREA, from_geojson, parts_of, to_metres
from tests.geojson import box, polygon

LINE_JSON = {"type": "LineString", "coordinates": [[0, 0], [0.2, 0]]}
PLACES = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=30)


def trees(*geometries: object) -> PartTrees:
    return trees_of(parts_of([from_geojson([json.dumps(one) for one in geometries])]))


def test_what_is_around_and_what_is_nearest() -> None:
    found = trees(polygon(box(0, 0, 1, 1)), {"type": "Point", "coordinates": [2, 0]}, LINE_JSON)
    here = to_metres(np.array([[0.5, 0.5], [1.9, 0.0], [50.0, 50.0]]))
    position, part = inside(found, here)
    assert (position.tolist(), part.tolist()) == ([0], [0])
    position, part, metres = nearest(found, here, np.full(3, 20_000.0))
    assert (position.tolist(), part.tolist()) == ([0, 1], [0, 1])
    assert metres[1] == pytest.approx(11_132, abs=1)
    assert nearest(found, here, np.array([20_000.0, 10_000.0, 1.0]))[0].tolist() == [0]
    assert nearest(trees(), here, np.ones(3))[0].size == 0
    assert nearest(found, here[:0], np.ones(0))[0].size == 0


def test_no_tree_is_so_large_that_the_window_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_trees, "_BLOCK", 7)
    found = trees(*({"type": "Point", "coordinates": [n % 10, n // 10]} for n in range(100)))
    assert max(len(tree) for tree in found.trees) == 7
    assert sorted(np.concatenate(found.numbers).tolist()) == list(range(100))
    spread = [np.ptp(found.parts.bounds[numbers, 0]) for numbers in found.numbers]
    assert np.mean(spread) < np.ptp(found.parts.bounds[:, 0]) / 2, "neighbours are together"


@given(points=PLACES, corners=PLACES, asked=PLACES.filter(bool), within=st.integers(1, 400_000))
def test_many_small_trees_find_what_a_look_at_every_part_finds(
    points: list[tuple[int, int]], corners: list[tuple[int, int]], asked: list[tuple[int, int]], within: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part_trees, "_BLOCK", 3)
        found = trees(
            *({"type": "Point", "coordinates": place} for place in points),
            *(polygon(box(x, y, x + 2, y + 1)) for x, y in corners),
        )
        here = to_metres(np.array(asked, float))
        around, near = inside(found, here), nearest(found, here, np.full(len(asked), float(within)))
    shapes, areas = found.parts.shapes, found.parts.kind == AREA
    apart = shapely.distance(shapely.points(here)[:, None], shapes[None, :]).reshape(len(asked), -1)
    touching = np.argwhere((apart == 0) & areas)
    assert sorted(zip(*(one.tolist() for one in around), strict=True)) == sorted(
        map(tuple, touching.tolist())
    )
    least = apart.min(axis=1, initial=within)
    assert [(position, part) for position, part, _ in zip(*(one.tolist() for one in near), strict=True)] == [
        tuple(pair) for pair in np.argwhere(apart <= least[:, None]).tolist()
    ]
