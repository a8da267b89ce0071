"""Bias of a joint release's weights: pair by pair, at its worst, and as one HAT alone has it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import Floats
from core.city.city_bias import city_bias, corrected_bias, spread_squared
from core.city.city_pairs import CityPairs
from core.contributions import HatUsers
from core.mechanisms.public_model import DWELL, weights_bias
from core.mechanisms.tokens import BOUNDED, CORRECTIONS, EXACT, SPLIT
from tests.count_tables import TOWN, Counts, count_tables, pairs_of

UPPER = 65.0


def weights_for(pairs: CityPairs, seed: int) -> Floats:
    """Any weights that sum to 1 in each HAT."""
    drawn = np.random.default_rng(seed).exponential(1.0, pairs.hat.size)
    return drawn / pairs.by_hat(drawn)[pairs.hat]


@given(counts=count_tables(most_vehicles=5), seed=st.integers(0, 2**32), seen=st.booleans())
def test_each_hat_is_what_it_would_be_alone(counts: Counts, seed: int, seen: bool) -> None:
    """The same model as of a HAT's own mechanism, which goes user by user."""
    visits = np.random.default_rng(seed).integers(1, np.maximum(counts, 1), endpoint=True) if seen else None
    pairs = pairs_of(counts, visits)
    weights = weights_for(pairs, seed)
    found = city_bias(pairs, weights, UPPER)
    for hat in range(pairs.hats):
        mine = np.flatnonzero(pairs.hat == hat)
        mine = mine[np.argsort(-pairs.records[mine], kind="stable")]
        users = HatUsers(
            counts=pairs.records[mine], visits=None if pairs.visits is None else pairs.visits[mine]
        )
        alone = weights_bias(users, weights[mine], UPPER)
        assert found.typical[hat] == pytest.approx(alone.typical, rel=1e-9, abs=1e-9)
        # over a city shifts to either side mix: 3 in place of 6
        shifted = math.sqrt(max(alone.interval**2 - alone.typical**2, 0.0))
        assert found.interval[hat] == pytest.approx(
            math.hypot(alone.typical, shifted / 2), rel=1e-6, abs=1e-6
        )


@given(counts=count_tables(most_vehicles=6), seed=st.integers(0, 2**32), divisor=st.floats(0.75, 1.25))
def test_the_worst_case_is_attained_at_zero_and_u_and_never_passed(
    counts: Counts, seed: int, divisor: float
) -> None:
    """Whatever a mean is divided by, so that weights need not sum to 1."""
    pairs = pairs_of(counts)
    weights = weights_for(pairs, seed) / divisor
    found = city_bias(pairs, weights, UPPER)
    for hat in range(pairs.hats):
        moved = (weights - pairs.shares)[pairs.hat == hat]
        worst = max(abs(moved @ np.array(ends)) for ends in itertools.product((0, UPPER), repeat=moved.size))
        assert found.at_worst[hat] == pytest.approx(worst, abs=1e-9)


def test_true_weights_have_none() -> None:
    pairs = pairs_of(TOWN, np.ones_like(np.array(TOWN)))
    found = city_bias(pairs, pairs.shares, UPPER)
    assert (found.typical.max(), found.interval.max(), found.at_worst.max()) == (0.0, 0.0, 0.0)


def test_two_vehicles_by_hand() -> None:
    """Three records and one, weighed alike: a quarter moved; tau^2 = 25 + 324 / m."""
    pairs = pairs_of([[3], [1]])
    found = city_bias(pairs, np.array([0.5, 0.5]), UPPER)
    typical = 0.25 * math.sqrt(25 + 108 + 25 + 324)
    assert found.typical == pytest.approx(typical)
    assert found.interval == pytest.approx(math.hypot(typical, 3 * 0.25))
    assert found.at_worst == pytest.approx(UPPER / 4)
    assert spread_squared(pairs).tolist() == [25 + 108, 25 + 324]


@given(counts=count_tables(), seed=st.integers(0, 2**32), times=st.sampled_from((0.5, 2.0, 100.0)))
def test_it_scales_with_u(counts: Counts, seed: int, times: float) -> None:
    pairs = pairs_of(counts)
    weights = weights_for(pairs, seed)
    one, other = city_bias(pairs, weights, UPPER), city_bias(pairs, weights, times * UPPER)
    for name in ("typical", "interval", "at_worst"):
        assert getattr(other, name) == pytest.approx(times * getattr(one, name))


@given(counts=count_tables(most_vehicles=5, most_records=40), seed=st.integers(0, 2**32))
def test_what_dwell_time_leans_by_is_divided_out(counts: Counts, seed: int) -> None:
    """A HAT whose vehicles are slower by k for each unit of their dwell time is met by any weights."""
    rng = np.random.default_rng(seed)
    pairs = pairs_of(counts, rng.integers(1, np.maximum(counts, 1), endpoint=True))
    assert pairs.dwell is not None
    weights, means = weights_for(pairs, seed), 20.0 * (1.0 - DWELL * pairs.dwell)
    correction, _ = corrected_bias(pairs, weights, UPPER, SPLIT)
    least, largest = CORRECTIONS
    assert ((correction >= least) & (correction <= largest)).all()
    leaning = pairs.by_hat(weights * means)
    free = (correction > least) & (correction < largest)
    assert (leaning / correction)[free] == pytest.approx(20.0)
    if free.all():
        assert pairs.by_hat(pairs.shares * means) == pytest.approx(20.0), "which is the true mean"
    uncorrected = city_bias(pairs, weights, UPPER)
    for mode in (EXACT, BOUNDED):
        ones, same = corrected_bias(pairs, weights, UPPER, mode)
        assert (ones == 1.0).all()
        assert same.typical.tolist() == uncorrected.typical.tolist()
    nothing_known = pairs_of(counts)
    assert (corrected_bias(nothing_known, weights, UPPER, SPLIT)[0] == 1.0).all()


def test_a_corrected_mean_by_hand() -> None:
    """Three records on one visit and one: h is ln 3 and 0, less 3/4 ln 3."""
    pairs, weights = pairs_of([[3], [1]], [[1], [1]]), np.array([0.5, 0.5])
    z = -math.log(3) / 4
    correction, bias = corrected_bias(pairs, weights, UPPER, SPLIT)
    assert correction == pytest.approx(1 - 0.3 * z)
    moved = 0.5 / correction[0] - 0.75, 0.5 / correction[0] - 0.25
    lean = 4 * z / correction[0]
    assert bias.typical == pytest.approx(
        math.sqrt(moved[0] ** 2 * (25 + 108) + moved[1] ** 2 * (25 + 324) + lean**2)
    )
    assert bias.at_worst == pytest.approx(UPPER * max(-moved[0], moved[1]))
