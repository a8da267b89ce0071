"""A card for each statistic: planned and released error, what it costs of a total, an acceptable error."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtWidgets import QFrame, QWidget

from core.accounting.budgets import Budget, unit_of_total
from core.advice.usefulness import good_error, verdict_word
from core.advice.verdict import Verdict, verdict_of
from core.mechanisms.region_fields import PROMISED_ERROR
from core.planning.constant_choice import ConstantChoice
from core.planning.query_plan import QueryPlan
from core.privacy import Unit
from core.statistics.error_figures import unit_of_numbers
from ui.budget.budget_edits import edit_budget, take_constants
from ui.budget.card_spacing import BETWEEN_FIELDS, CARD_MARGINS
from ui.budget.error_input import ErrorInput
from ui.budget.verdict_head import VerdictHead
from ui.budget.verdict_strips import BandStrip, RangeStrip
from ui.budget.verdict_text import rows_text, said_of_rows, verdict_reasons, verdict_tip
from ui.kit.glossary import term_tip
from ui.kit.labels import label, set_look
from ui.kit.message_bar import MessageBar
from ui.kit.tips import in_lines
from ui.language.translation import core_text, stopped
from ui.layout.boxes import in_column
from ui.session.draft_charge import (
    charged_epsilon,
    cost_tip,
    draft_charge,
    is_as_charged,
    plan_charge,
    shown_epsilon,
)
from ui.session.guards.parameters import ERROR_SUMMARY
from ui.session.guards.reasons import first_reason, still_planning
from ui.session.query_texts import by_public_counts, short_error, shown_plans, statistic_title
from ui.session.session import Session


class DecisionCard(QFrame):
    """One query of the draft, by its place: what it is good for.

    `typed` is a second card: the error that drives epsilon. What would better the verdict stands between.
    """

    def __init__(self, session: Session, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.number = number
        self.typed = QFrame(parent)
        self.title = label(look="heading")
        self.error = ErrorInput(session, self._id, self.typed)
        self.word = VerdictHead()
        self.means, self.range = label(), label(look="range")
        self.strip, self.bands = RangeStrip(), BandStrip()
        self.verdict = label()
        self.rows = label(look="muted")
        self.foretold = label(look="muted")
        self.cost = label(look="muted")
        self.message = MessageBar(self)
        self.setProperty("look", "card")
        self.typed.setProperty("look", "card")
        example = (self.means, self.range, self.strip)
        for frame, *parts in (
            (self, self.title, self.word, *example, self.verdict, self.bands, self.foretold, self.rows),
            (self.typed, self.error, self.message, self.cost),
        ):
            in_column(frame, *parts, margins=CARD_MARGINS, spacing=BETWEEN_FIELDS)
        self.error.found.connect(self._take)
        self.error.found_constants.connect(self._take_with_constants)
        self.error.promised.connect(self._promise)
        self.error.refused.connect(self.message.show_error)
        self.refresh()

    def _id(self) -> str:
        queries = self._session.draft.queries
        return queries[self.number].id if self.number < len(queries) else ""

    def refresh(self) -> None:
        """Show the newest draft and plan."""
        draft = self._session.draft
        if self.number >= len(draft.queries):
            return  # this card is about to go
        query, plan = draft.queries[self.number], shown_plans(self._session).get(self._id())
        self.title.setText(statistic_title(query, self._session.quantity))
        self.title.setVisible(len(draft.queries) > 1)
        self.message.clear()
        self.error.refresh()
        known = plan is not None and draft_charge(self._session) is not None
        self.typed.setVisible(known)
        for widget in (self.word, self.means, self.range, self.rows):
            widget.setVisible(known)
        self._tell_foretold(plan if known else None)
        self.verdict.setToolTip(in_lines(self._about_verdict(plan) if plan is not None and known else ""))
        if plan is None or not known:
            reason = first_reason(self._session, ERROR_SUMMARY) or still_planning()
            self.verdict.setText(stopped(reason.what))
            set_look(self.verdict, "warning" if self._session.planning.problem is not None else "muted")
            set_look(self, "card")
            self.strip.hide()
            self.bands.hide()
            return
        counted, released = by_public_counts(self._session, plan), self._session.release.was_published
        verdict, measure = self._session.release.verdict_of(plan), plan.query.question.statistic.measures[0]
        self.word.show_verdict(verdict.usefulness)
        self._tell_example(verdict, unit_of_numbers(measure))
        rows = self._session.release.rows_of(plan)
        self.verdict.setText(
            verdict_reasons(plan, counted=counted, released=released)
            if rows is None
            else said_of_rows(rows, verdict_of(plan))
        )
        set_look(self.verdict, "")
        set_look(self, "card" if verdict.informative else "warning")
        good = None if verdict.useless else good_error(measure, verdict.constant)
        self.bands.show_error(verdict.error, good, verdict.constant, short_error(verdict.error, measure))
        overview = self._session.overview
        self.rows.setText(rows_text(plan, len(overview.cells) if overview else 0))
        self.rows.setVisible(bool(self.rows.text()))
        self._tell_cost(plan, query.budget.amount)

    def _tell_foretold(self, plan: QueryPlan | None) -> None:
        """Why the error is another one than before the release that was made last, or than was signed."""
        said, released = "", self._session.release.was_published
        if plan is not None and released:
            said = self._than_planned(plan)
        elif plan is not None and plan.smoothed_errors is not None:
            said = core_text(self._session.planning.former.sentence_of(plan.query))
        self.foretold.setText(said)
        self.foretold.setVisible(bool(said))

    def _than_planned(self, plan: QueryPlan) -> str:
        """Before a release its errors are foretold; it tells them better, by what it was fitted to."""
        planned = self._session.release.planned.get(plan.query.id)
        if planned is None:
            return ""
        measure, now = plan.query.question.statistic.measures[0], self._session.release.verdict_of(plan)
        before, after = (short_error(one.error, measure) for one in (planned, now))
        if before == after and planned.usefulness is now.usefulness:
            return ""
        said = self.tr("Planned: {word}, error {before}. By the published numbers: error {after}.")
        return said.format(word=core_text(verdict_word(planned.usefulness)), before=before, after=after)

    def _tell_example(self, verdict: Verdict, unit: str) -> None:
        """In two lines, and on the line of all that is possible."""
        example = verdict.example
        self.strip.show_example(example, verdict.usefulness, unit)
        for line in (self.means, self.range):
            line.setVisible(example is not None)
        if example is None:
            return
        if example.anything:
            first, second = (
                self.tr("A published {published} may mean"),
                self.tr("anything, {low} to {high} {unit}"),
            )
            if verdict.smoothed:
                first = self.tr("A smoothed {published} may mean")
        else:
            first, second = self.tr("A published {published} means"), self.tr("{low} to {high} {unit}")
            if verdict.smoothed:
                first = self.tr("A smoothed {published} means")
        self.means.setText(first.format(published=example.published))
        self.range.setText(second.format(low=example.low, high=example.high, unit=unit))

    def _tell_cost(self, plan: QueryPlan, total: Decimal) -> None:
        """Where regions need less than the total, and the two read so, this is shown too."""
        charge, unit = plan_charge(self._session, plan), self._unit_of_total
        amount = charged_epsilon(self._session, charge, unit)
        needed, given = shown_epsilon(amount), shown_epsilon(total)
        if plan.regions and amount < total and needed != given:
            text = (
                self.tr("Costs epsilon {amount} of the {total} per vehicle and day; regions need no more.")
                if unit is Unit.VEHICLE_DAY
                else self.tr("Costs epsilon {amount} of the {total} per vehicle; regions need no more.")
            )
        else:
            unit = Unit.VEHICLE
            text = self.tr("Costs epsilon {amount} per vehicle.")
            needed = shown_epsilon(charged_epsilon(self._session, charge, unit))
        self.cost.setVisible(
            unit is not Unit.VEHICLE or len(self._session.draft.queries) > 1 or needed != given
        )
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
            text.append(self.tr("These figures may shift slightly once a population with a limit is chosen."))
        return "\n".join(text)

    def _take(self, budget: Budget) -> None:
        edit_budget(self._session, self.number, budget, self.tr("Epsilon by error"))

    def _take_with_constants(self, choice: ConstantChoice) -> None:
        take_constants(self._session, self.number, choice, self.tr("Epsilon by error"))

    def _promise(self, error: float) -> None:
        parameters = {**self._session.draft.queries[self.number].parameters, PROMISED_ERROR: error}
        self._session.edit_query(self.tr("Promised error"), number=self.number, parameters=parameters)
