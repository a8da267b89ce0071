"""Shares of relation `user`: what one unit moves all sums and weights by, and what intervals hold."""

from __future__ import annotations

import dataclasses
import itertools
from decimal import Decimal

import numpy as np
import pytest

from core.bounding import enforced_shares
from core.bounding.bounding import candidate_rows, unit_entries
from core.bounding.candidates import candidate_hats
from core.bounding.enforced_shares import (
    EnforcedShares,
    EnforcedSharesPlan,
    draw_enforced_shares,
    exact_share_vector,
    mean_of_sums,
    shares_of_sums,
    unit_atoms,
    with_ranges,
)
from core.bounding.plan_and_enforce import plan_enforced
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.contributions import pairs_of
from core.errors import InternalError
from core.noise.simulated import SimulatedNoise
from core.privacy import Unit
from core.shares.mean_of_shares import hidden_by_ranges
from core.statistics.ranges import Ranges
from core.statistics.share import MILLIONTHS
from tests.bounding import UNITS, Stay, constants_of, moved_by, neighbours, random_stays, table_of
from tests.fakes import RecordingNoise
from tests.strategies import U

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
LISTED = candidate_hats(constants_of())
TILING = Ranges(((0, 10_000), (10_000, 30_000), (30_000, 45_000), (45_000, U)), U)
RANGES = {
    "one": Ranges(((0, 10_000),), U),
    "disjoint": Ranges(((0, 10_000), (50_000, U)), U),
    "tiling": TILING,
    "nested": Ranges(((0, 5_000), (0, 20_000), (0, 40_000), (10_000, U)), U),
}
"""None, some and all values lie in a range, and up to three ranges hold one."""


def plan_of(ranges: Ranges, noise: NoiseKind = NoiseKind.LAPLACE, spend: str = "8") -> EnforcedSharesPlan:
    size = len(LISTED)
    public = PublicCounts(units=np.full(size, 3), records=np.full(size, 4), fleet=6).pairs()
    return with_ranges(plan_enforced(public, LISTED, U, noise, Decimal(spend)), ranges)


def exact(plan: EnforcedSharesPlan, stays: list[Stay], unit: Unit = Unit.VEHICLE) -> np.ndarray:
    table = table_of(stays)
    rows = candidate_rows(table, LISTED, unit)
    entries = unit_entries(rows, pairs_of(table))
    return exact_share_vector(plan, entries, unit_atoms(table, rows, entries, plan.ranges))


def heavy(seed: int, values: tuple[int, ...]) -> list[Stay]:
    """Vehicles that cannot pay for all that they sent."""
    return [stay._replace(values=values * 100) for stay in random_stays(seed, vehicles=3, visits=60)]


@NOISES
@pytest.mark.parametrize("kind", RANGES)
def test_a_unit_moves_the_vector_by_its_sensitivity_at_most(noise: NoiseKind, kind: str) -> None:
    """Every neighbour of 8 cities in both units; of records in the most ranges the bound is reached."""
    plan, reached = plan_of(RANGES[kind], noise), 0.0
    members = plan.ranges.members.sum(axis=1)
    fullest = int(plan.ranges.edges[int(members.argmax())])
    for seed, unit in itertools.product(range(8), UNITS):
        stays = heavy(seed, (fullest,)) if seed % 2 else random_stays(seed)
        whole = exact(plan, stays, unit)
        for fewer in neighbours(stays, unit):
            share = moved_by(whole, exact(plan, fewer, unit), squared=noise.squared) / plan.sensitivity
            assert share <= 1.0
            reached = max(reached, share)
    assert reached >= 0.99


def test_records_are_counted_by_atom_whatever_days_they_are_of() -> None:
    stays = random_stays(5)
    table = table_of(stays)
    rows = candidate_rows(table, LISTED, Unit.VEHICLE)
    entries = unit_entries(rows, pairs_of(table))
    found = unit_atoms(table, rows, entries, TILING)
    wanted: dict[tuple[int, int], list[int]] = {}
    columns = LISTED.columns_of(table)
    for stay in stays:
        place = next(n for n, at in enumerate(zip(table.cell, table.slot, strict=True)) if at == stay[:2])
        if columns[place] >= 0:
            of_unit = wanted.setdefault((int(columns[place]), table.vehicles.index(stay.vehicle)), [0] * 4)
            for value in stay.values:
                of_unit[sum(value >= edge for edge in (10_000, 30_000, 45_000))] += 1
    assert found.tolist() == [wanted[one] for one in sorted(wanted)]
    assert (found.sum(axis=1) == entries.records).all()


@NOISES
def test_a_unit_that_gives_more_than_its_records_is_refused_before_anything_is_drawn(
    noise: NoiseKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted fault: parts are taken of too large a whole."""
    plan, source = plan_of(TILING, noise), RecordingNoise()
    table = table_of(random_stays(1))
    rows = candidate_rows(table, LISTED, Unit.VEHICLE)
    entries = unit_entries(rows, pairs_of(table))
    atoms = unit_atoms(table, rows, entries, TILING)
    monkeypatch.setattr(enforced_shares, "entry_tokens", lambda *_: np.ones(atoms.shape[0], np.int64))
    atoms = np.column_stack((atoms, -atoms.sum(axis=1) // 2))
    with pytest.raises(InternalError, match="more than all of its records"):
        draw_enforced_shares(plan, entries, atoms, source)
    assert not source.requests


@NOISES
@pytest.mark.parametrize("kind", ["tiling", "nested"])
def test_intervals_hold_the_share_of_what_counts(noise: NoiseKind, kind: str) -> None:
    """Of ranges and, where they tile, of all below an edge: in 95 % and more of 400 releases."""
    plan, stays = plan_of(RANGES[kind], noise, "60"), heavy(3, (2_000, 15_000, 33_000, 60_000))
    sets = [plan.ranges, *([plan.ranges.cumulated()] if kind == "tiling" else [])]
    table = table_of(stays)
    rows = candidate_rows(table, LISTED, Unit.VEHICLE)
    entries = unit_entries(rows, pairs_of(table))
    atoms = unit_atoms(table, rows, entries, plan.ranges)
    busy = np.unique(entries.column)
    held, tries = 0, 0
    values = np.array([2, 15, 33, 60])[:, None] * 1000
    shares = [
        ((values >= np.array(one.listed)[:, 0]) & (values < np.array(one.listed)[:, 1])).mean(axis=0)
        for one in sets
    ]
    for seed in range(400):
        drawn = draw_enforced_shares(plan, entries, atoms, SimulatedNoise(seed, 1))
        for one, share_of in zip(sets, shares, strict=True):
            wanted = share_of * MILLIONTHS
            for share, found in zip(wanted, shares_of_sums(plan, drawn, one).published, strict=True):
                held += int(((found.low[busy] <= share + 200) & (share - 200 <= found.high[busy])).sum())
                tries += busy.size
    assert held / tries >= 0.95


@NOISES
def test_intervals_hold_the_mean_of_what_counts(noise: NoiseKind) -> None:
    """Of who stands, and of two ranges whose records lie near their lower ends."""
    standing = Ranges(((0, 1_000), (1_000, 30_000), (30_000, U)), U)
    plan, stays = plan_of(standing, noise, "60"), heavy(3, (0, 0, 13_000, 33_000))
    table = table_of(stays)
    rows = candidate_rows(table, LISTED, Unit.VEHICLE)
    entries = unit_entries(rows, pairs_of(table))
    atoms, busy = unit_atoms(table, rows, entries, standing), np.unique(entries.column)
    held, least = [], 1.96 * hidden_by_ranges(standing)
    for seed in range(400):
        found = mean_of_sums(plan, draw_enforced_shares(plan, entries, atoms, SimulatedNoise(seed, 1)))
        assert ((found.low <= found.value) & (found.value <= found.high)).all()
        assert ((found.low >= 0) & (found.high <= U)).all()
        assert (found.low <= np.maximum(found.value - least, 0)).all()
        assert (found.high >= np.minimum(found.value + least, U)).all()
        held.append((found.low[busy] <= 11_500) & (found.high[busy] >= 11_500))
    assert np.mean(held) >= 0.95
    exact = draw_enforced_shares(plan, entries, atoms, RecordingNoise())
    ample = busy[exact.weights[busy] > plan.least_weight[busy]]
    assert ample.size
    # a quarter of the records lies in each range of those who drive
    assert mean_of_sums(plan, exact).value[ample] == pytest.approx((15_500 + 42_250) / 4, abs=20)


@NOISES
@pytest.mark.parametrize("ranges", [1, 3])
def test_the_reach_of_several_ranges_is_that_of_their_noise_together(noise: NoiseKind, ranges: int) -> None:
    plan, rng = plan_of(TILING, noise), np.random.default_rng(5)
    draw = rng.normal if noise.squared else rng.laplace
    together = np.abs(draw(scale=plan.sum_scale, size=(200_000, ranges)).sum(axis=1))
    assert (together <= plan.reach_of(ranges)).mean() == pytest.approx(0.975, abs=0.002)


@NOISES
def test_the_interval_of_a_mean_allows_for_the_noise_of_all_sums(noise: NoiseKind) -> None:
    """Of sums that noise left at 0: their reach over the lightest weight, and what is hidden."""
    standing = Ranges(((0, 1_000), (1_000, 30_000), (30_000, U)), U)
    plan, hats = plan_of(standing, noise), len(LISTED)
    weights = np.full(hats, 60.0 * plan.weight_scale)
    drawn = EnforcedShares(weight=np.ones(hats, np.int64), sums=np.zeros((hats, 3)), weights=weights)
    times = 2.241403 if noise.squared else np.log(40.0)
    reach = times * plan.sum_scale * np.hypot(15_500, 42_250)
    end = reach / (weights - times * plan.weight_scale) + 1.96 * hidden_by_ranges(standing)
    assert (end < U).all()
    assert mean_of_sums(plan, drawn).high == pytest.approx(end, abs=3)


def test_what_is_thought_of_a_share_does_not_lean_where_the_weight_is_ample() -> None:
    plan, stays = plan_of(TILING, spend="400"), heavy(3, (2_000, 15_000, 33_000, 60_000))
    table = table_of(stays)
    rows = candidate_rows(table, LISTED, Unit.VEHICLE)
    entries = unit_entries(rows, pairs_of(table))
    atoms, busy = unit_atoms(table, rows, entries, TILING), np.unique(entries.column)
    drawn = [draw_enforced_shares(plan, entries, atoms, SimulatedNoise(seed, 1)) for seed in range(60)]
    found = np.mean([shares_of_sums(plan, one, TILING).unbiased[busy] for one in drawn], axis=(0, 1))
    assert found == pytest.approx(np.full(4, 0.25), abs=0.01)


def test_one_range_costs_no_more_than_the_mean_and_nested_ones_cost_each() -> None:
    one, nested = plan_of(RANGES["one"]), plan_of(RANGES["nested"])
    assert one.sums_of_a_record == 1
    assert nested.sums_of_a_record == 3
    assert plan_of(TILING).sensitivity == one.sensitivity
    first, second = one.parts
    assert nested.sensitivity * (first + second) == one.sensitivity * (3 * first + second)
    assert dataclasses.replace(one, ranges=TILING).sum_scale == one.sum_scale
