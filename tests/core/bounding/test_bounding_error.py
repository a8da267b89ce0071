"""Typical errors of relation `user`: what simulated releases miss of a city like the public model's."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.bounding.bounded_mean import SUMS, draw_bounded_mean, plan_bounded_mean
from core.bounding.bounding import Entries
from core.bounding.bounding_error import bounded_error, enforced_error, weight_for_error
from core.bounding.candidates import candidate_hats
from core.bounding.plan_and_enforce import draw_enforced, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.noise.simulated import SimulatedNoise
from tests.bounding import constants_of
from tests.strategies import U

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
CONSTANTS = constants_of()
LISTED = candidate_hats(CONSTANTS)
HATS = len(LISTED)
SIZES = np.repeat([2, 8, 20, 60, 250, 1_000], HATS // 6)
PUBLIC = PublicCounts(units=SIZES, records=np.full(HATS, 2), fleet=4_000)


def model_city(rng: np.random.Generator) -> tuple[Entries, np.ndarray]:  # type: ignore[type-arg]
    """Units of one value a HAT, drawn from the model's spread of HATs' means; and these means."""
    truth = np.rint(rng.normal(22_000, 12_000, HATS).clip(0, U)).astype(np.int64)
    column = np.repeat(np.arange(HATS), SIZES)
    unit = np.arange(column.size) % 4_000
    records = np.full(column.size, 2)
    return Entries(column=column, unit=unit, records=records, sums=2 * truth[column], maxima=records), truth


def missed(draw: object, releases: int) -> np.ndarray:  # type: ignore[type-arg]
    """Mean absolute error of each size of HAT, km/h."""
    assert callable(draw)
    rng = np.random.default_rng(1)
    errors = []
    for seed in range(releases):
        entries, truth = model_city(rng)
        errors.append(np.abs(draw(entries, seed) - truth) / 1000)
    return np.mean(errors, axis=0).reshape(6, -1).mean(axis=1)


@NOISES
@pytest.mark.parametrize("spend", ["0.5", "6"])
def test_it_is_what_bounded_means_miss(noise: NoiseKind, spend: str) -> None:
    plan = plan_bounded_mean(CONSTANTS, noise, Decimal(spend), 1)

    def draw(entries: Entries, seed: int) -> np.ndarray:  # type: ignore[type-arg]
        found = draw_bounded_mean(plan, entries, lambda name: SimulatedNoise(2 * seed + (name == SUMS), 1))
        return found.means.value

    expected = bounded_error(plan, PUBLIC, CONSTANTS).reshape(6, -1).mean(axis=1)
    # weights below 1 count as 1 in a draw: the smallest HATs, which no threshold would publish, do better
    assert expected == pytest.approx(missed(draw, 250), rel=0.12, abs=0.05)


@NOISES
@pytest.mark.parametrize("spend", ["0.5", "6"])
def test_it_is_what_plan_and_enforce_misses(noise: NoiseKind, spend: str) -> None:
    plan = plan_enforced(PUBLIC.pairs(), LISTED, U, noise, Decimal(spend))

    def draw(entries: Entries, seed: int) -> np.ndarray:  # type: ignore[type-arg]
        return draw_enforced(plan, entries, SimulatedNoise(seed, 1)).means.value

    expected = enforced_error(plan).reshape(6, -1).mean(axis=1)
    assert expected == pytest.approx(missed(draw, 60), rel=0.15, abs=0.05)


@NOISES
@pytest.mark.parametrize("error", [0.01, 0.5, 2.0, 6.0, 11.0])
def test_the_weight_for_an_error_has_that_error(noise: NoiseKind, error: float) -> None:
    """Within the grid and beyond it; less weight misses more."""
    plan = plan_enforced(PUBLIC.pairs(), LISTED, U, noise, Decimal(2))
    weight = weight_for_error(plan, error)
    assert weight is not None

    def at(times: float) -> float:
        tokens = np.full(HATS, weight * times)
        return float(enforced_error(dataclasses.replace(plan, expected=tokens))[0])

    assert at(1.0) == pytest.approx(error)
    assert at(0.5) > error > at(2.0)
    assert weight_for_error(plan, 40.0) is None


@NOISES
def test_more_hats_of_a_vehicle_cost_noise_and_fewer_leave_records_out(noise: NoiseKind) -> None:
    """Somewhere between is the best constant: that is what is chosen by it."""
    public = PublicCounts(units=np.full(HATS, 300), records=np.full(HATS, 1), fleet=1_800)
    errors = []
    for hats in (1, 3, 18):
        constants = constants_of(hats_per_vehicle=hats)
        plan = plan_bounded_mean(constants, noise, Decimal(1), 1)
        errors.append(float(bounded_error(plan, public, constants).mean()))
    assert errors[1] < errors[2]
    if noise.squared:
        assert errors[1] < errors[0]


@NOISES
def test_it_lies_between_nothing_and_half_of_the_range(noise: NoiseKind) -> None:
    public = PublicCounts(
        units=np.linspace(0, 10**9, HATS).astype(np.int64), records=np.ones(HATS, np.int64), fleet=0
    )
    for spend in ("0.001", "1", "1000"):
        errors = bounded_error(plan_bounded_mean(CONSTANTS, noise, Decimal(spend), 1), public, CONSTANTS)
        assert (errors > 0).all()
        assert (errors <= 33).all()
        assert (np.diff(errors) <= 1e-9).all()


def test_it_scales_with_u() -> None:
    double = constants_of(upper_bound=2 * U)
    here, there = (
        bounded_error(plan_bounded_mean(one, NoiseKind.LAPLACE, Decimal(2), 1), PUBLIC, one)
        for one in (CONSTANTS, double)
    )
    assert there == pytest.approx(2 * here, rel=1e-6)
