"""The law of one share, beside a plain sum over many draws."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from core.shares.censored_posterior import share_posterior


@pytest.mark.parametrize("gaussian", [True, False])
@pytest.mark.parametrize(
    ("value", "noise", "mean", "deviation"),
    [(0.3, 0.1, 0.25, 0.08), (-0.2, 0.15, 0.02, 0.1), (1.1, 0.05, 0.9, 0.2), (0.5, 2.0, -0.3, 0.1)],
)
def test_medians_and_ends_are_those_of_weighed_draws(
    value: float, noise: float, mean: float, deviation: float, gaussian: bool
) -> None:
    chances = (np.arange(200_000) + 0.5) / 200_000
    shares = np.clip(mean + deviation * scipy.stats.t.ppf(chances, 4), 0, 1)
    away = np.abs(value - shares) / noise
    weights = np.exp(-(away**2) / 2 if gaussian else -np.sqrt(2) * away)
    order = np.argsort(shares)
    reached = np.cumsum(weights[order]) / weights.sum()
    expected = shares[order][np.searchsorted(reached, (0.5, 0.025, 0.975))]
    found = share_posterior(
        *(np.array([one]) for one in (value, noise**2, mean, deviation)), gaussian=gaussian
    )
    assert [found.medians[0], found.lows[0], found.highs[0]] == pytest.approx(expected.tolist(), abs=0.004)
    error = float((weights * np.abs(shares - expected[0])).sum() / weights.sum())
    assert found.errors[0] == pytest.approx(error, abs=0.002)


def test_a_share_that_is_exactly_none_may_be_in_an_interval() -> None:
    found = share_posterior(*(np.array([one]) for one in (-0.05, 0.02**2, -0.02, 0.05)), gaussian=True)
    assert found.medians[0] == found.lows[0] == 0.0
