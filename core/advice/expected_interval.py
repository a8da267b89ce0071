"""How wide the 95 % interval of a usual number will be, from the plan alone (method 10.4).

A usual interval is the median one over the published HATs; a usual curve is that of the HAT with the median
typical error. What noise or private choices decide later is taken as it is planned.
"""

from __future__ import annotations

import numpy as np

from core.arrays import Floats
from core.bounding.bounded_cdf import BoundedCdfPlan
from core.fixed_point import THOUSAND
from core.planning.query_plan import QueryPlan
from core.statistics.base import AnyHatPlan
from core.statistics.cdf_band import ExpectedBand


def interval_width(plan: QueryPlan) -> float | None:
    """From end to end, in the measure's unit; of a curve the mean over its edges. None: not known before."""
    band = expected_band(plan)
    if band is not None:
        return band.width
    halves = _half_widths(plan) if plan.bounded is None else None
    if halves is None:
        return None
    measure = plan.query.question.statistic.measures[0]
    largest = measure.largest_for(plan.upper_bound)
    range_of_all = np.inf if largest is None else largest / 10**measure.decimals
    return float(np.median(np.minimum(2.0 * halves, range_of_all)))


def expected_band(plan: QueryPlan) -> ExpectedBand | None:
    """Of a usual HAT's curve; of relation `user` that of the least HAT. None where there are no curves."""
    if plan.bounded is None:
        return plan.query.question.statistic.expected_band(_usual(plan))
    curves = plan.bounded.plan
    if not isinstance(curves, BoundedCdfPlan):
        return None
    quantity = plan.query.question.statistic.quantity
    return ExpectedBand(
        edges=(curves.edges + quantity.lower) / THOUSAND,
        shares=curves.model_shares,
        half=curves.half_widths(float(plan.bounded.threshold * curves.contribution)),
        start=quantity.lower / THOUSAND,
        unit=quantity.unit,
    )


def useless_curves(plan: QueryPlan, *, released: bool = False) -> str:
    """What is said of curves whose band will be, or as released is, of no use; empty of all else."""
    band = expected_band(plan)
    if band is None:
        return ""
    return band.useless_as_released if released else band.useless


def _usual(plan: QueryPlan) -> AnyHatPlan:
    errors = np.array([one.lead.typical_error for one in plan.plans])
    return plan.plans[int(np.argsort(errors, kind="stable")[errors.size // 2])]


def _half_widths(plan: QueryPlan) -> Floats | None:
    """Of each published HAT; None where they are not known before."""
    if plan.city is not None:
        of_each = np.array([(one.lead.noise_scale, one.lead.interval_bias or 0.0) for one in plan.plans])
        # the HATs of a region share its plan, and each one that is different is searched for
        different, place = np.unique(of_each, axis=0, return_inverse=True)
        return plan.city.noise.half_width(*different.T)[place.reshape(-1)]
    statistic = plan.query.question.statistic
    halves = [statistic.half_width(one) for one in plan.plans]
    return None if None in halves else np.array(halves, np.float64)
