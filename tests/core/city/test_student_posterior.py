"""The published law of one HAT, against plain loops over the same points and against true integrals."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import t

from core.arrays import Floats
from core.city.student_posterior import StudentPosterior, student_posterior

CASES = [
    # value, variance, mean, deviation of the others
    (20.0, 25.0, 25.0, 4.0),
    (20.0, 25.0, 60.0, 2.0),
    (-30.0, 400.0, 15.0, 6.0),
    (300.0, 1e4, 40.0, 5.0),
    (64.9, 0.01, 10.0, 3.0),
    (0.0, 1.0, 0.0, 1.0),
    (33.0, 1e6, 70.0, 8.0),
]


def posterior(*case: float, gaussian: bool) -> StudentPosterior:
    return student_posterior(*(np.array([number]) for number in case), gaussian=gaussian)


def density(y: float, variance: float, m: float, s: float, *, gaussian: bool) -> Callable[[float], float]:
    noise = math.sqrt(variance)

    def product(v: float) -> float:
        misfit = abs(y - v) / noise
        # as large at v = y, or at the nearer end, as it gets: the factor keeps it within the floats
        most = abs(y - min(max(y, 0.0), 65.0)) / noise
        law = most**2 / 2.0 - misfit**2 / 2.0 if gaussian else math.sqrt(2.0) * (most - misfit)
        return (1.0 + ((v - m) / s) ** 2 / 4.0) ** -2.5 * math.exp(law)

    return product


def by_loops(y: float, variance: float, m: float, s: float, *, gaussian: bool) -> list[float]:
    """Median, 2.5 % and 97.5 % points, expected distance; one point after another."""
    points = {65.0 * k / 130 for k in range(131)} | {min(max(y, 0.0), 65.0)}
    for j in range(-48, 49):
        points |= {y + math.sqrt(variance) * j / 8, m + s * j / 8}
    grid = sorted(v for v in points if 0.0 <= v <= 65.0)
    heights = [density(y, variance, m, s, gaussian=gaussian)(v) for v in grid]
    areas = [(b - a) * (p + q) / 2 for a, b, p, q in zip(grid, grid[1:], heights, heights[1:], strict=False)]
    ends = []
    for share in (0.5, 0.025, 0.975):
        left = share * sum(areas)
        for a, b, area in zip(grid, grid[1:], areas, strict=False):
            if left <= area:
                ends.append(a + (b - a) * left / area)
                break
            left -= area
    away = [p * abs(v - ends[0]) for v, p in zip(grid, heights, strict=True)]
    distance = sum((b - a) * (p + q) / 2 for a, b, p, q in zip(grid, grid[1:], away, away[1:], strict=False))
    return [*ends, distance / sum(areas)]


def results(found: StudentPosterior) -> list[float]:
    return [float(column[0]) for column in (found.medians, found.lows, found.highs, found.errors)]


@pytest.mark.parametrize("gaussian", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_medians_and_ends_are_those_of_plain_loops(case: tuple[float, ...], gaussian: bool) -> None:
    found = posterior(*case, gaussian=gaussian)
    assert results(found) == pytest.approx(by_loops(*case, gaussian=gaussian), abs=1e-8)


@pytest.mark.parametrize("gaussian", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_medians_and_ends_are_near_those_of_true_integrals(case: tuple[float, ...], gaussian: bool) -> None:
    pdf = density(*case, gaussian=gaussian)
    y, variance, m, s = case
    breaks = sorted(
        {min(max(v, 0.0), 65.0) for v in (y, y - variance**0.5, y + variance**0.5, m - s, m, m + s)}
    )

    def below(v: float) -> float:
        edges = [0.0, *(b for b in breaks if 0.0 < b < v), v]
        return sum(quad(pdf, a, b)[0] for a, b in pairwise(edges))

    whole = below(65.0)
    wanted = [brentq(lambda v, p=p: below(v) / whole - p, 0.0, 65.0) for p in (0.5, 0.025, 0.975)]
    found = results(posterior(*case, gaussian=gaussian))
    width = wanted[2] - wanted[1]
    assert found[:3] == pytest.approx(wanted, abs=0.01 * width)


@pytest.mark.parametrize("gaussian", [False, True])
def test_of_a_value_without_noise_the_value_remains(gaussian: bool) -> None:
    found = student_posterior(
        np.array([0.0, 12.345, 65.0]),
        np.full(3, 1e-12),
        np.full(3, 40.0),
        np.full(3, 0.01),
        gaussian=gaussian,
    )
    np.testing.assert_allclose(found.medians, [0.0, 12.345, 65.0], atol=1e-5)
    np.testing.assert_allclose(found.highs - found.lows, 0.0, atol=1e-5)


@pytest.mark.parametrize("gaussian", [False, True])
def test_of_nothing_but_noise_the_others_law_remains(gaussian: bool) -> None:
    found = posterior(1e9, 1e20, 30.0, 2.0, gaussian=gaussian)
    law = t(df=4, loc=30.0, scale=2.0)
    np.testing.assert_allclose(results(found)[:3], law.ppf([0.5, 0.025, 0.975]), rtol=2e-3)
    away = law.expect(lambda v: abs(v - 30.0), lb=0.0, ub=65.0)
    assert found.errors[0] == pytest.approx(away, rel=0.01)


def test_a_hat_unlike_all_others_is_believed_where_a_normal_law_would_not_believe_it() -> None:
    """30 km/h apart, both with a deviation of 2: a normal law says the middle, a Student law two places."""
    found = posterior(50.0, 4.0, 20.0, 2.0, gaussian=True)
    assert found.medians[0] > 46.0


@pytest.mark.parametrize("gaussian", [False, True])
def test_nothing_extreme_leaves_the_range_or_the_numbers(gaussian: bool) -> None:
    ys, variances, means, deviations = (
        grid.ravel()
        for grid in np.meshgrid(
            [-1e100, -70.0, 0.0, 32.0, 65.0, 1e11, 1e100],
            [1e-12, 1.0, 1e20, 1e200],
            [-1e9, 0.0, 32.0, 1e9],
            [0.01, 13.0],
        )
    )
    found = student_posterior(ys, variances, means, deviations, gaussian=gaussian)
    for ends in (found.medians, found.lows, found.highs, found.errors):
        assert np.all((ends >= 0.0) & (ends <= 65.0))
    assert np.all((found.lows <= found.medians) & (found.medians <= found.highs))


def test_rows_do_not_know_each_other() -> None:
    rng = np.random.default_rng(2)
    columns: list[Floats] = [rng.uniform(1.0, 60.0, 2_100) for _ in range(4)]
    whole = student_posterior(*columns, gaussian=False)
    for at in (0, 999, 1_000, 2_099):
        alone = student_posterior(*(column[[at]] for column in columns), gaussian=False)
        assert results(alone) == [whole.medians[at], whole.lows[at], whole.highs[at], whole.errors[at]]


def test_of_no_hats_there_is_nothing() -> None:
    assert student_posterior(*(np.zeros(0) for _ in range(4)), gaussian=False).medians.shape == (0,)
