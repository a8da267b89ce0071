"""Limits and links of a population, where they are changed: shared vehicles, no limit, the policy page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from core.accounting.epsilon_rounding import delta_text
from core.accounting.ledger import Ledger
from core.accounting.ledger_report import PopulationSummary
from core.progress import Progress
from ui.budget.limit_dialog import LimitDialog
from ui.kit.buttons import push_button
from ui.kit.cards import card, flowing
from ui.kit.jobs import Job
from ui.kit.labels import shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.layout.boxes import in_column
from ui.ledger.policy_dialog import PolicyDialog
from ui.session.draft_charge import unrounded_epsilon
from ui.session.session import Session
from ui.session.settings import Settings


class LimitsCard(QWidget):
    """The limits as they are, a button for each change; a link asks twice, for nothing undoes it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._population: PopulationSummary | None = None
        self.limits = flowing(parent=self)
        self.change = push_button(self.tr("Ch&ange the limit…"), self, self._ask_limit)
        self.policy = QPushButton(self.tr("Epsilon &policy…"), self)
        self.policy.setToolTip(self.tr("Limits, horizon and what stays open, as a page for the public"))
        self.policy.clicked.connect(self._show_policy)
        self.links = flowing(look="muted", parent=self)
        self.other = ListBox(self)
        self.other.setAccessibleName(self.tr("Population with the same vehicles"))
        shrinkable(self.other)
        self.other.setPlaceholderText(self.tr("Share with…"))
        self.other.currentIndexChanged.connect(self._reset)
        self.link = push_button(self.tr("&Share its vehicles"), self, self._link)
        self.warning = flowing(look="warning", parent=self)
        self.warning.hide()
        self.message = MessageBar(self)
        self._asked = ""
        in_column(
            self,
            card(
                self,
                "card",
                flowing(self.tr("Limits and links"), "heading", self),
                self.limits,
                self.change,
                self.policy,
                self.links,
                self.other,
                self.warning,
                self.link,
                self.message,
            ),
        )

    def show_population(self, population: PopulationSummary, others: Sequence[PopulationSummary]) -> None:
        """Show what holds now."""
        if self._population is None or self._population.name != population.name:
            self.message.clear()
        self._population = population
        # a limit stays with its last word: alone in a line it would belong to nothing
        self.limits.setText("\n".join(self._limits(population)).replace(": ", ":\u00a0"))
        linked = ", ".join(population.linked)
        self.links.setText(
            self.tr("Shares its vehicles with {names}.").format(names=linked)
            if linked
            else self.tr("Shares its vehicles with no other population.")
        )
        names = [one.name for one in others if one.name not in (population.name, *population.linked)]
        self.other.clear()
        self.other.addItems(names)
        self.other.setCurrentIndex(-1)  # what is named here reads as shared already
        for widget in (self.other, self.link):
            widget.setVisible(bool(names))
        self._reset()

    def _limits(self, population: PopulationSummary) -> list[str]:
        if population.own_per_vehicle is None:
            return [self.tr("No limit is set: nothing is released.")]
        day = population.own_per_vehicle_day
        return [
            self.tr("Per vehicle, over all time: {limit}").format(
                limit=unrounded_epsilon(population.own_per_vehicle)
            ),
            self.tr("Per vehicle and day: {limit}").format(
                limit=self.tr("none") if day is None else unrounded_epsilon(day)
            ),
            self.tr("Delta: {delta}").format(delta=delta_text(population.delta)),
        ]

    def _ask_limit(self) -> None:
        dialog = LimitDialog(self._session, self, pays=False)
        if self._population is not None:
            dialog.population.setCurrentText(self._population.name)
        dialog.open()

    def _show_policy(self) -> None:
        if self._population is not None:
            dialog = PolicyDialog(self._population, Settings(self._session.home), self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _reset(self) -> None:
        """Another choice is another question."""
        self._asked = ""
        self.warning.hide()
        self.link.setText(self.tr("&Share its vehicles"))
        self.link.setEnabled(self.other.currentIndex() >= 0)

    def _link(self) -> None:
        population, other = self._population, self.other.currentText()
        if population is None or not other:
            return
        if self._asked != other:
            self._asked = other
            self.warning.setText(
                self.tr(
                    "Then all that {one} or {other} ever released or will release counts against both "
                    "limits. Nothing undoes it."
                ).format(one=population.name, other=other)
            )
            self.warning.show()
            self.link.setText(self.tr("Link them for &good"))
            return
        path, name = self._session.home.ledger, population.name
        self.message.clear()
        self.link.setEnabled(False)

        def work(_: Progress) -> None:
            Ledger.open(path).link(name, other)

        job = Job(work, what=self.tr("Writing the ledger…"), parent=self)
        job.succeeded.connect(lambda _: self._session.ledger.read())
        job.failed.connect(self.message.show_error)
        job.finished.connect(self._linked)
        job.start()

    def _linked(self) -> None:
        self._reset()
