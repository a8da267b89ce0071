"""What Decide tells by what is known beforehand, for the review, which knows constants alone."""

from __future__ import annotations

from dataclasses import dataclass

from core.advice.usefulness import Usefulness
from core.advice.verdict import verdict_of
from core.planning.query_plan import QueryPlan
from ui.budget.verdict_text import verdict_text
from ui.session.query_texts import by_public_counts
from ui.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBeforehand:
    """Of one statistic of relation `user`."""

    verdict: str
    """As the panel says it."""
    usefulness: Usefulness
    """If what is known is right."""
    informative: bool
    """Its numbers tell more than one constant then."""


def known_beforehand(session: Session) -> dict[str, KnownBeforehand]:
    """Id of a query -> what the panel shows of it; only where it rests on what is typed."""
    plans = () if session.forecast is None else session.forecast.plans
    return {
        plan.query.id: KnownBeforehand(
            verdict=verdict_text(plan, counted=by_public_counts(session, plan)),
            usefulness=verdict_of(plan).usefulness,
            informative=verdict_of(plan).informative,
        )
        for plan in plans
        if plan.plans and (by_public_counts(session, plan) or _counts_nothing(plan))
    }


def _counts_nothing(plan: QueryPlan) -> bool:
    """Nothing bounds its numbers but what is known beforehand, and by that they tell nothing."""
    measure = plan.query.question.statistic.measures[0]
    return bool(plan.errors_known_of) and measure.largest is None and not verdict_of(plan).informative
