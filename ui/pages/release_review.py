"""What a person reads before releasing: the facts, the budget before and after, what stays open."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from core.accounting.ledger_report import PopulationSummary
from core.release.review import Review
from core.values import plain
from ui.pages.cards import card, flowing
from ui.pages.release_work import Reviewed


class ReviewView(QWidget):
    """The review list of a prepared release."""

    def __init__(self, reviewed: Reviewed, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        review = reviewed.prepared.review
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._budget(review, reviewed.population))
        layout.addWidget(self._sentence(review))
        layout.addWidget(self._facts(review))
        layout.addStretch(1)

    def _budget(self, review: Review, population: PopulationSummary | None) -> QFrame:
        self.budget = flowing(look="figure", parent=self)
        self.balance = flowing(look="muted", parent=self)
        if population is not None:
            cost = Decimal(0) if review.repeats_entry is not None else review.charge.per_vehicle
            self.budget.setText(
                self.tr("{spent} → {after} of {limit}").format(
                    spent=plain(population.spent),
                    after=plain(population.spent + cost),
                    limit=plain(population.per_vehicle),
                )
            )
            self.balance.setText(
                self.tr("epsilon spent per vehicle by {population}, unit {unit}, relation {relation}").format(
                    population=population.name, unit=review.unit, relation=review.relation
                )
            )
        return card(self, "card", self.budget, self.balance, spacing=2)

    def _sentence(self, review: Review) -> QFrame:
        self.sentence = flowing(review.sentence, parent=self)
        return card(self, "warning", self.sentence)

    def _facts(self, review: Review) -> QFrame:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(5)
        grid.setColumnMinimumWidth(0, 150)
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        for row, (name, text) in enumerate(review.lines()):
            grid.addWidget(flowing(name, "muted", self), row, 0, top)
            grid.addWidget(flowing(text, parent=self), row, 1, top)
        return card(self, "card", grid)
