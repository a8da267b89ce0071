"""What one release loses by itself: the exact formula, and the lemma that lets discrete noise have it."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.accounting.exact_loss import (
    BY_PROFILE,
    MOST_LATTICE_ERROR,
    RUNNING,
    StatedLoss,
    conversion_of,
    gaussian_epsilon,
    is_stated_epsilon,
    is_stated_power,
    lattice_error,
    mu_of,
    stated_epsilon,
    stated_power,
)
from core.accounting.privacy_loss import PrivacyLoss
from core.accounting.zcdp import epsilon_of, rho_of

MILLIONTH = Decimal("1e-6")
NOTHING = Decimal(0)
_NORMAL = NormalDist()


def _escapes(epsilon: float, mu: float) -> float:
    """delta of the Gaussian mechanism by integrating its densities, apart from any closed form.

    What lies at x under N(mu, 1) beyond e^epsilon times what lies there under N(0, 1), by Gauss-Legendre on
    pieces of a tenth from where the first exceeds the second on.
    """
    start = epsilon / mu + mu / 2.0
    nodes, weights = np.polynomial.legendre.leggauss(16)
    found = 0.0
    for piece in np.arange(0.0, 40.0, 0.1):
        x = start + piece + (nodes + 1.0) / 20.0
        above = np.exp(-((x - mu) ** 2) / 2.0) - np.exp(epsilon - x**2 / 2.0)
        found += float((weights * above).sum()) / 20.0
    return found / math.sqrt(2.0 * math.pi)


@pytest.mark.parametrize("mu", [0.01, 0.2, 1.0, 1.631161, 3.0, 6.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9])
def test_the_epsilon_is_the_least_whose_profile_keeps_delta(mu: float, delta: float) -> None:
    """By numerical integration of both densities."""
    epsilon = gaussian_epsilon(mu, delta)
    assert epsilon is not None
    assert _escapes(epsilon, mu) == pytest.approx(delta, rel=1e-7)


@pytest.mark.parametrize(
    ("rho", "delta", "epsilon"),
    [
        ("0.5", "0.000001", "4.886556"),
        ("1.330346", "0.000001", "8.617783"),
        ("1.330353000902", "0.000001", "8.617810"),
        ("0.000001", "0.000001", "0.003993"),
        ("0.000000000001", "0.001", "0.000002"),
        ("0.000001", "0.001", "0.000002"),
    ],
)
def test_reference_values(rho: str, delta: str, epsilon: str) -> None:
    assert stated_epsilon(NOTHING, Decimal(rho), Decimal(delta), BY_PROFILE) == Decimal(epsilon)


@pytest.mark.parametrize(("typed", "share"), [(5, 0.165), (10, 0.138), (20, 0.113)])
def test_one_release_is_stated_smaller_than_it_is_charged(typed: int, share: float) -> None:
    rho = rho_of(Decimal(typed), MILLIONTH)
    stated = StatedLoss(PrivacyLoss(rho=rho), MILLIONTH, BY_PROFILE)
    assert stated.charged == typed
    assert 1 - float(stated.epsilon) / typed == pytest.approx(share, abs=1e-3)


@given(
    pure=st.decimals(0, 20, places=6), rho=st.decimals("0.000001", 100, places=6), exponent=st.integers(3, 12)
)
def test_a_stated_epsilon_is_recognised_and_no_smaller_one_is(
    pure: Decimal, rho: Decimal, exponent: int
) -> None:
    delta = Decimal(1).scaleb(-exponent)
    stated = stated_epsilon(pure, rho, delta, BY_PROFILE)
    assert is_stated_epsilon(stated, pure, rho, delta, BY_PROFILE)
    assert not is_stated_epsilon(stated - 2 * MILLIONTH, pure, rho, delta, BY_PROFILE)
    assert not is_stated_epsilon(stated + 3 * MILLIONTH, pure, rho, delta, BY_PROFILE)
    assert stated == pure + stated_epsilon(NOTHING, rho, delta, BY_PROFILE)
    assert stated_epsilon(pure, rho + MILLIONTH, delta, BY_PROFILE) >= stated


def test_without_rho_the_epsilon_is_the_pure_one() -> None:
    for conversion in (BY_PROFILE, RUNNING):
        assert stated_epsilon(Decimal("3.5"), NOTHING, NOTHING, conversion) == Decimal("3.5")


@pytest.mark.parametrize(
    ("rho", "delta", "conversion"),
    [("1", "0.000001", RUNNING), ("500", "0.000001", BY_PROFILE), ("1", "1e-31", BY_PROFILE)],
)
def test_the_running_totals_formula_does_where_the_exact_one_does_not_reach(
    rho: str, delta: str, conversion: str
) -> None:
    parts = NOTHING, Decimal(rho), Decimal(delta)
    assert stated_epsilon(*parts, conversion) == epsilon_of(*parts)
    assert is_stated_epsilon(epsilon_of(*parts), *parts, conversion)
    assert not is_stated_epsilon(epsilon_of(*parts) + MILLIONTH, *parts, conversion)


def test_just_below_six_hundred_floats_still_reach() -> None:
    rho = Decimal(450)
    assert 580 < stated_epsilon(NOTHING, rho, MILLIONTH, BY_PROFILE) < 600
    assert _escapes(float(stated_epsilon(NOTHING, rho, MILLIONTH, BY_PROFILE)), 30.0) < 1e-6


@given(st.decimals("0.000000000001", 1000, places=12))
def test_mu_is_the_root_rounded_up(rho: Decimal) -> None:
    mu = mu_of(rho)
    assert (mu - MILLIONTH) ** 2 < 2 * rho <= mu**2
    assert mu_of(Decimal("0.5")) == 1


@pytest.mark.parametrize(
    ("pure", "rho", "found"), [("4", "0.5", 0.868), ("4", "0", 0.546), ("0", "0.5", 0.092), ("0", "0", 0.01)]
)
def test_both_parts_together_help_an_attacker_more_than_either(pure: str, rho: str, found: float) -> None:
    """Epsilon 4 beside mu 1: found in 87 of a hundred cases, by one of them alone in 55 and in 9."""
    power = stated_power(Decimal(pure), Decimal(rho), MILLIONTH, BY_PROFILE)
    assert float(power) == pytest.approx(found, abs=5e-4)
    assert is_stated_power(power, Decimal(pure), Decimal(rho), MILLIONTH, BY_PROFILE)
    assert not is_stated_power(power - 2 * MILLIONTH, Decimal(pure), Decimal(rho), MILLIONTH, BY_PROFILE)


def test_no_attacker_beats_the_stated_power() -> None:
    """Randomised response of epsilon beside one number with Gaussian noise: every threshold, both answers."""
    epsilon, mu = 2.0, 0.8
    said = math.exp(epsilon) / (1.0 + math.exp(epsilon))
    stated = float(stated_power(Decimal(2), Decimal(str(mu**2 / 2)), MILLIONTH, BY_PROFILE))
    best = 0.0
    for ratio in np.linspace(-8.0, 8.0, 4001):
        # an alarm where the likelihood ratio of answer and number together exceeds e^ratio
        cuts = [(ratio - sign * epsilon) / mu + mu / 2.0 for sign in (1, -1)]
        false = (1 - said) * (1 - _NORMAL.cdf(cuts[0])) + said * (1 - _NORMAL.cdf(cuts[1]))
        if false <= 0.01:
            true = said * (1 - _NORMAL.cdf(cuts[0] - mu)) + (1 - said) * (1 - _NORMAL.cdf(cuts[1] - mu))
            best = max(best, true)
    assert 0.1 < best <= stated


def test_where_the_exact_formula_does_not_hold_the_power_follows_from_epsilon_and_delta() -> None:
    stated = StatedLoss(PrivacyLoss(rho=Decimal("0.05")), MILLIONTH, RUNNING)
    assert stated.mu is None
    assert float(stated.power) == pytest.approx(0.01 * math.exp(1.605735) + 1e-6, abs=3e-6)


# The lemma (method 13.8): what discrete noise adds to the profile of rounded continuous noise


def _discrete(sigma: float, reach: int) -> NDArray[np.float64]:
    """The discrete Gaussian on -reach..reach."""
    places = np.arange(-reach, reach + 1)
    law = np.exp(-(places**2) / (2.0 * sigma**2))
    return law / np.exp(-(np.arange(-60 * reach, 60 * reach + 1) ** 2) / (2.0 * sigma**2)).sum()


@pytest.mark.parametrize("sigma", [2.0, 3.5, 8.0, 20.0])
def test_both_laws_differ_at_each_integer_by_no_more_than_the_lemma_says(sigma: float) -> None:
    """Rounded over discrete noise: from 1 - 1 / (24 sigma^2) to sinh(h) / h, h = k / (2 sigma^2)."""
    reach = int(8 * sigma)
    law = _discrete(sigma, reach)
    for place in range(reach + 1):
        # on the side of the tail, where differences do not cancel
        rounded = _below(0.5 - place, sigma) - _below(-0.5 - place, sigma)
        ratio = rounded / law[reach + place]
        h = place / (2.0 * sigma**2)
        most = math.sinh(h) / h if h else 1.0
        assert 1.0 - 1.0 / (24.0 * sigma**2) - 1e-9 <= ratio <= most + 1e-9
        assert most <= math.exp(place**2 / (24.0 * sigma**4)) + 1e-15


def _below(place: float, sigma: float) -> float:
    """P(N(0, sigma) < place), also far out."""
    return math.erfc(-place / sigma / math.sqrt(2.0)) / 2.0


def _profile(laws: list[NDArray[np.float64]], moved: list[NDArray[np.float64]], epsilon: float) -> float:
    """delta of one vector of independent integers, by summing over all of them."""
    first, second = laws[0], moved[0]
    for law, other in zip(laws[1:], moved[1:], strict=True):
        first, second = np.multiply.outer(first, law), np.multiply.outer(second, other)
    return float(np.maximum(first - math.exp(epsilon) * second, 0.0).sum())


@pytest.mark.parametrize(
    ("sigmas", "shifts"),
    [
        ((3.0,), (2,)),
        ((8.0,), (9,)),
        ((2.0,), (1,)),
        ((3.0, 5.0), (2, 4)),
        ((4.0, 4.0), (0, 5)),
        ((3.0, 4.0, 5.0), (2, 2, 3)),
        ((2.5, 2.5, 2.5), (1, 1, 1)),
    ],
)
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9])
def test_discrete_noise_keeps_the_epsilon_of_continuous_noise_but_for_its_own_h(
    sigmas: tuple[float, ...], shifts: tuple[int, ...], delta: float
) -> None:
    """In one, two and three dimensions, with the H of these small sigmas at 9 deviations, by exact sums."""
    reach = 9.0
    mu = math.hypot(*(shift / sigma for shift, sigma in zip(shifts, sigmas, strict=True)))
    h = sum(reach**2 / 24.0 / sigma**2 for sigma in sigmas)
    epsilon = gaussian_epsilon(mu, delta)
    assert epsilon is not None
    laws = [_discrete(sigma, math.ceil(reach * sigma) + max(shifts)) for sigma in sigmas]
    moved = [np.roll(law, shift) for law, shift in zip(laws, shifts, strict=True)]
    tail = len(sigmas) * math.exp(epsilon + h) * 2.0 * _below(-reach, 1.0)
    more, share = h * (1.0 + 1.0 / reach**2), math.exp(h / reach**2)
    assert _profile(laws, moved, epsilon + more) <= share * delta + tail


def test_the_lemma_holds_where_a_second_number_follows_the_first() -> None:
    """Two looks: where the first is positive the second has more noise, and moves as much more."""
    sigma, reach, delta = 4.0, 9.0, 1e-6
    first = _discrete(sigma, int(reach * sigma) + 8)
    places = np.arange(first.size) - first.size // 2
    mu = math.hypot(3 / sigma, 0.5)
    epsilon = gaussian_epsilon(mu, delta)
    assert epsilon is not None
    h = 2.0 * reach**2 / 24.0 / sigma**2
    more, share = h * (1.0 + 1.0 / reach**2), math.exp(h / reach**2)
    escaped = 0.0
    for positive, (deviation, shift) in itertools.product((True, False), ((8.0, 4), (4.0, 2))):
        if positive is not (deviation == 8.0):
            continue
        second = _discrete(deviation, int(reach * deviation) + 8)
        chosen = places > 0 if positive else places <= 0
        law = np.multiply.outer(np.where(chosen, first, 0.0), second)
        other = np.multiply.outer(np.where(chosen, np.roll(first, 3), 0.0), np.roll(second, shift))
        escaped += float(np.maximum(law - math.exp(epsilon + more) * other, 0.0).sum())
    assert 0.0 < escaped <= share * delta + 1e-12


def test_h_of_a_release_forces_large_noise_and_costs_less_than_a_millionth() -> None:
    """At the largest H a single number has sigma 11,547; bounds of the lemma stay within what is added."""
    sigma = math.sqrt(1600.0 / 24.0 / MOST_LATTICE_ERROR)
    assert sigma == pytest.approx(11_547, abs=1)
    assert MOST_LATTICE_ERROR * (1.0 + 1.0 / 1600.0) < 1e-6
    assert math.expm1(MOST_LATTICE_ERROR / 1600.0) < 1e-6
    rho = Decimal("0.5")
    assert lattice_error(11_548, rho, 1) == pytest.approx(MOST_LATTICE_ERROR, rel=1e-3)
    assert conversion_of(lattice_error(11_548, rho, 1)) == BY_PROFILE
    assert conversion_of(lattice_error(11_548, rho, 2)) == RUNNING
