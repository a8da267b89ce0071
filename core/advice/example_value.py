"""What an error means, by an example: how a usual value may come out (method 10.5)."""

from __future__ import annotations

from dataclasses import dataclass

from core.fixed_point import THOUSAND
from core.mechanisms.public_model import HAT_MEAN, scaled
from core.planning.query_plan import QueryPlan
from core.statistics.base import UPPER_BOUND


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleValue:
    """A value as people could measure it, and where the published one typically lies; in the unit."""

    usual: int
    low: int
    high: int


def example_value(plan: QueryPlan) -> ExampleValue | None:
    """Of the model's mean HAT, with the typical error of the median one; None where values have no range.

    Rounded to whole units, and cut to what is possible.
    """
    measure = plan.query.question.statistic.measures[0]
    if measure.largest != UPPER_BOUND:
        return None
    lower, upper = measure.lower / THOUSAND, (measure.lower + plan.upper_bound) / THOUSAND
    usual = round(lower + scaled(HAT_MEAN, plan.upper_bound / THOUSAND))
    error = plan.errors.typical.median
    return ExampleValue(
        usual=usual, low=round(max(usual - error, lower)), high=round(min(usual + error, upper))
    )
