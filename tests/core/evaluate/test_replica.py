"""The bundled data sets: every seed has the published mean and variance."""

from __future__ import annotations

import numpy as np
import pytest

from core.contributions import HatData
from core.evaluate.replica import (
    MEAN,
    REPLICA_UPPER_BOUND,
    REPLICAS,
    VARIANCE,
    VEHICLE_SD,
    replica,
    replica_counts,
    replica_with_effects,
)
from core.evaluate.true_statistics import true_mean, true_variance
from core.values import THOUSAND

each_set = pytest.mark.parametrize("key", REPLICAS)
each_seed = pytest.mark.parametrize("seed", range(20))


def vehicle_means(hat: HatData) -> np.ndarray:
    return hat.sums() / hat.counts / THOUSAND


@each_set
@each_seed
def test_mean_and_variance_are_the_published_ones(key: str, seed: int) -> None:
    hat = REPLICAS[key].make(seed)
    assert int(hat.sums().sum()) == round(MEAN * hat.values.size * THOUSAND)
    assert true_mean(hat) == pytest.approx(MEAN, abs=1e-5)
    assert true_variance(hat) == pytest.approx(VARIANCE, abs=1e-3)


@each_set
def test_counts_are_the_bundled_ones_and_values_lie_in_the_bounds(key: str) -> None:
    hat = REPLICAS[key].make(0)
    assert hat.upper_bound == REPLICA_UPPER_BOUND == 65_000
    assert np.array_equal(hat.counts, replica_counts())
    assert hat.values.min() == 0
    assert hat.values.max() <= REPLICA_UPPER_BOUND


@each_set
def test_a_seed_gives_the_same_values_another_seed_others(key: str) -> None:
    make = REPLICAS[key].make
    assert np.array_equal(make(3).values, make(3).values)
    assert not np.array_equal(make(3).values, make(4).values)


def test_values_without_effects_differ_between_vehicles_by_chance_alone() -> None:
    hat = replica(0)
    z = (vehicle_means(hat) - MEAN) / np.sqrt(VARIANCE / hat.counts)
    assert z.std() == pytest.approx(1.0, abs=0.15)


def test_effects_have_their_spread_and_busier_vehicles_are_slightly_faster() -> None:
    slopes, spreads = [], []
    for seed in range(20):
        hat = replica_with_effects(seed)
        means = vehicle_means(hat)
        spreads.append(np.var(means) - np.mean(VARIANCE / hat.counts))
        slopes.append(np.corrcoef(np.log(hat.counts), means)[0, 1])
    assert np.sqrt(np.mean(spreads)) == pytest.approx(VEHICLE_SD, rel=0.1)
    assert 0.1 < np.mean(slopes) < 0.4


def test_the_second_set_says_that_it_is_not_the_papers() -> None:
    assert "not from the papers" in REPLICAS["replica-effects"].title
