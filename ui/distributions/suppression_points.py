"""The words and points of *Suppression*: saved epsilon at each, or why nothing is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.contributions import Contributions, UserTable
from core.errors import HexveilError
from core.grouping.suppression_field import SUPPRESS_LABEL, SUPPRESS_USERS
from core.planning.query_plan import Query
from core.planning.user_suppression import occupancy_of, pairs_of_users, published_hats, rule_if_asked
from core.privacy import Confidential, Relation, Unit
from core.progress import Progress, part
from core.statistics.base import AnyQuestion, SuppressionRule
from core.statistics.mean_variance import STATISTIC
from core.statistics.suppression import Stop
from core.statistics.suppression_curve import SuppressionPoint, suppression_point
from ui.distributions.chosen_epsilon import epsilon_per_hat
from ui.kit.message_bar import Message
from ui.language.counted_words import counted_hats
from ui.language.translation import core_text, percent, rounded_to, translator, whole
from ui.session.guards.reasons import still_planning
from ui.session.query_texts import statistic_title
from ui.session.session import Session

_tr = translator("SuppressionPoints")

_USUAL = tuple(Decimal(tenth) / 10 for tenth in range(1, 21))
_BEYOND = 6
"""Points between the usual ones and a larger chosen epsilon."""
_USUAL_EPSILON = Decimal(1)
_MOST_STORED = 12
"""Selections whose points are stored for coming back to them."""

Points = dict[Decimal, SuppressionPoint]
"""By epsilon per HAT."""


@dataclass(frozen=True, slots=True)
class SuppressionKey:
    """What a point of given contributions follows from."""

    unit: Unit
    published: bytes
    asked: str
    """The statistic and its parameters."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SuppressionRequest(Confidential):
    """A curve to compute."""

    contributions: Contributions
    users: UserTable
    published: NDArray[np.bool_]
    """Shape (G,)."""
    question: AnyQuestion
    """One whose method can suppress users."""
    title: str
    """What the draft's query publishes that gives the rule."""
    suppressing: bool
    """That query suppresses users already."""
    epsilon: Decimal
    """Per HAT, the chosen one."""

    @property
    def key(self) -> SuppressionKey:
        asked = f"{self.question.key} {self.question.params}"
        return SuppressionKey(self.users.unit, self.published.tobytes(), asked)

    @property
    def rule(self) -> SuppressionRule:
        rule = rule_if_asked(self.question, self.users.upper_bound)
        assert rule is not None
        return rule

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
        while len(self._points) > _MOST_STORED:
            self._points.pop(next(iter(self._points)))
        return found


def may_suppress(session: Session) -> bool:
    """Some query of the draft could suppress users; one whose parameters do not fit is explained."""
    if session.draft.relation is Relation.USER:
        return False
    try:
        asked = [query.asked_of(session.quantity) for query in session.draft.queries]
    except HexveilError:
        return True
    return any(hasattr(query.question.params, SUPPRESS_USERS) for query in asked)


def suppression_request(session: Session) -> SuppressionRequest | Message:
    """What to plot for a session that `plots.SUPPRESSION` lets pass.

    Raises HexveilError for a query with parameters out of range.
    """
    shown, overview, contributions = session.forecast, session.overview, session.contributions
    if overview is None or shown is None or shown.users is None or shown.selection is None:
        return still_planning()
    if contributions is None:
        return still_planning()
    asked = [query.asked_of(session.quantity) for query in session.draft.queries]
    number = _number_that_suppresses(asked, shown.users.upper_bound)
    if number is None:
        return Message(what=_tr("No query here can suppress vehicles"))
    question = asked[number].question
    return SuppressionRequest(
        contributions=contributions,
        users=shown.users,
        published=published_hats(shown.selection.index, overview.vehicles, session.draft.minimum_vehicles),
        question=question,
        title=statistic_title(session.draft.queries[number], session.quantity),
        suppressing=getattr(question.params, SUPPRESS_USERS),
        epsilon=epsilon_per_hat(session, number) or _USUAL_EPSILON,
    )


def _number_that_suppresses(queries: Sequence[Query], upper_bound: int) -> int | None:
    """The first query that suppresses users; else the first that could, mean and variance before others."""
    able = [
        number
        for number, query in enumerate(queries)
        if rule_if_asked(query.question, upper_bound) is not None
    ]
    return min(
        able,
        key=lambda number: (
            not getattr(queries[number].question.params, SUPPRESS_USERS),
            queries[number].question.statistic.key != STATISTIC.key,
        ),
        default=None,
    )


def compute_points(request: SuppressionRequest, points: Points, progress: Progress) -> None:
    """Add every missing point to `points`, in a worker thread."""
    missing = [epsilon for epsilon in request.order if epsilon not in points]
    rule, users = request.rule, request.users
    counts = pairs_of_users(request.contributions, users) if rule.of_pairs else None
    occupancy, _ = occupancy_of(users, request.published, counts)
    for number, epsilon in enumerate(missing):
        step = part(progress, number / len(missing), (number + 1) / len(missing))
        step(0.0, _tr("Suppressing vehicles"))
        points[epsilon] = suppression_point(occupancy, rule.m_ub, epsilon, rule.errors, rule.cap, step)


def ready(request: SuppressionRequest, points: Mapping[Decimal, SuppressionPoint]) -> list[SuppressionPoint]:
    """Those of the request's points that are known, ascending."""
    return [points[epsilon] for epsilon in request.epsilons if epsilon in points]


def saving_headline(request: SuppressionRequest, point: SuppressionPoint) -> str:
    """What suppression would save at this epsilon, in one sentence."""
    user = _tr("A vehicle") if request.users.unit is Unit.VEHICLE else _tr("A vehicle on one day")
    facts = {
        "user": user,
        "before": counted_hats(point.hats_before),
        "after": whole(point.hats_after),
        "saved": percent(point.saved),
    }
    if point.hats_after == point.hats_before:
        text = _tr("{user} occupies at most {before}, and suppression would save nothing: {why}")
        return text.format(why=_why_nothing(point.stop), **facts)
    return _tr(
        "{user} occupies at most {before}, {after} after suppression: {saved} less total epsilon, and "
        "the worst hexagon slot's error does not grow."
    ).format(**facts)


def _why_nothing(stop: Stop) -> str:
    """What holds back the first who would have to leave a HAT."""
    return {
        Stop.CONSTANT: _tr(
            "at this epsilon, every slot that could be left would be no more accurate than a constant."
        ),
        Stop.WORST: _tr("every slot that could be left would be less accurate than the worst one is now."),
        Stop.LAST: _tr("every slot that could be left would lose its last vehicle."),
    }[stop]


def saving_subline(request: SuppressionRequest, point: SuppressionPoint) -> str:
    """The figures behind it, and where to switch it on."""
    text = _tr(
        "At ε {epsilon:.4g} per hexagon slot: total {before} before, {after} after. Published: {hats}."
    )
    figures = text.format(
        epsilon=point.epsilon,
        before=rounded_to(float(point.before), 4),
        after=rounded_to(float(point.after), 4),
        hats=counted_hats(request.hats),
    )
    return " ".join(
        (figures, _tr("Busy vehicles leave the hexagon slots that need them least."), _switch(request))
    )


def _switch(request: SuppressionRequest) -> str:
    """Where it is switched on."""
    text = _tr("{statistic}: “{option}” is off in step Parameters.")
    if request.suppressing:
        text = _tr("{statistic}: “{option}” is on in step Parameters.")
    return text.format(statistic=request.title, option=core_text(SUPPRESS_LABEL))


def spoken_points(points: Sequence[SuppressionPoint]) -> str:
    """The curve for those who do not see it."""
    return "; ".join(
        _tr("epsilon {epsilon:.3g}: {before} before, {after} after").format(
            epsilon=point.epsilon,
            before=rounded_to(float(point.before), 3),
            after=rounded_to(float(point.after), 3),
        )
        for point in points
    )
