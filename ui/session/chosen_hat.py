"""What is looked at: the slot that maps show, and the HAT that is chosen in every tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.contributions import Contributions
from core.privacy import Relation
from ui.session.marked_hats import Hat

if TYPE_CHECKING:
    from ui.session.session import Session


class ChosenHat:
    """The session's `slot_changed` and `hat_chosen` report it; a HAT that is chosen is marked."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.slot = 0
        """The slot that the map shows, counted from midnight."""
        self.hat: Hat | None = None
        self._minute = self._minute_wanted = 0
        """When the shown slot begins, and the one that was shown on purpose."""

    @property
    def marks_stand_out(self) -> bool:
        """Something else is marked than the chosen HAT alone."""
        marked = self._session.marked.hats
        return bool(marked) and marked != {self.hat}

    def choose_hat(self, cell: str | None, slot: int | None = None, *, mark: bool = True) -> None:
        """Choose a HAT everywhere, and mark it alone; the shown slot is taken where none is given.

        mark: False leaves the marks as they are.
        """
        slot, marked = self.slot if slot is None else slot, self._session.marked
        hat, before = None if cell is None else (cell, slot), self.hat
        self.hat = hat
        if hat is not None and mark:
            marked.take((hat,))
        elif hat is None and before is not None and marked.hats == {before}:
            marked.clear()
        if hat != before:
            self._session.hat_chosen.emit()
        self.show_slot(slot)

    def clear_marks(self) -> None:
        """Mark no HAT, and choose none."""
        self.choose_hat(None)
        self._session.marked.clear()

    def show_slot(self, slot: int) -> None:
        """Show another slot on the map."""
        contributions = self._session.contributions
        if contributions is not None:
            self._minute = self._minute_wanted = contributions.window.grid.start(slot)
        if slot != self.slot:
            self.slot = slot
            self._session.slot_changed.emit(slot)

    def forget(self) -> None:
        """Other contributions: no HAT of them is chosen or marked."""
        self.hat = None
        self._session.marked.clear()

    def begin(self, contributions: Contributions) -> None:
        """The same of other data, in whose first slot one looks."""
        self.forget()
        self.slot = self._first_slot(contributions)
        self._minute = self._minute_wanted = contributions.window.grid.start(self.slot)

    def follow(self, contributions: Contributions) -> None:
        """The slot of the time that is wanted or shown, whatever its number is in this window."""
        window = contributions.window
        same = (window.grid.slot_of(minute) for minute in (self._minute_wanted, self._minute))
        self.slot = next((slot for slot in same if slot in window.slots), self._first_slot(contributions))
        self._minute = window.grid.start(self.slot)

    def _first_slot(self, contributions: Contributions) -> int:
        """The first that is busy; of the window in relation `user`, where that is nobody's to see."""
        private = self._session.draft.relation is Relation.USER
        first = None if private else contributions.first_busy_slot
        return contributions.window.slots.start if first is None else first
