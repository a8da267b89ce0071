"""What made a query, by its plan, to so many digits: facts stored with its draws (method 14.3)."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from statistics import median

import numpy as np

from core.accounting.budgets import Budget
from core.advice.smoothed import SmoothedRows, expected_error
from core.bundle.interval_rules import covers
from core.bundle.query_facts import (
    BUDGET_KEYS,
    CapRange,
    ErrorFigures,
    MeasureFacts,
    QueryFacts,
    ScaleFigures,
    SuppressedHats,
)
from core.bundle.region_facts import RegionFacts
from core.bundle.release_result import QueryResult
from core.bundle.smoothed_facts import SLOPE_OF_SHARES, SlopeFacts, SmoothedFacts, slope_facts
from core.contributions import Contributions
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.region_fields import NO_PART_IN_REGIONS
from core.parameter_fields import Value, declared
from core.planning.query_plan import (
    DrawnErrors,
    DrawnRows,
    ErrorSpread,
    QueryErrors,
    QueryPlan,
    query_errors,
)
from core.privacy import Unit

_DIGITS = 9
"""Significant ones of a plan's figure that is stored: enough to see two ways of computing it apart."""
_ERROR_DIGITS = 4
"""Of what a number typically misses, as stored with its draws: it rests on a model."""


def planned_facts(plan: QueryPlan, contributions: Contributions, unit: Unit) -> QueryFacts:
    """What made a planned query; nothing of it depends on values."""
    question = plan.query.question
    statistic = question.statistic
    caps = [item.m_ub for item in plan.plans if item.m_ub is not None]
    return QueryFacts(
        parameters=planned_parameters(plan),
        asked=asked_of(plan.query.budget),
        m_ub=CapRange(min(caps), max(caps)) if caps else None,
        dwell_correction=question.corrects_dwell and contributions.visits is not None,
        interval_covers=covers(models_bias=question.models_bias),
        suppression=SuppressedHats(plan.retained.before, plan.retained.after) if plan.retained else None,
        day_epsilons=plan.day_epsilons(contributions, unit),
        made_by=plan.made_by,
        measures=tuple(
            _measure_facts(plan, number, measure.name)
            for number, measure in enumerate(statistic.published(question).measures)
        ),
    )


def planned_parameters(plan: QueryPlan) -> dict[str, Value]:
    """All that have a part in what is published, with their values.

    Of HATs that are drawn alone the noise is stated only where it was asked for: bundles of a time when it
    could not be have nothing of it, and the law of the noise is stated anyway.
    """
    params = plan.query.question.params
    unsaid = {
        one.name
        for one in declared(type(params))
        if one.name == NOISE_FIELD and one.later and getattr(params, one.name) == one.default
    }
    return {
        one.name: getattr(params, one.name)
        for one in declared(type(params))
        if one.name not in unsaid and (not plan.regions or one.name not in NO_PART_IN_REGIONS)
    }


def planned_regions(plan: QueryPlan) -> RegionFacts | None:
    """What the regions of a plan keep; None where it has none."""
    regions = plan.merged
    if regions is None:
        return None
    return RegionFacts(
        regions=len(regions.listed),
        promised_error=_figure(regions.promised_error, _DIGITS),
        kept_error=_figure(plan.largest_error, _DIGITS),
        record_share=_figure(regions.record_share, _ERROR_DIGITS),
    )


def planned_smoothing(
    plan: QueryPlan, smoothed: SmoothedRows, drawn: DrawnRows | None = None
) -> SmoothedFacts:
    """What made the smoothed numbers; drawn: as `expected_error` takes it."""
    errors = np.array(
        plan.smoothed_errors or expected_error(plan, drawn=drawn if plan.noise_follows_draw else None)
    )
    return SmoothedFacts(
        spreads=tuple(_figure(one, _ERROR_DIGITS) for one in smoothed.spreads),
        expected_error=ErrorFigures(
            _figure(float(np.median(errors)), _ERROR_DIGITS), _figure(float(errors.max()), _ERROR_DIGITS)
        ),
        slope=_slope_facts(plan, smoothed),
        spreads_of_ranges=tuple(
            tuple(_figure(one, _DIGITS) for one in spreads) for spreads in smoothed.spreads_of_ranges
        ),
    )


def _slope_facts(plan: QueryPlan, smoothed: SmoothedRows) -> SlopeFacts | None:
    if smoothed.slope is None:
        return None
    if smoothed.spreads_of_ranges:
        return SLOPE_OF_SHARES
    return slope_facts(smoothed.slope, plan.upper_bound)


def as_drawn(plan: QueryPlan, stored: QueryResult) -> QueryPlan:
    """The plan with the errors of the one that was drawn; as it is where draws are older than these facts."""
    if stored.facts is None:
        return plan
    lead, smoothed = stored.facts.measures[0], stored.smoothing and stored.smoothing.expected_error
    errors = DrawnErrors(
        raw=QueryErrors(typical=_stored(lead.typical_error), at_worst=_stored(lead.error_at_worst)),
        smoothed=None if smoothed is None else _stored(smoothed),
    )
    return dataclasses.replace(plan, drawn_errors=errors)


def _stored(errors: ErrorFigures) -> ErrorSpread:
    return ErrorSpread(median=float(errors.median), largest=float(errors.largest))


def asked_of(budget: Budget) -> tuple[str, Decimal]:
    """Which of `BUDGET_KEYS` the analyst gave, and its figure."""
    amounts = zip(BUDGET_KEYS, (budget.per_hat, budget.total, budget.noise_scale), strict=True)
    return next((key, amount) for key, amount in amounts if amount is not None)


def _measure_facts(plan: QueryPlan, number: int, name: str) -> MeasureFacts:
    # the HATs of a region share one plan, and are one number
    plans = tuple({id(one): one for one in plan.plans}.values()) if plan.regions else plan.plans
    planned = [item.measures[number] for item in plans]
    errors = query_errors(plans, number)
    return MeasureFacts(
        measure=name,
        sensitivity=_spread([one.sensitivity for one in planned]),
        noise_scale=_spread([one.noise_scale for one in planned]),
        typical_error=ErrorFigures(
            _figure(errors.typical.median, _ERROR_DIGITS), _figure(errors.typical.largest, _ERROR_DIGITS)
        ),
        error_at_worst=ErrorFigures(
            _figure(errors.at_worst.median, _ERROR_DIGITS), _figure(errors.at_worst.largest, _ERROR_DIGITS)
        ),
    )


def _spread(figures: list[float]) -> ScaleFigures:
    return ScaleFigures(*(_figure(one, _DIGITS) for one in (min(figures), median(figures), max(figures))))


def _figure(number: float, digits: int) -> Decimal:
    return Decimal(f"{number:.{digits}g}")
