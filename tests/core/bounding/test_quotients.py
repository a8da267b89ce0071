"""Quotients of noisy numbers, and their intervals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.bounding.quotients import quotients

U = 65_000
MIDDLE = 32_500.0


def test_a_mean_is_the_middle_and_the_quotient() -> None:
    found = quotients(
        np.array([10_000.0, -2e6, 2e6]),
        np.array([10.0, 10.0, 10.0]),
        reach=(1.0, 1.0),
        least=1.0,
        centre=MIDDLE,
        upper=U,
    )
    assert found.unclamped.tolist() == [33_500, 32_500 - 200_000, 232_500]
    assert found.value.tolist() == [33_500, 0, U]
    assert found.informative.tolist() == [True, False, False]
    assert (found.low[1:].tolist(), found.high[1:].tolist()) == ([0, 0], [U, U])


@pytest.mark.parametrize("seed", range(30))
def test_the_interval_is_the_quotient_s_extremes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sums, weights, reach = rng.normal(0, 1e5, 50), rng.uniform(-5, 40, 50), (2e4, 3.0)
    found = quotients(sums, weights, reach=reach, least=1.0, centre=MIDDLE, upper=U)
    for place in range(50):
        ends = (found.low[place], found.high[place])
        assert 0 <= ends[0] <= found.value[place] <= ends[1] <= U
        if weights[place] - reach[1] <= 0:
            assert ends == (0, U)
            assert not found.informative[place]
            continue
        corners = [
            MIDDLE + (sums[place] + one * reach[0]) / (weights[place] + other * reach[1])
            for one, other in itertools.product((-1, 0, 1), repeat=2)
        ]
        if max(corners) >= 0 and min(corners) <= U:
            assert found.informative[place]
            assert ends[0] == pytest.approx(max(min(corners), 0), abs=1)
            assert ends[1] == pytest.approx(min(max(corners), U), abs=1)
            assert ends[0] <= max(min(corners), 0)
            assert ends[1] >= min(max(corners), U)
        else:
            assert ends == (0, U)


def test_no_weight_divides_by_nothing() -> None:
    found = quotients(
        np.array([0.0, 5.0]), np.array([0.0, -3.0]), reach=(1.0, 1.0), least=1.0, centre=MIDDLE, upper=U
    )
    assert found.unclamped.tolist() == [32_500, 32_505]
    assert not found.informative.any()
