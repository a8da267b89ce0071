"""One simulated distribution beside the exact one: the release's own code, and a literal count."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.contributions import HatData
from core.errors import InputError
from core.evaluate.cdf_example import cdf_example, exact_cdf
from core.evaluate.replica import replica
from core.statistics.cdf import CdfParams
from core.statistics.cdf_design import choose_tree

ONE = Decimal(1)
HAT = HatData(
    counts=np.array([4, 3, 1]),
    starts=np.array([4, 0, 3]),  # not in the order of the counts
    values=np.array([0, 30_000, 65_000, 12_000, 10_000, 10_001, 20_000, 5_000], np.int32),
    upper_bound=65_000,
)
EDGES = np.array([10_000, 20_000, 65_000])


def test_every_record_alike_is_a_plain_count() -> None:
    assert exact_cdf(HAT, EDGES, "records") == pytest.approx([3 / 8, 6 / 8, 1.0])


def test_every_vehicle_alike_is_the_mean_of_their_own_curves() -> None:
    own = [[2 / 4, 1.0, 1.0], [1 / 3, 1 / 3, 1.0], [0.0, 1.0, 1.0]]
    assert exact_cdf(HAT, EDGES, "user") == pytest.approx(np.mean(own, axis=0))


@pytest.mark.parametrize("weights", ["records", "user"])
def test_the_exact_curve_is_what_a_release_comes_to_with_hardly_any_noise(weights: str) -> None:
    params = CdfParams(bins=65, weights=weights, m_ub=417)
    example = cdf_example(replica(), params, Decimal(10**6), seed=1)
    assert np.abs(example.released - example.exact).max() <= 2e-5
    assert example.exact == pytest.approx(exact_cdf(replica(), np.arange(1, 66) * 1000, weights))
    assert example.bias_bound < 1e-4


def test_the_curve_is_a_distribution_with_its_band_around_it() -> None:
    example = cdf_example(replica(), CdfParams(), ONE, seed=1)
    assert example.speeds[0] == pytest.approx(0.1)
    assert example.speeds[-1] == 65.0
    assert {array.shape for array in (example.exact, example.released, example.low, example.high)} == {(650,)}
    for curve in (example.exact, example.released):
        assert (np.diff(curve) >= 0).all()
        assert curve[-1] == 1.0
    assert (example.low <= example.released).all()
    assert (example.released <= example.high).all()
    assert example.low.min() >= 0.0
    assert example.high.max() <= 1.0


def test_what_is_said_of_it_is_of_the_plan() -> None:
    example = cdf_example(replica(), CdfParams(), ONE, seed=1)
    assert example.factors == choose_tree("mixed", 650).factors == (26, 25)
    assert example.m_ub == 46  # the papers' median rule
    retained = int(np.minimum(replica().counts, 46).sum())
    assert example.bias_bound == pytest.approx(1 - retained / 17_166)
    finer = cdf_example(replica(), CdfParams(), Decimal(2), seed=1)
    assert finer.noise_error == pytest.approx(example.noise_error / 2)
    assert cdf_example(replica(), CdfParams(weights="user", tree="flat"), ONE, seed=1).m_ub is None


def test_draws_miss_by_the_noise_that_was_foretold() -> None:
    """Without bias, and with bins so coarse that neither the ends nor the order clamp."""
    params = CdfParams(bins=5, tree="flat", m_ub=417)
    draws = [cdf_example(replica(), params, Decimal(5), seed=seed) for seed in range(400)]
    misses = np.array([draw.released - draw.exact for draw in draws])
    assert np.sqrt((misses**2).mean()) == pytest.approx(draws[0].noise_error, rel=0.15)
    inside = np.array([(draw.low <= draw.exact) & (draw.exact <= draw.high) for draw in draws])
    assert inside.mean() > 0.95
    assert draws[0].mean_distance == pytest.approx(np.abs(misses[0]).mean())


def test_a_seed_names_a_draw() -> None:
    same = [cdf_example(HAT, CdfParams(bins=10), ONE, seed=seed).released for seed in (3, 3, 4)]
    assert (same[0] == same[1]).all()
    assert (same[0] != same[2]).any()


def test_what_the_statistic_refuses_is_refused() -> None:
    with pytest.raises(InputError, match="bins"):
        cdf_example(dataclasses.replace(HAT, upper_bound=5), CdfParams(bins=650), ONE, seed=1)
    with pytest.raises(InputError, match="levels"):
        cdf_example(HAT, CdfParams(bins=650), Decimal("0.000001"), seed=1)
