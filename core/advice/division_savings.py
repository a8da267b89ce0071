"""What the optimal division of a total saves over the equal one, from public counts (method 7)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.accounting.budgets import EQUAL, OPTIMAL_DIVISION
from core.fixed_point import THOUSAND
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import GAUSS, LAPLACE
from core.planning.counted_city import CountedCity
from core.planning.query_plan import QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.progress import Progress, silent
from core.statistics.base import AnyQuestion, HatCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class HatNoise:
    """Scales (Gaussian: deviations) over the published HATs, in the unit of the statistic."""

    worst: float
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionSavings:
    """One total, divided both ways over the same HATs."""

    equal: HatNoise
    optimal: HatNoise

    @property
    def saved(self) -> float:
        """The share of the worst noise that the optimal division takes away; negative where it adds."""
        return 1.0 - self.optimal.worst / self.equal.worst


@cache
def divides_optimally(question: AnyQuestion) -> bool:
    """Whether the noise is c / epsilon with c free of epsilon and of values.

    That is a trait of the method and its parameters: it is asked of a made-up HAT, so that it can be
    stated before anything is selected.
    """
    any_hat = HatCounts(
        users=np.ones(2, np.int64),
        records=2,
        pairs=2,
        largest_pairs=1,
        days=1,
        upper_bound=1000 * THOUSAND,
        unit=Unit.VEHICLE_HAT_DAY,
    )
    return question.statistic.scale(any_hat, question) is not None


def division_savings(plan: QueryPlan, city: CountedCity, progress: Progress = silent) -> DivisionSavings:
    """Noise of the plan's kind under both divisions of a query whose total was divided by one of them.

    plan: of this very city. Raises InputError where the other division does not fit the query.
    """
    budget = plan.query.budget
    other = OPTIMAL_DIVISION if budget.divide == EQUAL else EQUAL
    query = dataclasses.replace(
        plan.query, question=_same_noise(plan), budget=dataclasses.replace(budget, divide=other)
    )
    noise = {budget.divide: _noise(plan), other: _noise(plan_query(city, query, progress))}
    return DivisionSavings(equal=noise[EQUAL], optimal=noise[OPTIMAL_DIVISION])


def _same_noise(plan: QueryPlan) -> AnyQuestion:
    """The question with the kind of noise that was planned, whichever was the better one."""
    question = plan.query.question
    if question.noise_of_hats == LAPLACE:
        return question
    params = dataclasses.replace(question.params, **{NOISE_FIELD: GAUSS if plan.gaussian else LAPLACE})
    return dataclasses.replace(question, params=params)


def _noise(plan: QueryPlan) -> HatNoise:
    scales = np.array([hat.lead.noise_scale for hat in plan.plans])
    return HatNoise(worst=float(scales.max()), mean=float(scales.mean()))
