"""What the section *Suppression* computes: the request, the points that are known, the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.contributions import UserTable
from core.planning.user_suppression import occupancy_of, published_hats
from core.privacy import Confidential, Unit
from core.progress import Progress, part
from core.statistics.mean_variance import STATISTIC, MeanVarianceParams
from core.statistics.moments import constant_error, hat_errors
from core.statistics.suppression_curve import SuppressionPoint, suppression_point
from core.values import EPSILON_STEP, THOUSAND
from ui.kit.message_bar import Message
from ui.kit.translation import translator
from ui.session.chosen_epsilon import epsilon_per_hat, number_of
from ui.session.guards import still_planning
from ui.session.session import Session

_tr = translator("SuppressionPoints")

_USUAL = tuple(Decimal(tenth) / 10 for tenth in range(1, 21))
_BEYOND = 6
"""Points between the usual ones and a larger chosen epsilon."""
_USUAL_EPSILON = Decimal(1)
_MOST_KEPT = 12
"""Selections whose points are kept for coming back to them."""

Points = dict[Decimal, SuppressionPoint]
"""By epsilon per HAT."""


@dataclass(frozen=True, slots=True)
class SuppressionKey:
    """What a point of given contributions follows from."""

    unit: Unit
    published: bytes
    m_ub: str | int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SuppressionRequest(Confidential):
    """A curve to compute."""

    users: UserTable
    published: NDArray[np.bool_]
    """Shape (G,)."""
    m_ub: str | int
    query_id: str
    """Id of the draft's query that gives the rule; empty where it is chosen here."""
    suppressing: bool
    """That query suppresses users already."""
    epsilon: Decimal
    """Per HAT, the chosen one."""

    @property
    def key(self) -> SuppressionKey:
        return SuppressionKey(self.users.unit, self.published.tobytes(), self.m_ub)

    @property
    def hats(self) -> int:
        """To be published."""
        return int(self.published.sum())

    @property
    def epsilons(self) -> tuple[Decimal, ...]:
        """Where points are wanted, ascending; the chosen one is among them."""
        last = _USUAL[-1]
        step = (self.epsilon - last) / _BEYOND
        beyond = (last + step * number for number in range(1, _BEYOND)) if step > 0 else ()
        return tuple(sorted({*_USUAL, self.epsilon, *(epsilon.quantize(EPSILON_STEP) for epsilon in beyond)}))

    @property
    def order(self) -> tuple[Decimal, ...]:
        """The chosen one first, then both ends, then always the middle of what is still wide."""
        epsilons = self.epsilons
        return tuple(dict.fromkeys(chain((self.epsilon,), (epsilons[at] for at in _halving(len(epsilons))))))


def _halving(count: int) -> list[int]:
    """0..count-1: the last and the first, then middles of ever shorter stretches."""
    found, stretches = [count - 1, 0], [(0, count - 1)]
    while stretches:
        first, last = stretches.pop(0)
        if last - first > 1:
            middle = (first + last) // 2
            found.append(middle)
            stretches += [(first, middle), (middle, last)]
    return found


class SuppressionCache:
    """Every point that was computed of the contributions at hand; workers only write into its parts."""

    def __init__(self) -> None:
        self._points: dict[SuppressionKey, Points] = {}

    def clear(self) -> None:
        """Other contributions."""
        self._points = {}

    def of(self, key: SuppressionKey) -> Points:
        """The points of a key; the oldest key goes when there are too many."""
        found = self._points.pop(key, {})
        self._points[key] = found
        while len(self._points) > _MOST_KEPT:
            self._points.pop(next(iter(self._points)))
        return found


def suppression_request(session: Session, rule: str) -> SuppressionRequest | Message:
    """What to plot for a session that `guards.SUPPRESSION` lets pass; rule: where no query has one.

    Raises HexveilError for a query with parameters out of range.
    """
    shown, overview = session.forecast, session.overview
    if overview is None or shown is None or shown.users is None or shown.selection is None:
        return still_planning()
    number = number_of(session, STATISTIC.key)
    m_ub: str | int = rule
    query_id, suppressing = "", False
    if number is not None:
        asked = session.draft.queries[number].asked_of(session.quantity)
        params: MeanVarianceParams = asked.question.params
        m_ub, query_id, suppressing = params.m_ub, asked.id, params.suppress_users
    return SuppressionRequest(
        users=shown.users,
        published=published_hats(shown.selection.index, overview.vehicles, session.draft.minimum_vehicles),
        m_ub=m_ub,
        query_id=query_id,
        suppressing=suppressing,
        epsilon=epsilon_per_hat(session, number or 0) or _USUAL_EPSILON,
    )


def compute_points(request: SuppressionRequest, points: Points, progress: Progress) -> None:
    """Add every missing point to `points`, in a worker thread."""
    missing = [epsilon for epsilon in request.order if epsilon not in points]
    occupancy, _ = occupancy_of(request.users, request.published)
    upper_kmh = request.users.upper_bound / THOUSAND
    for number, epsilon in enumerate(missing):
        step = part(progress, number / len(missing), (number + 1) / len(missing))
        step(0.0, _tr("Suppressing users"))
        points[epsilon] = suppression_point(
            occupancy,
            request.m_ub,
            epsilon,
            partial(hat_errors, upper_kmh),
            constant_error(upper_kmh),
            step,
        )


def ready(request: SuppressionRequest, points: Mapping[Decimal, SuppressionPoint]) -> list[SuppressionPoint]:
    """Those of the request's points that are known, ascending."""
    return [points[epsilon] for epsilon in request.epsilons if epsilon in points]


def saving_headline(request: SuppressionRequest, point: SuppressionPoint) -> str:
    """What suppression would save at this epsilon, in one sentence."""
    user = _tr("A vehicle") if request.users.unit is Unit.VEHICLE else _tr("A vehicle on one day")
    facts = {
        "user": user,
        "before": f"{point.hats_before:,}",
        "after": f"{point.hats_after:,}",
        "saved": f"{point.saved:.0%}".replace("%", " %"),
    }
    if point.hats_after == point.hats_before:
        return _tr(
            "{user} occupies at most {before} HATs, and suppression would save nothing: the error of the "
            "worst HAT would grow."
        ).format(**facts)
    return _tr(
        "{user} occupies at most {before} HATs, {after} after suppression: {saved} less total epsilon, and "
        "the worst HAT's error does not grow."
    ).format(**facts)


def saving_subline(request: SuppressionRequest, point: SuppressionPoint) -> str:
    """The figures behind it, and where to switch it on."""
    text = _tr(
        "At ε {epsilon:.4g} per HAT: total {before:.4g} before, {after:.4g} after. {hats} HATs, m_UB {rule}."
    )
    parts = [
        text.format(
            epsilon=point.epsilon,
            before=point.before,
            after=point.after,
            hats=f"{request.hats:,}",
            rule=request.m_ub,
        )
    ]
    if request.suppressing:
        parts.append(_tr("Query {query} suppresses users.").format(query=request.query_id))
    elif request.query_id:
        parts.append(_tr("Query {query} does not suppress users yet.").format(query=request.query_id))
    else:
        parts.append(_tr("Only a query of mean and variance can suppress users."))
    return " ".join(parts)


def spoken_points(points: list[SuppressionPoint]) -> str:
    """The curve for those who do not see it."""
    return "; ".join(
        _tr("epsilon {epsilon:.3g}: {before:.3g} before, {after:.3g} after").format(
            epsilon=point.epsilon, before=point.before, after=point.after
        )
        for point in points
    )
