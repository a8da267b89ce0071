"""What values with Laplace noise tell the others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import quad

from core.city.laplace_sites import laplace_sites


def reference(value: float, variance: float, mean: float, left_out: float) -> tuple[float, float]:
    """By numerical integration of the posterior."""
    scale = np.sqrt(variance / 2)

    def log_density(v: float) -> float:
        return -((v - mean) ** 2) / 2 / left_out - abs(value - v) / scale

    around = [value, mean, mean + left_out / scale, mean - left_out / scale]
    best = max(map(log_density, around))
    reach = 12 * np.sqrt(left_out)
    ends = min(around) - reach, max(around) + reach
    moments = [
        quad(
            lambda v, power=power: v**power * np.exp(log_density(v) - best),
            *ends,
            points=sorted(around),
            limit=500,
        )[0]
        for power in range(3)
    ]
    first = moments[1] / moments[0]
    spread = moments[2] / moments[0] - first**2
    precision = 1 / spread - 1 / left_out
    return (first / spread - mean / left_out) / precision, 1 / precision


@pytest.mark.parametrize("away", [0.0, 0.5, -3.0, 4.0])
@pytest.mark.parametrize("ratio", [0.05, 0.7, 3.0])
def test_a_site_has_the_moments_of_the_posterior(away: float, ratio: float) -> None:
    left_out = 9.0
    mean, value = 1.0, 1.0 + away * 3.0
    variance = 2 * (3.0 / ratio) ** 2
    found = laplace_sites(*(np.array([one]) for one in (value, variance, mean, left_out)))
    expected = reference(value, variance, mean, left_out)
    assert [one[0] for one in found] == pytest.approx(expected, rel=2e-3)


def test_a_value_far_from_its_neighbours_moves_them_less_than_a_near_one() -> None:
    near, far = (
        laplace_sites(np.array([away]), np.array([8.0]), np.zeros(1), np.array([4.0]))[1][0]
        for away in (0.0, 20.0)
    )
    assert near < 8.0 < far


@pytest.mark.parametrize("ratio", [1e-6, 1e6])
def test_where_one_of_both_says_nothing_the_value_stays(ratio: float) -> None:
    values, variances = np.array([5.0]), np.array([2.0 / ratio**2])
    found = laplace_sites(values, variances, np.zeros(1), np.ones(1))
    assert (found[0][0], found[1][0]) == (values[0], variances[0])


@given(
    st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=5),
    st.floats(1e-6, 1e12),
    st.floats(1e-4, 1e4),
)
@example(away=[530.75], variance=4867.0, left_out=4866.0)
@example(away=[1.0], variance=1e12, left_out=1e-4)
def test_sites_are_finite_and_mirror_images_give_mirror_images(
    away: list[float], variance: float, left_out: float
) -> None:
    values = np.array(away)
    variances, others = np.full(values.size, variance), np.full(values.size, left_out)
    found, spread = laplace_sites(values, variances, np.zeros(values.size), others)
    assert np.isfinite(found).all()
    assert (spread > 0).all()
    assert np.isfinite(spread).all()
    mirrored, same = laplace_sites(-values, variances, np.zeros(values.size), others)
    # how much they add to what the others know: of next to nothing a difference of two numbers near 1 is left
    assert same == pytest.approx(spread, rel=1e-4, abs=0)
    # and how far they move it, of which Laplace noise has a bound, one by its scale
    moved, mirror = (one / of * np.sqrt(variance / 2) for one, of in ((found, spread), (mirrored, same)))
    assert mirror == pytest.approx(-moved, abs=1e-9)
