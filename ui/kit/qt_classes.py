"""Qt's classes are made in the window's thread, before any worker asks for one.

Qt for Python makes a class the first time its name is looked up, in whichever thread that is. To import
pyqtgraph is to look up all of them, which takes so long that it is done in a worker; a process was seen to
die in the middle of it, while its window was at work. Here they are looked up before, a few at a time, so
that the window answers in between.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, QTimer, Signal, Slot

_SLICE_S = 0.005


class QtClasses(QObject):
    """All names of the modules that windows are made of. Made and used in the main thread."""

    completed = Signal()

    def __init__(self, *modules: ModuleType) -> None:
        super().__init__()
        self._left: Iterator[tuple[ModuleType, str]] | None = None
        self._modules = modules
        self.complete = False

    def start(self) -> None:
        """Begin; `completed` follows from the event loop. Nothing where it has begun before."""
        if self._left is None:
            names = [zip(itertools.repeat(module), dir(module), strict=False) for module in self._modules]
            self._left = itertools.chain.from_iterable(names)
            QTimer.singleShot(0, self, self._go_on)

    @Slot()
    def _go_on(self) -> None:
        assert self._left is not None
        until = time.perf_counter() + _SLICE_S
        for module, name in self._left:
            getattr(module, name)
            if time.perf_counter() > until:
                QTimer.singleShot(0, self, self._go_on)
                return
        self.complete = True
        self.completed.emit()


@cache
def qt_classes() -> QtClasses:
    """Those of the program."""
    return QtClasses(QtCore, QtGui, QtWidgets)
