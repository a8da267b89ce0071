"""How much epsilon the selected query gets, and how it is given."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QButtonGroup, QGroupBox, QRadioButton, QVBoxLayout, QWidget

from core.accounting.budgets import EQUAL, NOISE_SCALE, OPTIMAL_DIVISION, PER_HAT, Budget
from core.advice.division_savings import divides_optimally
from core.draft.draft import QueryDraft
from core.errors import InputError
from core.privacy import Relation, Unit
from core.statistics.registry import require_statistic
from ui.budget.budget_edits import edit_budget, total_alone
from ui.budget.epsilon_input import EpsilonInput
from ui.budget.error_summary import ErrorSummary
from ui.kit.glossary import explain
from ui.kit.labels import label
from ui.kit.message_bar import MessageBar
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.parameters.division_line import DivisionLine
from ui.parameters.grid_list import GridList
from ui.parameters.query_list import QueryList
from ui.session.query_texts import first_measure, with_unit
from ui.session.session import Session

_USUAL = {EQUAL: Decimal(10), OPTIMAL_DIVISION: Decimal(10), PER_HAT: Decimal(1), NOISE_SCALE: Decimal(1)}
"""What to begin with after a noise scale, or with one: it is no epsilon."""


class BudgetBox(QGroupBox):
    """Total divided equally or optimally, the same for each HAT, or a noise scale; slider and number."""

    def __init__(self, session: Session, chosen: QueryList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._chosen = chosen
        self.setTitle(self.tr("How exact"))
        self.equal = QRadioButton(self.tr("&Total per vehicle, divided equally"), self)
        self.optimal = QRadioButton(self.tr("Total per vehicle, divided &optimally"), self)
        self.per_hat = QRadioButton(self.tr("The same for each he&xagon and slot"), self)
        self.noise_scale = QRadioButton(self.tr("The same &noise scale B for each"), self)
        explain("HAT", self.per_hat)
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
        self.shared = label(parent=self)
        self.savings = DivisionLine(session, self._id, self)
        self.caption = label(look="muted", parent=self)
        self.epsilon = EpsilonInput(self)
        self.message = MessageBar(self)
        self.epsilon.changed.connect(self._edit_amount)
        self.epsilon.refused.connect(self.message.show_error)
        self.summary = ErrorSummary(session, self, selected=self._id)
        self.grids = GridList(session, self._id, self)
        self.grids.refused.connect(self.message.show_error)
        layout = QVBoxLayout(self)
        for widget in (
            self.shared,
            self.equal,
            self.optimal,
            self.savings,
            self.per_hat,
            self.noise_scale,
            self.caption,
            self.epsilon,
            self.message,
            self.summary,
            self.grids,
        ):
            layout.addWidget(widget)

    def _id(self) -> str:
        return self._chosen.query.id

    @Slot()
    def refresh(self) -> None:
        """Show the selected query, wherever it was changed."""
        query = self._chosen.query
        budget = query.budget
        if not total_alone(self._session, self._chosen.number):
            self.kinds[budget.division].setChecked(True)
        self._show_kinds(query)
        self.epsilon.set_value(budget.amount)
        self.caption.setVisible(budget.noise_scale is not None)
        unit = core_text(first_measure(query, self._session.quantity).unit)
        scale = self.tr("Laplace scale B, {unit}: a larger one is safer and less exact.").format(unit=unit)
        if usual := require_statistic(query.statistic).usual_scales:
            scale += " " + self.tr("{low} to {high} is usual.").format(low=usual[0], high=usual[1])
        self.caption.setText(scale)
        self.epsilon.set_name(
            self.tr("Epsilon") if budget.noise_scale is None else with_unit(self.tr("Noise scale B"), unit)
        )
        self.message.clear()
        self.savings.refresh()
        self.summary.refresh()
        self.grids.refresh()

    def _show_kinds(self, query: QueryDraft) -> None:
        """Of a joint mechanism, and in relation user, there is a total, and nothing to choose."""
        alone = total_alone(self._session, self._chosen.number)
        self.shared.setVisible(alone)
        self.shared.setText(self._shared_text())
        for kind in (self.equal, self.optimal, self.per_hat, self.noise_scale):
            kind.setVisible(not alone)
        if alone:
            return
        takes_scale = require_statistic(query.statistic).takes_noise_scale
        self.noise_scale.setVisible(takes_scale or query.budget.noise_scale is not None)
        reason = self._why_not_optimal(query)
        self.optimal.setEnabled(not reason)
        self.optimal.setToolTip(in_lines(reason))
        self.optimal.setAccessibleDescription(reason)

    def _shared_text(self) -> str:
        draft = self._session.draft
        if draft.relation is not Relation.USER:
            return self.tr("Total per vehicle, shared out: each pays for its own part of every number.")
        if draft.unit is Unit.VEHICLE_DAY:
            return self.tr("Total of each vehicle-day; a vehicle pays it once for each date.")
        return self.tr("Total of each vehicle, for all numbers together.")

    def _why_not_optimal(self, query: QueryDraft) -> str:
        try:
            question = query.asked_of(self._session.quantity).question
        except InputError as error:
            return core_text(error.what)
        if divides_optimally(question):
            return ""
        return self.tr(
            "{method} with these parameters has noise that depends on more than counts and epsilon, so that "
            "Hexagon slots cannot be weighed against each other."
        ).format(method=core_text(question.title))

    def _edit_kind(self, kind: str) -> None:
        budget = self._chosen.query.budget
        same = (kind == NOISE_SCALE) == (budget.division == NOISE_SCALE)
        self._edit(self.tr("Kind of budget"), _budget(kind, budget.amount if same else _USUAL[kind]))

    @Slot(object, bool)
    def _edit_amount(self, value: Decimal, dragging: bool) -> None:
        self.message.clear()
        query = self._chosen.query
        budget = (
            Budget(total=value)
            if total_alone(self._session, self._chosen.number)
            else _budget(query.budget.division, value)
        )
        self._edit(self.tr("Epsilon"), budget, dragging=dragging)

    def _edit(self, text: str, budget: Budget, *, dragging: bool = False) -> None:
        edit_budget(self._session, self._chosen.number, budget, text, dragging=dragging)


def _budget(kind: str, amount: Decimal) -> Budget:
    if kind == PER_HAT:
        return Budget(per_hat=amount)
    return Budget(noise_scale=amount) if kind == NOISE_SCALE else Budget(total=amount, divide=kind)
