"""The steps of the job and how far each has come: done, open, needs attention, or blocked and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ui.kit.translation import translator
from ui.session.measured_values import refusal_of
from ui.session.session import Session

_tr = translator("Steps")


class State(StrEnum):
    """How far a step has come."""

    DONE = "done"
    OPEN = "open"
    ATTENTION = "attention"
    BLOCKED = "blocked"


GLYPHS = {State.DONE: "✓", State.OPEN: "○", State.ATTENTION: "!", State.BLOCKED: "–"}
"""Never colour alone: each state has its sign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One row of the step list."""

    key: str
    title: str
    state: State
    note: str


def steps_of(session: Session) -> tuple[Step, ...]:
    """Every step with its state, in order."""
    return (
        _data(session),
        _hexagons(session),
        _parameters(session),
        _errors(session),
        _release(session),
        Step(key="verify", title=_tr("Verify"), state=State.OPEN, note=_tr("check any bundle")),
    )


def _data(session: Session) -> Step:
    title = _tr("Data")
    if session.loaded is None:
        return Step(key="data", title=title, state=State.OPEN, note=_tr("open records first"))
    report = session.loaded.report
    note = _tr("{records} records, {vehicles} vehicles").format(
        records=f"{report.rows_used:,}", vehicles=f"{report.users:,}"
    )
    return Step(key="data", title=title, state=State.DONE, note=note)


def _blocked(session: Session, key: str, title: str) -> Step | None:
    if session.loaded is None:
        return Step(key=key, title=title, state=State.BLOCKED, note=_tr("needs data"))
    return None


def _hexagons(session: Session) -> Step:
    key, title = "hexagons", _tr("Hexagons")
    if blocked := _blocked(session, key, title):
        return blocked
    if session.problem is not None and (session.forecast is None or session.forecast.selection is None):
        return Step(key=key, title=title, state=State.ATTENTION, note=session.problem.what)
    if session.forecast is None or session.forecast.selection is None:
        return Step(key=key, title=title, state=State.OPEN, note=_tr("working"))
    note = _tr("{count} HATs selected").format(count=f"{len(session.forecast.selection):,}")
    return Step(key=key, title=title, state=State.DONE, note=note)


def _parameters(session: Session) -> Step:
    key, title = "parameters", _tr("Parameters")
    if blocked := _blocked(session, key, title):
        return blocked
    draft, shown = session.draft, session.forecast
    if draft.relation is None or draft.unit is None:
        return Step(key=key, title=title, state=State.ATTENTION, note=_tr("choose relation and unit"))
    if refusal_of(session) is not None:
        note = _tr("derived speeds cannot be released in relation values")
        return Step(key=key, title=title, state=State.ATTENTION, note=note)
    if shown is not None and shown.selection is not None and shown.problem is not None:
        return Step(key=key, title=title, state=State.ATTENTION, note=shown.problem.what)
    if not draft.confirmed:
        return Step(key=key, title=title, state=State.ATTENTION, note=_tr("confirm the sentence"))
    if not draft.population:
        return Step(key=key, title=title, state=State.ATTENTION, note=_tr("choose a population"))
    note = _tr("confirmed")
    if len(draft.queries) > 1:
        note = _tr("{count} statistics, confirmed").format(count=len(draft.queries))
    return Step(key=key, title=title, state=State.DONE, note=note)


def _errors(session: Session) -> Step:
    key, title = "errors", _tr("Errors")
    if blocked := _blocked(session, key, title):
        return blocked
    if session.forecast is None or session.forecast.plan is None:
        return Step(key=key, title=title, state=State.BLOCKED, note=_tr("needs relation and unit"))
    return Step(key=key, title=title, state=State.OPEN, note=_tr("compare mechanisms"))


def _release(session: Session) -> Step:
    key, title = "release", _tr("Release")
    if session.published is not None:
        return Step(key=key, title=title, state=State.DONE, note=session.published.bundle.name)
    if blocked := _blocked(session, key, title):
        return blocked
    if _parameters(session).state is not State.DONE:
        return Step(key=key, title=title, state=State.BLOCKED, note=_tr("needs parameters"))
    if _hexagons(session).state is not State.DONE:
        return Step(key=key, title=title, state=State.BLOCKED, note=_tr("needs hexagons"))
    return Step(key=key, title=title, state=State.OPEN, note=_tr("review and sign"))
