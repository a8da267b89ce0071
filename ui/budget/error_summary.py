"""Beside epsilon at all times: the typical error, the error at worst, and what the release would cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from core.accounting.epsilon_rounding import at_a_glance, plain
from core.advice.smoothed import is_smoothed
from core.advice.verdict import verdict_of
from core.bundle.smoothed_facts import caveat
from core.mechanisms.public_model import foretold_range
from core.planning.query_plan import ErrorSpread, QueryPlan, rising_epsilons, smoothed_errors
from core.privacy import Charge, Unit
from core.statistics.base import Measure
from ui.budget.charge_table import CHARGED_UNITS, ChargeTable
from ui.budget.joint_figures import JointFigures
from ui.budget.verdict_text import reason_text
from ui.kit.glossary import explain
from ui.kit.labels import label, set_look
from ui.kit.spec_words import relation_word, unit_word
from ui.kit.tips import in_lines
from ui.language.translation import core_text, sentence
from ui.session.draft_charge import (
    at_delta,
    charged_epsilon,
    draft_charge,
    plan_charge,
    shown_charge,
    shown_epsilon,
)
from ui.session.guards import ERROR_SUMMARY, first_reason, still_planning
from ui.session.query_texts import by_public_counts, error_figure, error_with_unit, shown_plans
from ui.session.session import Session


class ErrorSummary(QWidget):
    """Typical error and error at worst over the published HATs, and the charges, of the current draft.

    selected: id of the one query to show; without it all are shown. The sum of several is always shown.
    """

    def __init__(
        self, session: Session, parent: QWidget | None = None, *, selected: Callable[[], str] | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selected = selected
        self._stale = True
        self._error = label(look="heading", parent=self)
        self._several: list[QLabel] = []
        """A statistic each, where more than one is shown."""
        self._worst = label(look="muted", parent=self)
        self._smoothed = label(look="heading", parent=self)
        self.joint = JointFigures(self)
        self._charge = label(look="muted", parent=self)
        self._table = ChargeTable(self)
        explain("HAT", self._error, self._smoothed, self._worst)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._error)
        self._of_several = QVBoxLayout()
        self._of_several.setSpacing(8)
        layout.addLayout(self._of_several)
        layout.addWidget(self._smoothed)
        layout.addWidget(self._worst)
        layout.addWidget(self.joint)
        layout.addWidget(self._charge)
        layout.addWidget(self._table)
        session.forecast_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        session.published_changed.connect(self.refresh)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self._stale:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the newest plans; while nobody sees them, they are shown when somebody does."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        plans, shown = shown_plans(self._session), self._session.forecast
        plans_shown = list(plans.values())
        if self._selected is not None:
            plans_shown = [plan for plan in plans_shown if plan.query.id == self._selected()]
        several = len(plans) > 1
        self._table.setVisible(bool(plans_shown) and several)
        if not plans_shown or shown is None or shown.charge is None:
            self._say_why_not()
        else:
            self._show_errors(plans_shown)
            self._charge.setText(
                self._charge_of(plans_shown[0]) if len(plans_shown) == 1 else self._qualified()
            )
            charge = draft_charge(self._session) or shown.charge
            columns = [
                (
                    self.tr("all {count}").format(count=len(plans)),
                    [shown_charge(self._session, charge, unit) for unit in CHARGED_UNITS],
                )
            ]
            if len(plans_shown) == 1:
                own = plan_charge(self._session, plans_shown[0])
                columns.insert(
                    0, (self.tr("this one"), [self._epsilon_of(own, unit) for unit in CHARGED_UNITS])
                )
            self._table.show_charges(columns)
        blind = len(plans_shown) == 1 and not verdict_of(plans_shown[0]).informative
        set_look(self._error, "warning" if blind else "heading")
        self._error.setVisible(bool(self._error.text()))
        self._smoothed.setVisible(bool(self._smoothed.text()))
        one = (
            plans_shown[0]
            if len(plans_shown) == 1 and shown is not None and shown.charge is not None
            else None
        )
        self.joint.show_plan(one)
        self._worst.setVisible(bool(self._worst.text()))

    def _say_why_not(self) -> None:
        reason = first_reason(self._session, ERROR_SUMMARY) or still_planning()
        at_fault = self._session.planning.problem is not None
        self._show_several(())
        self._error.setText(reason.what if at_fault else "")
        self._worst.setText("")
        self._smoothed.setText("")
        self._charge.setText(reason.details if at_fault else reason.what)

    def _show_errors(self, plans_shown: Sequence[QueryPlan]) -> None:
        """Of one query as a headline with the rest below; of several each under its title."""
        self._show_several(plans_shown if len(plans_shown) > 1 else ())
        if len(plans_shown) == 1:
            self._error.setText(self._typical_of(plans_shown[0]))
            self._smoothed.setText(self._smoothed_of(plans_shown[0]))
            self._smoothed.setToolTip(in_lines(sentence(core_text(caveat(self._session.quantity)))))
            self._worst.setText(self._worst_of(plans_shown[0]))
            return
        for text in (self._error, self._worst, self._smoothed):
            text.setText("")

    def _show_several(self, plans_shown: Sequence[QueryPlan]) -> None:
        """Each under its title, and in amber what tells nothing."""
        while len(self._several) < len(plans_shown):
            self._several.append(label(parent=self))
            self._of_several.addWidget(self._several[-1])
        while len(self._several) > len(plans_shown):
            old = self._several.pop()
            self._of_several.removeWidget(old)
            old.hide()
            old.deleteLater()
        for text, plan in zip(self._several, plans_shown, strict=True):
            lines = (self._typical_of(plan), self._smoothed_of(plan), self._worst_of(plan))
            title = f"{core_text(plan.query.question.statistic.title)}:"
            text.setText("\n".join((title, *filter(None, lines))))
            set_look(text, "" if verdict_of(plan).informative else "warning")

    def _typical_of(self, plan: QueryPlan) -> str:
        typical, measure = plan.errors.typical, plan.query.question.statistic.measures[0]
        if self._is_known_of(plan):
            return self.tr("Typical error: {median} {known}.").format(
                median=error_with_unit(typical.median, measure),
                known=core_text(plan.errors_known_of),
            )
        worst = error_figure(typical.largest, measure)
        text = (
            self.tr("Typical error: {median}, in the least exact too")
            if worst == error_figure(typical.median, measure)
            else self.tr("Typical error: {median} in half of the numbers, {worst} in the least exact")
        ).format(median=error_with_unit(typical.median, measure), worst=worst)
        if reason := reason_text(plan, released=self._session.release.was_published):
            text += f"\n! {reason}"
        return text

    def _is_known_of(self, plan: QueryPlan) -> bool:
        """Of a usual HAT alone: no public counts say how busy each is."""
        return plan.of_a_usual_hat and not by_public_counts(self._session, plan)

    def _smoothed_of(self, plan: QueryPlan) -> str:
        """Of the second numbers; empty where there are none."""
        errors, measure = smoothed_errors(plan), plan.query.question.statistic.measures[0]
        if errors is not None:
            least, most = foretold_range(errors.median)
            return self.tr(
                "After smoothing: about {median} in half of the numbers (between {least} and {most}), "
                "{worst} in the least exact"
            ).format(
                median=error_with_unit(errors.median, measure),
                least=error_figure(least, measure),
                most=error_figure(most, measure),
                worst=error_figure(errors.largest, measure),
            )
        return (
            self.tr("After smoothing: working…")
            if self._session.planning.smoothing and is_smoothed(plan)
            else ""
        )

    def _worst_of(self, plan: QueryPlan) -> str:
        if plan.errors_known_of:
            return self.tr("By public constants. At worst a number tells nothing, and its interval says so.")
        worst, measure = plan.errors.at_worst, plan.query.question.statistic.measures[0]
        largest = error_figure(worst.largest, measure)
        if self._words(worst, measure) == self._words(plan.errors.typical, measure):
            return self.tr("At worst: the same")
        return (
            self.tr("At worst: {median}, in the least exact too")
            if largest == error_figure(worst.median, measure)
            else self.tr("At worst: {median}, {worst} in the least exact")
        ).format(median=error_with_unit(worst.median, measure), worst=largest)

    @staticmethod
    def _words(errors: ErrorSpread, measure: Measure) -> tuple[str, str]:
        return error_figure(errors.median, measure), error_figure(errors.largest, measure)

    def _charge_of(self, plan: QueryPlan) -> str:
        if not plan.epsilon_by_hat:
            return self.tr("Epsilon {vehicle} per vehicle {qualified}").format(
                vehicle=self._epsilon_of(plan_charge(self._session, plan), Unit.VEHICLE),
                qualified=self._qualified(),
            )
        epsilons = rising_epsilons(plan)
        least, most = (plain(at_a_glance(epsilon)) for epsilon in (epsilons[0], epsilons[-1]))
        return self.tr("Epsilon {hat} per hexagon slot, {vehicle} per vehicle {qualified}").format(
            hat=least if least == most else self.tr("{least} to {most}").format(least=least, most=most),
            vehicle=self._epsilon_of(plan_charge(self._session, plan), Unit.VEHICLE),
            qualified=self._qualified(),
        )

    def _qualified(self) -> str:
        draft, charge = self._session.draft, draft_charge(self._session)
        return self.tr("(unit {unit}, relation {relation}{delta})").format(
            unit=unit_word(draft.unit),
            relation=relation_word(draft.relation),
            delta=at_delta(self._session, charge),
        )

    def _epsilon_of(self, charge: Charge, unit: Unit) -> str:
        return shown_epsilon(charged_epsilon(self._session, charge, unit))
