"""What made a query, from its plan: the facts that are stored with its draws (method 14.3)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from statistics import median

import numpy as np

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.accounting.query_epsilons import query_epsilons
from core.advice.smoothed import expected_error
from core.bundle.interval_rules import covers
from core.bundle.planned_bounding import bounded_details
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
from core.bundle.smoothed_facts import SmoothedFacts
from core.city.city_plan import CityPlan
from core.contributions import Contributions
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.region_fields import NO_PART_IN_REGIONS
from core.mechanisms.tokens import TOKENS
from core.parameter_fields import Value, declared
from core.planning.query_plan import DrawnRows, QueryPlan, query_errors
from core.privacy import Unit
from core.statistics.base import MadeBy

_DIGITS = 9
"""Significant ones of a figure: enough to tell two ways of working it out apart."""
_ERROR_DIGITS = 4
"""Of what a number typically misses: it rests on a model."""


def planned_facts(plan: QueryPlan, contributions: Contributions, unit: Unit) -> QueryFacts:
    """What made a planned query; nothing of it depends on values."""
    question = plan.query.question
    statistic = question.statistic
    caps = [item.m_ub for item in plan.plans if item.m_ub is not None]
    rows = plan.kept.rows if plan.kept else None
    reported = None
    if statistic.takes_noise_scale and plan.bounded is None and not plan.gaussian:
        micro_epsilons = plan.micro_epsilons(contributions.hats)
        reported = query_epsilons(contributions, micro_epsilons, unit, rows)
    return QueryFacts(
        parameters=planned_parameters(plan),
        asked=asked_of(plan.query.budget),
        m_ub=CapRange(min(caps), max(caps)) if caps else None,
        dwell_correction=question.corrects_dwell and contributions.visits is not None,
        interval_covers=covers(models_bias=question.models_bias),
        suppression=SuppressedHats(plan.kept.before, plan.kept.after) if plan.kept else None,
        day_epsilons=reported,
        made_by=_made_by(plan),
        measures=tuple(
            _measure_facts(plan, number, measure.name)
            for number, measure in enumerate(statistic.published(question).measures)
        ),
    )


def planned_parameters(plan: QueryPlan) -> dict[str, Value]:
    """All that have a part in what is published, with their values.

    Of HATs that are drawn alone the noise is told only where it was asked for: bundles of a time when it
    could not be have nothing of it, and the law of the noise is told anyway.
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


def _made_by(plan: QueryPlan) -> Mapping[str, MadeBy]:
    """What is told of a query beside its scales."""
    if plan.city is not None:
        return _joint_facts(plan.city)
    if plan.bounded is not None:
        return bounded_details(plan.bounded, plan.query.question.params)
    question = plan.query.question
    return question.statistic.made_by(question, plan.plans)


def _joint_facts(city: CityPlan) -> dict[str, MadeBy]:
    """What a reader needs to work the scales of a joint release out again."""
    kind = "rho" if city.noise.squared else "epsilon"
    told: dict[str, MadeBy] = {
        "noise": city.noise.value,
        "budget_pays_for": f"one vector of {city.pairs.hats} noisy sums, {kind} {plain(city.spend)}",
        "tokens_of_a_vehicle": TOKENS,
        "steps_of_the_range": city.grid.largest,
    }
    return told if city.gap is None else told | {"gap_to_the_best_shares": f"{city.gap:.4f}"}


def planned_regions(plan: QueryPlan) -> RegionFacts | None:
    """What the regions of a plan keep; None where it has none."""
    regions = plan.merged
    if regions is None:
        return None
    return RegionFacts(
        regions=len(regions.listed),
        promised_error=_figure(regions.promised_error, _DIGITS),
        kept_error=_figure(_kept_error(plan), _DIGITS),
        record_share=_figure(regions.record_share, _ERROR_DIGITS),
    )


def _kept_error(plan: QueryPlan) -> float:
    """What the noisiest region misses on average; in relation `user` at the public counts."""
    if plan.city is not None:
        return plan.city.noise.mean_of_scale * float(plan.city.scale.max())
    return max(one.lead.typical_error for one in plan.plans)


def planned_smoothing(
    plan: QueryPlan, spreads: tuple[float, ...], drawn: DrawnRows | None = None
) -> SmoothedFacts:
    """What made the smoothed numbers; spreads: as they were fitted; drawn: as `expected_error` takes it."""
    errors = expected_error(plan, drawn=drawn if plan.bounded is not None else None)
    return SmoothedFacts(
        spreads=tuple(_figure(one, _ERROR_DIGITS) for one in spreads),
        expected_error=ErrorFigures(
            _figure(float(np.median(errors)), _ERROR_DIGITS), _figure(float(errors.max()), _ERROR_DIGITS)
        ),
    )


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
