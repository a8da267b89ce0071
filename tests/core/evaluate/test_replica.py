"""The bundled data sets: every seed has the published mean and variance."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatData
from core.evaluate.compared_curves import series_of
from core.evaluate.evaluation import exact_curve
from core.evaluate.replica import (
    DWELL_SPREAD,
    MEAN,
    REPLICA_UPPER_BOUND,
    REPLICAS,
    VARIANCE,
    VEHICLE_SD,
    replica,
    replica_counts,
    replica_visits,
    replica_with_dwell,
    replica_with_effects,
)
from core.evaluate.true_statistics import true_mean, true_variance
from core.fixed_point import THOUSAND
from core.mechanisms.public_model import DWELL

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


def test_dwell_time_has_its_spread_and_vehicles_that_stay_are_slower() -> None:
    visits = replica_visits()
    assert np.all((visits >= 1) & (visits <= replica_counts()))
    slopes = []
    for seed in range(20):
        hat = replica_with_dwell(seed)
        assert hat.visits is not None
        assert np.array_equal(hat.visits, visits)
        dwell, means = hat.public.dwell, vehicle_means(hat)
        assert dwell is not None
        slopes.append(np.polyfit(dwell, means, 1)[0] / MEAN)
        assert means.mean() > MEAN, "busy vehicles are slower"
    assert dwell.std() == pytest.approx(DWELL_SPREAD, rel=0.2)
    assert np.mean(slopes) == pytest.approx(-DWELL, abs=0.02)
    assert np.corrcoef(np.log(hat.counts), dwell)[0, 1] > 0.3


def test_two_step_clipping_makes_use_of_visits() -> None:
    """The same values without visits cost it much more."""
    hat, series = replica_with_dwell(0), series_of("two-step-clipping")
    (known,) = exact_curve(hat, series, [Decimal(1)])
    (unknown,) = exact_curve(dataclasses.replace(hat, visits=None), series, [Decimal(1)])
    assert known is not None
    assert unknown is not None
    assert known < 0.7 * unknown


@pytest.mark.parametrize("key", ["replica-effects", "replica-dwell"])
def test_the_other_sets_say_that_they_are_not_the_papers(key: str) -> None:
    assert "not from the papers" in REPLICAS[key].title
