"""Verify: which interval a published mean and weight may have, as a noisy quotient (method 12.4).

A bundle tells both rounded, and a mean that was cut to the range tells its quotient no more. What is computed
is therefore a range of intervals: that of all numbers which would have been rounded, or cut, alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.bounding.bounded_mean import BoundedMeanPlan
from core.bounding.enforced_shares import EnforcedSharesPlan
from core.bounding.entry_bound import reach_975
from core.bounding.plan_and_enforce import EnforcedPlan
from core.bounding.quotients import quotients
from core.fixed_point import THOUSAND
from core.statistics.share import MILLIONTHS

_HALF = np.array([-0.5, 0.5])
"""What rounding takes from a number, in its last decimal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRange:
    """The least and the largest that each end may be, thousandths above the lower bound; shapes (n,)."""

    low: tuple[Floats, Floats]
    high: tuple[Floats, Floats]

    def holds(self, low: Floats, high: Floats) -> NDArray[np.bool_]:
        """Which intervals are within it, to one in the last decimal; all shapes (n,)."""
        inside = np.ones(low.size, bool)
        for (least, most), end in ((self.low, low), (self.high, high)):
            inside &= (least - 1 <= end) & (end <= most + 1)
        return inside


def interval_range(
    plan: BoundedMeanPlan | EnforcedPlan, columns: Ints, values: Floats, weights: Floats
) -> IntervalRange:
    """Of published rows, shapes (n,).

    columns: of the plan; values: thousandths above the lower bound, of shares millionths; weights: of what
    they count, thousandths.
    """
    shares = isinstance(plan, EnforcedSharesPlan)
    of_number, upper = (MILLIONTHS, MILLIONTHS) if shares else (THOUSAND, plan.upper_bound)
    unit: Floats | float
    if isinstance(plan, EnforcedPlan):
        unit, least = plan.record_tokens[columns], plan.least_weight[columns]
    else:
        unit, least = 1.0, np.ones(values.size)
    lightest, heaviest = ((weights + off) / THOUSAND * unit for off in _HALF)
    # where the weight is the least that counts, an end may lie beyond those of its neighbours on either side
    at_least = np.clip(least, lightest, heaviest)
    lows, highs = [], []
    for value_off in _HALF:
        for weight in (lightest, at_least, heaviest):
            found = quotients(
                (values + value_off - plan.middle) * np.maximum(weight, least),
                weight,
                reach=(
                    reach_975(plan.noise, plan.sum_scale) * of_number,
                    reach_975(plan.noise, plan.weight_scale),
                ),
                least=least,
                centre=plan.middle,
                upper=upper,
            )
            lows.append(found.low.astype(np.float64))
            highs.append(found.high.astype(np.float64))
    low, high = (np.min(lows, axis=0), np.max(lows, axis=0)), (np.min(highs, axis=0), np.max(highs, axis=0))
    cut_below, cut_above = values <= 0, values >= upper
    # beyond the cut the quotient may lie anywhere, up to where its interval tells nothing and is the range
    return IntervalRange(
        low=(np.where(cut_above, 0.0, low[0]), np.where(cut_above, upper, low[1])),
        high=(np.where(cut_below, 0.0, high[0]), np.where(cut_below, upper, high[1])),
    )
