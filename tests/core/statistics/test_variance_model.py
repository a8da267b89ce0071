"""core.statistics.variance_model: errors of a variance by the public model, against whole records."""

from __future__ import annotations

import numpy as np
import pytest

from core.contributions import HatUsers
from core.grouping.plan_cache import PlanCache
from core.mechanisms.model_draws import DRAWS
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD, RECORD_SPREAD, VEHICLE_SPREAD
from core.statistics.variance_model import variance_accuracy, variance_draws

U = 65.0
USERS = HatUsers(counts=np.array([40, 12, 9, 5, 2, 1]))
KEPT = np.minimum(USERS.counts, 9)


def test_without_a_cap_nothing_is_biased() -> None:
    part, whole = variance_draws(USERS, USERS.counts, U)
    assert part.shape == whole.shape == (DRAWS,)
    assert np.allclose(part, whole)
    accuracy = variance_accuracy(USERS, USERS.counts, 7.0, U, PlanCache())
    assert accuracy.half_width == pytest.approx(7.0 * np.log(20.0), rel=1e-6)
    assert accuracy.typical_error == pytest.approx(7.0, rel=0.05)


def test_the_model_s_variances_are_those_of_its_records() -> None:
    """Records drawn one by one: the mean variance, and how far that of the records kept lies from it."""
    rng = np.random.default_rng(3)
    whole, away = [], []
    for _ in range(4_000):
        centre = np.clip(rng.normal(HAT_MEAN, HAT_MEAN_SPREAD), 0, U)
        values = [
            rng.normal(centre + rng.normal(0, VEHICLE_SPREAD), RECORD_SPREAD, count)
            for count in USERS.counts.tolist()
        ]
        everything = np.concatenate(values)
        retained = np.concatenate([one[:most] for one, most in zip(values, KEPT.tolist(), strict=True)])
        whole.append(everything.var())
        away.append(retained.var() - everything.var())
    part, modelled = variance_draws(USERS, KEPT, U)
    assert modelled.mean() == pytest.approx(np.mean(whole), rel=0.05)
    assert (part - modelled).std() == pytest.approx(np.std(away), rel=0.2)


def test_noise_and_bias_are_both_in_it() -> None:
    quiet, loud = (variance_accuracy(USERS, KEPT, scale, U, PlanCache()) for scale in (1e-6, 500.0))
    assert 0 < quiet.typical_error < loud.typical_error < U**2 / 4
    assert 0 < quiet.half_width < 500.0 * np.log(20.0) <= loud.half_width


def test_who_left_the_hat_is_part_of_the_truth() -> None:
    """Half of the records gone: what the others say of all is further off than with everybody there."""
    staying = HatUsers(counts=np.array([9, 5, 2, 1]), suppressed=HatUsers(counts=np.array([40, 12])))
    here = HatUsers(counts=staying.counts)
    with_gone, without = (
        variance_accuracy(users, users.counts, 1e-6, U, PlanCache()) for users in (staying, here)
    )
    assert without.typical_error < 1e-3 < with_gone.typical_error


def test_a_cache_changes_nothing() -> None:
    cache = PlanCache()
    for scale in (10.0, 20.0, 10.0):
        cached = variance_accuracy(USERS, KEPT, scale, U, cache)
        assert cached == variance_accuracy(USERS, KEPT, scale, U, PlanCache())
