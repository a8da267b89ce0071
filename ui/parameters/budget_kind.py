"""How a query's epsilon is given: one total per vehicle, the same for each HAT, or a noise scale B."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from core.accounting.budgets import EQUAL, NOISE_SCALE, OPTIMAL_DIVISION, PER_HAT, Budget
from core.advice.division_savings import divides_optimally
from core.draft.draft import QueryDraft
from core.errors import InputError
from core.privacy import Relation, Unit
from core.statistics.registry import require_statistic
from ui.budget.budget_edits import edit_budget, total_alone
from ui.kit.glossary import explain
from ui.kit.labels import label
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_column
from ui.parameters.division_line import DivisionLine
from ui.parameters.query_list import QueryList
from ui.session.session import Session

_USUAL = {EQUAL: Decimal(10), OPTIMAL_DIVISION: Decimal(10), PER_HAT: Decimal(1), NOISE_SCALE: Decimal(1)}
"""What to begin with after a noise scale, or with one: it is no epsilon."""


class BudgetKind(QWidget):
    """Total divided equally or optimally, the same for each HAT, or a noise scale."""

    def __init__(self, session: Session, chosen: QueryList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._chosen = chosen
        self.equal = QRadioButton(self.tr("Total per vehicle, divided equally"), self)
        self.optimal = QRadioButton(self.tr("Total per vehicle, divided optimally"), self)
        self.per_hat = QRadioButton(self.tr("The same for each he&xagon slot"), self)
        self.noise_scale = QRadioButton(self.tr("The same noise scale B for each"), self)
        explain("Hexagon slot", self.per_hat)
        explain("Sensitivity", self.noise_scale)
        self.kinds = {
            EQUAL: self.equal,
            OPTIMAL_DIVISION: self.optimal,
            PER_HAT: self.per_hat,
            NOISE_SCALE: self.noise_scale,
        }
        group = QButtonGroup(self)
        for kind, button in self.kinds.items():
            group.addButton(button)
            button.clicked.connect(lambda _=False, wanted=kind: self._edit_kind(wanted))
        self.shared = label()
        self.savings = DivisionLine(session, lambda: chosen.query.id)
        in_column(self, self.shared, self.equal, self.optimal, self.savings, self.per_hat, self.noise_scale)

    def refresh(self) -> None:
        """Show the selected query: of a joint mechanism, and in relation user, there is nothing to choose."""
        query = self._chosen.query
        alone = total_alone(self._session, self._chosen.number)
        self.shared.setVisible(alone)
        self.shared.setText(self._shared_text())
        for button in self.kinds.values():
            button.setVisible(not alone)
        self.savings.refresh()
        if alone:
            return
        self.kinds[query.budget.division].setChecked(True)
        takes_scale = require_statistic(query.statistic).takes_noise_scale
        self.noise_scale.setVisible(takes_scale or query.budget.noise_scale is not None)
        reason = self._why_not_optimal(query)
        self.optimal.setEnabled(not reason)
        self.optimal.setToolTip(in_lines(reason))
        self.optimal.setAccessibleDescription(reason)

    def _shared_text(self) -> str:
        draft = self._session.draft
        if draft.relation is not Relation.USER:
            return self.tr("Each vehicle has one budget, split over all the numbers it contributes to.")
        if draft.unit is Unit.VEHICLE_DAY:
            return self.tr("One total per vehicle-day; a vehicle pays it once for each date.")
        return self.tr("One total per vehicle, for all numbers together.")

    def _why_not_optimal(self, query: QueryDraft) -> str:
        try:
            question = query.asked_of(self._session.quantity).question
        except InputError as error:
            return core_text(error.what)
        if divides_optimally(question):
            return ""
        return self.tr(
            "With these parameters, the noise of {method} depends on more than counts and epsilon, so "
            "hexagon slots cannot be weighed against each other."
        ).format(method=core_text(question.title))

    def _edit_kind(self, kind: str) -> None:
        budget = self._chosen.query.budget
        same = (kind == NOISE_SCALE) == (budget.division == NOISE_SCALE)
        wanted = _budget(kind, budget.amount if same else _USUAL[kind])
        edit_budget(self._session, self._chosen.number, wanted, self.tr("Kind of budget"))


def _budget(kind: str, amount: Decimal) -> Budget:
    if kind == PER_HAT:
        return Budget(per_hat=amount)
    return Budget(noise_scale=amount) if kind == NOISE_SCALE else Budget(total=amount, divide=kind)
