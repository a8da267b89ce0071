"""Marks of curves: each another shape of about one size."""

from __future__ import annotations

import math

import pytest

from core.charts.markers import MARKERS, marker


@pytest.mark.parametrize("key", MARKERS)
def test_corners_lie_around_the_point(key: str) -> None:
    corners = marker(key, (10.0, 20.0), 4.0)
    assert len(corners) == MARKERS[key][0]
    reach = {round(math.dist(corner, (10.0, 20.0)), 6) for corner in corners}
    assert len(reach) == 1
    assert 4.0 <= reach.pop() <= 4.0 * 1.31


def test_no_two_are_alike() -> None:
    shapes = {
        tuple(sorted((round(x, 3), round(y, 3)) for x, y in marker(key, (0.0, 0.0), 1.0))) for key in MARKERS
    }
    assert len(shapes) == len(MARKERS)
