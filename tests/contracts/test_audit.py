"""The audit of RECIPES C: it passes every mechanism and catches noise that is too small."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from core.contributions import HatData
from core.mechanisms.base import Mechanism
from core.mechanisms.registry import all_mechanisms
from tests.audit import Event, VectorNoise, certify, choose_event, clopper_pearson, epsilon_lower_bound
from tests.fakes import secure_noise
from tests.strategies import U

ALPHA = 1e-6
EPSILON = Decimal(1)
COUNTS = np.repeat([4, 3, 2, 1], [20, 30, 40, 50])
"""One HAT of 140 vehicles: noise is far smaller than U, so that clamping hides little."""
MECHANISMS = [pytest.param(mechanism, id=key) for key, mechanism in all_mechanisms().items()]
Pair = tuple[HatData, HatData]


def _hat(values: NDArray[np.int64]) -> HatData:
    starts = np.concatenate(([0], np.cumsum(COUNTS)[:-1]))
    return HatData(counts=COUNTS, starts=starts, values=values.astype(np.int32), upper_bound=U)


def extreme_pair(others: int) -> Pair:
    """The busiest vehicle at 0, and at U; every other vehicle at `others`."""
    low = np.full(COUNTS.sum(), others)
    low[: COUNTS[0]] = 0
    high = low.copy()
    high[: COUNTS[0]] = U
    return _hat(low), _hat(high)


def draws(mechanism: Mechanism, hat: HatData, noise: VectorNoise) -> NDArray[np.int64]:
    """Published means in thousandths, shape (trials,)."""
    plan = mechanism.plan(COUNTS, EPSILON, U, mechanism.Params())
    return mechanism.run(plan, hat, noise).estimates


def bound(mechanism: Mechanism, pair: Pair, trials: int, *, stretch: float = 1.0) -> float:
    noise = VectorNoise(trials, stretch=stretch)
    return epsilon_lower_bound(*(draws(mechanism, hat, noise) for hat in pair), ALPHA)


PAIRS = [
    pytest.param(extreme_pair(0), id="others-at-0"),
    pytest.param(extreme_pair(U // 2), id="others-at-mid"),
]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_mechanism_costs_more_than_it_says(mechanism: Mechanism, pair: Pair) -> None:
    assert 0.5 < bound(mechanism, pair, 20_000) <= float(EPSILON)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_halved_noise_is_caught(mechanism: Mechanism, pair: Pair) -> None:
    assert bound(mechanism, pair, 20_000, stretch=0.5) > float(EPSILON)


@pytest.mark.parametrize(
    ("trials", "least"), [(3_000, 0.2), pytest.param(100_000, 0.8, marks=pytest.mark.audit)]
)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_very_source_of_a_release_passes(mechanism: Mechanism, trials: int, least: float) -> None:
    """One metered draw at a time, as a release makes them."""
    plan = mechanism.plan(COUNTS, EPSILON, U, mechanism.Params())
    samples = []
    for hat in extreme_pair(U // 2):
        noise = secure_noise(EPSILON * trials)
        samples.append(np.array([mechanism.run(plan, hat, noise).estimates[0] for _ in range(trials)]))
    assert least < epsilon_lower_bound(*samples, ALPHA) <= float(EPSILON)


@pytest.mark.audit
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_mechanism_costs_more_than_it_says_in_a_million_draws(mechanism: Mechanism, pair: Pair) -> None:
    assert 0.9 < bound(mechanism, pair, 1_000_000) <= float(EPSILON)


@pytest.mark.audit
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_tenth_less_noise_is_caught_in_a_million_draws(mechanism: Mechanism) -> None:
    assert bound(mechanism, extreme_pair(U // 2), 1_000_000, stretch=0.9) > float(EPSILON)


def test_equal_data_certify_nothing() -> None:
    """The no-op pair: the same records on both sides."""
    mechanism = all_mechanisms()["array-averaging"]
    hat, _ = extreme_pair(U // 2)
    assert bound(mechanism, (hat, hat), 20_000) <= 0


def test_the_audit_raises_no_false_alarm_on_exact_laplace() -> None:
    rng = np.random.default_rng(20240708)
    bounds = [
        epsilon_lower_bound(rng.laplace(0.0, 1.0, 2_000), rng.laplace(1.0, 1.0, 2_000), 0.05)
        for _ in range(100)
    ]
    assert sum(found > 1.0 for found in bounds) <= 5


@pytest.mark.parametrize(("too_small", "least"), [(1.25, 1.0), (2.0, 1.7)])
def test_the_audit_catches_a_sensitivity_that_is_too_small(too_small: float, least: float) -> None:
    """RECIPES C at n = 20,000 and alpha 1e-3: 1.11 for 1.25, 1.83 for 2."""
    rng = np.random.default_rng(7)
    found = epsilon_lower_bound(rng.laplace(0.0, 1.0, 20_000), rng.laplace(too_small, 1.0, 20_000), 1e-3)
    assert least < found <= too_small


def test_clopper_pearson_bounds_hold_at_the_ends_and_in_the_middle() -> None:
    low, high = clopper_pearson(np.array([0, 10, 50, 100]), 100, 0.025)
    assert low == pytest.approx([0.0, 0.0490047, 0.3983211, 0.9637833], abs=1e-6)
    assert high == pytest.approx([0.0362167, 0.1762226, 0.6016789, 1.0], abs=1e-6)


def test_the_chosen_event_is_where_the_samples_differ() -> None:
    event = choose_event(np.repeat([0, 9], [900, 100]), np.repeat([0, 9], [100, 900]), 0.01)
    assert event.low <= 0 < event.high <= 9


def test_nothing_is_certain_about_an_event_that_never_happened() -> None:
    assert certify(Event(5.0, 6.0), np.zeros(10), np.zeros(10), 0.01) == -np.inf


def test_the_sampler_follows_the_discrete_laplace_law() -> None:
    """Chi-square on real metered draws at scale 3: P(k) = (1 - a) / (1 + a) a^|k|, a = exp(-1 / 3)."""
    trials, reach = 6_000, 10
    noise = secure_noise(EPSILON * trials)
    drawn = np.array([noise.laplace(5, 3, spend=EPSILON)[0] - 5 for _ in range(trials)])
    a = np.exp(-1 / 3)
    law = (1 - a) / (1 + a) * a ** np.abs(np.arange(-reach, reach + 1))
    tail = (1 - law.sum()) / 2
    seen = np.bincount(np.clip(drawn, -reach - 1, reach + 1) + reach + 1, minlength=2 * reach + 3)
    assert chisquare(seen, trials * np.concatenate(([tail], law, [tail]))).pvalue > 1e-6
