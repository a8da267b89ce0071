"""One vector, one request: exact sums of tokens times rounded means, in fractions."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.city.city_draw import draw_city
from core.city.city_plan import CityPlan
from core.errors import InternalError
from core.mechanisms.tokens import TOKENS
from tests.count_tables import TOWN, Counts, count_tables, pairs_of, plan_of
from tests.fakes import RecordedGaussian, RecordedVector, RecordingNoise, ScriptedNoise, secure_noise
from tests.strategies import U

EVERY_NOISE = pytest.mark.parametrize("noise", ["laplace", "gauss"])
SEEDS = st.integers(0, 2**32)


def sums_for(plan: CityPlan, seed: int) -> np.ndarray:
    """Of each pair: values anywhere in [0, U], often at its ends."""
    rng = np.random.default_rng(seed)
    ends = rng.choice([0, plan.upper_bound], plan.pairs.hat.size) * plan.pairs.records
    anywhere = rng.integers(0, plan.upper_bound * plan.pairs.records, endpoint=True)
    return np.where(rng.random(plan.pairs.hat.size) < 0.4, ends, anywhere)


def exact_sums(plan: CityPlan, sums: np.ndarray) -> list[int]:
    """N_g: token times mean, rounded to the grid, halves up; in fractions."""
    found = [0] * plan.pairs.hats
    for hat, records, token, total in zip(
        plan.pairs.hat.tolist(), plan.pairs.records.tolist(), plan.tokens.tolist(), sums.tolist(), strict=True
    ):
        mean = Fraction(total, records * plan.grid.step)
        found[hat] += token * math.floor(mean + Fraction(1, 2))
    return found


@EVERY_NOISE
@given(counts=count_tables(), seed=SEEDS, upper=st.sampled_from((U, 1, 999, 10_007, 130_000)))
def test_noise_is_asked_once_for_the_exact_sums(noise: str, counts: Counts, seed: int, upper: int) -> None:
    plan = plan_of(pairs_of(counts), noise=noise, mode="exact", upper_bound=upper)
    sums, asked, source = sums_for(plan, seed), [], RecordingNoise()

    def hand_out(look: str) -> RecordingNoise:
        asked.append(look)
        return source

    drawn = draw_city(plan, sums, hand_out)
    (request,) = source.requests
    assert isinstance(request, RecordedGaussian if noise == "gauss" else RecordedVector)
    assert asked == [""]
    assert list(request.centres) == exact_sums(plan, sums)
    assert (request.sensitivity, request.spend) == (plan.grid.largest * TOKENS, plan.spend)
    assert all(
        0 <= centre <= plan.grid.largest * total
        for centre, total in zip(request.centres, plan.totals, strict=True)
    )
    # without noise the mean of the weights, to the grid's half step and the thousandth's
    means = plan.pairs.by_hat(plan.weights * sums / plan.pairs.records)
    assert np.abs(drawn.unclamped - means).max() <= plan.grid.step / 2 + 0.5 + 1e-6
    assert drawn.scale.tolist() == plan.scale.tolist()


@EVERY_NOISE
@given(counts=count_tables(), seed=SEEDS, mode=st.sampled_from(("exact", "split")))
def test_what_noise_adds_is_divided_by_the_tokens(noise: str, counts: Counts, seed: int, mode: str) -> None:
    """And by what corrects their lean: the noise that is stated is the one that is published."""
    plan = plan_of(pairs_of(counts, np.minimum(counts, 1)), noise=noise, mode=mode)
    sums = sums_for(plan, seed)
    offsets = np.random.default_rng(seed).integers(-(10**10), 10**10, plan.pairs.hats).tolist()
    drawn = draw_city(plan, sums, lambda _: ScriptedNoise(*offsets))
    totals = [0] * plan.pairs.hats
    for hat, token in zip(plan.pairs.hat.tolist(), plan.tokens.tolist(), strict=True):
        totals[hat] += token
    corrections = [Fraction(one) for one in plan.correction.tolist()]
    assert mode == "split" or set(corrections) == {1}
    for got, exact, offset, total, f in zip(
        drawn.unclamped.tolist(), exact_sums(plan, sums), offsets, totals, corrections, strict=True
    ):
        wanted = Fraction(exact + offset, total) / f * plan.grid.step
        assert abs(got - wanted) <= Fraction(1, 2) + Fraction(1, 10**3)
    cost = math.sqrt(2 * float(plan.spend)) if noise == "gauss" else float(plan.spend)
    stated = [65 * TOKENS / cost / float(total * f) for total, f in zip(totals, corrections, strict=True)]
    assert drawn.scale == pytest.approx(stated)


@EVERY_NOISE
def test_a_row_that_noise_does_not_cover_is_refused_before_noise_is_asked(noise: str) -> None:
    plan = plan_of(pairs_of(TOWN), noise=noise, mode="exact")
    more = plan.tokens.copy()
    more[np.flatnonzero(plan.pairs.vehicle == 2)] += 100
    source = RecordingNoise()
    with pytest.raises(InternalError, match="more tokens"):
        draw_city(dataclasses.replace(plan, tokens=more), sums_for(plan, 1), lambda _: source)
    assert source.requests == []


@EVERY_NOISE
def test_the_real_source_pays_once_and_has_nothing_left(noise: str) -> None:
    plan = plan_of(pairs_of(TOWN), noise=noise, mode="exact")
    zero = plan.spend * 0
    source = secure_noise(zero, plan.spend) if noise == "gauss" else secure_noise(plan.spend)
    sums = sums_for(plan, 1)
    first = draw_city(plan, sums, lambda _: source)
    assert first.unclamped.shape == (plan.pairs.hats,)
    with pytest.raises(InternalError, match="more noise budget than was reserved"):
        draw_city(plan, sums, lambda _: source)


@EVERY_NOISE
@pytest.mark.parametrize("value", [0, U])
def test_a_city_that_stands_or_flies_is_exact_without_noise(noise: str, value: int) -> None:
    plan = plan_of(pairs_of(TOWN), noise=noise)
    drawn = draw_city(plan, plan.pairs.records * value, lambda _: RecordingNoise())
    assert drawn.unclamped.tolist() == [value] * plan.pairs.hats
