"""Python's cyclic garbage is collected in the window's thread only.

Python collects in whichever thread happens to allocate. A worker that does so destroys the Qt objects of
forgotten reference cycles, of which a plot leaves many, in a thread where they do not live; Qt may crash
at that. So automatic collection is switched off and a timer of the main thread takes its place.

A collection of the oldest generation looks at every object of the data set, which can take longer than
the window may stand still: it waits until no work is running, and for the one before it to be a while ago.
So does one of many young objects: most of those are what a worker has in its hands, and will be gone.
What a large import or a long piece of work brings is not looked at, as it stays; nor, ever again, is what
else was there by then.
While a worker imports modules of Qt nothing is collected: a process was seen to die of a class half made.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Slot

from ui.kit.jobs import any_running
from ui.kit.young_objects import young_objects

INTERVAL_MS = 500
FULL_INTERVAL_S = 30.0
_OLDEST = 2
_MANY = 20_000
"""Young objects that take some milliseconds to look at."""
_MODULES = 50
"""New ones that are a large import."""
_TOO_MANY = 2_000_000
"""Young objects that might be garbage of a long piece of work."""


_held_off: set[object] = set()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Nothing is collected meanwhile; of any thread."""
    hold = object()
    _held_off.add(hold)
    try:
        yield
    finally:
        _held_off.discard(hold)


class GarbageCollector(QObject):
    """Collects in the thread it was made in, from then until `stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._last_full = -FULL_INTERVAL_S
        self._spares_once_more = False
        self._many_are_held = False
        self._modules = len(sys.modules)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds, if any.

        Where the oldest of all is due but has to wait, the one before it is collected.
        """
        if _held_off:
            return
        if len(sys.modules) >= self._modules + _MODULES:
            self._modules = len(sys.modules)
            gc.freeze()
            return
        thresholds, counts = gc.get_threshold(), gc.get_count()
        due = [
            generation
            for generation, (count, threshold) in enumerate(zip(counts, thresholds, strict=True))
            if threshold and count > threshold
        ]
        if not due:
            return
        generation = due[-1]
        if self._has_to_wait(counts[0], generation):
            return
        if generation == _OLDEST:
            now = time.monotonic()
            if any_running() or now - self._last_full < FULL_INTERVAL_S:
                generation -= 1
            else:
                self._last_full = now
                if self._spares_once_more:
                    self._spares_once_more = False
                    gc.freeze()
                    return
        gc.collect(generation)

    def _has_to_wait(self, counted: int, generation: int) -> bool:
        """Work runs, and there are many young objects: by Python's count, or by one look at them."""
        if not any_running():
            self._many_are_held = False
            return False
        if counted > _MANY:
            return counted < _TOO_MANY
        if not self._many_are_held:
            self._many_are_held = young_objects(min(generation, _OLDEST - 1)) > _MANY
        return self._many_are_held

    def spare_what_stays(self) -> None:
        """Leave out all that exists now, such as imported modules: a full collection stays short.

        In place of the first full collection once more: pages and what they import when they are first seen
        stay too, and to look at all of it would take longer than the window may stand still.
        """
        gc.freeze()
        self._spares_once_more = True

    def stop(self) -> None:
        """Give collection back to Python."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
