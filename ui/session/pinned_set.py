"""What the draft is compared with: another one that was pinned, with what was planned for it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from core.advice.forecast import Forecast
from core.draft.draft import Draft
from core.hats.slots import SlotGrid
from ui.language.translation import translator

if TYPE_CHECKING:
    from ui.session.session import Session

_tr = translator("Pins")


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSet:
    """The draft as it was, what was planned for it, and the delta of the population that would pay."""

    draft: Draft
    forecast: Forecast
    delta: Decimal
    grid: SlotGrid
    """Of its slots: those of another length have other times under the same numbers."""


class Pins:
    """One set at most; the session's `pinned_changed` reports it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._pinned: PinnedSet | None = None

    @property
    def pinned(self) -> PinnedSet | None:
        """None of another relation, where other figures may be looked at."""
        retained = self._pinned
        return (
            retained
            if retained is not None and retained.draft.relation is self._session.draft.relation
            else None
        )

    @property
    def pinned_in_slots(self) -> PinnedSet | None:
        """The same where it has the slots of the draft: no other hexagon slot is one of both."""
        retained, table = self.pinned, self._session.contributions
        same = retained is not None and table is not None and retained.grid == table.window.grid
        return retained if same else None

    def pin(self) -> None:
        """Keep the draft with its plans, to hold others against it; nothing where none is planned yet."""
        session = self._session
        table, shown = session.contributions, session.forecast
        if not session.busy and table is not None and shown is not None and shown.plans:
            self._pinned = PinnedSet(
                draft=session.draft,
                forecast=shown,
                delta=session.planning.paid_by.delta,
                grid=table.window.grid,
            )
            session.pinned_changed.emit()

    def unpin(self) -> None:
        """Let go of what was pinned."""
        self.forget()
        self._session.pinned_changed.emit()

    def forget(self) -> None:
        """Other data: it was of those of before."""
        self._pinned = None

    def follow(self, before: Forecast | None, now: Forecast) -> None:
        """What was pinned is smoothed by now."""
        if self._pinned is not None and self._pinned.forecast is before:
            self._pinned = dataclasses.replace(self._pinned, forecast=now)

    def take_pinned(self) -> None:
        """Go back to what was pinned, as one undo step."""
        retained = self.pinned
        if retained is not None:
            after = dataclasses.replace(retained.draft, layers=self._session.draft.layers)
            self._session.push(_tr("Back to the pinned parameters"), after)
