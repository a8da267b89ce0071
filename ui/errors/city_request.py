"""From the session to what is compared over the whole city, or why there is nothing to compare."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.draft.draft import USUAL_TOTAL
from core.evaluate.city_comparison import METHODS, CityErrors, CityMethod, compare_city, methods_for
from core.planning.counted_city import CountedCity
from core.privacy import Confidential
from core.progress import Progress
from core.statistics.base import AnyStatistic
from core.statistics.registry import require_statistic
from ui.kit.message_bar import Message
from ui.session.guards.plots import COMPARED_METHODS
from ui.session.guards.reasons import first_reason, still_planning
from ui.session.query_texts import shown_plans
from ui.session.session import Session

_ASKED = (
    *("resolution", "mixed", "slot_minutes", "date_ranges", "hours"),
    *("rule", "threshold", "cells_file", "minimum_vehicles"),
    *("relation", "unit"),
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CityRequest(Confidential):
    """Everything that the comparison follows from."""

    city: CountedCity
    statistic: AnyStatistic
    total: Decimal
    """Epsilon per vehicle that every method may spend."""
    methods: Sequence[CityMethod]


def city_request(session: Session) -> CityRequest | Message:
    """What to compare for the session as it stands, or what to say instead."""
    if reason := first_reason(session, COMPARED_METHODS):
        return reason
    city = session.planning.by_counts()
    if city is None:
        return still_planning()
    return CityRequest(
        city=dataclasses.replace(city, cache=None),
        statistic=require_statistic("mean").of(session.quantity),
        total=total_of(session),
        methods=methods_for(city.delta, where="methods"),
    )


def question_of_methods(session: Session) -> Mapping[str, Any]:
    """What a comparison stays true for."""
    asked = {name: getattr(session.draft, name) for name in _ASKED}
    return asked | {"total": total_of(session), "delta": session.ledger.delta, "source": session.source}


def total_of(session: Session) -> Decimal:
    """The draft's total for the mean, or what its plan costs a vehicle where HATs have an epsilon each."""
    mean = session.draft.mean
    if mean is not None and mean.budget.total is not None:
        return mean.budget.total
    plan = None if mean is None else shown_plans(session).get(mean.id)
    return USUAL_TOTAL if plan is None else plan.charge.per_vehicle


def chosen_method(session: Session) -> str:
    """Key of the method that the draft's mean is answered by; empty where it is none of them.

    Of those that fit the last one, as it says most.
    """
    mean = session.draft.mean
    plan = None if mean is None else shown_plans(session).get(mean.id)
    if mean is None or plan is None or mean.budget.total is None:
        return ""
    own = dataclasses.asdict(plan.query.question.params)
    if plan.noise_kind is not None:
        own["noise"] = plan.noise_kind.value  # which is asked for may be left open
    fitting = (
        method.key
        for method in reversed(METHODS)
        if (method.mechanism, method.divide) == (mean.mechanism, mean.budget.divide)
        and all(own.get(name) == value for name, value in method.parameters)
    )
    return next(fitting, "")


def compare_methods(request: CityRequest, releases: int, progress: Progress) -> tuple[CityErrors, ...]:
    """Every method, raw and smoothed, in a worker thread.

    releases: how many to simulate against the true means; 0 looks at no value. Raises Cancelled when it was
    stopped.
    """
    totals = (request.total,)
    return compare_city(
        request.city, request.statistic, totals, request.methods, releases=releases, progress=progress
    )
