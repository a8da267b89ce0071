"""The panel *Decide*, card by card; figures that are not final yet, *Keep as A*."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.advice.verdict import worst_first
from ui.budget.budget_panel import BudgetPanel
from ui.budget.card_spacing import ABOVE_ALL, BETWEEN_CARDS
from ui.budget.comparison_card import ComparisonCard
from ui.budget.decision_card import DecisionCard
from ui.kit.labels import label
from ui.kit.tips import in_lines
from ui.layout.half_ink import draw_faintly, ink_of
from ui.session.draft_charge import draft_charge
from ui.session.query_texts import shown_plans
from ui.session.session import Session

_SLOW_MS = 200
"""A plan that takes longer leaves figures of before to be seen; at a quicker one nothing may flicker."""


class DecidePanel(QWidget):
    """A card for each statistic, A beside B where a set is pinned, cost and balance.

    The heading says so while all that is below is still of the choices before, or not smoothed yet.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.cards: list[DecisionCard] = []
        self._changes: QWidget | None = None
        self.pin = QPushButton(self.tr("Pi&n as A"), self)
        self.pin.setAccessibleName(self.tr("Pin this set of parameters"))
        self.pin.clicked.connect(session.pins.pin)
        self.comparison = ComparisonCard(session, self)
        self.budget = BudgetPanel(session, self)
        self.updating = label(self.tr("Updating…"), "muted")
        self.updating.setToolTip(in_lines(self.tr("Recalculating; the figures that you see are not final.")))
        self.updating.setWordWrap(False)
        self.updating.hide()
        self.ink = ink_of(session.planning, self)
        self.ink.changed.connect(self._draw)
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_MS)
        self._slow.timeout.connect(self.updating.show)
        head = QHBoxLayout()
        head.addWidget(label(self.tr("Decide"), "title"), 1)
        head.addWidget(self.updating, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.pin, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column = QVBoxLayout()
        self._column.setSpacing(BETWEEN_CARDS)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, ABOVE_ALL, 0, 0)
        layout.setSpacing(BETWEEN_CARDS)
        layout.addLayout(head)
        layout.addLayout(self._column)
        layout.addWidget(self.comparison)
        layout.addWidget(self.budget)
        layout.addStretch(1)
        for signal in (
            session.data_changed,
            session.forecast_changed,
            session.draft_changed,
            session.published_changed,
            session.ledger_changed,
            session.pinned_changed,
            session.refused.changed,
        ):
            signal.connect(self.refresh)
        session.busy_changed.connect(self._on_busy)
        self.refresh()

    def take(self, changes: QWidget) -> None:
        """What would better the first verdict, to stand below it."""
        self._changes = changes
        self.refresh()

    def refresh(self) -> None:
        """As many cards as there are statistics, each with its newest figures."""
        wanted = len(self._session.draft.queries) if self._session.has_data else 0
        while len(self.cards) < wanted:
            card = DecisionCard(self._session, len(self.cards), self)
            before = self.cards[-1].error.stop if self.cards else self.pin
            QWidget.setTabOrder(before, card.error.number)  # made last, it would come behind the map
            QWidget.setTabOrder(card.error.number, card.error.stop)
            self.cards.append(card)
            for part in (card, card.typed):
                self._column.addWidget(part)
        while len(self.cards) > wanted:
            card = self.cards.pop()
            for part in (card, card.typed):
                part.hide()
                part.deleteLater()
        for card in self.cards:
            card.refresh()
        self._arrange()
        if self.cards and self._changes is not None and self._column.indexOf(self._changes) != 1:
            self._column.insertWidget(1, self._changes)
        self._draw()
        self._on_busy()

    def _arrange(self) -> None:
        """The least exact statistic first; while figures are interim, or typed into, no card moves."""
        typed = QApplication.focusWidget()
        if self._session.planning.is_interim or (
            typed is not None and any(card.typed.isAncestorOf(typed) for card in self.cards)
        ):
            return
        ids = [plan.query.id for plan in worst_first(shown_plans(self._session).values())]
        numbers = {query.id: number for number, query in enumerate(self._session.draft.queries)}
        order = [self.cards[numbers[one]] for one in ids if one in numbers]
        order += [card for card in self.cards if card not in order]
        places = [self._column.indexOf(card) for card in order]
        if places == sorted(places):
            return
        before: QWidget = self.pin
        for card in order:
            for part in (card, card.typed):
                self._column.addWidget(part)  # from where it stood to the end
            for stop in (card.error.number, card.error.stop):
                QWidget.setTabOrder(before, stop)
                before = stop

    def _draw(self) -> None:
        """What is interim is so in all of its figures, never in the verdict's alone."""
        typed = (card.typed for card in self.cards)
        beside = (self.budget, self.comparison, *([self._changes] if self._changes is not None else []))
        for part in (*self.cards, *typed, *beside):
            draw_faintly(part, self.ink.on)

    def _on_busy(self) -> None:
        self._enable_pin()
        planning = self._session.planning
        if not planning.is_interim or self._session.refused.first is not None:
            self._slow.stop()
            self.updating.hide()
        elif (self._session.busy or planning.smoothing) and self.updating.isHidden():
            self._slow.start()  # for each plan anew: those of a drag give way to each other

    def _enable_pin(self) -> None:
        """Only what is planned can be compared with something."""
        planned = draft_charge(self._session) is not None and not self._session.busy
        self.pin.setEnabled(planned)
        self.pin.setToolTip(
            self.tr("Keep this set of parameters as A, and see what another one, B, would bring.")
            if planned
            else self.tr("Nothing is planned yet that could be pinned.")
        )
        again = self._session.pins.pinned is not None
        self.pin.setText(self.tr("Pi&n B as A") if again else self.tr("Pi&n as A"))
