"""The steps of the job and their signs: done, open, needs attention, failed, blocked and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.advice.usefulness import Usefulness
from core.advice.verdict import least_useful, verdict_of
from core.clean.ingest_report import MANY_UNUSED, unused_share
from core.planning.query_plan import QueryPlan
from core.signed.notices import NoticeKind
from ui.language.translation import percent, translator
from ui.session.guards import budget, parameters, reasons
from ui.session.guards.reasons import Guard
from ui.session.session import Session
from ui.session.step_notes import data_note, parameters_title, verdict_note, verdict_on_bundle, verified_note

_tr = translator("Steps")


class State(StrEnum):
    """How far a step has come."""

    DONE = "done"
    OPEN = "open"
    ATTENTION = "attention"
    FAILED = "failed"
    BLOCKED = "blocked"


GLYPHS = {State.DONE: "✓", State.OPEN: "○", State.ATTENTION: "!", State.FAILED: "✗", State.BLOCKED: "–"}
"""Never colour alone: each state has its sign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One row of the step list."""

    key: str
    title: str
    state: State
    note: str
    why: str = ""
    """Where there is more room than for the note."""
    warned: bool = False
    """Nothing of it is missing: what calls for attention is what would come of it."""

    @property
    def complete(self) -> bool:
        """It holds up no step after it."""
        return self.state is State.DONE or self.warned


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedBundle:
    """What the last check of a bundle came to."""

    name: str
    holds: bool
    notice: NoticeKind | None = None
    """What alone speaks against it."""
    practice: bool = False
    """That it is no release is all that speaks against it."""
    trusted: bool = True
    """The key that signed it is the one that was given, or this home's."""


def steps_of(
    session: Session, verified: VerifiedBundle | None = None, *, of_before: bool = False
) -> tuple[Step, ...]:
    """Every step with its state, in order.

    verified: the bundle whose check is shown; of_before: the plan that is shown is not the draft's, or not
    smoothed yet.
    """
    return (
        _data(session),
        _parameters(session, of_before),
        _errors(session),
        _release(session, of_before),
        _verify(session, verified),
    )


_STATES: dict[Guard, State] = {
    reasons.no_data: State.BLOCKED,
    parameters.selection_pending: State.OPEN,
    parameters.unplanned_without_delta: State.BLOCKED,
    parameters.unplanned: State.BLOCKED,
    parameters.parameters_open: State.BLOCKED,
    budget.ledger_refuses: State.BLOCKED,
}
"""How far a step is that a guard holds up; what is not named here needs attention."""


def _blocked_step(session: Session, key: str, title: str, by: Sequence[Guard]) -> Step | None:
    for guard in by:
        if (reason := guard(session)) is not None:
            state, note = _STATES.get(guard, State.ATTENTION), reason.note
            if guard is parameters.parameters_open:
                note = reasons.waits_for(parameters_title())
            return Step(key=key, title=title, state=state, note=note, why=reason.note)
    return None


def _data(session: Session) -> Step:
    key, title, records = "data", _tr("Data"), session.loaded
    if records is not None and session.source is not None:
        share = unused_share(records.report, session.source.rules)
        if share >= MANY_UNUSED:
            note = _tr("{share} of rows not used").format(share=percent(share))
            return Step(key=key, title=title, state=State.ATTENTION, note=note, warned=True)
    state = State.OPEN if session.open_data is None else State.DONE
    return Step(key=key, title=title, state=state, note=data_note(session.open_data))


def _parameters(session: Session, of_before: bool) -> Step:
    key, title = "parameters", parameters_title()
    if blocked := _blocked_step(session, key, title, parameters.PARAMETERS):
        return blocked
    worst = _worst(session, of_before)
    if worst is None:
        return Step(key=key, title=title, state=State.DONE, note=_tr("confirmed"))
    verdict = session.release.verdict_of(worst)
    note = verdict_note(verdict, worst.query.question.statistic.measures[0])
    if verdict.usefulness is Usefulness.GOOD:
        return Step(key=key, title=title, state=State.DONE, note=note)
    return Step(key=key, title=title, state=State.ATTENTION, note=note, warned=True)


def _worst(session: Session, of_before: bool) -> QueryPlan | None:
    """The statistic that is least exact, while its plan is the draft's."""
    return least_useful(session.forecast.plans if session.forecast and not of_before else ())


def _errors(session: Session) -> Step:
    key, title = "errors", _tr("Errors")
    open_step = Step(key=key, title=title, state=State.OPEN, note=_tr("see what epsilon buys"))
    return _blocked_step(session, key, title, parameters.ERRORS) or open_step


def _release(session: Session, of_before: bool) -> Step:
    key, title = "release", _tr("Release")
    if session.release.published is not None and not (
        session.release.practised or session.release.published_otherwise
    ):
        return Step(key=key, title=title, state=State.DONE, note=session.release.published.bundle.name)
    if blocked := _blocked_step(session, key, title, budget.RELEASE):
        return blocked
    worst, practised = _worst(session, of_before), session.release.practised
    if worst is not None and not verdict_of(worst).informative and not practised:
        return Step(key=key, title=title, state=State.ATTENTION, note=_tr("no use as it is"), warned=True)
    note = _tr("practised only") if practised else _tr("review and sign")
    return Step(key=key, title=title, state=State.OPEN, note=note)


def _verify(session: Session, verified: VerifiedBundle | None) -> Step:
    key, title = "verify", _tr("Verify")
    if verified is None:
        return Step(key=key, title=title, state=State.OPEN, note=_tr("check any bundle"))
    if verified.practice:
        practised = _tr("{name} is a practice release").format(name=verified.name)
        return Step(
            key=key, title=title, state=State.ATTENTION, note=_tr("a practice release"), why=practised
        )
    if verified.holds and not verified.trusted:
        why = _tr("{name} is valid; signer not checked").format(name=verified.name)
        return Step(key=key, title=title, state=State.ATTENTION, note=_tr("signer not checked"), why=why)
    why = verified_note(verified.name, holds=verified.holds, notice=verified.notice)
    note = verdict_on_bundle(holds=verified.holds, notice=verified.notice)
    if not verified.holds:
        return Step(key=key, title=title, state=State.FAILED, note=note, why=why)
    published = session.release.published
    own = not session.has_data or (published is not None and published.bundle.name == verified.name)
    if own:
        return Step(key=key, title=title, state=State.DONE, note=note, why=why)
    return Step(key=key, title=title, state=State.OPEN, note=_tr("another release is valid"), why=why)
