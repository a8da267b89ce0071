"""From the session and the chosen source to what the error plot computes, or why there is nothing."""

from __future__ import annotations

import hashlib
from decimal import Decimal

import numpy as np

from core.advice.forecast import Forecast, HatOverview
from core.contributions import HatData, HatUsers
from core.draft.draft import QueryDraft
from core.evaluate.compared_curves import Series, all_series, series_of
from core.evaluate.replica import REPLICA_UPPER_BOUND
from core.planning.query_plan import QueryPlan
from core.privacy import Relation
from core.statistics.mean import MeanQuestion
from ui.errors.curves import CurveRequest
from ui.kit.message_bar import Message
from ui.session.error_sources import Source, public_users, source_title
from ui.session.guards.plots import ERROR_CURVES, index_of
from ui.session.guards.reasons import first_reason, still_planning
from ui.session.session import Session

_USUAL_EPSILON = Decimal(1)
_GROUPING = "grouping"


def curve_key(series: Series) -> str:
    """`baseline`, or `levy/bestfit` for a mechanism that packs arrays."""
    key = series.mechanism.key
    return key if series.grouping is None else f"{key}/{series.grouping}"


def curve_request(
    session: Session, source: Source = Source.REPLICA, *, simulated: bool = False
) -> CurveRequest | Message:
    """What to plot for the session as it stands, or what to say instead."""
    if source.is_loaded:
        return _of_loaded(session, simulated=simulated)
    users = public_users(source)
    series, strong = _series(session, None)
    return CurveRequest(
        source=source,
        token=source.encode(),
        hat=source_title(source),
        chosen=False,
        vehicles=users.size,
        records=users.records,
        upper_bound=REPLICA_UPPER_BOUND,
        epsilon=_epsilon_of_draft(session),
        strong=strong,
        series=series,
        plan_cache=session.planning.cache,
        simulated=simulated,
    )


def _series(session: Session, relation: Relation | None) -> tuple[dict[str, Series], str]:
    """Every curve, by Laplace noise, and the key of the chosen one, which takes the draft's constants.

    Raises InputError for constants out of range.
    """
    mean = session.draft.mean or QueryDraft()
    curves: dict[str, Series] = {}
    for series in all_series():
        if relation is not None and relation not in series.mechanism.relations:
            continue
        key = curve_key(series)
        if series.mechanism.key == mean.mechanism:
            own = dict(mean.parameters)
            if series.grouping is not None:
                own[_GROUPING] = series.grouping
            series = series_of(mean.mechanism, **own)
        curves[key] = series
    return curves, curve_key(series_of(mean.mechanism, **mean.parameters))


def _of_loaded(session: Session, *, simulated: bool) -> CurveRequest | Message:
    if reason := first_reason(session, ERROR_CURVES):
        return reason
    draft, shown, contributions = session.draft, session.forecast, session.contributions
    plan = _plan_of_mean(shown)
    if shown is None or shown.users is None or plan is None or contributions is None:
        return still_planning()
    series, strong = _series(session, draft.relation)
    index = (
        index_of(shown.overview, session.chosen.hat)
        if session.chosen.hat
        else middle_hat(plan, shown.overview)
    )
    users = HatUsers(counts=shown.users.hat_counts(index), visits=shown.users.hat_visits(index))
    data = shown.users.hat_data(index)
    return CurveRequest(
        source=Source.LOADED,
        token=_token(shown.users.upper_bound, users, data),
        hat=contributions.hat_text(index),
        chosen=session.chosen.hat is not None,
        vehicles=int(shown.overview.vehicles[index]),
        records=int(shown.overview.records[index]),
        upper_bound=shown.users.upper_bound,
        epsilon=_epsilon_of(plan, index),
        strong=strong,
        series=series,
        plan_cache=session.planning.cache,
        data=data,
        simulated=simulated,
        value_unit=session.quantity.unit,
    )


def _token(upper_bound: int, users: HatUsers, data: HatData) -> bytes:
    digest = hashlib.blake2b(str(upper_bound).encode(), digest_size=16)
    public = (users.counts,) if users.visits is None else (users.counts, users.visits)
    for array in (*public, data.starts, data.values):
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()


def middle_hat(plan: QueryPlan, overview: HatOverview) -> int:
    """Of the HATs to be published, the one with the median number of vehicles (the lower of two)."""
    ordered = sorted(hat.index for hat in plan.published)
    ordered.sort(key=lambda index: int(overview.vehicles[index]))
    return ordered[(len(ordered) - 1) // 2]


def _plan_of_mean(shown: Forecast | None) -> QueryPlan | None:
    """The plot compares mechanisms of the mean; a draft without one lends the epsilon of its first query."""
    plans = shown.plans if shown else ()
    of_mean = (plan for plan in plans if isinstance(plan.query.question, MeanQuestion))
    return next(of_mean, plans[0] if plans else None)


def _epsilon_of(plan: QueryPlan, index: int) -> Decimal:
    own = (hat.plan.laplace_epsilon for hat in plan.published if hat.plan and hat.index == index)
    return next(own, plan.plans[0].laplace_epsilon)


def _epsilon_of_draft(session: Session) -> Decimal:
    """What each HAT gets; a total tells that only once it is divided."""
    asked = (session.draft.mean or session.draft.leading).budget
    if asked.per_hat is not None:
        return asked.per_hat
    plan = _plan_of_mean(session.forecast)
    return plan.plans[0].laplace_epsilon if plan is not None else _USUAL_EPSILON
