"""What is looked at: the slot that maps show, and the HAT that is chosen in every tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.contributions import Contributions
from core.hats.slots import SlotGrid
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
        self._labels: dict[str, str] = {}
        """Of each group the one that was shown last."""
        self._minute = self._minute_wanted = 0
        """When the shown slot begins, and the one that was shown on purpose."""

    @property
    def slots(self) -> range:
        """Those of the shown one's labels: all of the window where nothing tells rows apart."""
        contributions = self._session.contributions
        if contributions is None:
            return range(0)
        grid = contributions.window.grid
        first = grid.combination(self.slot) * grid.a_day
        return range(first, first + grid.a_day) if grid.groups else contributions.window.slots

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
        before, self.slot = self.slot, slot
        if contributions is not None:
            self._note(contributions.window.grid)
            self._minute_wanted = self._minute
        if slot != before:
            self._session.slot_changed.emit(slot)

    def forget(self) -> None:
        """Other contributions: no HAT of them is chosen or marked."""
        self.hat = None
        self._session.marked.clear()

    def begin(self, contributions: Contributions) -> None:
        """The same of other data, in whose first slot one looks."""
        self.forget()
        self.slot = self._first_slot(contributions)
        self._labels.clear()
        self._note(contributions.window.grid)
        self._minute_wanted = self._minute

    def follow(self, contributions: Contributions) -> None:
        """The slot of the time and labels that are wanted or shown, whatever its number is in this window."""
        window = contributions.window
        grid, names = window.grid, [group.name for group in window.groups]
        labels = [self._labels.get(group.name, group.labels[0]) for group in window.groups if group.labels]
        times = [grid.slot_of(minute) for minute in (self._minute_wanted, self._minute)]
        same = [grid.slot_in(time, labels) for time in times] if len(labels) == len(names) else []
        self.slot = next((slot for slot in same if slot in window.slots), self._first_slot(contributions))
        self._note(grid)

    def _note(self, grid: SlotGrid) -> None:
        self._minute = grid.start(self.slot)
        self._labels |= dict(zip((group.name for group in grid.groups), grid.labels(self.slot), strict=True))

    def _first_slot(self, contributions: Contributions) -> int:
        """The first that is busy; of the window in relation `user`, where that is nobody's to see."""
        private = self._session.draft.relation is Relation.USER
        first = None if private else contributions.first_busy_slot
        return contributions.window.slots.start if first is None else first
