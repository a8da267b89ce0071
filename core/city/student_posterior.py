"""A HAT's value and interval from noise and neighbours, by points to integrate at (city-release 9).

What the others say is given a Student law with four degrees of freedom: a normal one is too sure of itself
about hexagons that are unlike their neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.mechanisms.public_model import PAPERS_U

FREEDOM = 4.0
_EQUAL_POINTS = 131
AROUND = np.arange(-48, 49) / 8.0
"""Standard deviations around the value and around what the others say: six to each side."""
_FINE = 0.1
"""Standard deviation of noise or of what neighbours say, km/h: below, the equal points are too far away to go
on from six of them.
"""
_FARTHER = 6.0 * np.array([sign * 2.0**power for sign in (-1.0, 1.0) for power in range(1, 17)])
"""Standard deviations at which such a law gets points as well, on to where the equal points are."""
TAIL = 0.025
_ROWS = 1_000
"""HATs whose posterior is integrated together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentPosterior:
    """Of n HATs, in [0, 65] km/h, or as shares in [0, 1]; shape (n,) each."""

    medians: Floats
    lows: Floats
    """2.5 % points."""
    highs: Floats
    """97.5 % points."""
    errors: Floats
    """Expected distance of the true number from the median."""


Integrated = Callable[[Floats, Floats, Floats, Floats, bool], Floats]
"""Medians, low and high ends, and expected distances, shape (4, n), of columns of shape (n, 1)."""


def in_parts(
    integrated: Integrated,
    values: Floats,
    variances: Floats,
    means: Floats,
    deviations: Floats,
    gaussian: bool,
) -> StudentPosterior:
    """Some HATs at a time: each takes some hundred points."""
    parts = []
    for start in range(0, values.size, _ROWS):
        rows = slice(start, start + _ROWS), None
        parts.append(integrated(values[rows], variances[rows], means[rows], deviations[rows], gaussian))
    medians, lows, highs, errors = np.hstack(parts) if parts else np.zeros((4, 0))
    return StudentPosterior(medians=medians, lows=lows, highs=highs, errors=errors)


def log_noise(misfit: Floats, gaussian: bool) -> Floats:
    """Logarithm of the noise's density but for a constant; misfit: in its standard deviations."""
    return misfit**2 / -2.0 if gaussian else misfit * -np.sqrt(2.0)


def student_posterior(
    values: Floats, variances: Floats, means: Floats, deviations: Floats, *, gaussian: bool
) -> StudentPosterior:
    """The law of each true mean v: Student around (mean, deviation) times the noise's density at y - v.

    values: y, not clamped; variances: of y around v, normal or Laplace; means, deviations: what the other
    HATs say; all shape (n,), the papers' units; variances and deviations positive. The density is taken at
    points that follow both factors and integrated by the trapezoid rule.

    Source: city-release 9.
    """
    return in_parts(_integrated, values, variances, means, deviations, gaussian)


def _integrated(
    values: Floats, variances: Floats, means: Floats, deviations: Floats, gaussian: bool
) -> Floats:
    """Medians, low and high ends, and expected distances, shape (4, n); the columns have shape (n, 1)."""
    noise = np.sqrt(variances)
    grid = np.hstack(
        (
            np.broadcast_to(np.linspace(0.0, PAPERS_U, _EQUAL_POINTS), (values.size, _EQUAL_POINTS)),
            values + noise * AROUND,
            means + deviations * AROUND,
            values + np.where(noise < _FINE, noise, 0.0) * _FARTHER,
            means + np.where(deviations < _FINE, deviations, 0.0) * _FARTHER,
        )
    )
    grid = np.sort(np.clip(grid, 0.0, PAPERS_U), axis=1)
    misfit = np.abs(values - grid) / noise
    log_student = (FREEDOM + 1.0) / -2.0 * np.log1p(((grid - means) / deviations) ** 2 / FREEDOM)
    log_density = log_student + log_noise(misfit, gaussian)
    density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    integral = _cumulated(density, grid)
    medians, lows, highs = (_point(grid, integral, share) for share in (0.5, TAIL, 1.0 - TAIL))
    away = _cumulated(density * np.abs(grid - medians[:, None]), grid)[:, -1]
    return np.stack((medians, lows, highs, away / integral[:, -1]))


def _cumulated(heights: Floats, grid: Floats) -> Floats:
    """Trapezoids from the first point up to each, shape as the grid."""
    areas = (heights[:, 1:] + heights[:, :-1]) / 2.0 * np.diff(grid, axis=1)
    return np.pad(np.cumsum(areas, axis=1), ((0, 0), (1, 0)))


def _point(grid: Floats, integral: Floats, share: float) -> Floats:
    """Where each row's integral reaches that share of its whole, between two points by the straight line."""
    wanted = share * integral[:, -1:]
    right: NDArray[np.intp] = np.clip((integral < wanted).sum(axis=1, keepdims=True), 1, None)
    low, high = (np.take_along_axis(integral, right - back, axis=1) for back in (1, 0))
    start, end = (np.take_along_axis(grid, right - back, axis=1) for back in (1, 0))
    along = np.divide(wanted - low, high - low, out=np.zeros_like(low), where=high > low)
    return np.asarray((start + along * (end - start))[:, 0], np.float64)
