"""How wide the 95 % interval of a usual number will be, from the plan alone (method 10.4).

A usual curve is that of the HAT whose typical error is the median one; a usual width is the median of those
around it, since equal errors may go with very different widths. What noise or private choices decide later is
taken as it is planned.
"""

from __future__ import annotations

import numpy as np

from core.bounding.bounded_cdf import BoundedCdfPlan
from core.fixed_point import THOUSAND
from core.planning.query_plan import QueryPlan
from core.statistics.base import AnyHatPlan
from core.statistics.cdf_band import ExpectedBand

_AROUND = 49
"""HATs on either side of the median one: a joint plan searches each width, of a large city for seconds."""


def interval_width(plan: QueryPlan) -> float | None:
    """From end to end, in the measure's unit; of a curve the mean over its edges. None: not known before."""
    band = expected_band(plan)
    if band is not None:
        return band.width
    half = _usual_half_width(plan) if plan.bounded is None else None
    if half is None:
        return None
    measure = plan.query.question.statistic.measures[0]
    largest = measure.largest_for(plan.upper_bound)
    return 2.0 * half if largest is None else min(2.0 * half, largest / 10**measure.decimals)


def expected_band(plan: QueryPlan) -> ExpectedBand | None:
    """Of a usual HAT's curve; of relation `user` that of the least HAT. None where there are no curves."""
    if plan.bounded is None:
        return plan.query.question.statistic.expected_band(*_usual(plan))
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


def _usual(plan: QueryPlan, around: int = 0) -> tuple[AnyHatPlan, ...]:
    """The HAT with the median typical error, and as many as `around` on either side of it."""
    errors = np.array([one.lead.typical_error for one in plan.plans])
    middle = errors.size // 2
    order = np.argsort(errors, kind="stable")[max(0, middle - around) : middle + around + 1]
    return tuple(plan.plans[place] for place in order.tolist())


def _usual_half_width(plan: QueryPlan) -> float | None:
    usual = _usual(plan, _AROUND)
    if plan.city is not None:
        scales = np.array([one.lead.noise_scale for one in usual])
        biases = np.array([one.lead.interval_bias or 0.0 for one in usual])
        halves = plan.city.noise.half_width(scales, biases).tolist()
    else:
        told = (plan.query.question.statistic.half_width(one) for one in usual)
        halves = [half for half in told if half is not None]
    return sorted(halves)[len(halves) // 2] if halves else None
