"""What a usual number will miss nineteen times in twenty, from the plan alone (method 10.4).

A usual interval is the median one over the published HATs; a usual curve is that of the HAT with the median
typical error. What noise or private choices decide later is taken as it is planned.
"""

from __future__ import annotations

import numpy as np

from core.planning.query_plan import QueryPlan


def usual_reach(plan: QueryPlan) -> float | None:
    """At most this to either side, in the measure's unit; of a curve half of its band as the mean over its
    edges. No more than the range; None: not known before.
    """
    band = plan.expected_band
    if band is not None:
        return band.width / 2.0
    halves = plan.half_widths
    if halves is None:
        return None
    measure = plan.query.question.statistic.measures[0]
    largest = measure.largest_for(plan.upper_bound)
    range_of_all = np.inf if largest is None else largest / 10**measure.decimals
    return float(np.median(np.minimum(halves, range_of_all)))


def useless_curves(plan: QueryPlan, *, released: bool = False) -> str:
    """What is said of curves whose band will be, or as released is, of no use; empty of all else."""
    band = plan.expected_band
    if band is None:
        return ""
    return band.useless_as_released if released else band.useless
