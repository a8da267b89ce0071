"""Python's cyclic garbage is collected in the window's thread only.

Python collects in whichever thread happens to allocate. A worker that does so destroys the Qt objects of
forgotten reference cycles, of which a plot leaves many, in a thread where they do not live; Qt may crash
at that. So automatic collection is switched off and a timer of the main thread takes its place.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL_MS = 500


class GarbageCollector(QObject):
    """Collects in the thread it was made in, from then until `stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds, if any."""
        thresholds, counts = gc.get_threshold(), gc.get_count()
        due = [
            generation
            for generation, (count, threshold) in enumerate(zip(counts, thresholds, strict=True))
            if threshold and count > threshold
        ]
        if due:
            gc.collect(due[-1])

    def spare_what_stays(self) -> None:
        """Leave out all that exists now, such as imported modules: a full collection stays short."""
        gc.freeze()

    def stop(self) -> None:
        """Give collection back to Python."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
