"""Python's cyclic garbage is collected in the window's thread only.

Python collects in whichever thread happens to allocate. A worker that does so destroys the Qt objects of
forgotten reference cycles, of which a plot leaves many, in a thread where they do not live; Qt may crash
at that. So automatic collection is switched off and a timer of the main thread takes its place.
While a worker imports modules of Qt nothing is collected: a process was seen to die of a class half made.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 500

_pauses: set[object] = set()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Nothing is collected meanwhile; of any thread."""
    hold = object()
    _pauses.add(hold)
    try:
        yield
    finally:
        _pauses.discard(hold)


class GarbageCollector(QObject):
    """Collects in the thread it was made in, from then until `stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds, if any."""
        if _pauses:
            return
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation] > 0:
                gc.collect(generation)
                return

    def stop(self) -> None:
        """Give collection back to Python, of all that there is."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
