"""The verdict on a plan in one sentence."""

from __future__ import annotations

from core.planning.query_plan import QueryPlan
from core.planning.verdict import verdict_of
from core.release.planned_bounding import bounding_of
from ui.kit.translation import core_text, translator
from ui.session.query_texts import figure, with_unit

_tr = translator("Verdict")


def verdict_text(plan: QueryPlan, *, counted: bool = False) -> str:
    """What the numbers will be good for; those that tell nothing are told so.

    counted: public counts say how busy each HAT is, so that no usual HAT stands for all.
    """
    verdict, measure = verdict_of(plan), plan.query.question.statistic.measures[0]
    half = with_unit(figure(verdict.half, measure), measure.unit)
    if verdict.example is not None:
        told = _tr("! A value of {usual} may come out as {low} to {high}: no information.").format(
            usual=verdict.example.usual, low=verdict.example.low, high=verdict.example.high
        )
    elif not verdict.informative:
        told = _tr("! No better than one constant for the whole city: no information.")
    elif plan.bounded is not None and not counted and verdict.half == verdict.least_exact:
        told = _tr("Good to {half} {known}.").format(
            half=half, known=core_text(bounding_of(plan.bounded).errors_known_of)
        )
    else:
        told = _tr("Good to {half} in half of the numbers, {worst} in the least exact.").format(
            half=half, worst=figure(verdict.least_exact, measure)
        )
    if verdict.smoothed_half is None:
        return told
    soft = with_unit(figure(verdict.smoothed_half, measure), measure.unit)
    return _tr("{told} Smoothed, half are good to {half}.").format(told=told, half=soft)
