"""Vehicles per day above limits: counts of pairs, what a unit moves, and intervals."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from core.bounding.bounded_query2 import (
    BoundedLimitsPlan,
    draw_bounded_query2,
    exact_numbers,
    plan_bounded_query2,
)
from core.bounding.bounding import Entries
from core.bounding.constants import BoundingConstants
from core.city.noise_kind import NoiseKind
from core.noise.simulated import SimulatedNoise
from core.privacy import Unit
from tests.bounding import (
    UNITS,
    Stay,
    constants_of,
    entries_in,
    everywhere,
    moved_by,
    neighbours,
    random_stays,
)
from tests.fakes import RecordingNoise, ScriptedNoise, secure_noise
from tests.strategies import CELLS, U

LIMITS = (20_000, 40_000, 60_000)
NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
HISTOGRAM = pytest.mark.parametrize("histogram", [False, True])


def plan_of(
    constants: BoundingConstants,
    noise: NoiseKind = NoiseKind.LAPLACE,
    spend: str = "3",
    *,
    histogram: bool = False,
    limits: tuple[int, ...] = LIMITS,
) -> BoundedLimitsPlan:
    return plan_bounded_query2(constants, limits, noise, Decimal(spend), histogram=histogram)


@NOISES
@HISTOGRAM
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_moves_the_vector_by_its_sensitivity_at_most(
    noise: NoiseKind, histogram: bool, unit: Unit
) -> None:
    constants = constants_of(unit)
    plan, reached = plan_of(constants, noise, histogram=histogram), 0.0
    for seed in range(40):
        stays = [*random_stays(seed, vehicles=3, visits=90), *everywhere("busiest")]
        whole = exact_numbers(plan, entries_in(stays, constants, by_day=True))
        for fewer in neighbours(stays, unit):
            other = exact_numbers(plan, entries_in(fewer, constants, by_day=True))
            share = moved_by(whole, other, squared=noise.squared) / plan.sensitivity
            assert share <= 1.0
            reached = max(reached, share)
    assert reached >= 0.99


def test_a_histogram_moves_by_half_of_what_values_move() -> None:
    """One bin a vehicle-day; in relation values its maximum leaves one bin for another."""
    assert plan_of(constants_of(Unit.VEHICLE_DAY), histogram=True).sensitivity == 2
    assert plan_of(constants_of(Unit.VEHICLE), histogram=True).sensitivity == 4
    assert plan_of(constants_of(Unit.VEHICLE)).sensitivity == 12


@NOISES
@HISTOGRAM
def test_without_noise_they_are_counts_per_day(noise: NoiseKind, histogram: bool) -> None:
    constants = constants_of(Unit.VEHICLE_DAY, hats_per_vehicle=18)
    stays = random_stays(2)
    plan, source = plan_of(constants, noise, histogram=histogram), RecordingNoise()
    drawn = draw_bounded_query2(plan, entries_in(stays, constants, by_day=True), source)
    (asked,) = source.gaussians if noise.squared else source.vectors
    assert (asked.sensitivity, asked.spend) == (plan.sensitivity, plan.spend)
    places = zip(plan.candidates.cell.tolist(), plan.candidates.slot.tolist(), strict=True)
    for column, place in enumerate(places):
        maxima = [max(stay.values) for stay in stays if (stay.cell, stay.slot) == place]
        wanted = [round(sum(one > limit for one in maxima) * 10**6 / 3) for limit in LIMITS]
        assert drawn.value[column].tolist() == wanted
        assert (drawn.low[column] <= wanted).all()
        assert (wanted <= drawn.high[column]).all()


def test_a_value_on_a_limit_is_not_above_it() -> None:
    constants = constants_of(Unit.VEHICLE_DAY, cells=CELLS[:1], hats_per_vehicle=3)
    stays = [Stay(CELLS[0], 9, "a", 0, (20_000,)), Stay(CELLS[0], 9, "b", 0, (20_001,))]
    for histogram in (False, True):
        exact = exact_numbers(
            plan_of(constants, histogram=histogram), entries_in(stays, constants, by_day=True)
        )
        assert exact[:3].tolist() == [1, 0, 0]


@HISTOGRAM
def test_answers_never_rise_and_are_never_negative(histogram: bool) -> None:
    constants = constants_of()
    plan = plan_of(constants, histogram=histogram)
    drawn = draw_bounded_query2(
        plan, entries_in(random_stays(1), constants, by_day=True), SimulatedNoise(3, 1)
    )
    assert (np.diff(drawn.value, axis=1) <= 0).all()
    assert (drawn.value >= 0).all()
    assert (drawn.unclamped < 0).any()
    assert (drawn.low <= drawn.value).all()
    assert (drawn.value <= drawn.high).all()


@NOISES
@HISTOGRAM
def test_intervals_cover(noise: NoiseKind, histogram: bool) -> None:
    constants = constants_of(Unit.VEHICLE_DAY)
    rng = np.random.default_rng(4)
    column = np.repeat(np.arange(18), rng.integers(0, 60, 18))
    maxima = rng.integers(0, U + 1, column.size)
    ones = np.ones(column.size, np.int64)
    entries = Entries(column=column, unit=np.arange(column.size), records=ones, sums=maxima, maxima=maxima)
    plan = plan_of(constants, noise, "2", histogram=histogram)
    truth = np.array(
        [[(maxima[column == hat] > limit).sum() * 10**6 / 3 for limit in LIMITS] for hat in range(18)]
    )
    drawn = [draw_bounded_query2(plan, entries, SimulatedNoise(seed, 1)) for seed in range(200)]
    assert np.mean([(one.low <= truth + 1) & (truth - 1 <= one.high) for one in drawn]) >= 0.945
    worst = np.mean([np.abs(one.unclamped - truth) for one in drawn], axis=(0, 1)).max() / 10**6
    assert plan.typical_error == pytest.approx(worst, rel=0.12)


def test_an_interval_below_nothing_tells_nothing() -> None:
    constants = constants_of(cells=CELLS[:1])
    plan = plan_of(constants, limits=(30_000,))
    entries = entries_in([Stay(CELLS[-1], 9, "bus", 0, (U,))], constants, by_day=True)
    drawn = draw_bounded_query2(plan, entries, ScriptedNoise(-1_000, 0, 4))
    assert drawn.informative.tolist() == [[False], [True], [True]]
    assert drawn.low.tolist() == [[0], [0], [0]]
    assert drawn.high[0] == drawn.high[1] > 0


def test_real_noise_is_paid_once() -> None:
    constants = constants_of()
    plan = plan_of(constants)
    drawn = draw_bounded_query2(
        plan, entries_in(random_stays(1), constants, by_day=True), secure_noise(plan.spend)
    )
    assert drawn.value.shape == (18, 3)
