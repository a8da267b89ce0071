"""Whole plans: what tokens add up to, closed forms, laws of scaling, and odd cities."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.zcdp import epsilon_of, rho_of
from core.city import city_plan
from core.city.allocation import LARGEST_GAP, allocate, costs
from core.city.city_pairs import CityPairs
from core.city.city_plan import CityBudget, CityPlan, tokens_of
from core.city.noise_kind import NoiseKind
from core.contributions import HatUsers
from core.errors import InputError, InternalError
from core.grouping.plan_cache import PlanCache
from core.mechanisms.tokens import MECHANISM, TOKENS, TokensParams
from tests.count_tables import TOWN, Counts, count_tables, large_city, pairs_of, plan_of
from tests.strategies import U

EVERY_NOISE = pytest.mark.parametrize("noise", ["laplace", "gauss"])
EVERY_MODE = pytest.mark.parametrize("mode", ["exact", "split", "bounded"])
SEEDS = st.integers(0, 2**32)


def held(plan: CityPlan) -> Counter[int]:
    """Vehicle -> its tokens, or their squares, in Python's integers."""
    found: Counter[int] = Counter()
    for vehicle, token in zip(plan.pairs.vehicle.tolist(), plan.tokens.tolist(), strict=True):
        found[vehicle] += token**2 if plan.noise.squared else token
    return found


def assert_sound(plan: CityPlan) -> None:
    """What holds of every plan."""
    limit = TOKENS**2 if plan.noise.squared else TOKENS
    assert max(held(plan).values()) <= limit
    assert (plan.tokens >= 0).all()
    assert (plan.totals >= 1).all()
    assert plan.gap is not None
    assert 0 <= plan.gap <= LARGEST_GAP
    for one in (
        plan.scale,
        plan.typical_error,
        plan.error_at_worst,
        plan.half_width,
        plan.effective_vehicles,
    ):
        assert np.isfinite(one).all()
        assert (one > 0).all()
    assert (plan.typical_error <= plan.upper_kmh).all()
    assert (plan.bias_bound <= plan.upper_kmh).all()
    vehicles = plan.pairs.by_hat(np.ones(plan.pairs.hat.size))
    assert (plan.effective_vehicles <= vehicles * (1 + 1e-9)).all()
    assert (plan.effective_vehicles >= 1 - 1e-9).all()


@EVERY_NOISE
@EVERY_MODE
@given(counts=count_tables(), total=st.sampled_from(("2", "10", "300")), seen=st.booleans())
def test_every_plan_is_sound(noise: str, mode: str, counts: Counts, total: str, seen: bool) -> None:
    pairs = pairs_of(counts, np.minimum(counts, 1) if seen else None)
    plan = plan_of(pairs, total, noise=noise, mode=mode)
    assert_sound(plan)
    assert plan.noise == noise
    if noise == "laplace":
        assert plan.spend == Decimal(total)
    else:
        assert plan.spend == rho_of(Decimal(total), Decimal("1e-6"))
        assert epsilon_of(Decimal(0), plan.spend, Decimal("1e-6")) <= Decimal(total)


@EVERY_NOISE
@given(counts=count_tables())
def test_the_scale_is_that_of_the_noise_over_the_tokens(noise: str, counts: Counts) -> None:
    plan = plan_of(pairs_of(counts), noise=noise, mode="exact")
    cost = math.sqrt(2 * float(plan.spend)) if noise == "gauss" else 10.0
    tokens = [0] * plan.pairs.hats
    for hat, token in zip(plan.pairs.hat.tolist(), plan.tokens.tolist(), strict=True):
        tokens[hat] += token
    assert plan.scale == pytest.approx([65 * TOKENS / cost / total for total in tokens])
    assert plan.totals.tolist() == tokens


@EVERY_NOISE
@given(counts=count_tables())
def test_exact_weights_are_those_of_the_records(noise: str, counts: Counts) -> None:
    """Rounding down costs a token a pair at most."""
    plan = plan_of(pairs_of(counts), noise=noise, mode="exact")
    tokens = plan.tokens / plan.totals[plan.pairs.hat]
    assert tokens == pytest.approx(plan.pairs.shares, abs=10 / plan.totals.min())
    assert plan.bias_bound == pytest.approx(plan.grid.step_kmh / 2, abs=0.01)


@given(sizes=st.lists(st.integers(1, 30), min_size=1, max_size=8))
def test_one_hat_is_what_it_is_alone(sizes: list[int]) -> None:
    """By the mechanism of a single HAT, and by its closed forms: U max w / eps, U max w / sqrt(2 rho)."""
    sizes = sorted(sizes, reverse=True)
    heaviest = sizes[0] / sum(sizes)
    pairs = pairs_of([[size] for size in sizes])
    users = HatUsers(counts=np.array(sizes, np.int64))
    alone = MECHANISM.plan(users, Decimal(10), U, TokensParams(mode="exact"), PlanCache())
    plan = plan_of(pairs, noise="laplace", mode="exact")
    assert np.abs(plan.tokens - alone.tokens).max() <= 1
    assert plan.scale[0] == pytest.approx(alone.noise_scale, rel=1e-4)
    assert plan.scale[0] == pytest.approx(65 * heaviest / 10, rel=1e-4)
    gaussian = plan_of(pairs, noise="gauss", mode="exact")
    assert gaussian.scale[0] == pytest.approx(65 * heaviest / math.sqrt(2 * float(gaussian.spend)), rel=1e-4)


@EVERY_NOISE
@EVERY_MODE
@given(counts=count_tables(), times=st.sampled_from((2, 3, 10)))
def test_noise_and_bias_scale_with_u(noise: str, mode: str, counts: Counts, times: int) -> None:
    """The grid of another U may have up to one step in a thousand more than U."""
    here, there = (
        plan_of(pairs_of(counts), noise=noise, mode=mode, upper_bound=upper) for upper in (U, times * U)
    )
    covered = [plan.grid.largest * plan.grid.step for plan in (here, there)]
    assert there.scale == pytest.approx(here.scale * covered[1] / covered[0], rel=1e-3)
    assert np.abs(there.tokens - here.tokens).max() <= (0 if mode == "exact" else 100)
    assert there.bias.typical == pytest.approx(times * here.bias.typical, rel=1e-2, abs=1e-3)


@EVERY_NOISE
@given(counts=count_tables(), seed=SEEDS)
def test_the_order_of_vehicles_moves_tokens_by_rounding_at_most(
    noise: str, counts: Counts, seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(counts.shape[0])
    tables = [np.zeros_like(counts), np.zeros_like(counts)]
    for table, rows in zip(tables, (counts, counts[order]), strict=True):
        plan = plan_of(pairs_of(rows), noise=noise, mode="exact")
        table[plan.pairs.vehicle, plan.pairs.hat] = plan.tokens
    assert np.abs(tables[0][order] - tables[1]).max() <= 1


@EVERY_NOISE
@pytest.mark.parametrize("hats", [1, 5, 400])
def test_one_vehicle_in_equal_hats_gives_each_the_same(noise: str, hats: int) -> None:
    """Alone in G HATs: U G / eps each, or U sqrt(G / (2 rho))."""
    plan = plan_of(pairs_of([[3] * hats]), noise=noise, mode="exact")
    wanted = 65 * hats / 10 if noise == "laplace" else 65 * math.sqrt(hats / (2 * float(plan.spend)))
    assert plan.scale == pytest.approx(wanted, rel=hats * 2e-6)


@EVERY_NOISE
def test_split_expects_a_smaller_error_and_bounded_a_smaller_one_at_worst(noise: str) -> None:
    pairs = large_city(40, 120, 900)
    exact, split, bounded = (
        plan_of(pairs, "30", noise=noise, mode=mode) for mode in ("exact", "split", "bounded")
    )
    assert split.typical_error.mean() < exact.typical_error.mean()
    assert bounded.error_at_worst.mean() < exact.error_at_worst.mean()
    assert bounded.error_at_worst.mean() < split.error_at_worst.mean()


def test_auto_takes_what_is_publicly_better_and_needs_a_delta() -> None:
    spread_out, together = pairs_of([[1] * 60] * 4), pairs_of(np.eye(8, dtype=np.int64))
    assert plan_of(spread_out).noise is NoiseKind.GAUSS
    assert plan_of(together).noise is NoiseKind.LAPLACE
    assert plan_of(spread_out, delta="0").noise is NoiseKind.LAPLACE
    assert plan_of(spread_out, "0.01").noise is NoiseKind.LAPLACE, "no rho costs so little"
    for pairs in (spread_out, together):
        errors = {one: np.median(plan_of(pairs, noise=one).typical_error) for one in ("laplace", "gauss")}
        assert plan_of(pairs).noise == min(errors, key=errors.__getitem__)


@pytest.mark.parametrize(("total", "delta"), [("10", "0"), ("0.01", "1e-6")])
def test_gaussian_noise_that_cannot_be_bought_is_refused_in_words(total: str, delta: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_of(pairs_of(TOWN), total, delta=delta, noise="gauss")
    assert caught.value.where
    assert caught.value.mend


ODD: dict[str, CityPairs] = {
    "one hexagon slot": pairs_of([[3], [1]]),
    "one vehicle": pairs_of([[3, 1, 2]]),
    "one record": pairs_of([[1]]),
    "a vehicle in every hexagon slot": pairs_of(
        np.concatenate((np.ones((1, 30), np.int64), np.eye(30, dtype=np.int64)))
    ),
    "disjoint vehicles": pairs_of(np.eye(30, dtype=np.int64)),
    "a giant among dwarfs": pairs_of([[10**6, 1], [1, 10**6], [1, 1]]),
}


@pytest.mark.parametrize("pairs", ODD.values(), ids=ODD)
@pytest.mark.parametrize("total", ["0.01", "10", "10000"])
@pytest.mark.parametrize("delta", ["0", "1e-6", "0.999999"])
@EVERY_MODE
def test_odd_cities_totals_and_deltas_are_planned(
    pairs: CityPairs, total: str, delta: str, mode: str
) -> None:
    assert_sound(plan_of(pairs, total, delta=delta, mode=mode))


@EVERY_NOISE
def test_twenty_thousand_hats_are_planned(noise: str) -> None:
    plan = plan_of(large_city(1_500, 20_000, 100_000), noise=noise, mode="exact")
    assert_sound(plan)
    assert plan.pairs.hats == 20_000


def test_hats_without_tokens_are_left_out_and_a_city_without_any_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = city_plan.tokens_of

    def without(*hats: int) -> None:
        monkeypatch.setattr(
            city_plan,
            "tokens_of",
            lambda pairs, *rest: np.where(np.isin(pairs.hat, hats), 0, right(pairs, *rest)),
        )

    without(1)
    plan = plan_of(pairs_of(TOWN), noise="laplace", mode="exact")
    assert plan.hat_index.tolist() == [0, 2, 3]
    assert plan.places.ids == ("00000", "00002", "00003")
    assert_sound(plan)
    without(0, 1, 2, 3)
    with pytest.raises(InputError, match="leaves no token") as caught:
        plan_of(pairs_of(TOWN), noise="laplace", mode="exact")
    assert caught.value.mend


def test_a_plan_follows_from_its_arguments() -> None:
    first, second = (plan_of(pairs_of(TOWN)) for _ in range(2))
    for field in dataclasses.fields(first):
        assert repr(getattr(first, field.name)) == repr(getattr(second, field.name))


def test_a_budget_is_spent_in_the_currency_of_its_noise() -> None:
    budget = CityBudget(epsilon=Decimal(10), delta=Decimal("1e-6"))
    assert budget.spend(NoiseKind.LAPLACE) == 10
    assert budget.spend(NoiseKind.GAUSS) == rho_of(Decimal(10), Decimal("1e-6"))


EVERY_KIND = pytest.mark.parametrize("noise", list(NoiseKind))


@EVERY_KIND
@given(counts=count_tables(), data=st.data())
def test_no_row_exceeds_what_the_noise_covers(noise: NoiseKind, counts: Counts, data: st.DataObject) -> None:
    """For shares of any kind that add up to one, though they are floats."""
    pairs = pairs_of(counts)
    drawn = np.array(
        data.draw(st.lists(st.floats(0.001, 1), min_size=pairs.hat.size, max_size=pairs.hat.size))
    )
    shares = drawn / pairs.by_vehicle(drawn)[pairs.vehicle]
    tokens = tokens_of(pairs, shares, noise).tolist()
    held = [0] * pairs.vehicles
    for vehicle, amount in zip(pairs.vehicle.tolist(), tokens, strict=True):
        held[vehicle] += amount**2 if noise.squared else amount
    limit = TOKENS**2 if noise.squared else TOKENS
    assert max(held) <= limit
    assert min(held) > 0.98 * limit


@EVERY_KIND
def test_each_token_is_rounded_down_by_less_than_one(noise: NoiseKind) -> None:
    pairs = pairs_of(TOWN)
    shares = costs(pairs, noise) * allocate(pairs, noise, 8).exactness[pairs.hat]
    for token, share in zip(tokens_of(pairs, shares, noise).tolist(), shares.tolist(), strict=True):
        exact = Fraction(share) * TOKENS**2 if noise.squared else Fraction(share) * TOKENS
        power = 2 if noise.squared else 1
        assert Fraction(token) ** power <= exact < Fraction(token + 1) ** power * (1 + Fraction(1, 10**9))


@EVERY_KIND
def test_a_share_too_many_is_refused(noise: NoiseKind) -> None:
    pairs = pairs_of(TOWN)
    shares = np.zeros(pairs.hat.size)
    shares[pairs.vehicle == 2] = 0.25
    tokens_of(pairs, shares, noise)
    shares[np.flatnonzero(pairs.vehicle == 2)[0]] = 0.2501
    with pytest.raises(InternalError, match="more tokens"):
        tokens_of(pairs, shares, noise)


def test_shares_below_a_token_are_none() -> None:
    pairs = pairs_of([[1, 1]])
    assert tokens_of(pairs, np.array([1e-7, 0.5]), NoiseKind.LAPLACE).tolist()[0] == 0
