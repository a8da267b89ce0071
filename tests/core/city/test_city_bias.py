"""Bias of a joint release's weights: pair by pair, at its worst, and as one HAT alone has it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import Floats
from core.city.city_bias import city_bias, spread_squared
from core.city.city_pairs import CityPairs
from core.contributions import HatUsers
from core.mechanisms.public_model import weights_bias
from tests.count_tables import TOWN, Counts, count_tables, pairs_of

UPPER = 65.0


def weights_for(pairs: CityPairs, seed: int) -> Floats:
    """Any weights that sum to 1 in each HAT."""
    drawn = np.random.default_rng(seed).exponential(1.0, pairs.hat.size)
    return drawn / pairs.by_hat(drawn)[pairs.hat]


@settings(max_examples=60)
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
        assert found.interval[hat] == pytest.approx(alone.interval, rel=1e-9, abs=1e-9)


@settings(max_examples=60)
@given(counts=count_tables(most_vehicles=6), seed=st.integers(0, 2**32))
def test_the_worst_case_is_attained_at_zero_and_u_and_never_passed(counts: Counts, seed: int) -> None:
    pairs = pairs_of(counts)
    weights = weights_for(pairs, seed)
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
    assert found.interval == pytest.approx(math.hypot(typical, 6 * 0.25))
    assert found.at_worst == pytest.approx(UPPER / 4)
    assert spread_squared(pairs).tolist() == [25 + 108, 25 + 324]


@settings(max_examples=30)
@given(counts=count_tables(), seed=st.integers(0, 2**32), times=st.sampled_from((0.5, 2.0, 100.0)))
def test_it_scales_with_u(counts: Counts, seed: int, times: float) -> None:
    pairs = pairs_of(counts)
    weights = weights_for(pairs, seed)
    one, other = city_bias(pairs, weights, UPPER), city_bias(pairs, weights, times * UPPER)
    for name in ("typical", "interval", "at_worst"):
        assert getattr(other, name) == pytest.approx(times * getattr(one, name))
