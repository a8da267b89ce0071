"""The verdict on a plan in one sentence."""

from __future__ import annotations

from core.advice.verdict import verdict_of
from core.planning.query_plan import QueryPlan
from ui.budget.useless_band import useless_band_text
from ui.language.translation import core_text, translator
from ui.session.query_texts import error_figure, error_with_unit

_tr = translator("Verdict")


def verdict_text(plan: QueryPlan, *, counted: bool = False, released: bool = False) -> str:
    """What the numbers will be good for; those that tell nothing are called so.

    counted: public counts say how busy each HAT is, so that no usual HAT stands for all; released: the
    plan is published.
    """
    verdict, measure = verdict_of(plan), plan.query.question.statistic.measures[0]
    half = error_with_unit(verdict.half, measure)
    if verdict.example is not None:
        text = _tr("! For example, a true {usual} may come out as {low} to {high}: no information.")
        known = ""
        if verdict.smoothed_informative:
            text = _tr(
                "! Before smoothing, a true {usual}, say, may come out as {low} to {high}: no information."
            )
        elif plan.errors_known_of and not counted and verdict.half == verdict.least_exact:
            text = _tr(
                "! For example, a true {usual} may come out as {low} to {high} {known}: no information."
            )
            known = core_text(plan.errors_known_of)
        text = text.format(
            usual=verdict.example.usual, low=verdict.example.low, high=verdict.example.high, known=known
        )
    elif verdict.useless:
        text = f"! {useless_band_text(plan, released=released)}"
    elif not verdict.informative:
        text = _tr("! No better than one constant for the whole city: no information.")
    elif plan.errors_known_of and not counted and verdict.half == verdict.least_exact:
        text = _tr("Typically off by {half} {known}.").format(
            half=half, known=core_text(plan.errors_known_of)
        )
    else:
        worst = error_figure(verdict.least_exact, measure)
        alike = worst == error_figure(verdict.half, measure)
        text = _typical(alike=alike, expected=bool(plan.errors_known_of)).format(half=half, worst=worst)
        if verdict.interval is not None:
            text = _tr("{told} The 95 % interval of a usual one is {width} wide.").format(
                told=text, width=error_with_unit(verdict.interval, measure)
            )
    if verdict.smoothed_half is None:
        return text
    soft = error_with_unit(verdict.smoothed_half, measure)
    return _tr("{told} Smoothed, half are typically off by {half}.").format(told=text, half=soft)


def verdict_tip(plan: QueryPlan) -> str:
    """Where the value of the example comes from; empty where there is none."""
    verdict = verdict_of(plan)
    if verdict.example is None:
        return ""
    text = _tr(
        "{usual} is an example: a usual mean between your limits, by a public model. It is not from your "
        "records. The range is where the published number typically lies."
    )
    return text.format(usual=verdict.example.usual)


def _typical(*, alike: bool, expected: bool) -> str:
    """alike: the least exact number too; expected: nobody has looked how busy the HATs are."""
    if expected:
        return (
            _tr("Typically off by {half} where a hexagon slot is as busy as told under Known beforehand.")
            if alike
            else _tr(
                "Typically off by {half} in half of the numbers, {worst} in the least exact, if hexagon "
                "slots are as busy as told under Known beforehand."
            )
        )
    return (
        _tr("Typically off by {half}, in the least exact too.")
        if alike
        else _tr("Typically off by {half} in half of the numbers, {worst} in the least exact.")
    )
