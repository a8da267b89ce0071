"""What a plan is good for: a word, and the figures of its sentences, smoothed ones too (method 10.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.advice.example_value import ExampleValue, example_value
from core.advice.expected_interval import useless_curves, usual_reach
from core.advice.foretold_rows import foretold_rows
from core.advice.usefulness import Usefulness, good_error, usefulness
from core.planning.from_constants import FromConstants
from core.planning.query_plan import QueryPlan, error_of_a_constant, seen_errors, smoothed_errors

_STUDENT_975 = 2.776
"""Half a smoothed number's range in a verdict, by its expected error, by Student's law (city-release 9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Of the numbers that will be published, from public facts alone; errors in the measure's unit."""

    usefulness: Usefulness
    """The word."""
    error: float
    """The typical error of the median number that readers see: smoothed where it is."""
    least_exact: float
    """The least exact of these numbers typically misses this."""
    raw_error: float
    """The typical error of the median number before smoothing; `error` where nothing is smoothed."""
    smoothed: bool
    """It speaks of smoothed numbers, which stand beside the raw ones."""
    reach: float | None
    """Nineteen in twenty times a usual number misses less than this; None where nobody can know before."""
    constant: float | None
    """What one public constant for the whole city typically misses; None where nothing public tells one."""
    empty: float
    """The share of selected rows that will have no number, or one that tells nothing; 0..1."""
    useless: str
    """What is said of curves whose band will be of no use; empty of all else."""
    example: ExampleValue | None
    """What a published number of usual size means; None where numbers have no range, or nobody can know."""

    @property
    def informative(self) -> bool:
        """Its numbers are of some use."""
        return self.usefulness is not Usefulness.NO_USE

    @property
    def mostly_empty(self) -> bool:
        """So many rows are without a number that this alone makes it no use."""
        return usefulness(0.0, good=None, constant=None, empty=self.empty) is Usefulness.NO_USE

    @property
    def no_better_than_a_constant(self) -> bool:
        """One number for the whole city would be off by less."""
        return self.constant is not None and self.error >= self.constant


def verdict_of(plan: QueryPlan) -> Verdict:
    """The verdict on a plan with at least one published HAT."""
    return plan.once(_verdict_on)


def worst_first(plans: Iterable[QueryPlan]) -> list[QueryPlan]:
    """By verdict, then by the error against what a constant misses; equals in their order."""
    return sorted(plans, key=_badness, reverse=True)


def least_useful(plans: Iterable[QueryPlan]) -> QueryPlan | None:
    """The first of these; None of none."""
    return next(iter(worst_first(plans)), None)


def _badness(plan: QueryPlan) -> tuple[int, float]:
    verdict = verdict_of(plan)
    share = verdict.error / verdict.constant if verdict.constant else 0.0
    return list(Usefulness).index(verdict.usefulness), share


def _verdict_on(plan: QueryPlan) -> Verdict:
    smoothed, seen = smoothed_errors(plan), seen_errors(plan)
    measure, constant = plan.query.question.statistic.measures[0], error_of_a_constant(plan)
    empty, useless, reach = _empty_share(plan), useless_curves(plan), usual_reach(plan)
    if reach is not None and smoothed is not None:
        reach = min(reach, _STUDENT_975 * smoothed.median)
    word = usefulness(seen.median, good=good_error(measure, constant), constant=constant, empty=empty)
    return Verdict(
        usefulness=Usefulness.NO_USE if useless else word,
        error=seen.median,
        least_exact=seen.largest,
        raw_error=plan.errors.typical.median,
        smoothed=smoothed is not None,
        reach=reach,
        constant=constant,
        empty=empty,
        useless=useless,
        example=None if reach is None else example_value(plan, reach),
    )


def _empty_share(plan: QueryPlan) -> float:
    """Based on public counts: of relation `user` where these tell it."""
    if isinstance(plan, FromConstants):
        foretold = foretold_rows(plan.bounded)
        return 0.0 if foretold is None else foretold.empty
    return 0.0 if plan.regions else 1.0 - len(plan.published) / len(plan.hats)
