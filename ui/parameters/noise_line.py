"""Beside the parameters: from how many HATs per vehicle on Gaussian noise pays, and which to take."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import GAUSS
from core.planning.linear_noise import NoiseAdvice
from core.privacy import Relation
from ui.kit.labels import label
from ui.language.translation import core_text
from ui.parameters.query_list import QueryList
from ui.session.session import Session


class NoiseLine(QWidget):
    """The advice of the newest forecast for the selected query, and a button that follows it."""

    def __init__(self, session: Session, chosen: QueryList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._chosen = chosen
        self.reason = label(look="muted", parent=self)
        self.use = QPushButton(self)
        self.use.clicked.connect(self._follow)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.reason)
        layout.addWidget(self.use, alignment=Qt.AlignmentFlag.AlignLeft)
        session.forecast_changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the newest advice; the button only where it would change the noise that is planned."""
        advice, shown = self._advice, self._session.forecast
        self.setVisible(advice is not None)
        if advice is None or shown is None:
            return
        self.reason.setText(core_text(advice.reason))
        gaussian = advice.noise == GAUSS
        self.use.setText(self.tr("Use &Gaussian noise") if gaussian else self.tr("Use &Laplace noise"))
        planned = shown.plans[self._chosen.number].gaussian
        self.use.setVisible(advice.available and gaussian is not planned)

    @property
    def _advice(self) -> NoiseAdvice | None:
        """Of the selected query; None unless counts are public and the forecast is of the draft's queries."""
        shown, draft, number = self._session.forecast, self._session.draft, self._chosen.number
        if shown is None or draft.relation is not Relation.VALUES:
            return None
        if [plan.query.id for plan in shown.plans] != [query.id for query in draft.queries]:
            return None  # being planned anew
        return shown.noise_advice[number] if shown.noise_advice else None  # none without a unit

    @Slot()
    def _follow(self) -> None:
        advice = self._advice
        if advice is not None:
            self._session.edit_query(
                self.tr("Noise"),
                number=self._chosen.number,
                parameters={**self._chosen.query.parameters, NOISE_FIELD: advice.noise},
            )
