"""Choose who is protected, or how much of a vehicle: asked before cost, errors, curves, grids are shown."""

from __future__ import annotations

import dataclasses

from ui.language.translation import translator
from ui.session.guards.reasons import Reason
from ui.session.session import Session

_tr = translator("Guards")


def is_open(session: Session) -> bool:
    return session.draft.relation is None or session.draft.unit is None


def privacy_open(session: Session) -> Reason | None:
    if not is_open(session):
        return None
    if session.draft.relation is None:
        return Reason(what=_tr("Who is protected is not chosen yet"), note=_tr("choose who is protected"))
    return Reason(
        what=_tr("How much of a vehicle is protected is not chosen yet"),
        note=_tr("choose how much of a vehicle"),
    )


def noise_needs_privacy(session: Session) -> Reason | None:
    advice = _tr(
        "How much noise a hexagon slot needs depends on who is protected. "
        "Choose it in step Parameters, and the curves appear here."
    )
    reason = privacy_open(session)
    return reason and dataclasses.replace(reason, mend=advice)


def occupancy_needs_privacy(session: Session) -> Reason | None:
    advice = _tr("What suppression saves depends on who is protected. Choose it in step Parameters.")
    reason = privacy_open(session)
    return reason and dataclasses.replace(reason, mend=advice)


def cost_needs_privacy(session: Session) -> Reason | None:
    text = _tr("Choose who is protected to see the cost.")
    if session.draft.relation is not None:
        text = _tr("Choose how much of a vehicle is protected to see the cost.")
    return Reason(what=text) if is_open(session) else None


def errors_need_privacy(session: Session) -> Reason | None:
    text = _tr("Errors and cost appear once you have chosen who is protected.")
    if session.draft.relation is not None:
        text = _tr("Errors and cost appear once you have chosen how much of a vehicle is protected.")
    return Reason(what=text) if is_open(session) else None


def confirmation_needs_privacy(session: Session) -> Reason | None:
    text = _tr("Choose who is protected to read what you confirm.")
    if session.draft.relation is not None:
        text = _tr("Choose how much of a vehicle is protected to read what you confirm.")
    return Reason(what=text) if is_open(session) else None


def total_needs_privacy(session: Session) -> Reason | None:
    advice = _tr("Choose below who is protected; then grids are recommended.")
    reason = privacy_open(session)
    return reason and dataclasses.replace(reason, mend=advice)


def unit_open(session: Session) -> Reason | None:
    if session.draft.unit is not None:
        return None
    return Reason(
        what=_tr("How much of a vehicle is protected is not chosen yet"),
        mend=_tr("Choose it under Who is protected."),
    )
