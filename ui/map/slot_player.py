"""Plays the timeslots one after the other, no faster than the map can paint them."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

SPEEDS_MS = (2000, 1000, 400)
"""Of one slot: slow, medium, fast."""


class SlotPlayer(QObject):
    """The next slot comes when its time is over and the one before has been seen."""

    stepped = Signal(int)
    """The slot that is due."""
    changed = Signal()
    """It was started or stopped."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._slots = range(0)
        self._at = 0
        self._seen = False
        self.repeat = False
        """Start again after the last slot."""
        self._timer = QTimer(self, singleShot=True, interval=SPEEDS_MS[1])
        self._timer.timeout.connect(self._step)
        self._running = False

    @property
    def running(self) -> bool:
        return self._running

    def set_speed(self, milliseconds: int) -> None:
        """How long each slot is seen at least."""
        self._timer.setInterval(milliseconds)

    def start(self, slots: range, at: int) -> None:
        """Play from the slot that is shown, from the first if that is the last; one alone is not played."""
        if len(slots) <= 1:
            return
        self._slots, self._at = slots, at
        self._running = self._seen = True
        self.changed.emit()
        if at == slots[-1]:
            self._show(slots[0])
        else:
            self._timer.start()

    def stop(self) -> None:
        """Stay where it is."""
        if self._running:
            self._running = False
            self._timer.stop()
            self.changed.emit()

    def note_seen(self) -> None:
        """The slot that was asked for last is on the screen."""
        if self._running and not self._seen:
            self._seen = True
            if not self._timer.isActive():
                self._step()

    def note_slot(self, slot: int) -> None:
        """Somebody chose a slot: go on from there."""
        self._at = slot

    def _step(self) -> None:
        if not self._running or not self._seen:
            return
        if self._at < self._slots[-1]:
            self._show(self._at + 1)
        elif self.repeat:
            self._show(self._slots[0])
        else:
            self.stop()

    def _show(self, slot: int) -> None:
        self._at, self._seen = slot, False
        self._timer.start()
        self.stepped.emit(slot)
