"""The privacy budget: what this release would cost, what was spent, what is left."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from core.accounting.epsilon_rounding import plain
from core.accounting.ledger_report import MOST_MORE, PopulationSummary
from core.privacy import Charge, Unit
from core.release.series import PeriodLength, year_of
from ui.budget.card_spacing import BETWEEN_FIGURES, CARD_MARGINS
from ui.budget.charged_units import CHARGED_UNITS, unit_names
from ui.budget.limit_dialog import LimitDialog
from ui.budget.refusal_mends import RefusalMends
from ui.kit.labels import label, set_look
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.language.translation import core_text, counted
from ui.layout.boxes import in_column, in_row
from ui.layout.empty_layout import empty
from ui.session.draft_charge import (
    charged_epsilon,
    cost_tip,
    delta_text,
    draft_charge,
    is_of_all_queries,
    left_epsilon,
    plan_charge,
    shown_charge,
    shown_epsilon,
    unrounded_epsilon,
)
from ui.session.guards import (
    BUDGET,
    cost_needs_privacy,
    first_reason,
    ledger_refuses,
    may_be_paid,
    population_unknown,
    without_limit,
)
from ui.session.query_texts import shown_plans
from ui.session.session import Session

_WHOLE_FROM = 100
"""From this epsilon on, what a year needs is a whole number."""
_LEAST_OVER = 0.02
_LEAST_SEEN = 3.0
"""Pixels of a part of the meter, however little it is of the limit."""
_MOST_TICKS = 24
"""Of further releases like it: of more, a meter would be all ticks."""


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


def _share(amount: Decimal, limit: Decimal) -> float:
    return min(float(amount / limit), 1.0) if limit else 1.0


class BudgetMeter(QWidget):
    """A bar of a limit: spent, then what this release would add, then what is left."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shares = (0.0, 0.0)
        self._over = False
        self._more = 0
        self.setFixedHeight(14)
        theme.changed.connect(self.update)

    def set_amounts(
        self, spent: Decimal, after: Decimal, limit: Decimal, *, text: str = "", more: int = 0
    ) -> None:
        """Show what is spent of a limit, and would be after; a limit of 0 allows nothing and is used up.

        text: how what is asked for reads elsewhere, where it is no plain difference; more: further releases
        like it that fit.
        """
        self._more = more if more <= _MOST_TICKS else 0
        asked = after - spent if after.is_finite() else after
        self._over = after > limit
        self._shares = (_share(spent, limit), _share(asked, limit))
        self.setAccessibleName(
            self.tr("{spent} spent and {asked} asked of {limit}").format(
                spent=shown_epsilon(spent), asked=text or shown_epsilon(asked), limit=plain(limit)
            )
        )
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colours.outline))
        painter.setBrush(QColor(colours.raised))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, 4, 4)
        painter.setPen(QColor(0, 0, 0, 0))
        spent, asked = self._shares
        room = frame.width()
        spent, asked = (max(part, _LEAST_SEEN / room) if part else 0.0 for part in (spent, asked))
        if self._over:  # the part that does not fit stays visible on a full bar
            spent = min(spent, 1 - _LEAST_OVER)
        asked = min(asked, 1 - spent)
        for start, width, colour in (
            (0.0, spent, colours.muted),
            (spent, asked, colours.bad if self._over else colours.accent),
        ):
            painter.setBrush(QColor(colour))
            painter.drawRect(
                QRectF(frame.left() + start * room, frame.top() + 1, width * room, frame.height() - 2)
            )
        painter.setPen(QColor(colours.outline))
        for number in range(self._more):  # where each further release like it would end
            right = frame.left() + (spent + (number + 2) * asked) * room
            if asked and right < frame.right() - 2:
                painter.drawLine(QPointF(right, frame.top() + 1), QPointF(right, frame.bottom() - 1))
        if spent and asked:  # the two are equally dark
            between = QRectF(frame.left() + spent * room - 1, frame.top() + 1, 2, frame.height() - 2)
            painter.fillRect(between, QColor(colours.surface))
        painter.end()


class QueryShares(QWidget):
    """What each query of several costs a vehicle; hidden where there is only one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 4, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self._shown: list[tuple[str, str, str]] = []
        self.hide()

    def show_shares(self, shares: list[tuple[str, str, str]]) -> None:
        """Of each query its title, its epsilon per vehicle, and that exactly."""
        if shares == self._shown:
            return
        self._shown = shares
        empty(self._grid)
        self._grid.addWidget(label(self.tr("Of each vehicle's epsilon"), "muted", self), 0, 0, 1, 2)
        for row, (title, amount, exact) in enumerate(shares, start=1):
            figure = label(amount, parent=self, wraps=False)
            figure.setToolTip(in_lines(exact))
            self._grid.addWidget(label(title, parent=self), row, 0)
            self._grid.addWidget(figure, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.setVisible(len(shares) > 1)


class BudgetPanel(QFrame):
    """What the release costs each vehicle, and what its population has left."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setProperty("look", "card")
        self._meter = BudgetMeter(theme, self)
        self.mends = RefusalMends(session, parent=self)
        self._cost_title = label(self.tr("Privacy cost per vehicle, epsilon"), "heading", self)
        self._cost = label(look="figure", parent=self, wraps=False)
        self._missing = label(look="muted", parent=self)
        self._shares = QueryShares(self)
        self._population = label(parent=self)
        self._balance = label(parent=self)
        self._verdict = label(parent=self)
        self._year = label(look="muted", parent=self)
        self._paid = label(
            self.tr(
                "Just this was paid before. If it is the same release, it costs nothing again: the "
                "review tells."
            ),
            "muted",
            self,
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
                    "Another day of a vehicle may alter which of its hexagon slots count: that is to "
                    "take the vehicle out and put it back, and costs more."
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
        self._meter.set_amounts(population.spent, after, limit, text=asked, more=more)
        balance = self.tr("Epsilon {spent} of {limit} spent per vehicle, {left} left").format(
            spent=shown_epsilon(population.spent), limit=plain(limit), left=left_epsilon(population)
        )
        self._balance.setToolTip(
            in_lines(
                self.tr("exactly {spent} spent, {left} left").format(
                    spent=unrounded_epsilon(population.spent), left=plain(population.left)
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
            text = self.tr("✓ Published. The same release again costs nothing.")
        else:
            text = self._allows(more, after=shown_epsilon(after), limit=plain(limit))
        self._verdict.setText(text)
        self._verdict.setToolTip(in_lines(f"{balance}\n{self._balance.toolTip()}"))
        set_look(self._verdict, "" if reason is None else "error")

    def _allows(self, more: int, **amounts: str) -> str:
        """What is charged and left after this release, counted in releases like it."""
        if more == 0:
            text = self.tr("After release: charged epsilon {after} of {limit}; allows no more like it.")
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
            said = self.tr("! {year} The limit is {limit}.").format(year=said, limit=plain(limit))
            set_look(self._year, "warning")
        self._year.setText(said)

    def _of_delta(self, population: PopulationSummary) -> str:
        """Where Gaussian noise is in it, what is spent is no plain sum."""
        delta = delta_text(population.shared_delta)
        if not population.loss.rho:
            return self.tr("Gaussian noise counts at delta {delta}").format(delta=delta)
        rho = f"{population.loss.rho:.3g}"
        if not population.loss.pure:
            return self.tr("Counted at delta {delta}, from rho {rho}").format(delta=delta, rho=rho)
        return self.tr("Counted at delta {delta}, from rho {rho} and epsilon {pure}").format(
            delta=delta, rho=rho, pure=shown_epsilon(population.loss.pure)
        )
