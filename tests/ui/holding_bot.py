"""A bot of pytest-qt that holds what it will close."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


class HoldingBot(QtBot):
    """A window that a test has let go of lives until it was closed, as in the program.

    Its own bot knows windows by weak references. A window that is collected while it is shown loses the
    keyboard as it dies: its fields say that editing has ended, to a page whose fields are gone.
    """

    def __init__(self, request: Any) -> None:
        super().__init__(request)
        self._held: list[QWidget] = []

    def addWidget(self, widget: QWidget, **how: Any) -> None:  # noqa: N802 - pytest-qt's name
        """Close the widget after the test."""
        self._held.append(widget)
        super().addWidget(widget, **how)
