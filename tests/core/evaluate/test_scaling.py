"""Sample and user scaling: counts as in the papers, values clipped normal."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluate.replica import MEAN, VARIANCE, replica
from core.evaluate.scaling import FACTOR, SCALINGS, sample_scaled, user_scaled
from core.evaluate.true_statistics import true_mean, true_variance
from core.grouping.bestfit import bestfit
from core.grouping.m_ub import sqrt_rule

HAT = replica(0)


def test_sample_scaling_multiplies_every_count() -> None:
    assert np.array_equal(sample_scaled(HAT, 1).counts, HAT.counts * 10)


def test_user_scaling_repeats_every_user() -> None:
    scaled = user_scaled(HAT, 1)
    assert FACTOR == 10
    assert scaled.counts.size == 2170
    assert np.array_equal(np.sort(scaled.counts), np.sort(np.tile(HAT.counts, 10)))
    assert np.all(np.diff(scaled.counts) <= 0)


def test_sample_scaling_keeps_the_arrays_and_lengthens_them() -> None:
    """P3 Lemma IV.1: m_UB grows by lambda, Kbar stays."""
    scaled = sample_scaled(HAT, 1)
    before, after = sqrt_rule(HAT.counts, 1.0), sqrt_rule(scaled.counts, 1.0)
    assert after == 10 * before
    assert bestfit(scaled.counts, after).arrays == bestfit(HAT.counts, before).arrays


def test_user_scaling_keeps_m_ub_and_multiplies_the_arrays() -> None:
    """P3 Lemma IV.2, up to what equal users waste."""
    scaled = user_scaled(HAT, 1)
    m_ub = sqrt_rule(HAT.counts, 1.0)
    assert sqrt_rule(scaled.counts, 1.0) == m_ub
    assert bestfit(scaled.counts, m_ub).arrays == pytest.approx(
        10 * bestfit(HAT.counts, m_ub).arrays, rel=0.03
    )


@pytest.mark.parametrize("scale", [sample_scaled, user_scaled])
def test_parameters_are_those_before_clipping(scale: object) -> None:
    """Clipping N(20.67, 115.1) at 0 raises the mean and narrows the spread."""
    scaled = scale(HAT, 5)  # type: ignore[operator]
    rng = np.random.default_rng(6)
    values = np.clip(rng.normal(MEAN, np.sqrt(VARIANCE), 1_000_000), 0, 65)
    assert true_mean(scaled) == pytest.approx(values.mean(), abs=0.1)
    assert true_variance(scaled) == pytest.approx(values.var(), rel=0.02)
    assert scaled.values.min() == 0
    assert scaled.values.max() <= 65_000
    assert not np.array_equal(scaled.values, scale(HAT, 6).values)  # type: ignore[operator]


@pytest.mark.parametrize("factor", [1, 3])
def test_both_scalings_are_known_by_name(factor: int) -> None:
    assert list(SCALINGS) == ["sample", "user"]
    for scale in SCALINGS.values():
        scaled = scale(HAT, 1, factor)
        assert int(scaled.counts.sum()) == factor * int(HAT.counts.sum())
        assert scaled.visits is None, "values are drawn anew, whoever stayed"
