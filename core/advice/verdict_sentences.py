"""Sentences of a verdict: a typical number is off by this, a published one means low to high."""

from __future__ import annotations

from core.advice.expected_interval import useless_curves
from core.advice.verdict import Verdict, verdict_of
from core.planning.query_plan import QueryPlan
from core.statistics.base import Measure
from core.statistics.cdf_band import described_curves
from core.statistics.error_figures import error_scale, significant, unit_of_errors, unit_of_numbers
from core.texts import joined, text_of

_MEANINGS = {
    (False, False): "A published {published} means {low} to {high} {unit}.",
    (False, True): "A published {published} may mean anything, {low} to {high} {unit}.",
    (True, False): "A smoothed {published} means {low} to {high} {unit}.",
    (True, True): "A smoothed {published} may mean anything, {low} to {high} {unit}.",
}
"""By whether numbers are smoothed, and whether one may mean anything."""


def verdict_sentences(plan: QueryPlan, *, counted: bool = False, released: bool = False) -> tuple[str, ...]:
    """All that is said beside the word; each a sentence, of which the last may lack its stop."""
    return tuple(filter(None, (meaning(plan), *figures(plan, counted=counted, released=released))))


def figures(plan: QueryPlan, *, counted: bool = False, released: bool = False) -> tuple[str, ...]:
    """What is said beside the example.

    counted: public counts say how busy each HAT is, so that no usual HAT stands for all; released: the plan
    is published.
    """
    exact = () if verdict_of(plan).useless else (exactness(plan, counted=counted),)
    return (*exact, *reasons(plan, released=released))


def meaning(plan: QueryPlan) -> str:
    """What a published number of usual size means; empty where nobody can know."""
    verdict, measure = verdict_of(plan), plan.query.question.statistic.measures[0]
    if verdict.example is None:
        return ""
    return text_of(
        _MEANINGS[verdict.smoothed, verdict.example.anything],
        published=verdict.example.published,
        low=verdict.example.low,
        high=verdict.example.high,
        unit=unit_of_numbers(measure),
    )


def exactness(plan: QueryPlan, *, counted: bool = False) -> str:
    """The typical error, and the one that is seldom exceeded."""
    verdict, measure = verdict_of(plan), plan.query.question.statistic.measures[0]
    error = _error(verdict.error, measure)
    if plan.errors_known_of and not counted:
        return text_of(
            "A typical number is off by {error} {errors_known_of}.",
            error=error,
            errors_known_of=plan.errors_known_of,
        )
    if plan.errors_known_of:
        return text_of(
            "A typical number is off by {error} if hexagon slots are as busy as typed.",
            error=error,
        )
    if verdict.reach is None:
        return text_of("A typical number is off by {error}.", error=error)
    return text_of(
        "A typical number is off by {error}, 19 in 20 times by less than {reach}.",
        error=error,
        reach=significant(error_scale(measure) * verdict.reach, 2),
    )


def reasons(plan: QueryPlan, *, released: bool = False) -> tuple[str, ...]:
    """Why numbers are of no use, or many are missing; nothing where neither is so."""
    verdict, measure = verdict_of(plan), plan.query.question.statistic.measures[0]
    if not verdict.useless:
        return reasons_for(verdict, measure)
    curves = joined(" ", (described_curves(plan.errors_known_of), useless_curves(plan, released=released)))
    return curves, *_of_empty_rows(verdict)


def reasons_for(verdict: Verdict, measure: Measure) -> tuple[str, ...]:
    """The same of numbers that are no curves."""
    said = []
    if verdict.no_better_than_a_constant and verdict.constant is not None:
        said.append(
            text_of(
                "One number for the whole city would be off by less: {constant}.",
                constant=_error(verdict.constant, measure),
            )
        )
    return *said, *_of_empty_rows(verdict)


def _of_empty_rows(verdict: Verdict) -> tuple[str, ...]:
    if not verdict.mostly_empty:
        return ()
    return (text_of("{share} % of the rows are empty.", share=f"{100 * verdict.empty:.0f}"),)


def _error(value: float, measure: Measure) -> str:
    return joined(" ", (significant(error_scale(measure) * value, 2), unit_of_errors(measure)))
