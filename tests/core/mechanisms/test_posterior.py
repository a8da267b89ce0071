"""The posterior median against plain sums over the grid, and where it must end up (method 6)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.mechanisms.clipping_plan import LinearPlan, TwoStepPlan
from core.mechanisms.posterior import (
    is_offered,
    linear_estimate,
    linear_prior,
    mean_grid,
    posterior_median,
    two_step_estimate,
    two_step_prior,
)
from tests.core.mechanisms.test_clipping_plan import plan_for
from tests.strategies import U

UPPER = 65.0
SCALES = st.floats(1e-6, 1e6)


def literal(released: float, scale: float, density: list[float]) -> float:
    """The first grid mean with at least half of the posterior at or below it, km/h."""
    masses = [math.exp(-(abs(released - 0.05 * k) - 0.0) / scale) * prior for k, prior in enumerate(density)]
    total, below = math.fsum(masses), 0.0
    for k, mass in enumerate(masses):
        below += mass
        if below >= total / 2:
            return 0.05 * k
    raise AssertionError


def linear_density(typical: float) -> list[float]:
    return [0.25 + math.exp(-(((0.05 * k - typical) / 12) ** 2) / 2) for k in range(1301)]


def two_step_density(centre: float, spread: float) -> list[float]:
    b = 0.6 * max(spread, 2.0)
    return [0.6 * math.exp(-abs(0.05 * k - centre) / b) / (2 * b) + 0.4 / 65 for k in range(1301)]


def test_the_grid_has_steps_of_a_twentieth() -> None:
    grid = mean_grid(UPPER)
    assert grid.size == 1301
    assert grid[[0, 1, -1]] == pytest.approx([0.0, 0.05, 65.0])
    assert mean_grid(130.0)[1] == pytest.approx(0.1)


@given(released=st.integers(0, U), scale=st.floats(0.3, 300), typical=st.floats(1, 64))
def test_linear_median_is_that_of_plain_sums(released: int, scale: float, typical: float) -> None:
    found = posterior_median(released, scale, linear_prior(UPPER, typical))
    assert found / 1000 == pytest.approx(literal(released / 1000, scale, linear_density(typical)), abs=0.0501)


@given(
    released=st.integers(0, U), scale=st.floats(0.3, 300), centre=st.floats(1, 63), spread=st.floats(0.1, 20)
)
def test_two_step_median_is_that_of_plain_sums(
    released: int, scale: float, centre: float, spread: float
) -> None:
    found = posterior_median(released, scale, two_step_prior(UPPER, centre, spread))
    wanted = literal(released / 1000, scale, two_step_density(centre, spread))
    assert found / 1000 == pytest.approx(wanted, abs=0.0501)


@given(released=st.integers(0, U), scale=SCALES)
def test_the_estimate_is_a_mean_within_the_bounds(released: int, scale: float) -> None:
    assert 0 <= posterior_median(released, scale, linear_prior(UPPER, 22.0)) <= U
    assert 0 <= posterior_median(released, scale, two_step_prior(UPPER, 21.0, 5.0)) <= U


@given(released=st.integers(0, U))
def test_almost_no_noise_leaves_the_release(released: int) -> None:
    found = posterior_median(released, 1e-4, linear_prior(UPPER, 22.0))
    assert abs(found - released) <= 26


@pytest.mark.parametrize("released", [0, 30_000, U])
def test_hopeless_noise_leaves_the_prior(released: int) -> None:
    prior = two_step_prior(UPPER, 21.0, 5.0)
    assert abs(posterior_median(released, 1e9, prior) - posterior_median(0, 1e9, prior)) <= 50


@given(released=st.integers(0, U - 1), scale=st.floats(0.1, 100))
def test_a_higher_release_gives_no_lower_estimate(released: int, scale: float) -> None:
    prior = linear_prior(UPPER, 22.0)
    assert posterior_median(released, scale, prior) <= posterior_median(released + 1, scale, prior)


def test_it_is_offered_where_noise_is_large() -> None:
    linear, two_step = plan_for([1] * 10, "1"), plan_for([4] * 200, "1")
    assert isinstance(linear, LinearPlan)
    assert [is_offered(linear, scale) for scale in (0.75, 0.76)] == [False, True]
    assert [is_offered(two_step, scale) for scale in (0.3, 0.31)] == [False, True]
    assert is_offered(linear, linear.noise_scale)
    half = plan_for([1] * 10, "1", upper_bound=U // 2)
    assert [is_offered(half, scale) for scale in (0.375, 0.38)] == [False, True]


def test_estimates_come_from_the_plan_and_what_was_published() -> None:
    linear = plan_for([2, 1, 1], "0.5", typical=30.0)
    assert isinstance(linear, LinearPlan)
    wanted = posterior_median(50_000, linear.noise_scale, linear_prior(UPPER, 30.0))
    assert linear_estimate(linear, 50_000) == wanted < 50_000
    two_step = plan_for([4] * 200, "1")
    assert isinstance(two_step, TwoStepPlan)
    found = two_step_estimate(two_step, 25_000, centre=10, spread=1)
    scale = int(two_step.two_step.sensitivities[1]) / two_step.divisor / float(two_step.noise_epsilon)
    prior = two_step_prior(UPPER, 21.0, float(two_step.two_step.spreads[1]))
    assert found == posterior_median(25_000, scale, prior)
    assert 21_000 <= found <= 25_000
