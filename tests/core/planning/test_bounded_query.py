"""Plans of relation `user`: charges, allowances and epsilons follow from constants."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from core.accounting.budgets import Budget
from core.accounting.exact_loss import RUNNING, conversion_of
from core.accounting.zcdp import epsilon_of, rho_of
from core.arrays import Floats
from core.bounding.counts_file import CountedHat
from core.bounding.plan_and_enforce import EnforcedPlan
from core.contributions import pairs_of
from core.errors import InputError
from core.mechanisms.bounded_mean import BoundedMeanParams
from core.mechanisms.enforced_mean import EnforcedMeanParams
from core.mechanisms.registry import mechanisms_of
from core.planning.bounded_query import (
    BoundedPlan,
    bounded_allowances,
    candidate_plans,
    draw_bounded_query,
    plan_bounded_query,
    spent_in_hats,
    typical_errors,
)
from core.privacy import Relation
from core.statistics.base import AnyQuestion
from core.statistics.cdf import BoundedCdfParams
from core.statistics.mean import MeanQuestion
from core.statistics.query1 import BoundedQuery1Params
from core.statistics.query2 import BoundedQuery2Params
from core.statistics.question import BoundedQuestion
from core.statistics.registry import require_statistic, statistics_of
from tests.bounding import KEY, constants_of, random_stays, table_of
from tests.fakes import RecordingNoise
from tests.records import assert_tells

DELTA = Decimal("1e-6")
TYPED = EnforcedMeanParams(fleet=30, vehicles=5, records=2)


def planned(
    params: Any = None, *, total: Decimal | None = Decimal(12), threshold: int = 3, delta: Decimal = DELTA
) -> BoundedPlan:
    chosen = params or BoundedMeanParams(noise="laplace")
    question = question_for(chosen)
    return plan_bounded_query(constants_of(), threshold, Budget(total=total), question, delta, ())


def question_for(params: Any) -> AnyQuestion:
    """What has these parameters."""
    for statistic in statistics_of(Relation.USER).values():
        if isinstance(params, statistic.params_in(Relation.USER)):
            return BoundedQuestion(statistic=statistic, params=params)
    found = next(one for one in mechanisms_of(Relation.USER).values() if isinstance(params, one.Params))
    return MeanQuestion(statistic=require_statistic("mean"), mechanism=found, params=params)


def test_halves_of_the_total_pay_for_weights_and_sums() -> None:
    assert [(one.scope, one.epsilon) for one in bounded_allowances(planned(), "q")] == [
        ("q weights", Decimal(6)),
        ("q sums", Decimal(6)),
    ]
    gauss = planned(BoundedMeanParams(noise="gauss"))
    assert sum(one.rho for one in bounded_allowances(gauss, "q")) == rho_of(Decimal(12), DELTA)
    (one,) = bounded_allowances(planned(TYPED), "q")
    assert one.scope == "q"


def test_a_unit_spends_the_total_over_its_hats() -> None:
    assert spent_in_hats(planned()) == [Decimal(6)]  # two HATs of it count
    gauss = planned(BoundedMeanParams(noise="gauss"))
    assert conversion_of(gauss.lattice_error) == RUNNING  # its sums are of few steps
    assert spent_in_hats(gauss) == [epsilon_of(Decimal(0), rho_of(Decimal(12), DELTA) / 2, DELTA)]
    assert all(0 < one <= 12 for one in spent_in_hats(planned(TYPED)))


def test_every_candidate_has_the_same_plan_whoever_is_there() -> None:
    plans = candidate_plans(planned())
    assert len(plans) == len(planned().candidates)
    assert len({id(one) for one in plans}) == 1
    assert plans[0] is not None
    assert plans[0].lead.noise_scale == pytest.approx(2 * 32.5 / 6)
    assert (plans[0].lead.interval_bias, plans[0].lead.typical_bias) == (0.0, 0.0)


def test_auto_takes_the_smaller_typical_error_and_no_gaussian_noise_without_a_delta() -> None:
    both = [planned(BoundedMeanParams(noise=noise)) for noise in ("laplace", "gauss")]
    best = min(both, key=lambda one: float(np.median(typical_errors(one))))
    assert planned(BoundedMeanParams()).noise is best.noise
    assert not planned(BoundedMeanParams(), delta=Decimal(0)).noise.squared


@pytest.mark.parametrize(
    ("params", "changes", "where"),
    [
        (None, {"total": None}, "query.total"),
        (None, {"threshold": 0}, "selection.threshold"),
        (BoundedMeanParams(noise="gauss"), {"delta": Decimal(0)}, "delta"),
        (EnforcedMeanParams(fleet=30, vehicles=5), {}, "query.parameters.records"),
        (EnforcedMeanParams(vehicles=5, records=1), {}, "query.parameters.fleet"),
        (EnforcedMeanParams(vehicles=5), {}, "query.parameters.fleet, query.parameters.records"),
        (EnforcedMeanParams(fleet=4, vehicles=5, records=1), {}, "the public counts"),
    ],
)
def test_what_cannot_be_planned_is_refused(params: Any, changes: dict[str, Any], where: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(params, **changes)
    assert_tells(caught.value)
    assert caught.value.where == where


@pytest.mark.parametrize("params", [None, TYPED])
def test_a_hat_is_told_where_its_noisy_weight_reaches_the_threshold(params: Any) -> None:
    plan, table = planned(params, threshold=2), table_of(random_stays(3))
    drawn = draw_bounded_query(
        plan, table, KEY, pairs_of(table), RecordingNoise(), "q", question_for(params or BoundedMeanParams())
    )
    told = [row[0] for row in drawn.estimates if row]
    assert drawn.scales is not None
    assert 0 < len(told) == drawn.scales.size
    assert all(one.noisy_weight is not None and one.noisy_weight >= 2000 for one in told)
    assert all(one.bias_bound is None for one in told)
    assert plan.enforced is isinstance(plan.plan, EnforcedPlan)


STATISTICS = {
    "query1": BoundedQuery1Params(),
    "query2": BoundedQuery2Params(limits=(20.0, 40.0)),
    "histogram": BoundedQuery2Params(limits=(20.0, 40.0), histogram=True),
    "distribution": BoundedCdfParams(bins=5),
    "distribution of records": BoundedCdfParams(bins=5, weights="records", m_ub=2),
}
EACH = pytest.mark.parametrize("params", STATISTICS.values(), ids=STATISTICS)


@EACH
@pytest.mark.parametrize("noise", ["laplace", "gauss"])
def test_other_statistics_spend_the_total_whatever_their_noise(params: Any, noise: str) -> None:
    plan = planned(dataclasses.replace(params, noise=noise))
    allowed = bounded_allowances(plan, "q")
    spend = rho_of(Decimal(12), DELTA) if noise == "gauss" else Decimal(12)
    assert sum(one.rho if noise == "gauss" else one.epsilon for one in allowed) == spend == plan.plan.spend
    charge = plan.charge.rho if noise == "gauss" else plan.charge
    assert charge.per_vehicle == spend
    assert len(spent_in_hats(plan)) == 1


@EACH
def test_other_statistics_tell_every_candidate_or_what_reaches_the_threshold(params: Any) -> None:
    plan, table = planned(params, threshold=2), table_of(random_stays(3, vehicles=30, visits=200))
    drawn = draw_bounded_query(plan, table, KEY, pairs_of(table), RecordingNoise(), "q", question_for(params))
    labels = {len(row) for row in drawn.estimates if row}
    assert len(drawn.estimates) == len(plan.candidates)
    if isinstance(params, BoundedQuery2Params):
        assert labels == {2}
        assert all(drawn.estimates)
    else:
        assert labels == {5 if isinstance(params, BoundedCdfParams) else 1}
        least = 2000 * (getattr(params, "m_ub", 0) or 1)
        weights = [one.noisy_weight or 0 for row in drawn.estimates for one in row]
        assert min(weights) >= least


@EACH
def test_the_smaller_typical_error_decides_about_their_noise(params: Any) -> None:
    both = [planned(dataclasses.replace(params, noise=noise)) for noise in ("laplace", "gauss")]
    best = min(both, key=lambda one: float(typical_errors(one)[0]))
    assert planned(params).noise is best.noise
    hat = candidate_plans(planned(params))[0]
    assert hat is not None
    assert hat.lead.typical_error == float(typical_errors(planned(params))[0]) <= hat.lead.error_at_worst


def test_days_that_may_be_dropped_make_a_part_of_a_vehicle_dearer() -> None:
    """What was sent on one day may decide which other days count: two whole vehicles apart."""
    charge = planned(BoundedQuery1Params(noise="laplace")).charge  # two of three days count
    assert charge.per_vehicle_hat_day == 2 * charge.per_vehicle == 24
    assert planned().charge.per_vehicle_hat_day == 12


def test_noise_and_sensitivity_follow_from_the_constants() -> None:
    """Two HATs and two days of a vehicle; three dates."""
    leads = {}
    for name, params in STATISTICS.items():
        hat = candidate_plans(planned(dataclasses.replace(params, noise="laplace")))[0]
        assert hat is not None
        leads[name] = hat.lead
    assert leads["query1"].sensitivity == pytest.approx(2 * 2 * 32.5)
    assert leads["query1"].noise_scale == pytest.approx(2 * 2 * 32.5 / 6)
    assert leads["query2"].sensitivity == pytest.approx(2 * 2 * 2 / 3)
    assert leads["histogram"].sensitivity == pytest.approx(2 * 2 / 3)
    assert leads["histogram"].noise_scale == pytest.approx(2 * 2 / 3 / 12)
    assert leads["distribution"].sensitivity == 2
    assert leads["distribution of records"].sensitivity == 2 * 2


def test_a_total_that_buys_no_gaussian_noise_is_planned_with_the_other() -> None:
    """Laplace noise has no least amount, and `auto` takes what there is."""
    little = planned(BoundedMeanParams(), total=Decimal("0.2"))
    assert not little.noise.squared
    with pytest.raises(InputError):
        planned(BoundedMeanParams(noise="gauss"), total=Decimal("0.2"))


def test_important_hats_get_less_noise() -> None:
    """By a column of the boundary's file, of the cell; by the public vehicles of each."""
    constants = constants_of()
    columns = {"weight": {cell: 1.0 + 50.0 * (cell == constants.cells[0]) for cell in constants.cells}}
    counted = tuple(
        CountedHat(cell=cell, minute=constants.window.start, vehicles=60 + number, records=2)
        for number, cell in enumerate(sorted(constants.cells))
    )

    def scales(importance: str) -> Floats:
        params = dataclasses.replace(TYPED, fleet=110, noise="laplace", importance=importance)
        question, budget = question_for(params), Budget(total=Decimal(12))
        bounded = plan_bounded_query(constants, 3, budget, question, DELTA, counted, 0, columns)
        assert isinstance(bounded.plan, EnforcedPlan)
        return bounded.plan.sum_scale / bounded.plan.expected

    place = sorted(constants.cells).index(constants.cells[0])
    equal, weighed = scales("equal"), scales("weight")
    assert weighed[place] < 0.95 * equal[place]
    assert (np.delete(weighed, place) > np.delete(equal, place)).any()
    busiest = len(counted) - 1
    assert scales("vehicles")[busiest] < equal[busiest]
    with pytest.raises(InputError) as caught:
        scales("population")
    assert_tells(caught.value)
    assert "importance" in caught.value.where
