"""The plan of a series: choose a release to see what so many more like it will cost."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QSpinBox, QWidget

from core.accounting.ledger_report import EntrySummary
from core.accounting.series_plan import MOST_PLANNED, plan_series
from core.privacy import Charge
from core.release.series import PeriodLength, length_of
from ui.kit.cards import card, flowing
from ui.kit.labels import set_look, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column
from ui.ledger.spending import Spending
from ui.ledger.words import bundle_of_entry, covered, due_in_words, plan_in_words
from ui.session.draft_charge import draft_charge
from ui.session.session import Session

_DRAFT = 0
"""In the list of examples: what is being composed, in place of an entry's number."""
_FIRST_COUNT = 12


class SeriesCard(QWidget):
    """Like which release, how many, and the verdict; empty until somebody asks."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._spending: Spending | None = None
        self._entries: dict[int, EntrySummary] = {}
        self.like = ListBox(self)
        self.like.setAccessibleName(self.tr("Releases like"))
        self.like.setPlaceholderText(self.tr("none chosen"))
        shrinkable(self.like)
        self.like.cut = Qt.TextElideMode.ElideMiddle  # the end of a bundle's name is its version
        self.like.currentIndexChanged.connect(self.refresh)
        self.count = QSpinBox(self, minimum=1, maximum=MOST_PLANNED, value=_FIRST_COUNT)
        self.count.setAccessibleName(self.tr("How many"))
        self.count.valueChanged.connect(self.refresh)
        self.verdict = flowing(parent=self)
        self.due = flowing(parent=self)
        self._asked = QWidget(self)
        form = QFormLayout(self._asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)  # names of bundles are long
        form.addRow(self.tr("&Like"), self.like)
        form.addRow(self.tr("How &many"), self.count)
        in_column(
            self,
            card(
                self,
                "card",
                flowing(self.tr("Plan of a series"), "heading", self),
                self.due,
                self._asked,
                self.verdict,
            ),
        )

    def show_spending(self, spending: Spending) -> None:
        """Offer every entry of the population, the newest first, and a draft of its relation."""
        before = self.like.currentData()
        self._spending = spending
        self.due.setText(due_in_words(spending.population.entries, dt.datetime.now(dt.UTC).date()))
        self.due.setVisible(bool(self.due.text()))
        self._entries = {part.entry.number: part.entry for part in spending.timeline}
        self.like.blockSignals(True)
        self.like.clear()
        for number, entry in reversed(self._entries.items()):
            name = bundle_of_entry(entry) if entry.bundles else self.tr("entry {n}").format(n=number)
            self.like.addItem(name, number)
            text = self.tr("{name}, {dates}").format(name=name, dates=covered(entry.dates))
            self.like.setItemData(self.like.count() - 1, in_lines(text), Qt.ItemDataRole.ToolTipRole)
        payable = spending.population.relation in (None, self._session.draft.relation)
        if payable and draft_charge(self._session) is not None:
            self.like.addItem(self.tr("this release"), _DRAFT)
        self.like.setCurrentIndex(-1 if before is None else self.like.findData(before))
        self.like.blockSignals(False)
        self.refresh()

    def _example(self) -> tuple[Charge, PeriodLength | None] | None:
        number = self.like.currentData()
        if number == _DRAFT:
            charge, contributions = draft_charge(self._session), self._session.contributions
            if charge is None or contributions is None:
                return None
            return charge, length_of(contributions.window.dates)
        entry = self._entries.get(number)
        return None if entry is None else (entry.charge, length_of(entry.dates))

    def refresh(self) -> None:
        """Say what the series comes to."""
        example = self._example()
        self.like.setToolTip(in_lines(self.like.currentData(Qt.ItemDataRole.ToolTipRole) or ""))
        self._asked.setVisible(self.like.count() > 0)
        if self._spending is None or example is None:
            self.verdict.setText(
                self.tr("Choose a release to see what more like it will cost.")
                if self.like.count()
                else self.tr("Release once, or choose all parameters: then a series can be planned.")
            )
            set_look(self.verdict, "muted")
            return
        charge, length = example
        plan = plan_series(self._spending.population, charge, self.count.value())
        self.verdict.setText(plan_in_words(plan, length))
        set_look(self.verdict, "good" if plan.holds else "error")
