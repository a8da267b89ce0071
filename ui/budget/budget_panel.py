"""The card of the budget after release: how many such releases fit a limit, a year's need, what is left."""

from __future__ import annotations

from decimal import ROUND_CEILING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from core.accounting.epsilon_rounding import delta_text
from core.accounting.ledger_report import MOST_MORE, PopulationSummary
from core.bundle.loss_texts import ADDS_UP_SLOWLY
from core.privacy import Charge, Unit
from core.release.series import PeriodLength, year_of
from ui.budget.budget_meter import BudgetMeter
from ui.budget.card_spacing import BETWEEN_FIGURES, CARD_MARGINS
from ui.budget.charged_units import CHARGED_UNITS, unit_names
from ui.budget.limit_dialog import LimitDialog
from ui.budget.refusal_mends import RefusalMends
from ui.kit.labels import label, set_look
from ui.kit.signals import on_any
from ui.kit.tips import in_lines
from ui.language.translation import core_text, counted
from ui.layout.boxes import in_column, in_grid, in_row
from ui.layout.empty_layout import empty
from ui.session.draft_charge import (
    charged_epsilon,
    cost_tip,
    draft_charge,
    is_of_all_queries,
    least_limit,
    left_epsilon,
    plan_charge,
    shown_charge,
    shown_epsilon,
    unrounded_epsilon,
)
from ui.session.guards.budget import BUDGET, ledger_refuses, may_be_paid, population_unknown, without_limit
from ui.session.guards.protection import cost_needs_privacy
from ui.session.guards.reasons import first_reason
from ui.session.query_texts import shown_plans
from ui.session.session import Session

_SEVERAL = 12
"""Releases that an example of a limit pays for."""
_WHOLE_FROM = 100
"""From this epsilon on, what a year needs is a whole number."""


class LimitButton(QPushButton):
    """Asks for the limits of a population."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.clicked.connect(lambda: LimitDialog(self._session, self).open())
        on_any(self.refresh, session.draft_changed, session.ledger_changed)
        self.refresh()

    def refresh(self) -> None:
        """Say whether the chosen population has one already."""
        population = self._session.ledger.population
        limited = population is not None and population.per_vehicle is not None
        self.setText(self.tr("Ch&ange the limit…") if limited else self.tr("Set &a limit…"))


class QueryShares(QWidget):
    """What each query of several costs a vehicle; hidden where there is only one."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = in_grid(self, wide=0, down=2, margins=(0, 4, 0, 0))
        self._shown: list[tuple[str, str, str]] = []
        self.hide()

    def show_shares(self, shares: list[tuple[str, str, str]]) -> None:
        """Of each query its title, its epsilon per vehicle, and that exactly."""
        if shares == self._shown:
            return
        self._shown = shares
        empty(self._grid)
        self._grid.addWidget(label(self.tr("Of each vehicle's epsilon"), "muted"), 0, 0, 1, 2)
        for row, (title, amount, exact) in enumerate(shares, start=1):
            figure = label(amount, wraps=False)
            figure.setToolTip(in_lines(exact))
            self._grid.addWidget(label(title), row, 0)
            self._grid.addWidget(figure, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.setVisible(len(shares) > 1)


class BudgetPanel(QFrame):
    """What the release costs each vehicle, and what its population has left."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setProperty("look", "card")
        self._meter = BudgetMeter()
        self.mends = RefusalMends(session, parent=self)
        self._cost_title = label(self.tr("Privacy cost per vehicle, epsilon"), "heading")
        self._cost = label(look="figure", wraps=False)
        self._missing = label(look="muted")
        self._shares = QueryShares()
        self._population = label()
        self._balance = label()
        self._verdict = label()
        self._least = label()
        self._year = label(look="muted")
        self._paid = label(
            self.tr(
                "You have paid exactly this before. Repeating the same release is free; the review will say."
            ),
            "muted",
        )
        self.set_limit = LimitButton(session, self)
        in_column(
            self,
            in_row(None, (self._cost_title, 1), self._cost),
            self._missing,
            self._shares,
            self._population,
            self._meter,
            self._balance,
            self._verdict,
            self._least,
            self._year,
            self._paid,
            self.mends,
            self.set_limit,
            margins=CARD_MARGINS,
            spacing=BETWEEN_FIGURES,
        )
        on_any(self.refresh, session.forecast_changed, session.draft_changed, session.ledger_changed)
        self.refresh()

    def refresh(self) -> None:
        """Show the newest plan and ledger."""
        draft = self._session.draft
        charge = draft_charge(self._session) if is_of_all_queries(self._session) else None
        reason = cost_needs_privacy(self._session)
        self._cost.setText("–" if charge is None else shown_charge(self._session, charge, Unit.VEHICLE))
        self._cost.setToolTip(in_lines("" if charge is None else self._charges(charge)))
        self._missing.setText("" if reason is None else reason.what)
        self._missing.setVisible(reason is not None)
        asked = {query.id for query in draft.queries}  # the plan may still hold one that was removed
        plans = [plan for plan in shown_plans(self._session).values() if plan.query.id in asked]
        self._shares.show_shares(
            [
                (
                    core_text(plan.query.question.statistic.title),
                    shown_epsilon(
                        charged_epsilon(self._session, plan_charge(self._session, plan), Unit.VEHICLE)
                    ),
                    cost_tip(self._session, plan_charge(self._session, plan), Unit.VEHICLE),
                )
                for plan in plans
            ]
        )
        self._show_year(charge)
        self._show_population(self._session.ledger.population, charge)

    def _charges(self, charge: Charge) -> str:
        """Exactly, and what a day and a visit cost: for those who ask."""
        names = unit_names()
        lines = [cost_tip(self._session, charge, Unit.VEHICLE)]
        lines += [
            f"{names[unit]}: {shown_charge(self._session, charge, unit)}"
            for unit in CHARGED_UNITS
            if unit is not Unit.VEHICLE
        ]
        if self._costs_more_by_day(charge):
            lines.append(
                self.tr(
                    "Changing one day can change which hexagon slots of the vehicle count, so a single "
                    "day can cost more than the whole vehicle."
                )
            )
        return "\n".join(lines)

    def _costs_more_by_day(self, charge: Charge) -> bool:
        by_day, in_all = (
            charged_epsilon(self._session, charge, unit) for unit in (Unit.VEHICLE_DAY, Unit.VEHICLE)
        )
        return by_day > in_all

    def _show_population(self, population: PopulationSummary | None, charge: Charge | None) -> None:
        limit = None if population is None else population.per_vehicle
        self._meter.setVisible(limit is not None)
        self.set_limit.setVisible(limit is None and ledger_refuses(self._session) is None)
        self._balance.setToolTip("")
        self._balance.show()
        self._population.setVisible(limit is None)
        self._show_least(charge if limit is None else None)
        set_look(self, "card")
        judged = limit is not None and charge is not None
        self._verdict.setVisible(judged)
        self._paid.setVisible(
            judged and not self._session.release.was_published and may_be_paid(self._session)
        )
        if population is None:
            if reason := population_unknown(self._session):
                self._population.setText(reason.what)
                self._balance.setText(reason.mend)
            return
        self._population.setText(population.name)
        if limit is None:
            if reason := without_limit(self._session):
                self._balance.setText(reason.what)
            return
        free = charge is not None and self._session.release.was_published
        after = population.spent if charge is None or free else population.spent_with(charge)
        plain_sum = charge is not None and after == population.spent + charged_epsilon(
            self._session, charge, Unit.VEHICLE
        )
        asked = shown_charge(self._session, charge, Unit.VEHICLE) if charge is not None and plain_sum else ""
        reason = None if charge is None else first_reason(self._session, BUDGET)
        more = 0 if charge is None or free or reason is not None else population.more_such(charge)
        gaussian = charge is not None and bool(charge.rho)
        ticks = 0 if gaussian else more  # Gaussian costs are no equal steps
        self._meter.set_amounts(population.spent, after, limit, text=asked, more=ticks)
        balance = self.tr("Epsilon {spent} of {limit} spent per vehicle, {left} left").format(
            spent=shown_epsilon(population.spent),
            limit=unrounded_epsilon(limit),
            left=left_epsilon(population),
        )
        self._balance.setToolTip(
            in_lines(
                self.tr("exactly {spent} spent, {left} left").format(
                    spent=unrounded_epsilon(population.spent), left=unrounded_epsilon(population.left)
                )
            )
        )
        if population.shared_delta:
            balance += "\n" + self._of_delta(population)
        if population.linked:
            balance += "\n" + self.tr("together with {names}").format(names=", ".join(population.linked))
        self._balance.setText(balance)
        if charge is None:
            return
        self._balance.setVisible(reason is not None)
        set_look(self, "card" if reason is None else "warning")
        if reason is not None:
            text = reason.what
        elif free:
            text = self.tr("✓ Signed and saved. The same release again costs nothing.")
        else:
            text = self._allows(more, after=shown_epsilon(after), limit=unrounded_epsilon(limit))
            if gaussian and more:
                text += f" {core_text(ADDS_UP_SLOWLY)}"
        self._verdict.setText(text)
        self._verdict.setToolTip(in_lines(f"{balance}\n{self._balance.toolTip()}"))
        set_look(self._verdict, "" if reason is None else "error")

    def _allows(self, more: int, **amounts: str) -> str:
        """What is charged and left after this release, counted in releases like it."""
        if more == 0:
            text = self.tr("After release: charged epsilon {after} of {limit}; no room for another like it.")
            return text.format(**amounts)
        if more == MOST_MORE:
            text = self.tr(
                "After release: charged epsilon {after} of {limit}; allows more than {n} such releases."
            )
            return text.format(n=more, **amounts)
        return counted(
            "After release: charged epsilon {after} of {limit}; allows {n} more such release.",
            "After release: charged epsilon {after} of {limit}; allows {n} more such releases.",
            more,
            **amounts,
        )

    def _show_least(self, charge: Charge | None) -> None:
        """What limit this release alone asks for, and several like it, while there is none."""
        self._least.setVisible(charge is not None)
        if charge is not None:
            alone = shown_epsilon(least_limit(self._session, charge))
            several = shown_epsilon(least_limit(self._session, charge, _SEVERAL))
            text = self.tr("A limit of epsilon {epsilon} pays for this release, {several} for {n} like it.")
            self._least.setText(text.format(epsilon=alone, several=several, n=_SEVERAL))

    def _show_year(self, charge: Charge | None) -> None:
        """What limit a year of such releases asks for; of dates that are no period nothing is said."""
        contributions, population = self._session.contributions, self._session.ledger.population
        found = (
            None
            if contributions is None or charge is None
            else year_of(contributions.window.dates, charge, self._session.ledger.delta)
        )
        self._year.setVisible(found is not None)
        if found is None:
            return
        text = {
            PeriodLength.DAY: self.tr("A year of such days needs epsilon {epsilon}."),
            PeriodLength.WEEK: self.tr("A year of such weeks needs epsilon {epsilon}."),
            PeriodLength.MONTH: self.tr("A year of such months needs epsilon {epsilon}."),
        }
        whole = found.epsilon.to_integral_value(ROUND_CEILING)
        needed = shown_epsilon(whole if whole > _WHOLE_FROM else found.epsilon)
        said = text[found.length].format(epsilon=needed)
        limit = None if population is None else population.per_vehicle
        set_look(self._year, "muted")
        if limit is not None and found.epsilon > limit:
            said = self.tr("! {year} The limit is {limit}.").format(year=said, limit=unrounded_epsilon(limit))
            set_look(self._year, "warning")
        self._year.setText(said)

    def _of_delta(self, population: PopulationSummary) -> str:
        """Where Gaussian noise is in it, what is spent is no plain sum."""
        delta = delta_text(population.shared_delta)
        if not population.loss.rho:
            return self.tr("Gaussian noise is allowed (delta {delta})").format(delta=delta)
        rho = f"{population.loss.rho:.3g}"
        if not population.loss.pure:
            return self.tr("Counted at delta {delta}, from rho {rho}").format(delta=delta, rho=rho)
        return self.tr("Counted at delta {delta}, from rho {rho} and epsilon {pure}").format(
            delta=delta, rho=rho, pure=shown_epsilon(population.loss.pure)
        )
