"""The timeline: a row for each entry that a population pays for, newest first."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from core.accounting.ledger_report import EntrySummary
from core.accounting.ledger_timeline import TimelineEntry
from ui.ledger.spending import Spending
from ui.ledger.words import bundle_of_entry, covered, newest_release, state_of
from ui.session.draft_charge import shown_epsilon, unrounded_epsilon

_NUMBER = Qt.ItemDataRole.UserRole
_ROW = 30
_PADDING = 8
_LEAST_ROWS = 4
_BUNDLE, _CHARGE = 1, 3


class TimelineTable(QTableWidget):
    """Emits `entry_chosen(number)`; 0 where no row is."""

    entry_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, 5, parent)
        self._entries: dict[int, EntrySummary] = {}
        self.setHorizontalHeaderLabels(
            [
                self.tr("Paid on"),
                self.tr("Bundle"),
                self.tr("Dates covered"),
                self.tr("Per vehicle"),
                self.tr("State"),
            ]
        )
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {_PADDING}px; }}")
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setAccessibleName(self.tr("Timeline of entries"))
        self.model().setHeaderData(
            _CHARGE,
            Qt.Orientation.Horizontal,
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            Qt.ItemDataRole.TextAlignmentRole,
        )
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        self.setMinimumHeight(_ROW * (_LEAST_ROWS + 1))
        self.itemSelectionChanged.connect(self._choose)

    def show_spending(self, spending: Spending) -> None:
        """Newest first; the chosen entry stays chosen."""
        before = self.current.number if self.current else 0
        self._entries = {part.entry.number: part.entry for part in spending.timeline}
        self.blockSignals(True)
        self.clearContents()
        self.setRowCount(len(spending.timeline))
        for row, part in enumerate(reversed(spending.timeline)):
            self._fill(row, part, spending.population.name)
        self.blockSignals(False)
        if not self.choose(before):
            newest = newest_release(spending)
            self.choose(0 if newest is None else newest.number)

    def _fill(self, row: int, part: TimelineEntry, population: str) -> None:
        entry = part.entry
        bundle = bundle_of_entry(entry)
        if entry.population != population:
            bundle = self.tr("{bundle} (of {population})").format(bundle=bundle, population=entry.population)
        texts = (
            entry.reserved_on.isoformat(),
            bundle,
            covered(entry.dates),
            shown_epsilon(part.alone),
            state_of(entry),
        )
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setData(_NUMBER, entry.number)
            item.setToolTip(
                self.tr("exactly {alone}; {after} spent with it").format(
                    alone=unrounded_epsilon(part.alone), after=unrounded_epsilon(part.after)
                )
                if column == _CHARGE
                else text
            )
            if column == _CHARGE:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(row, column, item)

    @property
    def current(self) -> EntrySummary | None:
        """The entry whose row is chosen."""
        item = self.item(self.currentRow(), 0) if self.currentRow() >= 0 else None
        return None if item is None else self._entries.get(item.data(_NUMBER))

    @Slot(int)
    def choose(self, number: int) -> bool:
        """Choose the row of an entry; False where it has none."""
        for row in range(self.rowCount()):
            if self.model().index(row, 0).data(_NUMBER) == number:
                self.setCurrentCell(row, _BUNDLE)
                return True
        return False

    @Slot()
    def _choose(self) -> None:
        self.entry_chosen.emit(self.current.number if self.current else 0)
