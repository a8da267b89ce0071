"""Beside epsilon at all times: the expected error, and what the release would cost."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.queries.hat_mean import expected_errors
from core.values import plain
from ui.session import Session
from ui.widgets.labels import label


class ErrorSummary(QWidget):
    """Median and worst expected error over the published HATs, and the charges, of the current draft."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._error = label(look="heading", parent=self)
        self._charge = label(look="muted", parent=self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._error)
        layout.addWidget(self._charge)
        session.preview_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the newest plan."""
        shown = self._session.preview
        plan = shown.plan if shown else None
        draft = self._session.draft
        if plan is None or draft.relation is None:
            problem = self._session.problem
            self._error.setText("" if problem is None else problem.what)
            self._charge.setText(
                self.tr("Expected error and cost appear once relation and unit are chosen.")
                if problem is None
                else "\n".join(part for part in (problem.where, problem.mend) if part)
            )
            return
        errors = expected_errors(plan.plans)
        self._error.setText(
            self.tr("Expected error: median {median:.2f}, worst {worst:.2f} km/h").format(
                median=errors.median, worst=errors.worst
            )
        )
        self._charge.setText(
            self.tr("Epsilon {hat} per HAT, {vehicle} per vehicle (unit {unit}, relation {relation})").format(
                hat=plain(plan.plans[0].epsilon),
                vehicle=plain(plan.charge.per_vehicle),
                unit=draft.unit,
                relation=draft.relation,
            )
        )
