"""Routes of the made-up city: how long, how fast, and how they are cut into equal times."""

from __future__ import annotations

import numpy as np
import pytest

from core.synthesize.routes import ROUTE_POINTS, ROUTES, Routes, make_routes


@pytest.fixture(scope="module")
def routes() -> Routes:
    return make_routes(np.random.default_rng(1))


def test_every_route_has_all_its_points(routes: Routes) -> None:
    for points in (routes.east, routes.north, routes.speed):
        assert points.shape == (ROUTES, ROUTE_POINTS)
    assert routes.seconds.shape == (ROUTES,)


def test_from_point_to_point_it_takes_the_same_time(routes: Routes) -> None:
    legs = np.hypot(np.diff(routes.east), np.diff(routes.north))
    seconds = legs / (routes.speed[:, 1:] + routes.speed[:, :-1]) * 7200
    assert seconds.sum(axis=1) == pytest.approx(routes.seconds, rel=0.01)
    # a sharp corner between two points is cut short
    even = np.isclose(seconds, routes.seconds[:, None] / (ROUTE_POINTS - 1), rtol=0.1)
    assert even.mean() > 0.999


def test_the_centre_is_slow_and_the_outskirts_are_fast(routes: Routes) -> None:
    outward = np.hypot(routes.east, routes.north)
    assert routes.speed[outward < 1].max() < 24
    assert routes.speed[outward > 11].min() == pytest.approx(42)


def test_routes_stay_within_the_city(routes: Routes) -> None:
    assert np.abs(routes.east).max() <= 14.0
    assert np.abs(routes.north).max() <= 14.7
