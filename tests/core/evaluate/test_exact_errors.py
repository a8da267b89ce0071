"""Exact expected errors: against numerical integration, against trials, and with nothing thinned."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from core.contributions import HatData
from core.evaluate import candidate_thinning
from core.evaluate.compared_curves import Series, SharedTotal, all_series, series_of
from core.evaluate.exact_errors import clamped_laplace_error, clamped_normal_error, exact_error
from core.evaluate.replica import replica, replica_with_effects
from core.evaluate.scaling import sample_scaled, user_scaled
from core.evaluate.simulated_errors import simulate
from core.mechanisms.base import Draw, Plan
from core.noise.source import NoiseSource
from tests.strategies import hat_of

U = 65.0
SERIES = all_series()


def small_hat(seed: int = 0) -> HatData:
    """Sixty users with a few records each, values all over [0, U]."""
    rng = np.random.default_rng(seed)
    counts = np.sort(rng.integers(1, 6, 60))[::-1].astype(np.int64)
    return hat_of(counts, rng.integers(0, 65_001, int(counts.sum())))


def scaled_by_samples(seed: int = 0) -> HatData:
    return sample_scaled(replica(seed), seed)


def scaled_by_users(seed: int = 0) -> HatData:
    return user_scaled(replica(seed), seed)


def plan_of(series: Series, hat: HatData, epsilon: str) -> Plan:
    return series.plan(hat.public, Decimal(epsilon), hat.upper_bound)


def kmh(low: float, high: float) -> st.SearchStrategy[float]:
    """In thousandths: two breaks closer than that are beyond numerical integration."""
    return st.integers(round(low * 1000), round(high * 1000)).map(lambda value: value / 1000)


@pytest.mark.parametrize("centre", [-5.0, 0.0, 20.0, 65.0, 70.0])
@pytest.mark.parametrize("deviation", [0.01, 3.0, 40.0, 500.0])
@pytest.mark.parametrize("truth", [0.0, 21.0, 65.0])
def test_the_closed_form_of_normal_noise_is_the_integral(
    centre: float, deviation: float, truth: float
) -> None:
    law, points = stats.norm(centre, deviation), np.linspace(0.0, U, 200_001)
    odds = np.where(points <= truth, law.cdf(points), law.sf(points))
    found = clamped_normal_error(np.array([centre]), np.array([deviation]), truth, U)
    assert found[0] == pytest.approx(integrate.trapezoid(odds, points), abs=5e-4)


GAUSSIAN = [one for one in all_series(shared=SharedTotal(hats=40, delta=Decimal("1e-6"))) if one.shared]


@pytest.mark.parametrize("series", GAUSSIAN, ids=lambda one: f"{one.mechanism.key}-{one.grouping}")
def test_gaussian_noise_is_worked_out_as_the_trials_have_it(series: Series) -> None:
    hat = small_hat()
    plan = plan_of(series, hat, "0.7")
    exact = exact_error(series, plan, hat)
    assert exact is not None
    row = simulate(series, plan, hat, trials=20_000, seed=3, exact=exact, epsilon=Decimal("0.7"))
    assert (row.noise, row.eps, row.to_json()["noise"]) == ("gauss", Decimal("0.7"), "gauss")
    assert row.mae == pytest.approx(exact, abs=5 * row.standard_error)
    assert row.noise_scale == pytest.approx(row.sensitivity / np.sqrt(2 * float(plan.rho)))


@given(centre=kmh(-5, 70), scale=kmh(0.01, 500), truth=kmh(0, U))
def test_the_closed_form_is_the_integral(centre: float, scale: float, truth: float) -> None:
    law = stats.laplace(centre, scale)
    # piece by piece: a narrow peak in a wide range is easily overlooked
    peak = [centre + times * scale for times in (-30, -5, -1, 0, 1, 5, 30)]
    breaks = sorted({min(max(point, 0.0), U) for point in (0.0, U, truth, *peak)})
    inside = sum(
        integrate.quad(lambda x: abs(x - truth) * law.pdf(x), low, high)[0] for low, high in pairwise(breaks)
    )
    wanted = inside + truth * law.cdf(0) + (U - truth) * law.sf(U)
    found = clamped_laplace_error(np.array([centre]), np.array([scale]), truth, U)
    assert found[0] == pytest.approx(wanted, rel=1e-6, abs=1e-7)


def test_without_noise_the_error_is_the_distance() -> None:
    centres = np.array([-1.0, 0.0, 12.5, 65.0, 66.0])
    assert clamped_laplace_error(centres, np.zeros(5), 10.0, U) == pytest.approx([10, 10, 2.5, 55, 55])


def test_a_wide_interior_has_the_plain_scale() -> None:
    """E|Lap(b)| = b where clamping does not matter (P1 Sec. IV-A)."""
    assert clamped_laplace_error(np.array([30.0]), np.array([0.4]), 30.0, U) == pytest.approx([0.4])


@pytest.mark.parametrize(
    "make", [replica, replica_with_effects, small_hat, scaled_by_samples, scaled_by_users]
)
def test_trials_agree_within_three_standard_errors(make: Callable[[int], HatData]) -> None:
    hat, apart = make(0), []
    for series, epsilon in product(SERIES, ("0.5", "1", "2")):
        plan = plan_of(series, hat, epsilon)
        exact = exact_error(series, plan, hat)
        row = simulate(series, plan, hat, trials=10_000, seed=20_240_601)
        if exact is None or abs(row.mae - exact) >= 3 * row.standard_error:
            apart.append((series, epsilon, exact, row.mae, row.standard_error))
    assert apart == []


@pytest.mark.parametrize(
    ("counts", "values"),
    [
        ([1], [12_345]),
        ([5], [0, 65_000, 1, 2, 3]),
        ([1, 1, 1], [7_000] * 3),
        ([4, 3, 1], [0] * 8),
        ([4, 3, 1], [65_000] * 8),
        ([3, 2, 1], [0, 65_000, 30_000, 10_000, 20_000, 40_000]),
    ],
    ids=["one-record", "one-user", "one-record-each", "all-0", "all-U", "mixed"],
)
def test_extremes_agree_too(counts: list[int], values: list[int]) -> None:
    """To five standard errors, with the rounding of estimates: 420 comparisons."""
    hat, apart = hat_of(np.array(counts), np.array(values)), []
    for series, epsilon in product(SERIES, ("0.001", "0.1", "1", "10", "100")):
        plan = plan_of(series, hat, epsilon)
        exact = exact_error(series, plan, hat)
        row = simulate(series, plan, hat, trials=10_000, seed=11)
        if exact is None or not 0.0 <= exact <= U or abs(row.mae - exact) >= 5 * row.standard_error + 0.0006:
            apart.append((series, epsilon, exact, row.mae, row.standard_error))
    assert apart == []


def three_users(_: int) -> HatData:
    return hat_of(np.array([3, 2, 1]), np.array([9, 8, 50, 40, 12, 33]) * 1_000)


@pytest.mark.parametrize("make", [three_users, small_hat, replica])
@pytest.mark.parametrize("key", ["fixed-quantile", "epsilon-quantile"])
@pytest.mark.parametrize(
    ("epsilon", "apart"), [("0.001", 2e-3), ("0.1", 1e-3), ("0.5", 2e-4), ("2", 2e-4), ("100", 5e-5)]
)
def test_thinning_changes_next_to_nothing(
    make: Callable[[int], HatData], key: str, epsilon: str, apart: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    series, hat = series_of(key), make(0)
    plan = plan_of(series, hat, epsilon)
    thinned = exact_error(series, plan, hat)
    monkeypatch.setattr(candidate_thinning, "_FEW", 10**9)
    assert thinned == pytest.approx(exact_error(series, plan, hat), rel=apart)


class Shifted:
    """A mechanism that does more to its noisy number than clamping it."""

    def run(self, plan: Plan, hat: HatData, noise: NoiseSource) -> Draw:
        draw = series_of("baseline").mechanism.run(plan, hat, noise)
        return dataclasses.replace(draw, estimates=draw.estimates // 2)


def test_an_estimate_that_is_no_clamped_laplace_draw_has_no_exact_error() -> None:
    hat = small_hat()
    plan = plan_of(series_of("baseline"), hat, "1")
    assert exact_error(Series(mechanism=Shifted(), params=None), plan, hat) is None  # type: ignore[arg-type]
