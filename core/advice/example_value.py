"""An error by an example in round numbers: where the truth behind a usual one may lie (method 10.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.fixed_point import THOUSAND
from core.mechanisms.public_model import HAT_MEAN, scaled
from core.planning.query_plan import QueryPlan
from core.shares.share_model import expected_shares
from core.statistics.base import UPPER_BOUND
from core.statistics.error_figures import PERCENT
from core.statistics.share import AnyShareParams, asked_ranges

_PARTS_OF_RANGE = 12
"""A round number is a multiple of 1, 2 or 5 that fits so often between the bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleValue:
    """A number as it may be published, and where its truth lies nineteen in twenty times; in the unit."""

    published: int
    low: int
    high: int
    least: int
    """The smallest value that is possible."""
    most: int

    @property
    def anything(self) -> bool:
        """The truth may be all that is possible."""
        return (self.low, self.high) == (self.least, self.most)


def example_value(plan: QueryPlan, reach: float) -> ExampleValue | None:
    """Of a round number near the model's mean HAT; None where values have no range.

    reach: what it misses at most nineteen in twenty times, in the unit; of shares a part of 1, and the number
    is a percentage. Rounded outwards to whole units, and cut to what is possible.
    """
    params, statistic = plan.query.question.params, plan.query.question.statistic
    measure = statistic.measures[0]
    lower, upper = measure.lower / THOUSAND, (measure.lower + plan.upper_bound) / THOUSAND
    usual = lower + scaled(HAT_MEAN, upper - lower)
    if isinstance(params, AnyShareParams):
        shares = expected_shares(asked_ranges(params, statistic.quantity.lower, plan.upper_bound))
        lower, upper, reach = 0.0, float(PERCENT), PERCENT * reach
        usual = PERCENT * min(shares.tolist(), key=lambda share: abs(share - 0.5))
    elif measure.largest != UPPER_BOUND:
        return None
    published = _round_above(usual, (upper - lower) / _PARTS_OF_RANGE)
    low, high = max(published - reach, lower), min(published + reach, upper)
    return ExampleValue(
        published=published,
        low=math.floor(low),
        high=math.ceil(high),
        least=math.floor(lower),
        most=math.ceil(upper),
    )


def _round_above(value: float, step: float) -> int:
    """The next multiple of the largest of 1, 2, 5, 10, ... that is no more than the step, or of 1."""
    power = int(10.0 ** math.floor(math.log10(max(step, 1.0))))
    whole = max(factor * power for factor in (1, 2, 5) if factor * power <= max(step, 1.0))
    return whole * math.ceil(value / whole)
