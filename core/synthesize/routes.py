"""The streets of a made-up city: hubs, suburbs, and bus routes as points of equal travel time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats

ROUTES, ROUTE_POINTS = 60, 512
_RING_ROUTES = 10
_HUBS, _SUBURBS, _TERMINALS_PER_SUBURB = 9, 16, 2
_HALF_EAST_KM, _HALF_NORTH_KM = 14.0, 14.7
"""Semi-axes of the outermost ring of terminals; the routes span about 26 x 28 km."""
_SPEED_CENTRE_KMH, _SPEED_OUTSIDE_KMH = 21.0, 42.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Routes:
    """Routes at `ROUTE_POINTS` points of equal undisturbed travel time."""

    east: Floats
    """Shape (routes, points), km east of the centre."""
    north: Floats
    """Shape (routes, points), km north of the centre."""
    speed: Floats
    """Shape (routes, points), undisturbed speed in km/h."""
    seconds: Floats
    """Shape (routes,), undisturbed travel time from end to end."""


def make_routes(rng: np.random.Generator) -> Routes:
    """50 routes across the centre and 10 around it; the same generator state gives the same ones."""
    corners = np.concatenate([_radial_routes(rng, ROUTES - _RING_ROUTES), _ring_routes(rng, _RING_ROUTES)])
    lines = _rounded(corners)
    speed = _local_speed(lines)
    legs = np.hypot(*np.diff(lines, axis=1).transpose(2, 0, 1))
    elapsed = np.cumsum(legs / (speed[:, 1:] + speed[:, :-1]) * 7200, axis=1)
    elapsed = np.concatenate([np.zeros((len(lines), 1)), elapsed], axis=1)
    resampled = np.stack([_at_equal_times(times, line) for times, line in zip(elapsed, lines, strict=True)])
    return Routes(
        east=resampled[..., 0],
        north=resampled[..., 1],
        speed=_local_speed(resampled),
        seconds=elapsed[:, -1],
    )


def suburbs_and_terminals() -> tuple[Floats, Floats]:
    """Suburbs (16, 2) and terminals (16, 2, 2), km from the centre; the same for every seed.

    A fixed plan keeps the extent of the city, whatever the seed.
    """
    rng = np.random.default_rng(2118)
    around = np.arange(_SUBURBS) / _SUBURBS * 2 * np.pi
    suburbs = _ellipse(around + rng.normal(0, 0.08, _SUBURBS), rng.uniform(0.40, 0.62, _SUBURBS))
    shape = (_SUBURBS, _TERMINALS_PER_SUBURB)
    bearing = around[:, None] + np.array([-0.1, 0.12]) + rng.normal(0, 0.03, shape)
    return suburbs, _ellipse(bearing, rng.uniform(0.78, 1.0, shape))


def _ellipse(bearing: Floats, radius: Floats) -> Floats:
    return np.stack([_HALF_EAST_KM * radius * np.cos(bearing), _HALF_NORTH_KM * radius * np.sin(bearing)], -1)


def _radial_routes(rng: np.random.Generator, count: int) -> Floats:
    """Corners (count, 6, 2): terminal, suburb, two hubs, an opposite suburb, its terminal."""
    suburbs, terminals = suburbs_and_terminals()
    hubs = rng.normal(0, 2.2, (_HUBS, 2))
    start = rng.integers(0, _SUBURBS, count)
    end = (start + rng.integers(5, _SUBURBS - 4, count)) % _SUBURBS
    choice = rng.integers(0, _TERMINALS_PER_SUBURB, (2, count))
    via = hubs[rng.permuted(np.tile(np.arange(_HUBS), (count, 1)), axis=1)[:, :2]]
    # The hub nearer to the first suburb comes first: no route doubles back on itself.
    distance = np.hypot(*(via - suburbs[start][:, None]).transpose(2, 0, 1))
    via = np.where((distance[:, 0] > distance[:, 1])[:, None, None], via[:, ::-1], via)
    parts = [terminals[start, choice[0]], suburbs[start], via[:, 0], via[:, 1]]
    return np.stack([*parts, suburbs[end], terminals[end, choice[1]]], axis=1)


def _ring_routes(rng: np.random.Generator, count: int) -> Floats:
    """Corners (count, 6, 2): six neighbouring suburbs."""
    suburbs, _ = suburbs_and_terminals()
    corners: Floats = suburbs[(rng.integers(0, _SUBURBS, (count, 1)) + np.arange(6)) % _SUBURBS]
    return corners


def _rounded(corners: Floats, times: int = 5) -> Floats:
    """Cut the corners of polylines (n, points, 2) again and again (Chaikin); the ends stay."""
    lines = corners
    for _ in range(times):
        before, after = lines[:, :-1], lines[:, 1:]
        cut = np.stack([0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after], axis=2)
        lines = np.concatenate([lines[:, :1], cut.reshape(len(lines), -1, 2)[:, 1:-1], lines[:, -1:]], axis=1)
    return lines


def _local_speed(points: Floats) -> Floats:
    """Undisturbed speed in km/h at points (..., 2): slow in the centre, faster outside."""
    outward = np.minimum(np.hypot(points[..., 0], points[..., 1]) / 11.0, 1.0)
    return _SPEED_CENTRE_KMH + (_SPEED_OUTSIDE_KMH - _SPEED_CENTRE_KMH) * outward


def _at_equal_times(elapsed: Floats, line: Floats) -> Floats:
    at = np.linspace(0.0, elapsed[-1], ROUTE_POINTS)
    return np.stack([np.interp(at, elapsed, line[:, axis]) for axis in (0, 1)], axis=-1)
