"""What a plan is good for, as plain figures for one sentence (method 10.5)."""

from __future__ import annotations

from dataclasses import dataclass

from core.advice.example_value import ExampleValue, example_value
from core.advice.expected_interval import interval_width, useless_curves
from core.planning.query_plan import (
    QueryPlan,
    error_of_a_constant,
    smoothed_errors,
    tells_no_more_than_a_constant,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Of the numbers that will be published, from public facts alone; errors in the measure's unit."""

    informative: bool
    """Half of the numbers tell more than one constant for the whole city would; of curves, their band tells
    where half of the distribution lies."""
    half: float
    """Half of the numbers typically miss no more than this."""
    least_exact: float
    """The least exact one typically misses this."""
    smoothed_half: float | None
    """The same half after smoothing, where that is better; None where it is not, or not known."""
    smoothed_informative: bool
    """That half tells more than one constant would, though it need not do so raw."""
    interval: float | None
    """How wide the 95 % interval of a usual number will be; None where that is not known before."""
    useless: str
    """What is said of curves whose band will be of no use; empty of all else."""
    example: ExampleValue | None
    """What a usual value may come out as, where the numbers are not informative and have a range."""


def verdict_of(plan: QueryPlan) -> Verdict:
    """The verdict on a plan with at least one published HAT."""
    return plan.once(_verdict_on)


def _verdict_on(plan: QueryPlan) -> Verdict:
    typical, smoothed = plan.errors.typical, smoothed_errors(plan)
    blind, useless = tells_no_more_than_a_constant(plan), useless_curves(plan)
    soft = smoothed.median if smoothed is not None and smoothed.median < typical.median else None
    constant = error_of_a_constant(plan)
    return Verdict(
        informative=not blind and not useless,
        half=typical.median,
        least_exact=typical.largest,
        smoothed_half=soft,
        smoothed_informative=soft is not None and (constant is None or soft < constant),
        interval=interval_width(plan),
        useless=useless,
        example=example_value(plan) if blind else None,
    )
