"""What the error plot shows: curves of one HAT from its counts, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from core.hats.slots import hat_id
from core.mechanisms.base import Mechanism
from core.mechanisms.registry import all_mechanisms
from core.privacy import Confidential, Relation, Unit
from core.progress import Progress
from core.queries.hat_mean import MeanPlan
from core.queries.preview import HatOverview, Preview, error_curves
from core.values import THOUSAND
from ui.messages import Message
from ui.session import Session

FIRST_EPSILON, LAST_EPSILON = 0.25, 4.0
_USUAL, _BEYOND = 76, 40
"""Points of the usual range, and of what lies beyond it."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("ErrorCurves", text)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CurveRequest(Confidential):
    """Everything that the curves of one HAT follow from: counts and choices, no values."""

    hat: str
    """Id text."""
    chosen: bool
    """The analyst chose this HAT; otherwise it is the one in the middle."""
    vehicles: int
    records: int
    unit: Unit
    relation: Relation
    counts: NDArray[np.int64]
    upper_bound: int
    epsilon: Decimal
    """Of the plan: what the HAT gets, or would get."""
    mechanism: str
    """Key of the chosen mechanism."""
    mechanisms: Mapping[str, Mechanism]
    parameters: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Curves(Confidential):
    """Expected error in km/h at each epsilon."""

    request: CurveRequest
    epsilons: NDArray[np.float64]
    """Shape (n,), ascending; holds the chosen one."""
    errors: Mapping[str, NDArray[np.float64]]
    """Mechanism key -> shape (n,)."""
    constant: float
    """Largest error of publishing U / 2 whatever the data."""

    @property
    def chosen(self) -> int:
        """Where in `epsilons` the chosen one is."""
        return int(np.searchsorted(self.epsilons, round(float(self.request.epsilon), 6)))


def curve_request(session: Session) -> CurveRequest | Message:
    """What to plot for the session as it stands, or what to say instead."""
    draft, shown = session.draft, session.preview
    if session.overview is None:
        return Message(what=_tr("No data yet"), mend=_tr("Open records in step Data."))
    if draft.relation is None or draft.unit is None:
        return Message(
            what=_tr("Relation and unit are not chosen yet"),
            mend=_tr(
                "How much noise a HAT needs depends on who is protected. "
                "Choose both in step Parameters, and the curves appear here."
            ),
        )
    mechanisms = {
        key: mechanism for key, mechanism in all_mechanisms().items() if draft.relation in mechanism.relations
    }
    if not mechanisms:
        return Message(
            what=_tr("No error curves for this relation"),
            mend=_tr("Under relation user nothing may follow from exact counts."),
        )
    if session.problem is not None:
        return Message(what=session.problem.what, where=session.problem.where, mend=session.problem.mend)
    if shown is None or shown.plan is None or shown.users is None:
        return Message(what=_tr("Planning…"))
    contributions = session.contributions
    assert contributions is not None
    index = middle_hat(shown.plan, shown.overview)
    if session.hat is not None:
        index = _index_of(shown.overview, *session.hat)
        if index < 0:
            cell, slot = session.hat
            return Message(
                what=_tr("HAT {hat} holds no records").format(
                    hat=hat_id(slot, contributions.window.slot_minutes, cell)
                ),
                mend=_tr("Choose another one on the map or in the table."),
            )
    return CurveRequest(
        hat=contributions.hat_name(index),
        chosen=session.hat is not None,
        vehicles=int(shown.overview.vehicles[index]),
        records=int(shown.overview.records[index]),
        unit=shown.users.unit,
        relation=draft.relation,
        counts=shown.users.hat_counts(index),
        upper_bound=shown.users.upper_bound,
        epsilon=_epsilon_of(shown, index),
        mechanism=draft.mechanism,
        mechanisms=mechanisms,
        parameters={draft.mechanism: draft.parameters},
    )


def middle_hat(plan: MeanPlan, overview: HatOverview) -> int:
    """Of the HATs to be published, the one with the median number of vehicles (the lower of two)."""
    ordered = sorted(hat.index for hat in plan.published)
    ordered.sort(key=lambda index: int(overview.vehicles[index]))
    return ordered[(len(ordered) - 1) // 2]


def _index_of(overview: HatOverview, cell: str, slot: int) -> int:
    candidates = np.flatnonzero(overview.slots == slot).tolist()
    return next((index for index in candidates if overview.cells[index] == cell), -1)


def _epsilon_of(shown: Preview, index: int) -> Decimal:
    assert shown.plan is not None
    own = (hat.plan.epsilon for hat in shown.plan.published if hat.plan and hat.index == index)
    return next(own, shown.plan.plans[0].epsilon)


def epsilon_grid(chosen: Decimal) -> NDArray[np.float64]:
    """Where curves are computed: every 0.05 of the usual range, on to the chosen epsilon, which is one."""
    usual = np.linspace(FIRST_EPSILON, LAST_EPSILON, _USUAL)
    parts = [usual, np.array([float(chosen)])]
    if chosen < FIRST_EPSILON:
        parts.append(np.geomspace(float(chosen), FIRST_EPSILON, _BEYOND))
    if chosen > LAST_EPSILON:
        parts.append(np.geomspace(LAST_EPSILON, float(chosen), _BEYOND))
    return np.unique(np.round(np.concatenate(parts), 6))


def compute_curves(request: CurveRequest, progress: Progress) -> Curves:
    """The curves, in a worker thread. Raises InputError for parameters that do not fit the HAT."""
    epsilons = epsilon_grid(request.epsilon)
    errors: dict[str, NDArray[np.float64]] = {}
    for number, (key, mechanism) in enumerate(request.mechanisms.items(), start=1):
        errors |= error_curves(
            request.counts, request.upper_bound, epsilons, {key: mechanism}, request.parameters
        )
        progress(number / len(request.mechanisms), _tr("Error curves"))
    return Curves(
        request=request, epsilons=epsilons, errors=errors, constant=request.upper_bound / THOUSAND / 2
    )
