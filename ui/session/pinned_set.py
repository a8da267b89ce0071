"""What the draft is held against: another one that was pinned, with what was planned for it."""

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
    """One set at most; the session's `pinned_changed` tells of it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: PinnedSet | None = None

    @property
    def pinned(self) -> PinnedSet | None:
        """None of another relation, where other figures may be looked at."""
        kept = self._kept
        return kept if kept is not None and kept.draft.relation is self._session.draft.relation else None

    @property
    def pinned_in_slots(self) -> PinnedSet | None:
        """The same where it has the slots of the draft: no other hexagon slot is one of both."""
        kept, table = self.pinned, self._session.contributions
        same = kept is not None and table is not None and kept.grid == table.window.grid
        return kept if same else None

    def pin(self) -> None:
        """Keep the draft with its plans, to hold others against it; nothing where none is planned yet."""
        session = self._session
        table, shown = session.contributions, session.forecast
        if not session.busy and table is not None and shown is not None and shown.plans:
            self._kept = PinnedSet(
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
        self._kept = None

    def follow(self, before: Forecast | None, now: Forecast) -> None:
        """What was pinned is smoothed by now."""
        if self._kept is not None and self._kept.forecast is before:
            self._kept = dataclasses.replace(self._kept, forecast=now)

    def take_pinned(self) -> None:
        """Go back to what was pinned, as one undo step."""
        kept = self.pinned
        if kept is not None:
            after = dataclasses.replace(kept.draft, layers=self._session.draft.layers)
            self._session.push(_tr("Back to the pinned parameters"), after)
