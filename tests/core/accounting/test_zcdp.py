"""The conversion of zCDP is never too cheap, agrees with floats, and buys back what it sells."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import log_ndtr

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.zcdp import RHO_STEP, epsilon_of, rho_of
from core.errors import InputError, InternalError

NONE = Decimal(0)
MILLIONTH = Decimal("1e-6")
pures = st.integers(0, 10**9).map(lambda count: count * EPSILON_STEP)
rhos = st.one_of(
    st.integers(1, 10**6).map(lambda count: count * RHO_STEP),
    st.integers(1, 10**17).map(lambda count: count * RHO_STEP),
)
deltas = st.decimals("1e-30", "0.999", allow_nan=False).filter(lambda delta: delta > 0)


def in_floats(rho: float, delta: float) -> float:
    """The formula, written down once more."""
    orders = np.array([1.25, 1.5, 2, 3, 5, 9, 17, 33])
    logs = np.log(8 / delta) - np.log(orders - 1) + orders * np.log(1 - 1 / orders)
    return float(np.min(orders * rho + logs / (orders - 1)))


def gaussian_delta(epsilon: float, rho: float) -> float:
    """delta(epsilon) of the Gaussian mechanism that is rho-zCDP, exactly (the privacy profile)."""
    sigma = 1 / math.sqrt(2 * rho)
    here, there = log_ndtr([0.5 / sigma - epsilon * sigma, -0.5 / sigma - epsilon * sigma])
    return math.exp(here) - math.exp(epsilon + there)


@pytest.mark.parametrize(
    ("pure", "rho", "delta", "epsilon"),
    [
        ("0", "0.001", "1e-6", "0.389680"),
        ("0", "0.1", "1e-6", "2.455735"),
        ("1.5", "0.1", "1e-6", "3.955735"),
        ("0", "1", "1e-6", "8.348235"),
        ("0", "10", "1e-6", "34.508658"),
        ("0", "1000", "1e-6", "1311.077797"),
        ("0", "1", "1e-9", "10.075174"),
    ],
)
def test_known_figures(pure: str, rho: str, delta: str, epsilon: str) -> None:
    assert str(epsilon_of(Decimal(pure), Decimal(rho), Decimal(delta))) == epsilon


@pytest.mark.parametrize(
    ("epsilon", "rho"), [("1", "0.019494553540"), ("10", "1.330353000902"), ("100", "46.746425537064")]
)
def test_known_purchases(epsilon: str, rho: str) -> None:
    assert str(rho_of(Decimal(epsilon), MILLIONTH)) == rho


@given(pure=pures, rho=rhos, delta=deltas)
def test_it_is_the_formula_rounded_up(pure: Decimal, rho: Decimal, delta: Decimal) -> None:
    found = float(epsilon_of(pure, rho, delta) - pure)
    expected = max(in_floats(float(rho), float(delta)), 0.0)
    slack = 1e-9 * (1 + expected)
    assert expected - slack <= found <= expected + float(EPSILON_STEP) + slack


@given(pure=pures, delta=st.just(NONE) | deltas)
def test_without_rho_nothing_is_added_and_no_digit_changes(pure: Decimal, delta: Decimal) -> None:
    assert str(epsilon_of(pure, NONE, delta)) == str(pure)


@given(pure=pures, rho=rhos, more=rhos, delta=deltas)
def test_more_rho_never_costs_less_and_a_larger_delta_never_more(
    pure: Decimal, rho: Decimal, more: Decimal, delta: Decimal
) -> None:
    found = epsilon_of(pure, rho, delta)
    assert found >= pure
    assert epsilon_of(pure, rho + more, delta) >= found
    assert epsilon_of(pure, rho, delta * Decimal("0.9")) >= found
    assert epsilon_of(pure + 1, rho, delta) == found + 1


@given(rho=rhos, more=rhos, delta=deltas)
def test_releases_together_cost_at_most_their_sum(rho: Decimal, more: Decimal, delta: Decimal) -> None:
    """Where the conversion of nothing is not below 0, as with every delta that protects."""
    small = min(delta, Decimal("0.01"))
    apart = epsilon_of(NONE, rho, small) + epsilon_of(NONE, more, small)
    assert epsilon_of(NONE, rho + more, small) <= apart


@given(steps=st.integers(1, 10**10), delta=deltas)
def test_what_is_bought_is_the_most_that_costs_no_more(steps: int, delta: Decimal) -> None:
    epsilon = steps * EPSILON_STEP
    least = epsilon_of(NONE, RHO_STEP, delta)
    if epsilon < least:
        with pytest.raises(InputError, match="buys no Gaussian noise"):
            rho_of(epsilon, delta)
        return
    rho = rho_of(epsilon, delta)
    assert rho % RHO_STEP == 0
    assert epsilon_of(NONE, rho, delta) <= epsilon < epsilon_of(NONE, rho + RHO_STEP, delta)


@given(rho=rhos, delta=deltas)
def test_selling_and_buying_back_loses_nothing(rho: Decimal, delta: Decimal) -> None:
    epsilon = epsilon_of(NONE, rho, delta)
    assert epsilon == 0 or rho_of(epsilon, delta) >= rho


@given(rho=st.floats(1e-4, 500.0), exponent=st.floats(-12.0, -1.0))
def test_no_gaussian_mechanism_loses_more(rho: float, exponent: float) -> None:
    """Its exact privacy profile at the epsilon claimed is not above the delta claimed."""
    delta = 10.0**exponent
    epsilon = float(epsilon_of(NONE, Decimal(rho), Decimal(delta)))
    assert gaussian_delta(epsilon, rho) <= delta


def test_it_is_not_wastefully_dear() -> None:
    """Against the exact epsilon of one Gaussian release: what adaptivity and fixed orders cost."""
    for rho in (0.01, 0.1, 1.0, 10.0):
        exact = brentq(lambda epsilon, rho=rho: gaussian_delta(epsilon, rho) - 1e-6, 0.0, 200.0)
        assert exact < float(epsilon_of(NONE, Decimal(rho), MILLIONTH)) < 1.6 * exact


def test_budgets_that_follow_from_earlier_outputs_stay_within_delta() -> None:
    """An adversary stops as soon as the outputs have betrayed more than the epsilon of the rho so far.

    Privacy loss of each step: N(rho, 2 rho). What escapes is E (1 - e^(epsilon - loss))_+, at most delta.
    """
    trials, delta, each = 200_000, 0.05, 0.02
    rng = np.random.default_rng(14)
    losses, rhos_spent = np.zeros(trials), np.zeros(trials)
    going = np.ones(trials, bool)
    for count in range(1, 101):
        rhos_spent[going] = count * each
        losses[going] += rng.normal(each, math.sqrt(2 * each), int(going.sum()))
        epsilon = float(epsilon_of(NONE, Decimal(str(each)) * count, Decimal(str(delta))))
        going &= losses <= epsilon
    epsilons = np.array([in_floats(rho, delta) for rho in np.unique(rhos_spent)])
    claimed = epsilons[np.unique(rhos_spent, return_inverse=True)[1]]
    escaped = np.maximum(1 - np.exp(claimed - losses), 0.0)
    assert escaped.max() > 0, "the adversary never won: nothing was tried"
    assert escaped.mean() + 5 * escaped.std() / math.sqrt(trials) <= delta


@pytest.mark.parametrize("delta", ["0", "1", "2", "-1"])
def test_rho_without_a_delta_is_refused_with_the_line_that_allows_one(delta: str) -> None:
    for ask in (
        lambda: epsilon_of(NONE, MILLIONTH, Decimal(delta)),
        lambda: rho_of(Decimal(1), Decimal(delta)),
    ):
        with pytest.raises(InputError, match="needs a delta") as refused:
            ask()
        assert "ledger set-limit" in refused.value.mend
        assert "--delta 1e-6" in refused.value.mend


@pytest.mark.parametrize(("pure", "rho"), [("-1", "0"), ("0", "-1")])
def test_a_negative_budget_is_a_bug(pure: str, rho: str) -> None:
    with pytest.raises(InternalError, match="negative"):
        epsilon_of(Decimal(pure), Decimal(rho), MILLIONTH)


def test_an_epsilon_that_buys_nothing_says_how_much_would() -> None:
    with pytest.raises(InputError, match=r"0\.25 buys no .* takes 0\.35668") as refused:
        rho_of(Decimal("0.25"), MILLIONTH)
    assert "raise epsilon" in refused.value.mend
