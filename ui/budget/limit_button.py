"""The button *Set a limit…* of the budget panel, or *Change the limit…*."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from ui.budget.limit_dialog import LimitDialog
from ui.session.session import Session


class LimitButton(QPushButton):
    """Asks for the limits of a population."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.clicked.connect(self._ask)
        for signal in (session.draft_changed, session.ledger_changed):
            signal.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say whether the chosen population has one already."""
        population = self._session.population
        limited = population is not None and population.per_vehicle is not None
        self.setText(self.tr("Ch&ange the limit…") if limited else self.tr("Set &a limit…"))

    @Slot()
    def _ask(self) -> None:
        LimitDialog(self._session, self).open()
