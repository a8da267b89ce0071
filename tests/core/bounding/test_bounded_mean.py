"""Means of relation `user`: what they are without noise, and what one unit can move."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

import numpy as np
import pytest

from core.bounding.bounded_mean import (
    SUMS,
    WEIGHTS,
    BoundedMeanPlan,
    draw_bounded_mean,
    exact_vectors,
    plan_bounded_mean,
)
from core.bounding.bounding import Entries
from core.bounding.constants import BoundingConstants
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.noise.secure import SecureNoise
from core.noise.simulated import SimulatedNoise
from core.privacy import Allowance, Unit
from tests.bounding import (
    UNITS,
    Stay,
    constants_of,
    entries_in,
    moved_by,
    neighbours,
    random_stays,
)
from tests.fakes import FakeReservation, RecordingNoise
from tests.records import assert_tells
from tests.strategies import CELLS, U

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
EVERY_UNIT = pytest.mark.parametrize("unit", UNITS)
BY_DAY = pytest.mark.parametrize("by_day", [False, True])


def plan_of(
    constants: BoundingConstants,
    noise: NoiseKind = NoiseKind.LAPLACE,
    spend: str = "2",
    threshold: int = 1,
    *,
    by_day: bool = False,
) -> BoundedMeanPlan:
    return plan_bounded_mean(constants, noise, Decimal(spend), threshold, by_day=by_day)


@NOISES
@EVERY_UNIT
@BY_DAY
def test_a_unit_moves_the_vectors_by_their_sensitivity_at_most(
    noise: NoiseKind, unit: Unit, by_day: bool
) -> None:
    """Every neighbour of 40 random cities; and somewhere the bound is reached within a hundredth."""
    constants = constants_of(unit)
    plan = plan_of(constants, noise, by_day=by_day)
    reached = {WEIGHTS: 0.0, SUMS: 0.0}
    for seed in range(40):
        stays = random_stays(seed, vehicles=3, visits=60)
        whole = exact_vectors(plan, entries_in(stays, constants, by_day=by_day))
        for fewer in neighbours(stays, unit):
            other = exact_vectors(plan, entries_in(fewer, constants, by_day=by_day))
            for name in reached:
                share = moved_by(whole[name], other[name], squared=noise.squared) / plan.sensitivities[name]
                assert share <= 1.0
                reached[name] = max(reached[name], share)
    assert min(reached.values()) >= 0.99


@EVERY_UNIT
def test_halved_constants_would_be_found(unit: Unit) -> None:
    """The search above is sharp: a unit with one HAT more than the plan knows is seen."""
    plan = plan_of(constants_of(unit, hats_per_vehicle=1))
    worst = 0.0
    for seed in range(10):
        stays, loose = random_stays(seed), constants_of(unit)
        whole = exact_vectors(plan, entries_in(stays, loose))
        for fewer in neighbours(stays, unit):
            other = exact_vectors(plan, entries_in(fewer, loose))
            worst = max(worst, moved_by(whole[WEIGHTS], other[WEIGHTS], squared=False))
    assert worst == 2 * plan.sensitivities[WEIGHTS]


def test_without_noise_it_is_the_mean_over_units() -> None:
    stays, constants = random_stays(3), constants_of(hats_per_vehicle=18)
    own: dict[tuple[int, int], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for stay in stays:
        own[stay.cell, stay.slot][stay.vehicle].extend(stay.values)
    plan = plan_of(constants)
    drawn = draw_bounded_mean(plan, entries_in(stays, constants), RecordingNoise().scope)
    for column, place in enumerate(
        zip(plan.candidates.cell.tolist(), plan.candidates.slot.tolist(), strict=True)
    ):
        means = [sum(values) / len(values) for values in own[place].values()]
        assert drawn.weight[column] == 1000 * len(means)
        assert drawn.published[column] == bool(means)
        if means:
            assert drawn.means.value[column] == pytest.approx(np.mean(means), abs=plan.grid.step)


def test_query_1_is_the_mean_over_vehicles_and_days() -> None:
    """Entries by day: the same plan and draw over pairs."""
    stays = random_stays(3)
    constants = constants_of(hats_per_vehicle=18, days_per_vehicle=3)
    plan = plan_of(constants, by_day=True)
    assert plan.bound.entries == 3 * 18
    drawn = draw_bounded_mean(plan, entries_in(stays, constants, by_day=True), RecordingNoise().scope)
    places = zip(plan.candidates.cell.tolist(), plan.candidates.slot.tolist(), strict=True)
    for column, place in enumerate(places):
        means = [sum(stay.values) / len(stay.values) for stay in stays if (stay.cell, stay.slot) == place]
        assert drawn.weight[column] == 1000 * len(means)
        if means:
            assert drawn.means.value[column] == pytest.approx(np.mean(means), abs=plan.grid.step)


@NOISES
def test_each_vector_is_bought_once_and_of_every_candidate(noise: NoiseKind) -> None:
    constants, source = constants_of(), RecordingNoise()
    plan = plan_of(constants, noise)
    draw_bounded_mean(plan, entries_in([Stay(CELLS[0], 9, "bus", 0, (U,))], constants), source.scope)
    asked = {one.scope: one for one in (source.gaussians if noise.squared else source.vectors)}
    assert set(asked) == {WEIGHTS, SUMS}
    assert sum(one.spend for one in asked.values()) == plan.spend
    assert {len(one.centres) for one in asked.values()} == {constants.candidates}
    assert {name: one.sensitivity for name, one in asked.items()} == plan.sensitivities


def test_empty_hats_get_noise_and_rows_like_others() -> None:
    constants = constants_of(cells=CELLS[:-1])
    nobody = entries_in([Stay(CELLS[-1], 9, "bus", 0, (U,))], constants)
    drawn = draw_bounded_mean(plan_of(constants), nobody, lambda _: SimulatedNoise(1, 1))
    assert drawn.published.size == drawn.means.value.size == constants.candidates
    assert drawn.published.any()
    assert not drawn.published.all()


def test_scales_follow_from_constants_alone() -> None:
    """C hats, half of the budget: 2 C / eps vehicles, and C U / eps for the sum."""
    plan = plan_of(constants_of(hats_per_vehicle=3), spend="6")
    assert plan.weight_scale == pytest.approx(2 * 3 / 6)
    assert plan.sum_scale == pytest.approx(3 * 65 / 6)
    gaussian = plan_of(constants_of(hats_per_vehicle=3), NoiseKind.GAUSS, "6")
    assert gaussian.weight_scale == pytest.approx((3 / 6) ** 0.5, rel=1e-5)
    assert gaussian.sum_scale == pytest.approx(32.5 * (3 / 6) ** 0.5, rel=1e-3)


@NOISES
def test_intervals_cover(noise: NoiseKind) -> None:
    """At least 94 % of (HAT, release) pairs that are published, many vehicles and few."""
    constants = constants_of(cells=CELLS[:4])
    rng = np.random.default_rng(5)
    sizes = np.repeat([3, 10, 40, 200], 3)
    column = np.repeat(np.arange(12), sizes)
    values = rng.integers(0, U + 1, column.size)
    ones = np.ones(column.size, np.int64)
    entries = Entries(column=column, unit=np.arange(column.size), records=ones, sums=values, maxima=values)
    plan = plan_of(constants, noise, "4", threshold=3)
    exact = exact_vectors(plan, entries)
    truth = (
        exact[SUMS] / exact[WEIGHTS] * plan.entry_weight * plan.grid.step + plan.grid.largest * plan.grid.step
    ) / 2
    published = covered = counted = 0
    for seed in range(300):
        drawn = draw_bounded_mean(
            plan, entries, lambda name, seed=seed: SimulatedNoise(2 * seed + (name == SUMS), 1)
        )
        inside = (drawn.means.low <= truth + 1e-6) & (truth - 1e-6 <= drawn.means.high)
        published += int(drawn.published.sum())
        covered += int(inside[drawn.published].sum())
        counted += int((np.abs(drawn.weight - 1000 * sizes) <= drawn.weight_reach).sum())
    assert covered / published >= 0.94
    assert counted / 3600 == pytest.approx(0.95, abs=0.02)


def test_real_noise_pays_both_halves_and_no_more() -> None:
    constants = constants_of()
    plan = plan_of(constants)
    noise = SecureNoise(
        FakeReservation([Allowance(scope=name, epsilon=spend) for name, spend in plan.spends.items()])
    )
    drawn = draw_bounded_mean(plan, entries_in(random_stays(1), constants), noise.scope)
    assert noise.left(WEIGHTS) == noise.left(SUMS) == 0
    assert drawn.means.value.size == constants.candidates


def test_the_deviation_tells_what_noise_does() -> None:
    """Where weights are large the quotient is nearly linear in both noises."""
    constants = constants_of(cells=CELLS[:1])
    column = np.repeat(np.arange(3), 4_000)
    values = np.full(column.size, 20_000)
    ones = np.ones(column.size, np.int64)
    entries = Entries(column=column, unit=np.arange(column.size), records=ones, sums=values, maxima=values)
    plan = plan_of(constants, spend="0.5")
    rows = [
        draw_bounded_mean(plan, entries, lambda name, seed=seed: SimulatedNoise(2 * seed + (name == SUMS), 1))
        for seed in range(800)
    ]
    spread = np.std([row.means.unclamped / 1000 for row in rows])
    assert np.mean([row.unbiased.deviation for row in rows]) == pytest.approx(spread, rel=0.1)


def test_a_threshold_of_nothing_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        plan_of(constants_of(), threshold=0)
    assert_tells(caught.value)


def test_values_out_of_range_cannot_move_more() -> None:
    """Entries come clamped; were they not, an entry would still add the grid's largest at most."""
    entries = Entries(
        column=np.array([0]),
        unit=np.array([0]),
        records=np.array([1]),
        sums=np.array([10**9]),
        maxima=np.array([0]),
    )
    plan = plan_of(constants_of())
    assert exact_vectors(plan, entries)[SUMS][0] == plan.grid.largest
