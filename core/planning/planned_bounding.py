"""The noisy vectors of relation `user` in words: sums, weights, levels, half of the total (method 12.10)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np

from core.accounting.epsilon_rounding import plain
from core.bounding.bounded_cdf import BoundedCdfPlan
from core.bounding.bounded_mean import BoundedMeanPlan
from core.bounding.bounded_query2 import BoundedLimitsPlan
from core.bounding.bounding_facts import BoundingFacts
from core.bounding.enforced_shares import EnforcedSharesPlan
from core.bounding.enforcement_facts import EnforcementFacts
from core.bounding.plan_and_enforce import EnforcedPlan
from core.bounding.weight_columns import CAPPED_RECORDS_DP, RECORDS_DP, VEHICLE_DAYS_DP, VEHICLES_DP
from core.mechanisms.tokens import TOKENS
from core.planning.bounded_query import BoundedPlan
from core.privacy import Unit
from core.shares.share_facts import has_mean, share_facts
from core.statistics.base import MadeBy
from core.statistics.cdf import WEIGHTING

_DIGITS = 9
"""Significant ones of a noisy vector's scale: enough to see two ways of computing it apart."""
_BINS = "one bin from each limit to the next; a limit is answered by all bins above it"
_COUNTS = "one number a limit, to each of which a vehicle may add on a day"


def bounding_of(bounded: BoundedPlan) -> BoundingFacts:
    """The constants of a plan."""
    constants, scales = bounded.constants, bounded.weight_scales
    bounds_days = bounded.by_day and constants.unit is Unit.VEHICLE
    return BoundingFacts(
        hats_per_vehicle=constants.hats_per_vehicle,
        days_per_vehicle=constants.days_per_vehicle if bounds_days else None,
        candidate_hats=len(bounded.candidates),
        listed_hats=int((bounded.columns >= 0).sum()),
        regions=None if bounded.regions is None else len(bounded.regions.listed),
        threshold=threshold_of(bounded),
        weight=weight_of(bounded),
        noise=bounded.noise.value,
        spend=bounded.plan.spend,
        weight_noise_scale=None if scales is None else Decimal(f"{float(scales.max()):.{_DIGITS}g}"),
        derived=constants.derived,
        signed=bounded.sign is not None,
        enforcement=_enforcement_of(bounded),
    )


def _enforcement_of(bounded: BoundedPlan) -> EnforcementFacts | None:
    """Caps and prices of each candidate or each region, as their rows; None of a plan by constants."""
    plan = bounded.plan
    if not isinstance(plan, EnforcedPlan):
        return None
    rows = bounded.candidates.in_rows
    columns = bounded.columns[rows] if plan.regions is None else np.arange(plan.prices.size)
    caps, prices, expected = (
        tuple(np.where(columns >= 0, numbers[columns], 0).tolist())
        for numbers in (plan.caps, plan.prices, plan.expected)
    )
    return EnforcementFacts(caps=caps, prices=prices, load=plan.load, expected=expected)


def weight_of(bounded: BoundedPlan) -> str | None:
    """The column of what numbers are divided by, if they are."""
    match bounded.plan:
        case EnforcedPlan():
            return RECORDS_DP
        case BoundedMeanPlan():
            return VEHICLE_DAYS_DP if bounded.by_day else VEHICLES_DP
        case BoundedLimitsPlan():
            return None
        case BoundedCdfPlan():
            return VEHICLES_DP if bounded.plan.alike else CAPPED_RECORDS_DP


def threshold_of(bounded: BoundedPlan) -> int | None:
    """The noisy weight that publishes a HAT, in what it counts; None where none is needed."""
    match bounded.plan:
        case BoundedLimitsPlan():
            return None
        case BoundedCdfPlan():
            return bounded.threshold * (1 if bounded.plan.alike else bounded.plan.retained)
        case _:
            return bounded.threshold


def bounded_details(bounded: BoundedPlan, params: Any, lower: int) -> dict[str, MadeBy]:
    """What a reader needs beside the constants to work the scales of a release of relation `user` out.

    lower: where values are counted from, thousandths.
    """
    plan, facts = bounded.plan, dict[str, MadeBy](noise=bounded.noise.value)
    budget = f"{'rho' if bounded.noise.squared else 'epsilon'} {plain(plan.spend)}"
    match plan:
        case EnforcedSharesPlan():
            facts |= {
                "budget_pays_for": f"one vector of noisy sums of ranges and weights, {budget}",
                "tokens_of_a_vehicle": TOKENS,
                "parts_of_sums_and_weights": plan.parts,
                "most_ranges_that_hold_a_record": plan.sums_of_a_record,
                **share_facts(plan.ranges, lower, mean=has_mean(plan.ranges, params)),
            }
            return facts if plan.gap is None else facts | {"gap_to_the_best_shares": f"{plan.gap:.4f}"}
        case EnforcedPlan():
            facts |= {
                "steps_of_the_range": plan.grid.largest,
                "budget_pays_for": f"one vector of noisy sums and weights, {budget}",
                "tokens_of_a_vehicle": TOKENS,
                "parts_of_sums_and_weights": plan.parts,
            }
            return facts if plan.gap is None else facts | {"gap_to_the_best_shares": f"{plan.gap:.4f}"}
        case BoundedMeanPlan():
            return facts | {
                "steps_of_the_range": plan.grid.largest,
                "budget_pays_for": f"noisy weights and noisy sums, half of {budget} each",
            }
        case BoundedLimitsPlan():
            return facts | {
                "budget_pays_for": f"one vector of noisy numbers, {budget}",
                "budget_of_limits": _BINS if plan.histogram else _COUNTS,
            }
        case BoundedCdfPlan():
            return facts | {
                "budget_pays_for": f"the total and each level of the tree alike, {budget} in all; what steps "
                "leave over goes to the total",
                "weighting": WEIGHTING[params.weights],
                "branching_factors": plan.estimator.tree.factors,
            }
