"""What a guard gives: the reason that stands in the way, the first of several; no data yet, still planning.

A guard looks at the session and gives the reason that stands in the way, or None. Steps, pages and plots ask
`first_reason` with the list of what they would do, so that each reason has one condition and one sentence.
The sentence says what a guard looks for; there is a docstring where that is not all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from core.errors import HexveilError
from ui.kit.message_bar import Message, message_of
from ui.language.translation import translator
from ui.session.session import Session

_tr = translator("Guards")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reason(Message):
    """What stands in the way."""

    note: str = ""
    """The same in a few words, for the list of steps."""
    figures: str = ""
    """The same as a short sentence with its figures, where there are some."""


Guard = Callable[[Session], Reason | None]


def first_reason(session: Session, guards: Sequence[Guard]) -> Reason | None:
    """What the first guard that applies says; None where the way is free."""
    return next((reason for guard in guards if (reason := guard(session)) is not None), None)


def no_data(session: Session) -> Reason | None:
    return None if session.has_data else nothing_loaded()


def busy(session: Session) -> Reason | None:
    return Reason(what=_tr("Working; ready in a moment.")) if session.busy else None


def nothing_loaded() -> Reason:
    """There are no records to tell anything of."""
    return Reason(what=_tr("No data yet"), mend=_tr("Open records in step Data."), note=_tr("needs data"))


def still_planning() -> Reason:
    """What is asked for will be known as soon as planning has ended."""
    return Reason(what=_tr("Planning…"))


def noted(note: str) -> Reason:
    """Only the list of steps tells it."""
    return Reason(what=note, note=note)


def reason_of(problem: HexveilError) -> Reason:
    text = message_of(problem)
    return Reason(what=text.what, where=text.where, mend=text.mend, note=text.what)


def waits_for(title: str) -> str:
    """What the list of steps has room for of the reason why another step comes first."""
    return _tr("waits for {step}").format(step=title)


def in_step(title: str, reason: Reason) -> Reason:
    """The reason as a later step tells it: where it is mended, and what it is."""
    note = _tr("{step}: {reason}").format(step=title, reason=reason.note or reason.what)
    return dataclasses.replace(reason, note=note)
