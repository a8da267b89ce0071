"""Plan and enforce: prices from public counts, and what one unit moves whatever they are."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.bounding import plan_and_enforce
from core.bounding.bounding import Entries, candidate_rows, unit_entries
from core.bounding.candidates import candidate_hats
from core.bounding.plan_and_enforce import EnforcedPlan, draw_enforced, exact_vector, plan_enforced
from core.city.allocation import LARGEST_GAP
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.contributions import pairs_of as value_pairs_of
from core.errors import InputError, InternalError
from core.mechanisms.tokens import TOKENS
from core.noise.simulated import SimulatedNoise
from core.privacy import Unit
from tests.bounding import UNITS, Stay, constants_of, moved_by, neighbours, random_stays, table_of
from tests.count_tables import pairs_of
from tests.fakes import RecordingNoise, secure_noise
from tests.records import assert_tells
from tests.strategies import CELLS, U

NOISES = pytest.mark.parametrize("noise", list(NoiseKind))
LISTED = candidate_hats(constants_of())
HATS = len(LISTED)


def public_counts(seed: int = 0, vehicles: int = 6) -> CityPairs:
    """Made up: nothing of any data."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 8, (vehicles, HATS)) * (rng.random((vehicles, HATS)) < 0.5)
    counts[0] = np.maximum(counts[0], 1)
    counts[:, 0] = np.maximum(counts[:, 0], 1)
    return pairs_of(counts)


def plan_with(noise: NoiseKind = NoiseKind.LAPLACE, spend: str = "4", **changes: object) -> EnforcedPlan:
    fields = {"public": public_counts(), "candidates": LISTED, "upper_bound": U} | changes
    return plan_enforced(noise=noise, spend=Decimal(spend), **fields)  # type: ignore[arg-type]


def listed_entries(stays: list[Stay], unit: Unit = Unit.VEHICLE) -> Entries:
    table = table_of(stays)
    return unit_entries(candidate_rows(table, LISTED, unit), value_pairs_of(table))


def heavy(seed: int) -> list[Stay]:
    """Vehicles that cannot pay for all that they sent, every value U."""
    return [stay._replace(values=(U,) * 200) for stay in random_stays(seed, vehicles=3, visits=60)]


@NOISES
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_moves_the_vector_by_its_sensitivity_at_most(noise: NoiseKind, unit: Unit) -> None:
    """Whatever the plan: every neighbour of 30 cities; somewhere the bound is reached within 1 %."""
    reached = 0.0
    for seed in range(30):
        plan = plan_with(noise, public=public_counts(seed))
        stays = heavy(seed) if seed % 2 else random_stays(seed)
        whole = exact_vector(plan, listed_entries(stays, unit))
        for fewer in neighbours(stays, unit):
            other = exact_vector(plan, listed_entries(fewer, unit))
            share = moved_by(whole, other, squared=noise.squared) / plan.sensitivity
            assert share <= 1.0
            reached = max(reached, share)
    assert reached >= 0.99


def test_prices_that_are_wrong_by_far_cost_no_privacy() -> None:
    plan = dataclasses.replace(plan_with(), prices=np.full(HATS, 1 << 50), caps=np.full(HATS, 10**6))
    stays = heavy(3)
    whole = exact_vector(plan, listed_entries(stays))
    for fewer in neighbours(stays, Unit.VEHICLE):
        assert moved_by(whole, exact_vector(plan, listed_entries(fewer)), squared=False) <= plan.sensitivity


@NOISES
def test_rows_that_the_noise_does_not_cover_are_refused_before_anything_is_drawn(
    noise: NoiseKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted fault: enforcement leaves one unit a token too many."""

    def one_more(units: list[int], *_: object, **__: object) -> list[int]:
        return [TOKENS + 1, *[0] * (len(units) - 1)]

    plan, entries, source = plan_with(noise), listed_entries(random_stays(1)), RecordingNoise()
    monkeypatch.setattr(plan_and_enforce, "enforced_tokens", one_more)
    with pytest.raises(InternalError, match="more tokens than the noise covers"):
        draw_enforced(plan, entries, source)
    assert not source.requests


def test_the_plan_is_unchanged_by_the_data() -> None:
    """Its function sees public counts alone; drawing changes nothing of it."""
    plan, again = plan_with(), plan_with()
    draw_enforced(plan, listed_entries(random_stays(1)), SimulatedNoise(1, 1))
    draw_enforced(plan, listed_entries(heavy(2)), SimulatedNoise(1, 1))
    for name in ("caps", "prices", "expected"):
        assert getattr(plan, name).tolist() == getattr(again, name).tolist()
    assert (plan.sensitivity, plan.sum_scale, plan.weight_scale) == (
        again.sensitivity,
        again.sum_scale,
        again.weight_scale,
    )


@NOISES
def test_public_vehicles_can_pay_what_was_planned(noise: NoiseKind) -> None:
    """Run on its own counts the plan takes whole budgets, and scales nobody by more than its rounding."""
    public = public_counts(4, vehicles=12)
    plan = plan_with(noise, public=public, load=1)
    prices = plan.record_tokens[public.hat] * public.records
    paid = public.by_vehicle(prices**2 if noise.squared else prices)
    limit = TOKENS**2 if noise.squared else TOKENS
    assert paid.max() == pytest.approx(limit, rel=1e-6)
    assert paid.max() <= limit
    assert plan.expected == pytest.approx(public.by_hat(prices), rel=1e-4)
    assert 0 <= plan.gap <= LARGEST_GAP


@NOISES
@pytest.mark.parametrize("load", [1, 8])
def test_a_record_falls_short_of_the_least_weight_by_less_than_a_token(noise: NoiseKind, load: int) -> None:
    """Tokens are rounded down, the least weight is not: at this budget one record's price decides it."""
    plan = plan_with(noise, spend="1e12", load=load)
    assert plan.least_weight.tolist() == plan.paid_record.tolist()
    for column in range(HATS):
        cell, slot = int(LISTED.cell[column]), int(LISTED.slot[column])
        lone = listed_entries([Stay(cell, slot, "lone", 0, (U,))])
        sums, weights = exact_vector(plan, lone).reshape(2, -1)
        weight = weights[column] / (plan.parts[1] * plan.grid.largest)
        short = plan.least_weight[column] - weight
        assert short < 1.0
        assert short / plan.least_weight[column] < 1e-3, "so little does its mean lean to the middle"
        assert sums[column] == plan.parts[0] * weight * plan.grid.largest


def test_the_scales_are_those_of_the_shares() -> None:
    """Lap(1 / x_g) on the sum of k (X - U/2), Lap(1 / d_g) on that of k: U/2 x_g : d_g is 3 : 1."""
    plan = plan_with(spend="4")
    x = plan.record_tokens / plan.sum_scale
    d = plan.record_tokens / plan.weight_scale
    assert x * 32.5 / d == pytest.approx(np.full(HATS, 3.0))
    # who has all tokens in records pays epsilon: tokens times (U/2 x + d) of a token
    assert TOKENS * (32.5 / plan.sum_scale + 1 / plan.weight_scale) == pytest.approx(4.0)
    gaussian = plan_with(NoiseKind.GAUSS, "4")
    rho = (TOKENS * 32.5 / gaussian.sum_scale) ** 2 / 2, (TOKENS / gaussian.weight_scale) ** 2 / 2
    assert sum(rho) == pytest.approx(4.0, rel=1e-6)
    assert rho[0] / sum(rho) == pytest.approx(0.75, abs=0.01)


@NOISES
def test_without_noise_it_is_the_mean_over_records(noise: NoiseKind) -> None:
    """Of vehicles that can pay, below every cap; rounding of tokens moves both by the same."""
    stays = random_stays(5)
    public = public_counts(1, vehicles=300)
    # a budget by which a single record is clear of the noise: else its mean is drawn towards the middle
    plan = plan_with(noise, "1e7", caps=np.full(HATS, 1_000), public=public, load=1)
    entries = listed_entries(stays)
    source = RecordingNoise()
    drawn = draw_enforced(plan, entries, source)
    (asked,) = source.gaussians if noise.squared else source.vectors
    assert (len(asked.centres), asked.sensitivity, asked.spend) == (2 * HATS, plan.sensitivity, plan.spend)
    for column in range(HATS):
        own = entries.column == column
        if not own.any():
            assert drawn.means.value[column] == plan.middle
            assert drawn.weight[column] == 0
            continue
        truth = entries.sums[own].sum() / entries.records[own].sum()
        assert drawn.means.value[column] == pytest.approx(truth, abs=2 * plan.grid.step)
        assert drawn.weight[column] == pytest.approx(1000 * entries.records[own].sum(), rel=2e-3)


@NOISES
def test_intervals_cover(noise: NoiseKind) -> None:
    """Many and few vehicles; at least 94 % of (HAT, release) pairs."""
    rng = np.random.default_rng(3)
    sizes = np.repeat([2, 8, 40], HATS // 3)
    column = np.repeat(np.arange(HATS), sizes)
    records = rng.integers(1, 5, column.size)
    entries = Entries(
        column=column,
        unit=np.arange(column.size),
        records=records,
        sums=records * rng.integers(0, U + 1, column.size),
        maxima=records,
    )
    plan = plan_with(noise, "6")
    sums, weights = exact_vector(plan, entries).reshape(2, -1)
    ratio = sums / plan.parts[0] / (weights / plan.parts[1] / plan.grid.largest)
    truth = plan.middle + ratio * plan.grid.step / 2
    covered, clear = [], []
    for seed in range(200):
        drawn = draw_enforced(plan, entries, SimulatedNoise(seed, 1))
        covered.append((drawn.means.low <= truth + 1e-6) & (truth - 1e-6 <= drawn.means.high))
        clear.append(drawn.means.informative)
    assert np.mean(covered) >= 0.94
    assert np.mean(np.array(clear)[:, -HATS // 3 :]) > 0.2


def test_real_noise_is_paid_once() -> None:
    plan = plan_with()
    drawn = draw_enforced(plan, listed_entries(random_stays(1)), secure_noise(plan.spend))
    assert drawn.means.value.size == HATS
    with pytest.raises(InternalError):
        draw_enforced(plan, listed_entries(random_stays(1)), secure_noise(plan.spend / 2))


def test_noise_falls_with_the_budget() -> None:
    """Where there are records: of HATs without any nothing is known at all."""
    drawn = [
        draw_enforced(plan_with(spend=spend, load=1), listed_entries(heavy(1)), RecordingNoise())
        for spend in ("1e5", "1e6", "1e7")
    ]
    deviations = [one.unbiased.deviation[one.weight > 0].mean() for one in drawn]
    assert deviations[0] == pytest.approx(10 * deviations[1]) == pytest.approx(100 * deviations[2])


@NOISES
@pytest.mark.parametrize("load", [1, 2, 4, 8])
def test_a_load_multiplies_prices_and_no_unit_moves_more(noise: NoiseKind, load: int) -> None:
    """Busy units are scaled down by it, others spend up to so many times as much."""
    fitting, loaded = plan_with(noise, load=1), plan_with(noise, load=load)
    assert loaded.prices == pytest.approx(load * fitting.prices, rel=1e-6)
    assert loaded.paid_record == pytest.approx(fitting.paid_record, rel=1e-6)
    assert (loaded.expected >= 0.99 * fitting.expected).all()
    assert loaded.sum_scale == fitting.sum_scale
    for stays in (heavy(1), random_stays(1)):
        whole = exact_vector(loaded, listed_entries(stays))
        for fewer in neighbours(stays, Unit.VEHICLE):
            moved = moved_by(whole, exact_vector(loaded, listed_entries(fewer)), squared=noise.squared)
            assert moved <= loaded.sensitivity


def test_the_load_falls_as_the_budget_grows() -> None:
    """Where noise is next to nothing, weights are those of records."""
    loads = [plan_with(spend=spend, public=public_counts(3, vehicles=40)).load for spend in ("1", "1e6")]
    assert loads[0] > loads[1] == 1


def test_a_weight_within_its_noise_leaves_the_middle() -> None:
    """Rather than a quotient of noises; the interval still tells nothing."""
    plan = plan_with(spend="0.01")
    values = [
        draw_enforced(plan, listed_entries(random_stays(1)), SimulatedNoise(seed, 1)).means.value
        for seed in range(30)
    ]
    away = np.abs(np.array(values) - plan.middle).mean()
    assert away < plan.middle / 2


@pytest.mark.parametrize("share", ["0", "1", "0.755", "-0.5"])
def test_a_share_that_divides_nothing_is_refused(share: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_with(share=Decimal(share))
    assert_tells(caught.value)


def test_a_cap_of_nothing_is_refused_and_counts_of_other_hats_are_a_bug() -> None:
    with pytest.raises(InputError) as caught:
        plan_with(caps=np.zeros(HATS, np.int64))
    assert_tells(caught.value)
    with pytest.raises(InternalError):
        plan_with(candidates=LISTED.only(np.arange(HATS) > 0))


def test_records_elsewhere_are_nobody_s() -> None:
    inside = [Stay(CELLS[0], 9, "bus", 0, (1_000,))]
    outside = Stay(CELLS[-1], 9, "bus", 0, (65_000,) * 50)
    plan = plan_with()
    assert (
        exact_vector(plan, listed_entries(inside)).tolist()
        == exact_vector(plan, listed_entries([*inside, outside])).tolist()
    )
