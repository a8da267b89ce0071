"""Two looks: what the second covers, what a vehicle can move, what both give together (city-release 8)."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from fractions import Fraction

import h3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.exact_loss import lattice_error
from core.city import city_draw
from core.city.city_draw import LOOKS, draw_city
from core.city.city_pairs import CityPairs
from core.city.city_places import CityPlaces
from core.city.city_plan import CityBudget, CityPlan, JointCity, plan_city
from core.city.smoothing import gaussian_posterior
from core.city.zoom import (
    TwoLooks,
    ZoomRanges,
    combined,
    combined_scale,
    first_share,
    plan_looks,
    ranges_of,
    second_share,
    zoomed_tokens,
)
from core.city.zoom_cut import Cut, cut_of
from core.errors import InputError, InternalError
from core.mechanisms.tokens import TOKENS, TokensParams
from core.mechanisms.value_grid import ValueGrid, value_grid
from tests.fakes import RecordedGaussian, RecordingNoise
from tests.strategies import CELLS, U

GRID = value_grid(U)
SEEDS = st.integers(0, 1 << 32)


def places(hats: int) -> CityPlaces:
    """HATs side by side, then hour by hour."""
    return CityPlaces(
        cells=np.array([CELLS[number % len(CELLS)] for number in range(hats)], np.int64),
        hours=np.array([8.5 + number // len(CELLS) for number in range(hats)]),
        ids=tuple(f"{number:02d} {h3.int_to_str(CELLS[number % len(CELLS)])}" for number in range(hats)),
    )


def random_pairs(rng: np.random.Generator, hats: int = 9, vehicles: int = 6) -> CityPairs:
    """Every HAT has a vehicle, every vehicle a HAT."""
    there = rng.random((hats, vehicles)) < 0.6
    there[np.arange(hats), rng.integers(0, vehicles, hats)] = True
    there[rng.integers(0, hats, vehicles), np.arange(vehicles)] = True
    hat, vehicle = np.nonzero(there)
    records = rng.integers(1, 30, hat.size)
    return CityPairs(
        hat=hat.astype(np.int32),
        vehicle=vehicle.astype(np.int32),
        code=vehicle.astype(np.int32),
        records=records,
        visits=rng.integers(1, records, endpoint=True),
    )


def zoomed_plan(pairs: CityPairs, total: str = "20", **params: object) -> CityPlan:
    asked = dataclasses.replace(TokensParams(zoom=True), **params)
    joint = JointCity(pairs, places(pairs.hats), U, asked)
    budget = CityBudget(epsilon=Decimal(total), delta=Decimal("1e-6"))
    return plan_city(joint, np.arange(pairs.hats), budget)


def sums_of(pairs: CityPairs, means: np.ndarray) -> np.ndarray:
    """Sums of records with these means, in steps of the grid."""
    return means * GRID.step * pairs.records


def looks_of(rho: Decimal, hats: int, deviation: float) -> TwoLooks:
    """Of HATs with one vehicle each, after a first look with this error."""
    alone = CityPairs(
        hat=np.arange(hats, dtype=np.int32),
        vehicle=np.arange(hats, dtype=np.int32),
        code=np.arange(hats, dtype=np.int32),
        records=np.ones(hats, np.int64),
    )
    facts = places(hats).facts(np.full(hats, deviation), np.zeros(hats), 65.0)
    return plan_looks(rho, facts, alone, alone.shares)


@pytest.mark.parametrize("rho", ["0.5", "0.000000000003", "12.345678901234"])
def test_both_looks_spend_what_there_is(rho: str) -> None:
    looks = looks_of(Decimal(rho), 3, 5.0)
    assert looks.first == first_share(Decimal(rho)) <= Decimal(rho) / 4
    assert looks.first + looks.second == Decimal(rho)
    assert ((looks.expected_width > 0) & (looks.expected_width <= 1)).all()


def test_a_rougher_first_look_makes_the_second_wider() -> None:
    widths = [looks_of(Decimal(1), 4, deviation).expected_width.mean() for deviation in (0.5, 5.0, 50.0)]
    assert widths == sorted(widths)


@given(SEEDS, st.sampled_from((0.01, 3.0, 1e6)))
def test_ranges_lie_on_the_grid_and_have_a_width(seed: int, deviation: float) -> None:
    rng = np.random.default_rng(seed)
    found = ranges_of((rng.uniform(0, 65, 6), np.full(6, deviation)), GRID, 65.0)
    assert (found.low >= 0).all()
    assert (found.high <= GRID.largest).all()
    assert (found.width >= 1).all()


def test_a_range_reaches_ten_kmh_and_its_error_to_each_side() -> None:
    found = ranges_of((np.array([30.0]), np.array([1.5])), GRID, 65.0)
    assert (found.low[0], found.high[0]) == (1850, 4150)
    wide = value_grid(2 * U)  # constants scale with U
    found = ranges_of((np.array([60.0]), np.array([3.0])), wide, 130.0)
    assert (wide.step, wide.largest) == (100, 1300)
    assert (found.low[0], found.high[0]) == (370, 830)


@given(SEEDS)
def test_a_vehicle_moves_the_second_look_no_more_than_its_noise_covers(seed: int) -> None:
    """Any ranges, any values before and after: in squares, without rounding."""
    rng = np.random.default_rng(seed)
    pairs = random_pairs(rng)
    plan = zoomed_plan(pairs, mode="exact")
    low = rng.integers(0, GRID.largest, pairs.hats)
    ranges = ZoomRanges(low=low, high=low + rng.integers(1, GRID.largest - low + 1))
    tokens = zoomed_tokens(plan.pairs, plan.tokens, GRID, ranges)
    ends = ranges.low[plan.pairs.hat], ranges.high[plan.pairs.hat]
    before = rng.integers(0, GRID.largest + 1, plan.tokens.size)
    after = np.where(rng.random(before.size) < 0.5, rng.choice([0, GRID.largest], before.size), before)
    moved = tokens * (np.clip(after, *ends) - np.clip(before, *ends))
    for vehicle in range(pairs.vehicles):
        own = moved[plan.pairs.vehicle == vehicle].tolist()
        assert sum(one * one for one in own) <= (GRID.largest * TOKENS) ** 2
        allowed = sum(one * one for one in plan.tokens[plan.pairs.vehicle == vehicle].tolist())
        assert sum(one * one for one in own) <= allowed * GRID.largest**2, "no more than it is charged"


def test_tokens_that_were_not_divided_by_the_width_are_refused() -> None:
    """The check holds on its own, whatever made the tokens."""
    pairs = random_pairs(np.random.default_rng(1))
    plan = zoomed_plan(pairs, mode="exact")
    ranges = ZoomRanges(low=np.zeros(pairs.hats, np.int64), high=np.full(pairs.hats, 100))
    coarser = ValueGrid(step=GRID.step, largest=GRID.largest * 101 // 100)
    with pytest.raises(InternalError, match="more tokens"):
        zoomed_tokens(plan.pairs, plan.tokens * 2, coarser, ranges)


@given(SEEDS)
def test_without_noise_both_looks_find_the_weighted_mean(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = random_pairs(rng)
    plan = zoomed_plan(pairs)
    centre = rng.integers(1500, 4000, pairs.hats)
    means = centre[plan.pairs.hat] + rng.integers(-100, 101, plan.tokens.size)
    noise = RecordingNoise()
    cuts: list[Cut] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(city_draw, "cut_of", lambda *asked: cuts.append(cut_of(*asked)) or cuts[0])
        drawn = draw_city(plan, sums_of(plan.pairs, means), lambda look: noise.scope(look))
    once = plan.pairs.by_hat(plan.tokens * means) / plan.divisors * GRID.step
    share = 1.0 - (drawn.scale / plan.look_scales(drawn.scale)[0]) ** 2
    expected = once - share * cuts[0].shift / plan.correction * 1000  # nothing is cut that was expected to be
    assert np.abs(drawn.unclamped - expected).max() <= GRID.step, (
        "tokens are rounded anew for the second look"
    )
    assert [one.scope for one in noise.gaussians] == list(LOOKS)
    assert plan.looks is not None
    assert [one.spend for one in noise.gaussians] == [plan.looks.first, plan.looks.second]
    assert {one.sensitivity for one in noise.gaussians} == {GRID.largest * TOKENS}
    errors = [lattice_error(one.sensitivity, one.spend, len(one.centres)) for one in noise.gaussians]
    assert plan.lattice_error == pytest.approx(sum(errors), rel=1e-9, abs=0)
    assert all(type(one) is RecordedGaussian for one in noise.requests)


def test_means_outside_of_the_range_are_cut_to_its_end() -> None:
    """A vehicle far from all others moves the second look to the end of the range, no further."""
    pairs = CityPairs(
        hat=np.zeros(20, np.int32),
        vehicle=np.arange(20, dtype=np.int32),
        code=np.arange(20, dtype=np.int32),
        records=np.full(20, 5),
    )
    plan, noise = zoomed_plan(pairs, total="200", mode="exact"), RecordingNoise()
    means = np.array([2000] * 19 + [GRID.largest])
    draw_city(plan, sums_of(pairs, means), lambda look: noise.scope(look))
    assert plan.looks is not None
    first, second = (Fraction(one.centres[0]) for one in noise.gaussians)
    mean = float(first / int(plan.totals[0]))
    assert mean == pytest.approx(2000 + (GRID.largest - 2000) / 20, rel=1e-4)
    facts = plan.places.facts(plan.look_scales(plan.looks.expected_width)[0], plan.bias.interval, 65.0)
    ranges = ranges_of(gaussian_posterior(facts.with_values(np.array([mean / 100]))), GRID, 65.0)
    tokens = zoomed_tokens(pairs, plan.tokens, GRID, ranges)
    low, high = int(ranges.low[0]), int(ranges.high[0])
    assert high < GRID.largest, "else nothing is cut"
    assert second == int(tokens[:19].sum()) * (2000 - low) + int(tokens[19]) * (high - low)


def test_looks_are_weighed_by_inverse_variances() -> None:
    values = np.array([10.0]), np.array([20.0])
    scales = np.array([3.0]), np.array([1.0])
    assert combined(values, scales) == pytest.approx([19.0])
    assert combined_scale(scales) == pytest.approx([0.9**0.5])
    assert second_share(scales) == pytest.approx([0.9])


@given(SEEDS)
def test_what_two_looks_miss_without_noise_is_within_the_bound(seed: int) -> None:
    """Whatever the values: the bound follows from where the second look's ranges came to lie."""
    rng = np.random.default_rng(seed)
    pairs = random_pairs(rng)
    plan = zoomed_plan(pairs, total="300", mode=str(rng.choice(["exact", "split"])))
    means = rng.choice([0, GRID.largest // 3, GRID.largest], plan.tokens.size)
    drawn = draw_city(plan, sums_of(plan.pairs, means), lambda look: RecordingNoise().scope(look))
    true = plan.pairs.by_hat(plan.pairs.shares * means * GRID.step_kmh)
    missed = np.abs(drawn.unclamped / 1000 - true)
    assert (missed <= plan.bound_of(drawn.bias) + 1e-3).all()
    assert (drawn.bias.interval >= plan.bias.interval * 0.99).all()
    assert drawn.corrected is not None
    assert (drawn.corrected.scale >= drawn.scale * (1 - 1e-12)).all(), (
        "what was pulled is noisier once undone"
    )


def test_two_looks_promise_less_noise_than_one() -> None:
    pairs = random_pairs(np.random.default_rng(3), hats=30, vehicles=10)
    twice = zoomed_plan(pairs, mode="exact")
    once = zoomed_plan(pairs, mode="exact", zoom=False, noise="gauss")
    assert np.median(twice.scale) < np.median(once.scale)


def test_two_looks_with_laplace_noise_are_refused() -> None:
    with pytest.raises(InputError, match="Gaussian"):
        zoomed_plan(random_pairs(np.random.default_rng(0)), noise="laplace")
