"""Statistic `cdf`: budgets, what is drawn, curves and bands, and odd HATs."""

from __future__ import annotations

import math
import time
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData
from core.errors import InputError
from core.grouping.m_ub import OPTIMAL
from core.noise.simulated import SimulatedNoise
from core.parameter_fields import build, declared
from core.statistics.base import HatPlan
from core.statistics.cdf import CUMULATIVE_SHARE, MILLION, STATISTIC, CdfParams, level_budgets
from core.statistics.cdf_design import FLAT, KINDS, MIXED, tree_error
from core.statistics.cdf_tree import level_sums
from core.statistics.cdf_weights import RECORDS, UNIT, USER, weigh_bins
from core.statistics.registry import all_statistics
from tests.core.statistics.cdf_reference import counts_of, plan_for, question, records_of
from tests.fakes import RecordingNoise, ScriptedNoise, secure_noise
from tests.strategies import U, counts, hat_data, hat_of

ALPHA = 1e-6
each_kind = pytest.mark.parametrize("kind", KINDS)
each_weights = pytest.mark.parametrize("weights", [RECORDS, USER])


def busy_hat(users: int = 200) -> HatData:
    rng = np.random.default_rng(4)
    sizes = np.sort(rng.geometric(0.02, users))[::-1].tolist()
    return hat_of(sizes, np.clip(rng.normal(20_000, 11_000, sum(sizes)), 0, U).astype(np.int64))


def kept_curve(plan: HatPlan, hat: HatData) -> NDArray[np.float64]:
    """The weighted CDF of the kept records, without noise."""
    curve: NDArray[np.float64] = (
        np.cumsum(weigh_bins(plan.detail.weights, hat, plan.detail.edges)) / plan.detail.weights.total
    )
    return curve


def columns(plan: HatPlan, hat: HatData, noise: Any) -> NDArray[np.int64]:
    """Shape (4, N): labels, values, lows, highs."""
    drawn = STATISTIC.draw(plan, records_of(hat), noise)
    return np.array([(one.label, one.value, one.low, one.high) for one in drawn], np.int64).T


def test_the_registry_finds_it() -> None:
    assert all_statistics()["cdf"] is STATISTIC
    assert STATISTIC.measures == (CUMULATIVE_SHARE,)
    assert {parameter.name for parameter in declared(CdfParams)} == {
        "bins",
        "tree",
        "weights",
        "m_ub",
        "noise",
    }


def test_a_worked_example() -> None:
    """Two bins, three records kept of four; noise of half a record upwards in the first bin.

    Least squares with total 3: (2.5 + 3 - 1) / 2 = 2.25 records in the first bin.
    """
    plan = plan_for(counts_of([3, 1]), bins=2, tree=FLAT, m_ub=2)
    hat = hat_of([3, 1], [0, 20_000, 65_000, 65_000])
    first, last = STATISTIC.draw(plan, records_of(hat), ScriptedNoise(UNIT // 2, 0))
    assert (first.label, first.value, first.bias_bound) == (32_500, 750_000, 250_000)
    assert (last.label, last.value, last.low, last.high, last.bias_bound) == (U, *[MILLION] * 3, 0)
    assert plan.lead.sensitivity == plan.lead.noise_scale == pytest.approx(4 / 3)
    assert plan.m_ub == 2
    # the noise of half the difference of two Laplace variables of scale 4/3
    deviation = math.sqrt(2 * (4 / 3) ** 2 / 2)
    assert plan.detail.deviation == pytest.approx([deviation, 0])
    assert plan.lead.error_at_worst == 1.0
    assert STATISTIC.scale(counts_of([3, 1]), question(bins=2, tree=FLAT, m_ub=2)) == pytest.approx(
        deviation / math.sqrt(2)
    )


@pytest.mark.parametrize(
    ("epsilon", "height", "expected"),
    [
        ("1", 3, ["0.333334", "0.333333", "0.333333"]),
        ("0.5", 2, ["0.25", "0.25"]),
        ("0.000011", 4, ["0.000005", "0.000002", "0.000002", "0.000002"]),
    ],
)
def test_budgets_are_equal_and_exact(epsilon: str, height: int, expected: list[str]) -> None:
    assert level_budgets(Decimal(epsilon), height) == tuple(Decimal(text) for text in expected)


@given(steps=st.integers(1, 10**12), height=st.integers(1, 14))
def test_budgets_add_up(steps: int, height: int) -> None:
    epsilon = Decimal(steps) / MILLION
    if steps < height:
        with pytest.raises(InputError, match="levels"):
            level_budgets(epsilon, height)
        return
    budgets = level_budgets(epsilon, height)
    assert sum(budgets) == epsilon
    assert all(budget * MILLION == int(budget * MILLION) > 0 for budget in budgets)
    assert budgets[0] - budgets[-1] < Decimal(height) / MILLION


@each_kind
@each_weights
@given(hat=hat_data(), epsilon=st.sampled_from(("0.1", "1", "7.000001")))
def test_each_level_is_one_vector_and_all_spend_epsilon(
    kind: str, weights: str, hat: HatData, epsilon: str
) -> None:
    noise = RecordingNoise()
    plan = plan_for(counts_of(hat.counts), epsilon, bins=37, tree=kind, weights=weights)
    STATISTIC.draw(plan, records_of(hat), noise)
    tree = plan.detail.estimator.tree
    assert noise.requests == noise.vectors
    assert sum(one.spend for one in noise.vectors) == Decimal(epsilon)
    assert {one.sensitivity for one in noise.vectors} == {plan.detail.weights.moved}
    leaves = weigh_bins(plan.detail.weights, hat, plan.detail.edges)
    assert [one.centres for one in noise.vectors] == [tuple(level) for level in level_sums(tree, leaves)]


@each_kind
@given(hat=hat_data())
def test_without_noise_the_curve_is_that_of_the_kept_records(kind: str, hat: HatData) -> None:
    plan = plan_for(counts_of(hat.counts), bins=37, tree=kind)
    _, value, low, high = columns(plan, hat, RecordingNoise())
    truth = kept_curve(plan, hat)
    assert np.abs(value - truth * MILLION).max() <= 0.5 + 1e-6
    assert (low <= value).all()
    assert (value <= high).all()


ODD = {
    "all equal": hat_of([4, 3, 2], [30_000] * 9),
    "all 0": hat_of([4, 3, 2], [0] * 9),
    "all U": hat_of([4, 3, 2], [U] * 9),
    "one user": hat_of([5], [0, 10_000, 20_000, 30_000, U]),
    "one record": hat_of([1], [12_345]),
}


@each_kind
@each_weights
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("epsilon", ["0.001", "1", "100"])
def test_odd_hats_give_curves(kind: str, weights: str, name: str, epsilon: str) -> None:
    hat = ODD[name]
    plan = plan_for(counts_of(hat.counts), epsilon, bins=50, tree=kind, weights=weights)
    for seed in range(5):
        label, value, low, high = columns(plan, hat, SimulatedNoise(seed, 1))
        assert label[-1] == U
        assert (np.diff(label) > 0).all()
        assert (np.diff(value) >= 0).all()
        assert ((low >= 0) & (low <= value) & (value <= high) & (high <= MILLION)).all()
        assert (value[-1], low[-1], high[-1]) == (MILLION, MILLION, MILLION)
    assert 0 < plan.lead.typical_error <= 1
    assert 0 < plan.lead.error_at_worst <= 1
    assert plan.lead.bias_bound < 1


def test_all_at_0_is_seen_where_noise_is_small() -> None:
    hat = hat_of([1] * 2_000, [0] * 2_000)
    _, value, _, _ = columns(plan_for(counts_of(hat.counts), "100", bins=50), hat, SimulatedNoise(1, 1))
    assert value.min() > 990_000


def test_all_at_u_is_seen_where_noise_is_small() -> None:
    hat = hat_of([1] * 2_000, [U] * 2_000)
    _, value, _, _ = columns(plan_for(counts_of(hat.counts), "100", bins=50), hat, SimulatedNoise(1, 1))
    assert value[:-1].max() < 10_000


@each_kind
@each_weights
def test_bands_hold_and_errors_are_as_planned(kind: str, weights: str) -> None:
    """95 % at every bin; isotonic regression and clamping only lower the planned squared error."""
    hat = busy_hat()
    plan = plan_for(counts_of(hat.counts), "4", bins=65, tree=kind, weights=weights)
    truth, trials, noise = kept_curve(plan, hat) * MILLION, 400, SimulatedNoise(9, 1)
    drawn = np.array([columns(plan, hat, noise)[1:] for _ in range(trials)])
    covered = ((drawn[:, 1] <= truth) & (truth <= drawn[:, 2])).mean(axis=0)
    assert covered.min() >= 0.95 - 5 * math.sqrt(0.05 * 0.95 / trials)
    assert covered[:-1].mean() >= 0.95
    error = math.sqrt(float(((drawn[:, 0] - truth) ** 2).mean())) / MILLION
    planned = plan.lead.error_at_worst - plan.lead.bias_bound
    assert 0.5 * planned < error < 1.03 * planned


@each_kind
@given(sizes=counts(most_users=40), weights=st.sampled_from((RECORDS, USER)))
def test_plan_and_scale_follow_from_the_exact_error(
    kind: str, sizes: NDArray[np.int64], weights: str
) -> None:
    public = counts_of(sizes)
    plan = plan_for(public, "60.06", bins=37, tree=kind, weights=weights)
    tree, moved = plan.detail.estimator.tree, plan.detail.weights.moved / plan.detail.weights.total
    rmse = math.sqrt(tree_error(tree)) * moved
    lead = plan.lead
    assert lead.error_at_worst == pytest.approx(min(1.0, rmse / 60.06 + lead.bias_bound), rel=1e-5)
    assert STATISTIC.scale(public, question(bins=37, tree=kind, weights=weights)) == pytest.approx(
        rmse, rel=1e-4
    )
    assert lead.sensitivity == pytest.approx(moved * tree.height)
    assert lead.noise_scale == pytest.approx(lead.sensitivity / 60.06, rel=1e-5)


def test_a_cap_that_asks_for_epsilon_has_no_scale() -> None:
    assert STATISTIC.scale(counts_of([5, 3, 1]), question(m_ub=OPTIMAL)) is None
    assert STATISTIC.scale(counts_of([5, 3, 1]), question(m_ub=OPTIMAL, weights=USER)) is not None


@pytest.mark.parametrize("bins", [1, 0, 10_001])
def test_too_few_or_too_many_bins_are_refused(bins: int) -> None:
    with pytest.raises(InputError, match="bins"):
        plan_for(counts_of([2, 1]), bins=bins)
    with pytest.raises(InputError, match="from 2 to 10000"):
        build(CdfParams, {"bins": bins}, where="query.parameters")


def test_bins_narrower_than_values_are_refused() -> None:
    with pytest.raises(InputError, match="from 2 to 500"):
        plan_for(counts_of([2, 1], upper_bound=500), bins=501)
    assert plan_for(counts_of([2, 1], upper_bound=500), bins=500).detail.edges.tolist() == [*range(1, 501)]


def test_bins_are_a_whole_number() -> None:
    assert build(CdfParams, {"bins": 100}, where="here").bins == 100
    with pytest.raises(InputError, match="an integer"):
        build(CdfParams, {"bins": 2.5}, where="here")


def test_an_epsilon_too_small_for_the_tree_names_the_way_out() -> None:
    with pytest.raises(InputError, match='tree = "flat"'):
        plan_for(counts_of([2, 1]), "0.000001")
    assert plan_for(counts_of([2, 1]), "0.000001", tree=FLAT).lead.error_at_worst == 1.0


def test_a_release_spends_its_epsilon_and_no_more() -> None:
    hat = busy_hat(20)
    noise = secure_noise(Decimal("0.7"))
    plan = plan_for(counts_of(hat.counts), "0.7", bins=650)
    assert len(STATISTIC.draw(plan, records_of(hat), noise)) == 650
    with pytest.raises(AssertionError, match="reserved"):
        noise.laplace(0, 1, spend=Decimal("0.000001"))


@pytest.mark.parametrize(("bins", "seconds"), [(650, 0.1), (10_000, 0.5)])
def test_a_hat_is_planned_and_drawn_quickly(bins: int, seconds: float) -> None:
    """Without the noise itself; the tree is chosen once for all HATs."""
    hat = busy_hat()
    plan_for(counts_of(hat.counts), bins=bins, tree=MIXED)
    started = time.process_time()
    plan = plan_for(counts_of(hat.counts), "0.9", bins=bins, tree=MIXED)
    STATISTIC.draw(plan, records_of(hat), RecordingNoise())
    assert time.process_time() - started < seconds
