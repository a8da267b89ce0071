"""Chips of the groups' labels and of the named periods: they choose the slot that map and table show."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.hats.slots import SlotGrid
from ui.layout.chip_rows import ChipRow, ChipRows
from ui.session.hat_texts import group_row
from ui.session.session import Session


class SlotChips(ChipRows):
    """A row for each group, and one of periods."""

    def __init__(self, session: Session, parent: QWidget | None = None, *, periods: bool = True) -> None:
        super().__init__(parent)
        self._session = session
        self._with_periods = periods
        self.pressed.connect(self._choose)
        for signal in (session.contributions_changed, session.slot_changed):
            signal.connect(self.refresh)

    @property
    def _grid(self) -> SlotGrid | None:
        contributions = self._session.contributions
        return contributions.window.grid if contributions is not None else None

    def refresh(self) -> None:
        """Show what the slot that is shown is of."""
        grid, slot = self._grid, self._session.chosen.slot
        if grid is None:
            return
        rows = [
            group_row(group.name, group.labels, label)
            for group, label in zip(grid.groups, grid.labels(slot), strict=True)
        ]
        if self._with_periods and grid.periods:
            timed = [(number, one.name) for number, one in enumerate(grid.periods)]
            rows.append(ChipRow(self.tr("Period"), timed, grid.timeslot(slot)))
        self.show_rows(rows)

    def _choose(self, number: int, key: object) -> None:
        grid, chosen = self._grid, self._session.chosen
        if grid is None:
            return
        labels, timeslot = list(grid.labels(chosen.slot)), grid.timeslot(chosen.slot)
        if isinstance(key, int):
            timeslot = key
        else:
            labels[number] = str(key)
        chosen.show_slot(grid.slot_in(timeslot, labels))
