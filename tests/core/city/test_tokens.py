"""Tokens are shares rounded down, and never more than a vehicle has."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.city.allocation import allocate, costs
from core.city.noise_kind import NoiseKind
from core.city.tokens import tokens_of
from core.errors import InternalError
from core.mechanisms.tokens import TOKENS
from tests.count_tables import TOWN, Counts, count_tables, pairs_of

EVERY_NOISE = pytest.mark.parametrize("noise", list(NoiseKind))


@EVERY_NOISE
@settings(max_examples=60)
@given(counts=count_tables(), data=st.data())
def test_no_row_exceeds_what_the_noise_covers(noise: NoiseKind, counts: Counts, data: st.DataObject) -> None:
    """For shares of any kind that add up to one, though they are floats."""
    pairs = pairs_of(counts)
    drawn = np.array(
        data.draw(st.lists(st.floats(0.001, 1), min_size=pairs.hat.size, max_size=pairs.hat.size))
    )
    shares = drawn / pairs.by_vehicle(drawn)[pairs.vehicle]
    tokens = tokens_of(pairs, shares, noise).tolist()
    held = [0] * pairs.vehicles
    for vehicle, amount in zip(pairs.vehicle.tolist(), tokens, strict=True):
        held[vehicle] += amount**2 if noise.squared else amount
    limit = TOKENS**2 if noise.squared else TOKENS
    assert max(held) <= limit
    assert min(held) > 0.98 * limit


@EVERY_NOISE
def test_each_token_is_rounded_down_by_less_than_one(noise: NoiseKind) -> None:
    pairs = pairs_of(TOWN)
    shares = costs(pairs, noise) * allocate(pairs, noise, 8).exactness[pairs.hat]
    for token, share in zip(tokens_of(pairs, shares, noise).tolist(), shares.tolist(), strict=True):
        exact = Fraction(share) * TOKENS**2 if noise.squared else Fraction(share) * TOKENS
        power = 2 if noise.squared else 1
        assert Fraction(token) ** power <= exact < Fraction(token + 1) ** power * (1 + Fraction(1, 10**9))


@EVERY_NOISE
def test_a_share_too_many_is_refused(noise: NoiseKind) -> None:
    pairs = pairs_of(TOWN)
    shares = np.zeros(pairs.hat.size)
    shares[pairs.vehicle == 2] = 0.25
    tokens_of(pairs, shares, noise)
    shares[np.flatnonzero(pairs.vehicle == 2)[0]] = 0.2501
    with pytest.raises(InternalError, match="more tokens"):
        tokens_of(pairs, shares, noise)


def test_shares_below_a_token_are_none() -> None:
    pairs = pairs_of([[1, 1]])
    assert tokens_of(pairs, np.array([1e-7, 0.5]), NoiseKind.LAPLACE).tolist()[0] == 0
