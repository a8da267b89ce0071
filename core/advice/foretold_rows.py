"""What public counts say of the rows of a release before it is drawn: how many will be empty (method 12.11).

From counts and constants of relation `user` alone, never from records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.bounding.bounded_mean import BoundedMeanPlan
from core.bounding.entry_bound import reach_975
from core.bounding.plan_and_enforce import EnforcedPlan
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.counted import count_of
from core.noise.laplace_normal import erfc_of
from core.planning.bounded_query import BoundedPlan
from core.texts import text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ForetoldRows:
    """Of a mean; expected numbers of rows, rounded."""

    rows: int
    suppressed: int
    """Their noisy weight will be below the threshold."""
    uninformative: int
    """Published with the whole range as their interval."""

    @property
    def empty(self) -> float:
        """The share of rows that will tell nothing, 0..1."""
        return (self.suppressed + self.uninformative) / self.rows

    @property
    def sentence(self) -> str:
        """What somebody should know before the budget is spent; without a full stop."""
        return text_of(
            "by the public counts about {suppressed} of {counted_rows} will be suppressed, and "
            "{uninformative} more will carry no information",
            suppressed=self.suppressed,
            counted_rows=count_of(self.rows, "row"),
            uninformative=self.uninformative,
        )


def foretold_rows(bounded: BoundedPlan, public: PublicCounts | None = None) -> ForetoldRows | None:
    """None where no weight decides about rows, or nobody says what it will be.

    public: of all candidates, in their order; a plan by public counts knows its own.
    """
    plan = bounded.plan
    match plan:
        case EnforcedPlan():
            weights, counted = plan.expected.astype(np.float64), plan.record_tokens
        case BoundedMeanPlan() if public is not None and not bounded.by_day:
            weights, counted = public.retained(bounded.constants), np.ones(1)
        case _:
            return None
    scale, rows = plan.weight_scale, len(bounded.columns) if bounded.regions is None else weights.size
    suppressed = _below(plan.noise, (bounded.threshold * counted - weights) / scale)
    reach = np.maximum(bounded.threshold * counted, reach_975(plan.noise, scale))
    empty = _below(plan.noise, (reach - weights) / scale)
    # what public counts do not list has a row without numbers
    unlisted = rows - weights.size
    return ForetoldRows(
        rows=rows,
        suppressed=unlisted + round(float(suppressed.sum())),
        uninformative=round(float((empty - suppressed).sum())),
    )


def _below(noise: NoiseKind, end: Floats) -> Floats:
    """Probability that noise of scale 1 lies below this."""
    if noise.squared:
        below: Floats = 0.5 * erfc_of(-end / np.sqrt(2.0))
        return below
    tail = 0.5 * np.exp(-np.abs(end))
    return np.where(end < 0.0, tail, 1.0 - tail)
