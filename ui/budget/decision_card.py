"""What there is to decide about one statistic: error against epsilon, what it is good for, what it costs."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from core.accounting.budgets import Budget, unit_of_total
from core.advice.usefulness import Usefulness
from core.advice.verdict import verdict_of
from core.planning.constant_choice import ConstantChoice
from core.planning.query_plan import QueryPlan
from core.privacy import Relation, Unit
from ui.budget.advice_line import AdviceLine
from ui.budget.budget_edits import edit_budget, take_constants, total_alone
from ui.budget.card_spacing import BETWEEN_FIELDS, CARD_MARGINS
from ui.budget.epsilon_input import EpsilonInput
from ui.budget.error_input import ErrorInput
from ui.budget.verdict_text import verdict_text, verdict_tip
from ui.kit.glossary import explain, term_tip
from ui.kit.labels import label, set_look
from ui.kit.message_bar import MessageBar
from ui.kit.tips import in_lines
from ui.language.translation import core_text, stopped
from ui.session.draft_charge import (
    charged_epsilon,
    cost_tip,
    draft_charge,
    is_as_charged,
    plan_charge,
    shown_epsilon,
)
from ui.session.guards import ERROR_SUMMARY, first_reason, still_planning
from ui.session.query_texts import by_public_counts, first_measure, shown_plans, statistic_title
from ui.session.session import Session


class DecisionCard(QFrame):
    """One query of the draft, by its place; the error drives epsilon, and epsilon the error."""

    def __init__(self, session: Session, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.number = number
        self.setProperty("look", "card")
        self.title = label(look="heading", parent=self)
        self.error = ErrorInput(session, self._id, self)
        self.caption = label(look="muted", parent=self)
        self.epsilon = EpsilonInput(self)
        self.verdict = label(parent=self)
        self.cost = label(look="muted", parent=self)
        self._of_mean = QWidget(self)
        column = QVBoxLayout(self._of_mean)
        column.setContentsMargins(0, 0, 0, 0)
        self.advice = AdviceLine(session, self._of_mean, brief=True)
        column.addWidget(self.advice)
        self.message = MessageBar(self)
        explain("Epsilon", self.caption, self.epsilon)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*CARD_MARGINS)
        layout.setSpacing(BETWEEN_FIELDS)
        for widget in (
            self.title,
            self.error,
            self.caption,
            self.epsilon,
            self.message,
            self.verdict,
            self.cost,
            self._of_mean,
        ):
            layout.addWidget(widget)
        self.error.found.connect(self._take)
        self.error.found_constants.connect(self._take_with_constants)
        self.epsilon.changed.connect(self._edit_amount)
        for refusal in (self.error.refused, self.epsilon.refused):
            refusal.connect(self.message.show_error)
        self.refresh()

    def _id(self) -> str:
        queries = self._session.draft.queries
        return queries[self.number].id if self.number < len(queries) else ""

    @Slot()
    def refresh(self) -> None:
        """Show the newest draft and plan."""
        draft = self._session.draft
        if self.number >= len(draft.queries):
            return  # this card is about to go
        query, plan = draft.queries[self.number], shown_plans(self._session).get(self._id())
        self.title.setText(statistic_title(query, self._session.quantity))
        self.caption.setText(self._caption_of(query.budget))
        self.epsilon.set_name(self.caption.text())
        self.epsilon.set_value(query.budget.amount)
        self.message.clear()
        self.error.refresh()
        self.advice.refresh()
        self._of_mean.setVisible(query is draft.mean)
        known = plan is not None and draft_charge(self._session) is not None
        self.cost.setVisible(known)
        self.verdict.setToolTip(in_lines(self._about_verdict(plan) if plan is not None and known else ""))
        if plan is None or not known:
            reason = first_reason(self._session, ERROR_SUMMARY) or still_planning()
            self.verdict.setText(stopped(reason.what))
            set_look(self.verdict, "warning" if self._session.planning.problem is not None else "muted")
            return
        counted, released = by_public_counts(self._session, plan), self._session.release.was_published
        self.verdict.setText(verdict_text(plan, counted=counted, released=released))
        set_look(self.verdict, "" if verdict_of(plan).usefulness is Usefulness.GOOD else "warning")
        self._tell_cost(plan, query.budget.amount)

    def _tell_cost(self, plan: QueryPlan, total: Decimal) -> None:
        """Where regions need less than the total, and the two read so, this is shown too."""
        charge, unit = plan_charge(self._session, plan), self._unit_of_total
        amount = charged_epsilon(self._session, charge, unit)
        needed, given = shown_epsilon(amount), shown_epsilon(total)
        if plan.regions and amount < total and needed != given:
            text = (
                self.tr("Costs each vehicle and day {amount}: the regions need no more of the {total}.")
                if unit is Unit.VEHICLE_DAY
                else self.tr("Costs each vehicle {amount}: the regions need no more of the {total}.")
            )
        else:
            unit = Unit.VEHICLE
            text = self.tr("Costs each vehicle {amount}.")
            needed = shown_epsilon(charged_epsilon(self._session, charge, unit))
        self.cost.setText(text.format(amount=needed, total=given))
        self.cost.setToolTip(in_lines(cost_tip(self._session, charge, unit)))

    @property
    def _unit_of_total(self) -> Unit:
        draft = self._session.draft
        assert draft.unit is not None
        assert draft.relation is not None
        return unit_of_total(draft.unit, draft.relation)

    def _about_verdict(self, plan: QueryPlan) -> str:
        """What its words mean; until the population's key orders vehicles, why the review may tell others."""
        text = [term_tip("Typical error")]
        if example := verdict_tip(plan):
            text.append(example)
        if not is_as_charged(self._session):
            text.append(
                self.tr(
                    "These figures may change a little once a population with a limit is chosen: each has "
                    "its own order of vehicles with equally many records."
                )
            )
        return "\n".join(text)

    def _caption_of(self, budget: Budget) -> str:
        """What the number below is of."""
        if budget.noise_scale is not None:
            unit = first_measure(self._session.draft.queries[self.number], self._session.quantity).unit
            return self.tr("Noise scale B, {unit}").format(unit=core_text(unit))
        if budget.per_hat is not None:
            return self.tr("Epsilon of each hexagon and slot")
        by_day = self._session.draft.unit is Unit.VEHICLE_DAY
        if by_day and self._session.draft.relation is Relation.USER:
            return self.tr("Epsilon of each vehicle and day, in all")
        return self.tr("Epsilon of each vehicle, in all")

    @Slot(object)
    def _take(self, budget: Budget) -> None:
        edit_budget(self._session, self.number, budget, self.tr("Epsilon by error"))

    @Slot(object)
    def _take_with_constants(self, choice: ConstantChoice) -> None:
        take_constants(self._session, self.number, choice, self.tr("Epsilon by error"))

    @Slot(object, bool)
    def _edit_amount(self, value: Decimal, dragging: bool) -> None:
        if self.number >= len(self._session.draft.queries):
            return  # the field is left because its card goes
        self.message.clear()
        before = self._session.draft.queries[self.number].budget
        alone = total_alone(self._session, self.number)
        budget = Budget(total=value) if alone else before.of_amount(value)
        edit_budget(self._session, self.number, budget, self.tr("Epsilon"), dragging=dragging)
