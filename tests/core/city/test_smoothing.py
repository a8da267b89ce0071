"""Smoothing against a slow reference that really leaves each HAT out, and the laws that it keeps."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest

from core.arrays import Floats, Ints
from core.city import smoothing, smoothing_model
from core.city.cell_blocks import CellBlock, cell_blocks
from core.city.laplace_sites import laplace_sites
from core.city.smoothing import (
    VALUE_WIDTH,
    Smoothed,
    SmoothingFacts,
    SmoothingInput,
    foretold_error,
    gaussian_posterior,
    predicted_error,
    smooth,
    smoothed_sums,
)
from core.city.smoothing_model import SPREAD_CENTRES, HatPlaces
from core.city.student_posterior import student_posterior
from core.mechanisms.covariate import OF_OTHER_VALUES, OF_RECORDS, OF_SPEEDS, Covariate, Slope
from core.progress import Cancelled
from tests.smoothing_tables import hats_around, model_field, released, signs, slow_covariance, table


def small(count: int = 20, **options: Any) -> SmoothingInput:
    cells, hours = hats_around(count, seed=count)
    return released(cells, hours, model_field(cells, hours, count), **options).given


def columns(found: Smoothed) -> list[Floats]:
    return [found.values, found.lows, found.highs, found.typical]


def changed(given: SmoothingInput, **changes: Any) -> SmoothingInput:
    return dataclasses.replace(given, **changes)


def taken(given: SmoothingInput, order: Ints) -> SmoothingInput:
    """The same HATs in another order, or some of them."""
    arrays = {name: getattr(given, name)[order] for name in ARRAYS}
    covariate = given.covariate and given.covariate.take(order)
    return changed(given, ids=tuple(given.ids[at] for at in order), covariate=covariate, **arrays)


ARRAYS = ("cells", "hours", "values", "noise_variance", "bias_variance")


# --- against a slow reference --------------------------------------------------------------------


def conditioned(given: SmoothingInput, spreads: Floats, hat: int, known: Ints) -> tuple[float, float]:
    """Mean and variance of one HAT's true mean, given the values of the HATs in `known`."""
    law = slow_covariance(given.cells, given.hours, spreads, given.covariate)
    prior = np.full(len(given.ids), 22.0) if given.covariate is None else given.covariate.means
    noise = np.diag(given.noise_variance + given.bias_variance)
    weights = np.linalg.solve((law + noise)[np.ix_(known, known)], law[known, hat])
    return prior[hat] + weights @ (given.values - prior)[known], law[hat, hat] - weights @ law[known, hat]


def left_out(given: SmoothingInput, spreads: Floats) -> tuple[Floats, Floats]:
    """What all others say of each HAT: means and variances."""
    everyone = np.arange(len(given.ids))
    found = [conditioned(given, spreads, hat, np.delete(everyone, hat)) for hat in everyone]
    means, variances = np.array(found).T
    return means, np.clip(variances, 1e-4, None)


def as_seen(given: SmoothingInput, spreads: Floats) -> SmoothingInput:
    """What each HAT tells the others: with Laplace noise, its site."""
    if given.gaussian:
        return given
    noise = given.noise_variance + given.bias_variance
    values, variances = laplace_sites(given.values, noise, *left_out(given, spreads))
    return changed(given, values=values, noise_variance=variances, bias_variance=np.zeros_like(variances))


@pytest.mark.parametrize("gaussian", [False, True])
@pytest.mark.parametrize("deviation", [1.0, 30.0])
@pytest.mark.parametrize("count", [1, 5, 30])
@pytest.mark.parametrize("signed", [False, True])
def test_it_is_what_really_leaving_each_hat_out_gives(
    count: int, deviation: float, gaussian: bool, signed: bool
) -> None:
    given = small(count, deviation=deviation, gaussian=gaussian)
    covariate = signs(count) if signed else None
    given = changed(given, bias_variance=np.linspace(0.0, 4.0, count), covariate=covariate)
    found = smooth(given)
    means, variances = left_out(as_seen(given, found.spreads), found.spreads)
    noise = given.noise_variance + given.bias_variance
    wide, matched = (
        student_posterior(given.values, noise, means, np.sqrt(share * variances), gaussian=gaussian)
        for share in (1.0, VALUE_WIDTH**2)
    )
    values = np.clip(matched.medians, wide.lows, wide.highs)
    for got, want in zip(columns(found), (values, wide.lows, wide.highs, matched.errors), strict=True):
        np.testing.assert_allclose(got, want, atol=1e-5)


@pytest.mark.parametrize("deviation", [1.0, 30.0])
def test_the_gaussian_posterior_is_the_conditional_law(deviation: float) -> None:
    given = changed(small(25, deviation=deviation), covariate=signs(25))
    means, deviations = gaussian_posterior(given)
    spreads = smooth(given).spreads
    wanted = np.array([conditioned(given, spreads, hat, np.arange(25)) for hat in range(25)])
    np.testing.assert_allclose(means, np.clip(wanted[:, 0], 0.0, 65.0), atol=1e-6)
    np.testing.assert_allclose(deviations, np.sqrt(wanted[:, 1]), atol=1e-6)


@pytest.mark.parametrize(
    ("covariate", "spreads"), [(None, SPREAD_CENTRES), (signs(25), np.array([3.5, 1.2, 1.2, 2.0]))]
)
def test_the_predicted_error_is_that_of_the_conditional_law_before_any_value(
    covariate: Covariate | None, spreads: Floats
) -> None:
    given = changed(small(25), covariate=covariate)
    wanted = [conditioned(given, spreads, hat, np.arange(25))[1] for hat in range(25)]
    np.testing.assert_allclose(predicted_error(given), np.sqrt(np.array(wanted) * 2.0 / np.pi), rtol=1e-6)


def test_values_that_miss_less_than_is_allowed_for_leave_less() -> None:
    """By simulation of one HAT: its value weighs what the model gives it, whatever it really misses."""
    noise, allowed, typical = 4.0, 25.0, 1.0
    facts = dataclasses.replace(
        taken(small(5), np.array([2])),
        noise_variance=np.array([noise]),
        bias_variance=np.array([allowed]),
        typical_bias_variance=np.array([typical]),
    )
    prior = float(slow_covariance(facts.cells, facts.hours, SPREAD_CENTRES)[0, 0])
    weight = prior / (prior + noise + allowed)
    drawn = np.random.default_rng(0).normal(size=(2, 400_000))
    missed = (1 - weight) * np.sqrt(prior) * drawn[0] - weight * np.sqrt(noise + typical) * drawn[1]
    assert predicted_error(facts)[0] == pytest.approx(np.abs(missed).mean(), rel=0.01)
    careful = dataclasses.replace(facts, typical_bias_variance=None)
    assert predicted_error(facts)[0] < predicted_error(careful)[0]


def test_noise_beyond_all_measure_joins_smoothly() -> None:
    """There are two ways to leave a HAT out: on both sides of where one takes over, it is really left out."""
    given = small(12)
    for variance in (0.99e10, 1.01e10):
        noise = given.noise_variance.copy()
        noise[4] = variance
        case = changed(given, noise_variance=noise, values=np.where(np.arange(12) == 4, 1e5, given.values))
        found = smooth(case)
        seen = as_seen(case, found.spreads)
        mean, square = conditioned(seen, found.spreads, 4, np.delete(np.arange(12), 4))
        one = np.array([1.0])
        wide, matched = (
            student_posterior(
                1e5 * one, variance * one, mean * one, np.sqrt(share * square) * one, gaussian=False
            )
            for share in (1.0, VALUE_WIDTH**2)
        )
        assert found.values[4] == pytest.approx(matched.medians[0], abs=1e-4)
        assert found.highs[4] == pytest.approx(wide.highs[0], abs=1e-4)
        mean, square = conditioned(case, found.spreads, 4, np.delete(np.arange(12), 4))
        posterior_mean, deviation = gaussian_posterior(case)
        assert posterior_mean[4] == pytest.approx(mean, abs=0.01)
        assert deviation[4] == pytest.approx(np.sqrt(square), abs=1e-4)


# --- laws ----------------------------------------------------------------------------------------


def test_the_order_of_the_hats_does_not_matter_to_the_last_bit() -> None:
    given = changed(small(40), covariate=signs(40))
    order = np.random.default_rng(0).permutation(40)
    straight, mixed = smooth(given), smooth(taken(given, order))
    for one, other in zip(columns(straight), columns(mixed), strict=True):
        np.testing.assert_array_equal(one[order], other)
    np.testing.assert_array_equal(straight.spreads, mixed.spreads)
    np.testing.assert_array_equal(predicted_error(given)[order], predicted_error(taken(given, order)))


@pytest.mark.parametrize("upper", [130.0, 1.0, 2400.0])
def test_scaling_u_scales_the_results(upper: float) -> None:
    given, factor = changed(small(25), covariate=signs(25)), upper / 65.0
    scaled = changed(
        given,
        upper_kmh=upper,
        values=given.values * factor,
        noise_variance=given.noise_variance * factor**2,
        bias_variance=given.bias_variance * factor**2,
    )
    pairs = [*zip(columns(smooth(given)), columns(smooth(scaled)), strict=True)]
    pairs.append((smooth(given).spreads, smooth(scaled).spreads))
    pairs.append((predicted_error(given), predicted_error(scaled)))
    pairs += zip(gaussian_posterior(given), gaussian_posterior(scaled), strict=True)
    for one, other in pairs:
        np.testing.assert_allclose(one * factor, other, rtol=1e-5, atol=1e-9 * upper)


@pytest.mark.parametrize("gaussian", [False, True])
@pytest.mark.parametrize("variance", [0.0, 1e-10])
def test_without_noise_values_stay_as_they_are(variance: float, gaussian: bool) -> None:
    given = small(30)
    exact = changed(
        given,
        values=np.clip(given.values, 0.0, 65.0),
        noise_variance=np.full(30, variance),
        gaussian=gaussian,
    )
    found = smooth(exact)
    np.testing.assert_allclose(found.values, exact.values, atol=1e-4)
    np.testing.assert_allclose(found.highs - found.lows, 0.0, atol=1e-3)
    np.testing.assert_allclose(gaussian_posterior(exact)[0], exact.values, atol=1e-4)
    assert np.all(predicted_error(exact) <= 1e-4)


@pytest.mark.parametrize("variance", [1e12, 1e20, 1e60])
def test_with_nothing_but_noise_the_model_s_law_remains(variance: float) -> None:
    given = small(30)
    values = 22.0 + np.sqrt(variance) * np.random.default_rng(1).laplace(0.0, 0.7, 30)
    noisy = changed(given, noise_variance=np.full(30, variance), values=values)
    found = smooth(noisy)
    np.testing.assert_allclose(found.spreads, SPREAD_CENTRES, rtol=1e-3)
    np.testing.assert_allclose(found.values, found.values[0], atol=0.01)
    means, deviations = gaussian_posterior(noisy)
    np.testing.assert_allclose(means, 22.0, atol=0.01)
    np.testing.assert_allclose(deviations, np.sqrt(144.0 + 16.0 + 4.0 + 9.0 + 9.0), rtol=1e-3)


def test_one_noisy_hat_among_exact_ones_is_what_they_say() -> None:
    given = small(30, deviation=0.1)
    noise, values = given.noise_variance.copy(), given.values.copy()
    noise[7], values[7] = 1e16, -3e8
    found = smooth(changed(given, noise_variance=noise, values=values))
    again = smooth(changed(given, noise_variance=noise, values=np.where(np.arange(30) == 7, 3e8, values)))
    others = np.delete(given.values, 7)
    assert others.min() < found.values[7] < others.max()
    np.testing.assert_allclose(found.values, again.values, atol=0.01)


def test_bias_counts_as_noise() -> None:
    given = small(20)
    half = given.noise_variance / 2.0
    for one, other in zip(
        columns(smooth(given)),
        columns(smooth(changed(given, noise_variance=half, bias_variance=half))),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_values_may_come_of_other_numbers_than_spreads_and_intervals() -> None:
    given = small(60)
    pulled = changed(
        given, values=22.0 + 0.8 * (given.values - 22.0), noise_variance=given.noise_variance / 2
    )
    both, alone = smooth(given, for_values=pulled), smooth(given)
    assert both.spreads == pytest.approx(alone.spreads)
    assert np.array_equal(both.lows, alone.lows)
    assert np.array_equal(both.highs, alone.highs)
    assert not np.allclose(both.values, alone.values)
    assert ((both.values >= both.lows) & (both.values <= both.highs)).all()
    assert np.array_equal(smooth(given, for_values=given).values, alone.values)


def test_values_change_nothing_that_is_told_before_a_release() -> None:
    given = small(20)
    other = changed(given, values=given.values[::-1].copy())
    np.testing.assert_array_equal(predicted_error(given), predicted_error(other))


def test_spreads_of_the_last_release_are_in_the_value_s_unit_and_change_no_smoothed_number() -> None:
    given = small(30)
    usual = HatPlaces.of(given.cells, given.hours).foretold_spreads
    same, calm = (changed(given, former_spreads=tuple((usual * by).tolist())) for by in (1.0, 0.25))
    np.testing.assert_allclose(predicted_error(same), predicted_error(given))
    assert np.all(predicted_error(calm) < predicted_error(given))
    np.testing.assert_array_equal(smooth(calm).values, smooth(given).values)
    twice = changed(calm, upper_kmh=130.0, former_spreads=tuple((usual * 0.5).tolist()))
    twice = changed(twice, noise_variance=4.0 * given.noise_variance, bias_variance=4.0 * given.bias_variance)
    np.testing.assert_allclose(predicted_error(twice), 2.0 * predicted_error(calm))


def test_less_noise_never_raises_a_predicted_error() -> None:
    given = small(40)
    better = changed(given, noise_variance=given.noise_variance / np.linspace(1.0, 9.0, 40))
    assert np.all(predicted_error(better) <= predicted_error(given) + 1e-9)
    alone = predicted_error(taken(given, np.array([3])))
    assert predicted_error(given)[3] <= alone[0]


def test_no_call_writes_into_its_input() -> None:
    given = small(20)
    before = [getattr(given, name).copy() for name in ARRAYS]
    for call in (smooth, gaussian_posterior, predicted_error):
        call(given)
    for name, retained in zip(ARRAYS, before, strict=True):
        np.testing.assert_array_equal(getattr(given, name), retained)


# --- larger cities -------------------------------------------------------------------------------


def test_blocks_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    given = small(600)
    whole, ahead = smooth(given), predicted_error(given)
    monkeypatch.setattr(smoothing, "cell_blocks", functools.partial(cell_blocks, most=400))
    told: list[float] = []
    parts = smooth(given, lambda done, _text="": told.append(done))
    np.testing.assert_array_equal(whole.spreads, parts.spreads)
    away = np.abs(parts.values - whole.values) / whole.typical
    assert away.mean() < 0.15
    assert away.max() < 1.0
    np.testing.assert_allclose(predicted_error(given), ahead, rtol=0.15)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_the_result_is_the_same_whatever_number_of_threads_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit: anybody repeats the smoothing of a bundle on a machine of their own."""
    given = small(240)
    monkeypatch.setattr(smoothing, "cell_blocks", functools.partial(cell_blocks, most=60))
    found = []
    for threads in (1, 2, 4):
        monkeypatch.setattr(smoothing, "_THREADS", threads)
        made = smooth(given)
        found.append(
            (made.values.tobytes(), made.lows.tobytes(), made.highs.tobytes(), made.spreads.tobytes())
        )
    assert found[0] == found[1] == found[2]


def test_in_each_block_it_is_the_conditional_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the block's own HATs given those around too, however large the noise of some is."""
    noisy = np.arange(60) % 7 == 0
    given = small(60)
    given = taken(given, np.argsort(given.ids))  # blocks are of HATs in the order of ids
    given = changed(given, noise_variance=np.where(noisy, 1e11, given.noise_variance))
    blocks = cell_blocks(HatPlaces.of(given.cells, given.hours), most=40)
    monkeypatch.setattr(smoothing, "cell_blocks", lambda _: blocks)
    assert all(block.around.size for block in blocks)
    means, deviations = gaussian_posterior(given)
    spreads = smooth(given).spreads
    for block in blocks:
        known = np.concatenate((block.own, block.around))
        wanted = np.array([conditioned(given, spreads, hat, known) for hat in block.own.tolist()])
        np.testing.assert_allclose(means[block.own], np.clip(wanted[:, 0], 0.0, 65.0), atol=1e-5)
        np.testing.assert_allclose(deviations[block.own], np.sqrt(wanted[:, 1]), atol=1e-5)


@pytest.mark.parametrize("noisy", [slice(0, 150), slice(150, 300), slice(450, 600)])
def test_a_large_city_is_foretold_by_three_of_its_blocks(
    noisy: slice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever its noisy part lies."""
    given = small(600)
    noise = np.geomspace(1.0, 9.0, 600)
    noise[noisy] *= 100.0
    given = changed(given, noise_variance=noise)
    np.testing.assert_array_equal(foretold_error(given), predicted_error(given))
    monkeypatch.setattr(smoothing, "cell_blocks", functools.partial(cell_blocks, most=120))
    whole, solve, solved = predicted_error(given), smoothing._condition_block, list[Ints]()

    def noted(table: Any, block: CellBlock, *of: Any) -> Floats:
        solved.append(block.own)
        return solve(table, block, *of)

    monkeypatch.setattr(smoothing, "_condition_block", noted)
    told = foretold_error(given)
    assert len(solved) == 3
    assert np.median(told) == pytest.approx(np.median(whole), rel=0.1)
    assert told.max() == pytest.approx(whole.max(), rel=0.1)


# --- coverage ------------------------------------------------------------------------------------


def coverage(truths: list[tuple[Ints, Floats, Floats]], **options: Any) -> tuple[float, float, float]:
    """(share of intervals that hold, mean error of the clamped values, mean error of the smoothed)."""
    held, raw, smoothed = [], [], []
    for seed, (cells, hours, truth) in enumerate(truths):
        made = released(cells, hours, truth, seed=seed, **options)
        found = smooth(made.given)
        held.append((found.lows <= truth) & (truth <= found.highs))
        raw.append(np.abs(np.clip(made.given.values, 0.0, 65.0) - truth))
        smoothed.append(np.abs(found.values - truth))
    return float(np.mean(held)), float(np.mean(raw)), float(np.mean(smoothed))


FIELDS = range(3)


@pytest.mark.parametrize("gaussian", [False, True])
@pytest.mark.parametrize("deviation", [5.0, 20.0])
def test_intervals_hold_the_truth_where_the_model_is_right(deviation: float, gaussian: bool) -> None:
    truths = []
    for seed in FIELDS:
        cells, hours = hats_around(200, seed=seed)
        truths.append((cells, hours, model_field(cells, hours, seed)))
    held, raw, smoothed = coverage(truths, deviation=deviation, gaussian=gaussian)
    assert 0.93 <= held <= 0.99
    assert smoothed < 0.8 * raw


@pytest.mark.parametrize("gaussian", [False, True])
def test_intervals_hold_the_truth_where_the_model_is_nonsense(gaussian: bool) -> None:
    """Any speed anywhere: no HAT is like another, and none lies around 22."""
    truths = []
    for seed in FIELDS:
        truths.append((*hats_around(200, seed=seed), np.random.default_rng(seed).uniform(0.0, 65.0, 200)))
    held, raw, smoothed = coverage(truths, deviation=5.0, gaussian=gaussian)
    assert 0.93 <= held <= 0.99
    assert smoothed < 1.05 * raw


# --- odd input -----------------------------------------------------------------------------------


def test_of_no_hats_there_is_nothing() -> None:
    nothing = taken(small(5), np.zeros(0, np.int64))
    assert [column.shape for column in columns(smooth(nothing))] == [(0,)] * 4
    assert gaussian_posterior(nothing)[0].shape == (0,)
    assert predicted_error(nothing).shape == (0,)


@pytest.mark.parametrize("slots", [1, 24])
@pytest.mark.parametrize("variance", [1e-8, 1.0, 1e12])
@pytest.mark.parametrize("values", [0.0, 65.0, 22.0])
def test_equal_values_are_no_trouble(values: float, variance: float, slots: int) -> None:
    cells, hours = hats_around(30, slots=slots)
    found = smooth(table(cells, hours, np.full(30, values), np.full(30, variance)))
    for column in columns(found):
        assert np.all((column >= 0.0) & (column <= 65.0))
    assert np.all((found.lows <= found.values) & (found.values <= found.highs))
    if variance < 1.0:
        np.testing.assert_allclose(found.values, values, atol=1e-3)


def test_cells_without_neighbours_are_no_trouble() -> None:
    """One cell in all slots, and one slot in the farthest cells."""
    cells, _ = hats_around(24, slots=24)
    same = np.full(24, cells[0])
    given = table(same, np.arange(24) + 0.5, np.linspace(-5.0, 70.0, 24), np.full(24, 9.0))
    assert np.all(np.isfinite(smooth(given).values))
    far, one_slot = hats_around(24, resolution=5, slots=1)
    given = table(far, one_slot, np.linspace(-5.0, 70.0, 24), np.full(24, 9.0))
    assert np.all(np.isfinite(smooth(given).values))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hours": np.zeros(4)}, "figure for each hexagon slot"),
        ({"ids": ("a",) * 5}, "same id"),
        ({"upper_kmh": 0.0}, "U must be"),
        ({"upper_kmh": float("nan")}, "U must be"),
        ({"noise_variance": np.full(5, np.inf)}, "variances"),
        ({"noise_variance": np.full(5, np.nan)}, "variances"),
        ({"bias_variance": np.full(5, -1.0)}, "variances"),
        ({"values": np.full(5, np.nan)}, "finite value"),
        ({"values": np.full(4, 1.0)}, "finite value"),
    ],
)
def test_what_is_no_table_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        changed(small(5), **changes)


def test_facts_alone_predict() -> None:
    given = small(10)
    facts = SmoothingFacts(
        **{field.name: getattr(given, field.name) for field in dataclasses.fields(SmoothingFacts)}
    )
    np.testing.assert_array_equal(predicted_error(facts), predicted_error(given))
    for known in (facts, given):
        np.testing.assert_array_equal(smooth(known.with_values(given.values)).values, smooth(given).values)


def test_a_stop_is_taken_wherever_progress_is_told() -> None:
    given = small(30)
    told: list[tuple[float, str]] = []
    smooth(given, lambda done, text="": told.append((done, text)))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == 1.0
    assert all(text for _, text in told[:-1])
    for last in range(1, len(told)):
        calls = 0

        def stop(done: float, text: str = "", last: int = last) -> None:  # noqa: ARG001 - a progress
            nonlocal calls
            calls += 1
            if calls == last:
                raise Cancelled

        with pytest.raises(Cancelled):
            smooth(given, stop)


# --- a public sign of the means ------------------------------------------------------------------


def test_a_constant_sign_changes_the_centres_of_the_spreads_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    given = small(40)
    constant = Covariate(standardised=np.zeros(40), slope=OF_RECORDS)
    found = smooth(changed(given, covariate=constant))
    monkeypatch.setattr(smoothing_model, "SPREAD_CENTRES", smoothing_model.SPREAD_CENTRES_WITH_SIGN)
    for got, want in zip(columns(found), columns(smooth(given)), strict=True):
        np.testing.assert_allclose(got, want, atol=1e-6)


def mean_error(truth: Floats, given: SmoothingInput, covariate: Covariate | None) -> float:
    return float(np.median(np.abs(smooth(changed(given, covariate=covariate)).values - truth)))


@pytest.mark.parametrize("slope", [OF_RECORDS, OF_SPEEDS, OF_OTHER_VALUES])
def test_a_sign_of_the_means_helps_and_one_of_nothing_costs_little(slope: Slope) -> None:
    """Also where it has the wrong side: values say so. Figures of real cities are in bench_city."""
    cells, hours = hats_around(250, seed=7)
    sign = signs(250, seed=7, slope=slope)
    spread = -3.5 if slope is OF_RECORDS else 3.5
    field = model_field(cells, hours, 7, np.array([3.0, 1.0, 1.0, 2.0]))
    truth = np.clip(field + spread * sign.standardised, 0.0, 65.0)
    given = released(cells, hours, truth, deviation=8.0, gaussian=True).given
    without = mean_error(truth, given, None)
    assert mean_error(truth, given, sign) < 0.85 * without
    mixed = sign.take(np.random.default_rng(0).permutation(250))
    assert mean_error(truth, given, mixed) < 1.15 * without
    turned = Covariate(standardised=-sign.standardised, slope=slope)
    assert mean_error(truth, given, turned) < without


# --- sums ----------------------------------------------------------------------------------------


def test_a_sum_of_one_hat_is_that_hat() -> None:
    """Its Student law is the one that smoothing has of it."""
    given = small(30, gaussian=True)
    found = smooth(given)
    sums = smoothed_sums(given, np.eye(30), found.spreads)
    for made, known in ((sums.lows, found.lows), (sums.highs, found.highs), (sums.values, found.values)):
        assert made == pytest.approx(known, abs=1e-3)


def test_a_difference_turns_round_with_its_parts_and_is_surer_than_its_hats() -> None:
    given = small(40)
    spreads = smooth(given).spreads
    parts = np.repeat(np.eye(2), 20, axis=1) / 20
    contrast = parts[0] - parts[1]
    one, other = (smoothed_sums(given, np.stack((sign * contrast,)), spreads) for sign in (1.0, -1.0))
    assert one.values == pytest.approx(-other.values, abs=1e-3)
    assert one.lows == pytest.approx(-other.highs, abs=1e-3)
    means = smoothed_sums(given, parts, spreads)
    assert one.values[0] == pytest.approx(means.values[0] - means.values[1], abs=1.0)
    assert (means.highs - means.lows).max() < (smooth(given).highs - smooth(given).lows).min()
