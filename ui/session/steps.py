"""The steps of the job and how far each has come: done, open, needs attention, or blocked and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.planning.forecast import Forecast
from core.planning.verdict import verdict_of
from ui.kit.counted_words import counted_records, counted_vehicles
from ui.kit.translation import counted, translator, whole
from ui.session import guards
from ui.session.guards import Guard
from ui.session.held_data import record_count, vehicle_count
from ui.session.selected_counts import counts_of_regions, selected_counts
from ui.session.session import Session
from ui.session.step_titles import hexagons_title, parameters_title

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


def steps_of(session: Session, verified: VerifiedBundle | None = None) -> tuple[Step, ...]:
    """Every step with its state, in order; verified: the bundle whose check is shown."""
    return (
        _data(session),
        _hexagons(session),
        _parameters(session),
        _errors(session),
        _release(session),
        _verify(verified),
    )


_STATES: dict[Guard, State] = {
    guards.no_data: State.BLOCKED,
    guards.selection_pending: State.OPEN,
    guards.unplanned_without_delta: State.BLOCKED,
    guards.unplanned: State.BLOCKED,
    guards.parameters_open: State.BLOCKED,
    guards.hexagons_open: State.BLOCKED,
    guards.ledger_refuses: State.BLOCKED,
}
"""How far a step is that a guard holds up; what is not named here needs attention."""


def _held_up(session: Session, key: str, title: str, by: Sequence[Guard]) -> Step | None:
    for guard in by:
        if (reason := guard(session)) is not None:
            return Step(key=key, title=title, state=_STATES.get(guard, State.ATTENTION), note=reason.note)
    return None


def _data(session: Session) -> Step:
    title = _tr("Data")
    held = session.held
    if held is None:
        return Step(key="data", title=title, state=State.OPEN, note=_tr("open records first"))
    note = f"{counted_records(record_count(held))}, {counted_vehicles(vehicle_count(held))}"
    return Step(key="data", title=title, state=State.DONE, note=note)


def _hexagons(session: Session) -> Step:
    key, title = "hexagons", hexagons_title()
    if held_up := _held_up(session, key, title, guards.HEXAGONS):
        return held_up
    assert session.forecast is not None
    assert session.forecast.selection is not None
    selection = session.forecast.selection
    if session.forecast.protects_presence:  # which of them hold records is nobody's to know
        note = counted("{n} candidate hexagon slot", "{n} candidate hexagon slots", len(selection))
        note = _with_regions(note, session.forecast, len(selection))
        return Step(key=key, title=title, state=State.DONE, note=note)
    recorded, empty = selected_counts(selection)
    note = counted("{n} hexagon slot selected", "{n} hexagon slots selected", recorded)
    if empty:
        note = _tr("{note}, {empty} more empty").format(note=note, empty=whole(empty))
    note = _with_regions(note, session.forecast, recorded)
    return Step(key=key, title=title, state=State.DONE, note=note)


def _with_regions(note: str, shown: Forecast, told: int) -> str:
    """How many hexagon slots regions publish, which take hexagons with all of their slots."""
    counts = counts_of_regions(shown)
    if counts is None or counts[1] == told:
        return note
    return _tr("{note}, {hats} in regions").format(note=note, hats=whole(counts[1]))


def _parameters(session: Session) -> Step:
    key, title = "parameters", parameters_title()
    if held_up := _held_up(session, key, title, guards.PARAMETERS):
        return held_up
    verdicts = [verdict_of(plan) for plan in (session.forecast.plans if session.forecast else ())]
    if not all(verdict.informative for verdict in verdicts):
        note = _tr("no better than one constant for the city")
        if any(verdict.useless for verdict in verdicts):
            note = _tr("a band that will be of no use")
        return Step(key=key, title=title, state=State.ATTENTION, note=note, warned=True)
    note = counted("confirmed", "{n} statistics, confirmed", len(session.draft.queries))
    return Step(key=key, title=title, state=State.DONE, note=note)


def _errors(session: Session) -> Step:
    key, title = "errors", _tr("Errors")
    open_step = Step(key=key, title=title, state=State.OPEN, note=_tr("compare mechanisms"))
    return _held_up(session, key, title, guards.ERRORS) or open_step


def _release(session: Session) -> Step:
    key, title = "release", _tr("Release")
    if session.published is not None and not session.practised:
        return Step(key=key, title=title, state=State.DONE, note=session.published.bundle.name)
    note = _tr("practised; nothing is released") if session.practised else _tr("review and sign")
    open_step = Step(key=key, title=title, state=State.OPEN, note=note)
    return _held_up(session, key, title, guards.RELEASE) or open_step


def _verify(verified: VerifiedBundle | None) -> Step:
    key, title = "verify", _tr("Verify")
    if verified is None:
        return Step(key=key, title=title, state=State.OPEN, note=_tr("check any bundle"))
    if verified.holds:
        return Step(
            key=key, title=title, state=State.DONE, note=_tr("{name} holds").format(name=verified.name)
        )
    note = _tr("{name} does NOT hold").format(name=verified.name)
    return Step(key=key, title=title, state=State.ATTENTION, note=note)
