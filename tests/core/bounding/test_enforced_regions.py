"""Regions by public counts: the promise is kept at these, and no unit moves more, whatever the plan is."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.arrays import Ints
from core.bounding.bounding import Entries, candidate_rows, rows_in_columns, unit_entries
from core.bounding.bounding_error import enforced_error
from core.bounding.candidates import candidate_hats
from core.bounding.enforced_regions import hats_of_regions, plan_enforced_regions
from core.bounding.plan_and_enforce import (
    USUAL_SHARE,
    EnforcedNoise,
    EnforcedPlan,
    draw_enforced,
    exact_vector,
    public_tokens,
)
from core.bounding.public_counts import PublicCounts
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.regions import Regions
from core.contributions import pairs_of
from core.errors import InputError
from core.mechanisms.tokens import TOKENS
from core.privacy import Unit
from tests.bounding import UNITS, Stay, constants_of, moved_by, neighbours, random_stays, table_of
from tests.fakes import RecordingNoise
from tests.records import assert_tells
from tests.strategies import U

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
CANDIDATES = candidate_hats(constants_of())
HATS = len(CANDIDATES)


def public_counts(seed: int = 0, fleet: int = 60) -> CityPairs:
    rng = np.random.default_rng(seed)
    counts = PublicCounts(
        units=rng.integers(1, fleet // 2, HATS), records=rng.integers(1, 6, HATS), fleet=fleet
    )
    return counts.pairs()


def law_of(noise: NoiseKind, spend: str = "2") -> EnforcedNoise:
    return EnforcedNoise.of(U, noise, Decimal(spend), USUAL_SHARE)


def planned(
    noise: NoiseKind = NoiseKind.LAPLACE, *, seed: int = 0, spend: str = "2", promised: float = 4.0
) -> EnforcedPlan:
    plan = plan_enforced_regions(
        public_counts(seed), CANDIDATES, CANDIDATES, [law_of(noise, spend)], promised
    )
    assert plan is not None
    return plan


def regions_of(plan: EnforcedPlan) -> Regions:
    assert plan.regions is not None
    return plan.regions


def entries_of(plan: EnforcedPlan, stays: list[Stay], unit: Unit = Unit.VEHICLE) -> Entries:
    table = table_of(stays)
    rows = rows_in_columns(candidate_rows(table, CANDIDATES, unit), regions_of(plan).of_hat)
    return unit_entries(rows, pairs_of(table))


def heavy(seed: int) -> list[Stay]:
    """Vehicles that cannot pay for all that they sent, every value U."""
    return [stay._replace(values=(U,) * 200) for stay in random_stays(seed, vehicles=3, visits=60)]


@NOISES
@pytest.mark.parametrize("promised", [1.5, 3.0, 7.0])
def test_the_promise_is_kept_at_the_public_counts_and_every_public_unit_can_pay(
    noise: NoiseKind, promised: float
) -> None:
    merged = 0
    for seed in range(12):
        public = public_counts(seed)
        plan = planned(noise, seed=seed, spend="6", promised=promised)
        regions = regions_of(plan)
        merged += len(regions.listed) < HATS
        assert enforced_error(plan).max() <= promised
        inside = public.grouped(regions.of_hat)
        tokens = public_tokens(inside, plan.caps, plan.prices, noise)
        whole = plan.record_tokens[inside.hat] * inside.records
        # nobody is scaled down: rounding alone takes a token or two
        assert np.abs(tokens - whole).max() <= 2.0
        paid = inside.by_vehicle(whole**2 if noise.squared else whole).max()
        assert 0.99 <= paid / (TOKENS**2 if noise.squared else TOKENS) <= 1.0
        assert regions.record_share == pytest.approx(inside.records.sum() / public.records.sum())
        assert plan.gap is None
        assert plan.load == 1
    assert merged > 0


@NOISES
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_moves_the_vector_by_its_sensitivity_at_most(noise: NoiseKind, unit: Unit) -> None:
    """Every neighbour of 12 cities that no plan knew of; somewhere the bound is reached within 1 %."""
    reached = 0.0
    for seed in range(12):
        plan = planned(noise, seed=seed)
        plan = dataclasses.replace(plan, caps=np.full(plan.caps.size, 1_000)) if seed % 2 else plan
        stays = heavy(seed) if seed % 2 else random_stays(seed)
        whole = exact_vector(plan, entries_of(plan, stays, unit))
        for fewer in neighbours(stays, unit):
            other = exact_vector(plan, entries_of(plan, fewer, unit))
            share = moved_by(whole, other, squared=noise.squared) / plan.sensitivity
            assert share <= 1.0
            reached = max(reached, share)
    assert reached >= 0.99


def test_prices_that_are_wrong_by_far_cost_no_privacy() -> None:
    plan = planned()
    wild = dataclasses.replace(
        plan, prices=np.full(plan.prices.size, 1 << 50), caps=np.full(plan.caps.size, 10**6)
    )
    stays = heavy(3)
    whole = exact_vector(wild, entries_of(wild, stays))
    for fewer in neighbours(stays, Unit.VEHICLE):
        assert moved_by(whole, exact_vector(wild, entries_of(wild, fewer)), squared=False) <= wild.sensitivity


@NOISES
def test_without_noise_a_region_has_the_mean_of_its_records(noise: NoiseKind) -> None:
    """Of all records in its cells and hours, below every cap and of vehicles that can pay."""
    plan = planned(noise, seed=1, spend="1e7", promised=0.001)
    regions = regions_of(plan)
    plan = dataclasses.replace(plan, caps=np.full(plan.caps.size, 1_000), prices=plan.prices // 100)
    stays = random_stays(5)
    entries = entries_of(plan, stays)
    recorded = RecordingNoise()
    drawn = draw_enforced(plan, entries, recorded)
    (asked,) = recorded.gaussians if noise.squared else recorded.vectors
    assert (len(asked.centres), asked.sensitivity) == (2 * len(regions.listed), plan.sensitivity)
    seen = 0
    for number, region in enumerate(regions.listed):
        values = [
            value
            for stay in stays
            if stay.cell in region.cells and stay.slot in region.slots
            for value in stay.values
        ]
        assert drawn.weight[number] == pytest.approx(1000 * len(values), rel=5e-3)
        if values:
            seen += 1
            assert drawn.means.value[number] == pytest.approx(np.mean(values), abs=100)
    assert seen > 1


def test_a_candidate_is_in_the_one_region_of_its_cell_and_hour() -> None:
    """Listed by public counts in that hour or not: a region has no holes."""
    retained = np.ones(HATS, bool)
    retained[[1, 4, 8]] = False
    listed = CANDIDATES.only(retained)
    counts = PublicCounts(units=np.full(len(listed), 20), records=np.full(len(listed), 3), fleet=60)
    plan = plan_enforced_regions(counts.pairs(), listed, CANDIDATES, [law_of(NoiseKind.LAPLACE)], 4.0)
    assert plan is not None
    regions = regions_of(plan)
    for hat, (cell, slot) in enumerate(zip(CANDIDATES.cell.tolist(), CANDIDATES.slot.tolist(), strict=True)):
        holding = [n for n, one in enumerate(regions.listed) if cell in one.cells and slot in one.slots]
        assert holding == ([] if regions.of_hat[hat] < 0 else [regions.of_hat[hat]])
    assert len(plan.candidates) == (regions.of_hat >= 0).sum()
    assert hats_of_regions(regions.listed, CANDIDATES).tolist() == regions.of_hat.tolist()


def test_the_plan_is_unchanged_by_the_data() -> None:
    """It sees public counts alone; drawing changes nothing of it."""
    plan, again = planned(), planned()
    for stays in (random_stays(1), heavy(2)):
        draw_enforced(plan, entries_of(plan, stays), RecordingNoise())
    columns: list[tuple[Ints, Ints]] = [
        (plan.prices, again.prices),
        (plan.caps, again.caps),
        (plan.expected, again.expected),
    ]
    assert all(np.array_equal(one, other) for one, other in columns)
    assert regions_of(plan).listed == regions_of(again).listed


def test_a_larger_total_leaves_less_unsaid_and_the_better_noise_is_taken() -> None:
    numbers = [len(regions_of(planned(spend=spend)).listed) for spend in ("1", "4", "40")]
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]
    laws = [law_of(NoiseKind.LAPLACE, "1"), law_of(NoiseKind.GAUSS, "1")]
    both = plan_enforced_regions(public_counts(), CANDIDATES, CANDIDATES, laws, 4.0)
    assert both is not None
    assert both.noise is NoiseKind.GAUSS


def test_a_promise_that_cannot_be_kept_has_no_plan_and_an_empty_one_is_refused() -> None:
    law = law_of(NoiseKind.LAPLACE)
    assert plan_enforced_regions(public_counts(), CANDIDATES, CANDIDATES, [law], 0.001) is None
    with pytest.raises(InputError) as caught:
        plan_enforced_regions(public_counts(), CANDIDATES, CANDIDATES, [law], 60.0)
    assert_tells(caught.value)
