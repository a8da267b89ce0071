"""One vector for all ranges: what a vehicle moves it by, and what comes out without noise."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InternalError
from core.mechanisms.tokens import TOKENS
from core.noise.single_trial import SingleTrial
from core.shares.share_draw import draw_shares
from core.shares.share_plan import SHARE_PARTS, SharePlan
from core.statistics.ranges import Ranges
from tests.count_tables import TOWN, Counts, count_tables, pairs_of, plan_of
from tests.fakes import RecordedGaussian, RecordedVector, RecordingNoise
from tests.strategies import U

EVERY_NOISE = pytest.mark.parametrize("noise", ["laplace", "gauss"])
SEEDS = st.integers(0, 2**32)
K = 1000
RANGES = {
    "one": Ranges(((0, 10 * K),), U),
    "apart": Ranges(((0, 10 * K), (40 * K, U)), U),
    "tiled": Ranges(((0, K), (K, 20 * K), (20 * K, U)), U),
    "nested": Ranges(((0, 10 * K), (0, 20 * K), (0, 30 * K)), U),
    "crossed": Ranges(((0, 30 * K), (10 * K, 40 * K), (20 * K, U)), U),
}
EVERY_RANGES = st.sampled_from(sorted(RANGES))


def share_plan(counts: Counts, ranges: Ranges, noise: str, mode: str = "exact") -> SharePlan:
    return SharePlan(
        city=plan_of(pairs_of(counts, np.minimum(counts, 1)), noise=noise, mode=mode), ranges=ranges
    )


def dealt(plan: SharePlan, rng: np.random.Generator) -> np.ndarray:
    """Records of each pair by atom; often all in one."""
    atoms, records = len(plan.ranges.edges) - 1, plan.city.pairs.records
    odds = np.where(rng.random((records.size, 1)) < 0.5, rng.dirichlet(np.full(atoms, 0.05)), 1.0 / atoms)
    return np.array([rng.multinomial(number, odd) for number, odd in zip(records, odds, strict=True)])


def exact(plan: SharePlan, counts: np.ndarray) -> np.ndarray:
    """The vector that gets noise, (G, J)."""
    source = RecordingNoise()
    draw_shares(plan, counts, source)
    (request,) = source.requests
    return np.array(request.centres).reshape(plan.city.pairs.hats, -1)


@EVERY_NOISE
@given(counts=count_tables(), seed=SEEDS, kind=EVERY_RANGES, mode=st.sampled_from(("exact", "split")))
def test_no_vehicle_moves_the_vector_by_more_than_the_noise_covers(
    noise: str, counts: Counts, seed: int, kind: str, mode: str
) -> None:
    """Neighbours of relation `values`: all records of one vehicle get other values, its counts stay."""
    plan, rng = share_plan(counts, RANGES[kind], noise, mode), np.random.default_rng(seed)
    before = dealt(plan, rng)
    after = before.copy()
    mine = plan.city.pairs.vehicle == int(rng.integers(plan.city.pairs.vehicles))
    after[mine] = dealt(plan, rng)[mine]
    moved = (exact(plan, after) - exact(plan, before)).ravel().tolist()
    if noise == "laplace":
        assert sum(map(abs, moved)) <= plan.sensitivity
    else:
        assert sum(one * one for one in moved) <= plan.sensitivity**2


@EVERY_NOISE
@pytest.mark.parametrize("kind", sorted(RANGES))
def test_moving_all_records_of_the_busiest_vehicle_reaches_the_bound(noise: str, kind: str) -> None:
    """From one atom to another, or to none: with one HAT a vehicle's tokens are all in it."""
    plan = share_plan(np.array([[4]]), RANGES[kind], noise)
    atoms = len(plan.ranges.edges) - 1
    places = [exact(plan, np.array([[4 * (atom == one) for one in range(atoms)]])) for atom in range(atoms)]
    # of ranges that are full or empty: what is rounded down is 0, so no records at all can be simulated
    places.append(np.zeros_like(places[0]))
    norm = 1 if noise == "laplace" else 2
    apart = max(float(np.linalg.norm((a - b).ravel(), norm)) for a in places for b in places)
    assert 0.999 * plan.sensitivity <= apart <= plan.sensitivity


def test_parts_that_leave_a_rest_need_the_vector_of_no_range() -> None:
    """Three atoms with a third of the records each: rounded down they are fewer than all of them."""
    plan = share_plan(np.array([[3]]), RANGES["tiled"], "laplace")
    thirds, whole = exact(plan, np.array([[1, 1, 1]])), exact(plan, np.array([[3, 0, 0]]))
    assert thirds.sum() < whole.sum()
    assert np.abs(whole - thirds).sum() <= plan.sensitivity


@EVERY_NOISE
@given(counts=count_tables(), seed=SEEDS, kind=EVERY_RANGES)
def test_without_noise_shares_are_the_true_ones(noise: str, counts: Counts, seed: int, kind: str) -> None:
    plan = share_plan(counts, RANGES[kind], noise)
    dealt_out, source = dealt(plan, np.random.default_rng(seed)), RecordingNoise()
    drawn = draw_shares(plan, dealt_out, source)
    (request,) = source.requests
    assert isinstance(request, RecordedGaussian if noise == "gauss" else RecordedVector)
    assert (request.sensitivity, request.spend) == (plan.sensitivity, plan.city.spend)
    truth = np.add.reduceat(dealt_out @ plan.ranges.members, plan.city.pairs.starts)
    truth = truth / plan.city.pairs.by_hat(plan.city.pairs.records)[:, None]
    assert np.abs(drawn.unclamped - truth).max() <= plan.bias_bound.max() + 1e-9
    if plan.ranges.tile:
        assert np.allclose(drawn.unclamped.sum(axis=1), 1.0)


def test_a_share_with_who_stands_leans_down_and_all_others_up() -> None:
    """Of half of the records in either range, f = 1.25: what is not below 10 km/h shrinks by it."""
    plan = share_plan(np.array([[4]]), RANGES["apart"], "laplace")
    leaning = dataclasses.replace(plan.city, correction=np.array([1.25]))
    counts = np.array([[2, 0, 2]])
    drawn = draw_shares(SharePlan(city=leaning, ranges=plan.ranges), counts, RecordingNoise())
    assert drawn.unclamped.tolist() == [[pytest.approx(0.6), pytest.approx(0.4)]]


@EVERY_NOISE
def test_shares_that_tile_add_up_to_1_with_noise_too(noise: str) -> None:
    plan = share_plan(np.array(TOWN), RANGES["tiled"], noise)
    drawn = draw_shares(plan, dealt(plan, np.random.default_rng(2)), SingleTrial(3)).unclamped
    assert (drawn < 0.0).any(), "noise is large"
    assert np.allclose(drawn.sum(axis=1), 1.0)


def test_sensitivities_are_those_of_the_proof() -> None:
    for kind, distance in {"one": 1, "apart": 2, "tiled": 2, "nested": 3}.items():
        laplace, gauss = (share_plan(np.array(TOWN), RANGES[kind], noise) for noise in ("laplace", "gauss"))
        assert laplace.sensitivity == distance * SHARE_PARTS * TOKENS
        assert math.sqrt(distance) <= gauss.sensitivity / (SHARE_PARTS * TOKENS) <= math.sqrt(distance) + 1e-9


def test_rows_that_do_not_hold_draw_nothing() -> None:
    plan = share_plan(np.array(TOWN), RANGES["one"], "laplace")
    more = dataclasses.replace(plan.city, tokens=plan.city.tokens * 3)
    with pytest.raises(InternalError, match="more tokens"):
        draw_shares(
            SharePlan(city=more, ranges=plan.ranges), dealt(plan, np.random.default_rng(1)), RecordingNoise()
        )
