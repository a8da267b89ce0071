"""The column of *Decide*: cards that scroll, what is next below, and that a preview's noise is real."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from core.advice.verdict import verdict_of
from ui.kit.buttons import push_button
from ui.kit.cards import flowing
from ui.kit.labels import set_look
from ui.kit.tips import in_lines
from ui.language.translation import sentence
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.session.draft_charge import draft_charge
from ui.session.guards.budget import RELEASE, ledger_refuses
from ui.session.guards.reasons import Reason, first_reason
from ui.session.session import Session


class DecideColumn(QWidget):
    """Made empty, as a frame holds it before the pages are built."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._cards = scrolling(parent=self)
        self._column = in_column(self, (self._cards, 1), margins=(0, 0, 0, 8))

    def take(self, cards: QWidget, following: QWidget) -> None:
        """What scrolls, and what stays below it."""
        self._cards.setWidget(cards)
        self._column.addWidget(following)


class NextButtons(QWidget):
    """A preview from made-up values, and the way to the release. Emits `release_wanted`.

    `map_wanted(bool)`: a preview begins or ends. Both buttons wait for a verdict, the release for all that it
    needs of the steps before it; of no use or released, it is not what is proposed. A refusal is said above
    them: what says more of it may lie below the fold.
    """

    release_wanted = Signal()
    map_wanted = Signal(bool)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._is_there = False
        self.preview = QPushButton(self)
        self.preview.clicked.connect(self._preview)
        self.go_on = push_button(self.tr("&Go to Release"), self, self.release_wanted)
        self.refusal = flowing(look="error")
        in_column(self, self.refusal, self.preview, self.go_on, margins=(0, 6, 0, 0))
        for signal in (
            session.data_changed,
            session.draft_changed,
            session.forecast_changed,
            session.busy_changed,
            session.preview.changed,
            session.published_changed,
            session.ledger_changed,
            session.refused.changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def show_step(self, key: str) -> None:
        """Where a person is: who is at the release needs no way to it."""
        self._is_there = key == "release"
        self.refresh()

    def refresh(self) -> None:
        """Follow plan and preview."""
        session = self._session
        active, planned = session.preview.active, draft_charge(session) is not None
        self.preview.setText(self.tr("End &preview") if active else self.tr("&Preview with made-up values"))
        self.preview.setEnabled(active or planned)
        reason = first_reason(session, RELEASE) if planned else None
        self.go_on.setEnabled(planned and reason is None)
        self.go_on.setVisible(not self._is_there)
        self._tell_refusal(reason)
        missing = self.tr("Choose who is protected to see the verdict.")
        about = self.tr(
            "The noise is as large as in your release. Nothing here comes from your records, costs budget or "
            "can be saved."
        )
        self.preview.setToolTip(in_lines(about if active or planned else missing))
        waits = "" if reason is None else sentence(reason.note or reason.what)
        self.go_on.setToolTip(in_lines(waits if planned else missing))
        plans = session.forecast.plans if session.forecast is not None else ()
        useful = planned and all(verdict_of(plan).informative for plan in plans)
        proposed = useful and reason is None and not session.release.was_published
        set_look(self.go_on, "primary" if proposed else "")

    def _tell_refusal(self, reason: Reason | None) -> None:
        """In few words that of the ledger; of what was typed, which field refused it and why."""
        typed = self._session.refused.first is not None
        refused = reason is not None and (typed or ledger_refuses(self._session) is not None)
        self.refusal.setVisible(refused and not self._is_there)
        if reason is not None and refused:
            of_ledger = reason.figures or sentence(reason.note or reason.what)
            self.refusal.setText(reason.line if typed else of_ledger)

    def _preview(self) -> None:
        if self._session.preview.active:
            self._session.preview.end()
        else:
            self._session.preview.begin()
        self.map_wanted.emit(self._session.preview.active)
