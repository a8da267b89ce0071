"""Distributions of relation `user`: levels, what a unit moves, consistency, and intervals."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from core.bounding.bounded_cdf import (
    BoundedCdfPlan,
    draw_bounded_cdf,
    exact_levels,
    plan_bounded_cdf,
)
from core.bounding.bounding import RetainedRows, bounded_rows
from core.bounding.candidates import candidate_hats
from core.bounding.constants import BoundingConstants
from core.city.noise_kind import NoiseKind
from core.contributions import Contributions
from core.errors import InputError
from core.noise.simulated import SimulatedNoise
from core.privacy import Unit
from core.statistics.cdf_weights import UNIT
from tests.bounding import KEY, UNITS, Stay, constants_of, moved_by, neighbours, random_stays, table_of
from tests.fakes import RecordingNoise, secure_noise
from tests.records import assert_tells
from tests.strategies import CELLS, U

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
WEIGHTS = pytest.mark.parametrize("weights", ["records", "user"])
SHARES = 10**6


def plan_of(
    constants: BoundingConstants, noise: NoiseKind = NoiseKind.LAPLACE, spend: str = "4", **changes: Any
) -> BoundedCdfPlan:
    fields = {"bins": 13, "tree": "mixed", "weights": "records", "m_ub": 3} | changes
    return plan_bounded_cdf(constants, noise, Decimal(spend), fields.pop("threshold", 1), **fields)


def rows_of(stays: list[Stay], constants: BoundingConstants) -> tuple[Contributions, RetainedRows]:
    table = table_of(stays)
    return table, bounded_rows(table, candidate_hats(constants), constants, KEY, by_day=False)


@NOISES
@WEIGHTS
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_moves_each_level_by_its_sensitivity_at_most(
    noise: NoiseKind, weights: str, unit: Unit
) -> None:
    constants = constants_of(unit)
    plan, reached = plan_of(constants, noise, weights=weights), 0.0
    for seed in range(25):
        stays = random_stays(seed, vehicles=3, visits=60)
        whole = exact_levels(plan, *rows_of(stays, constants))
        for fewer in neighbours(stays, unit):
            other = exact_levels(plan, *rows_of(fewer, constants))
            for one, two in zip(whole, other, strict=True):
                share = moved_by(one.reshape(-1), two.reshape(-1), squared=noise.squared) / plan.sensitivity
                assert share <= 1.0
                reached = max(reached, share)
    assert reached >= 0.99


@WEIGHTS
def test_levels_hold_the_first_records_of_each_unit(weights: str) -> None:
    constants = constants_of(hats_per_vehicle=18)
    plan, stays = plan_of(constants, weights=weights, tree="binary"), random_stays(4)
    levels = exact_levels(plan, *rows_of(stays, constants))
    edges = plan.edges.tolist()
    places = zip(plan.candidates.cell.tolist(), plan.candidates.slot.tolist(), strict=True)
    for column, place in enumerate(places):
        own: dict[str, list[int]] = {}
        for stay in sorted(stays):
            if (stay.cell, stay.slot) == place:
                own.setdefault(stay.vehicle, []).extend(stay.values)
        leaves = [0] * len(edges)
        for values in own.values():
            counted = values if weights == "user" else values[:3]
            for value in counted:
                weight = UNIT // len(counted) if weights == "user" else UNIT
                leaves[next(place for place, edge in enumerate(edges) if value <= edge)] += weight
        assert levels[-1][column].tolist() == leaves
        assert [level[column].sum() for level in levels] == [sum(leaves)] * len(levels)
        assert levels[0][column].size == 1


@NOISES
@WEIGHTS
def test_without_noise_it_is_the_curve(noise: NoiseKind, weights: str) -> None:
    constants, stays = constants_of(), random_stays(6)
    plan, source = plan_of(constants, noise, weights=weights), RecordingNoise()
    table, rows = rows_of(stays, constants)
    drawn = draw_bounded_cdf(plan, table, rows, source)
    asked = source.gaussians if noise.squared else source.vectors
    assert len(asked) == plan.estimator.tree.height + 1
    assert sum(one.spend for one in asked) == Decimal(4)
    assert {one.sensitivity for one in asked} == {plan.sensitivity}
    leaves = exact_levels(plan, table, rows)[-1]
    total = leaves.sum(axis=1)
    assert drawn.total.tolist() == np.rint(total * 1000 / UNIT).tolist()
    assert drawn.published.tolist() == (total >= plan.contribution).tolist()
    held = total > 0
    wanted = np.cumsum(leaves[held], axis=1) / total[held, None] * SHARES
    assert drawn.share[held] == pytest.approx(wanted, abs=1)
    assert (drawn.low <= drawn.share).all()
    assert (drawn.share <= drawn.high).all()


@NOISES
def test_curves_rise_to_one_whatever_the_noise(noise: NoiseKind) -> None:
    constants = constants_of()
    plan = plan_of(constants, noise, "0.5")
    drawn = draw_bounded_cdf(plan, *rows_of(random_stays(1), constants), SimulatedNoise(2, 1))
    assert (np.diff(drawn.share, axis=1) >= 0).all()
    assert (drawn.share[:, -1] == SHARES).all()
    assert (drawn.low[:, -1] == SHARES).all()
    assert drawn.share.min() >= 0
    assert not drawn.informative[:, 0].all()
    assert drawn.published.size == len(plan.candidates)


def crowd(seed: int) -> tuple[Contributions, list[Stay]]:
    rng = np.random.default_rng(seed)
    stays = [
        Stay(cell, 9, f"bus {cell % 97} {number}", 0, tuple(rng.integers(0, U + 1, 2).tolist()))
        for cell, size in zip(CELLS[:3], (15, 60, 240), strict=True)
        for number in range(size)
    ]
    return table_of(stays), stays


@NOISES
@WEIGHTS
def test_intervals_cover_and_noise_is_as_large_as_expected(noise: NoiseKind, weights: str) -> None:
    constants = constants_of(cells=CELLS[:3], hats_per_vehicle=1)
    plan = plan_of(constants, noise, "2", weights=weights, m_ub=2)
    table, _ = crowd(1)
    rows = bounded_rows(table, candidate_hats(constants), constants, KEY, by_day=False)
    leaves = exact_levels(plan, table, rows)[-1]
    held = leaves.sum(axis=1) > 0
    truth = np.cumsum(leaves[held], axis=1) / leaves[held].sum(axis=1, keepdims=True) * SHARES
    draws = [draw_bounded_cdf(plan, table, rows, SimulatedNoise(seed, 1)) for seed in range(150)]
    covered = np.mean([(one.low[held] <= truth + 1) & (truth - 1 <= one.high[held]) for one in draws], axis=0)
    assert covered.min() >= 0.9
    assert covered.mean() >= 0.95
    missed = np.mean([np.abs(one.unclamped[held] - truth) for one in draws], axis=0)[-1, :-1].mean() / SHARES
    expected = plan.typical_error(float(leaves[held][-1].sum()))
    assert expected == pytest.approx(missed, rel=0.25)


def test_the_total_is_as_exact_as_is_said() -> None:
    constants = constants_of(cells=CELLS[:1], hats_per_vehicle=1)
    plan = plan_of(constants, spend="1", tree="binary", threshold=3)
    table, rows = rows_of([Stay(CELLS[0], 9, "bus", 0, (1,))], constants)
    totals = [
        draw_bounded_cdf(plan, table, rows, SimulatedNoise(seed, 1)).total / 1000 * UNIT
        for seed in range(1_500)
    ]
    assert np.std(totals) == pytest.approx(plan.total_variance**0.5, rel=0.06)
    assert plan.total_variance < plan.root_variance


def test_nobody_is_a_city_too() -> None:
    constants = constants_of()
    plan = plan_of(constants)
    drawn = draw_bounded_cdf(
        plan, *rows_of([Stay(CELLS[-1], 9, "bus", 0, (1,))], constants), SimulatedNoise(1, 1)
    )
    assert drawn.share.shape == (18, 13)


def test_real_noise_is_paid_exactly() -> None:
    constants = constants_of()
    plan = plan_of(constants)
    assert draw_bounded_cdf(
        plan, *rows_of(random_stays(1), constants), secure_noise(Decimal(4))
    ).share.shape == (18, 13)


@pytest.mark.parametrize(
    "changes", [{"bins": 1}, {"bins": 20_000}, {"m_ub": 0}, {"threshold": 0}, {"spend": "0.000001"}]
)
def test_what_cannot_be_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        plan_of(constants_of(), **changes)
    assert_tells(caught.value)
