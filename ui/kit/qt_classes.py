"""Qt's classes are made in the window's thread, before any worker asks for one.

Qt for Python makes a class the first time its name is looked up, in whichever thread that is. To import
pyqtgraph is to look up all of them, which takes so long that it is done in a worker; a process was seen to
die in the middle of it, while its window was at work.
"""

from __future__ import annotations

from functools import cache

from PySide6 import QtCore, QtGui, QtWidgets


@cache
def make_qt_classes() -> None:
    """Look up all names of the modules that windows are made of, once. Called in the main thread."""
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
