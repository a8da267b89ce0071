"""Beside the choice of mechanism: what the adviser would take for this draft, and why."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ui.kit.labels import label
from ui.session.session import Session


class AdviceLine(QWidget):
    """The advice of the newest forecast, from public counts only, and a button that follows it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.reason = label(look="muted", parent=self)
        self.use = QPushButton(self.tr("&Use it"), self)
        self.use.setAccessibleName(self.tr("Use the advised mechanism"))
        self.use.clicked.connect(self._follow)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.reason)
        layout.addWidget(self.use, alignment=Qt.AlignmentFlag.AlignLeft)
        session.forecast_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the newest advice; the button only where it would change something."""
        advice, mean = self._session.advice, self._session.draft.mean
        self.setVisible(advice is not None)
        if advice is not None and mean is not None:
            self.reason.setText(
                self.tr("Advice from public counts, median HAT. {reason}").format(reason=advice.reason)
            )
            self.use.setVisible(advice.mechanism != mean.mechanism)

    @Slot()
    def _follow(self) -> None:
        advice, draft = self._session.advice, self._session.draft
        if advice is not None and draft.mean is not None:
            self._session.set_mechanism(
                self.tr("Mechanism"),
                advice.mechanism,
                dict(advice.params),
                number=draft.queries.index(draft.mean),
            )
