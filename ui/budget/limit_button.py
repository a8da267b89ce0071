"""The button *Set a limit…* of the budget panel."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from ui.budget.limit_dialog import LimitDialog
from ui.session.session import Session


class LimitButton(QPushButton):
    """Asks for the limits of a population."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(self.tr("Set &a limit…"))
        self._session = session
        self.clicked.connect(self._ask)

    @Slot()
    def _ask(self) -> None:
        LimitDialog(self._session, self).open()
