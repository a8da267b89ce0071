"""The timeline: a row for each entry with its exact cost, newest first."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.accounting.ledger_report import EntrySummary
from core.accounting.ledger_timeline import TimelineEntry
from ui.kit.model_index import ModelIndex
from ui.kit.tips import in_lines
from ui.ledger.spending import Spending
from ui.ledger.words import bundles_in_brief, covered, first_to_last, newest_release, state_of
from ui.session.draft_charge import shown_epsilon, unrounded_epsilon

_NUMBER = Qt.ItemDataRole.UserRole
_ROW = 30
_ABOVE = 4
_PADDING = 8
_ITEM_MARGIN = 3
"""Pixels that Qt leaves beside a cell's text in any case: heads and cells begin one below the other."""
_LEAST_ROWS = 4
_PAID, _BUNDLE, _DATES, _CHARGE, _STATE = range(5)
_LEAST = {_DATES: 110, _STATE: 122, _BUNDLE: 122}
"""Pixels of a column that gives way where not all have room, in this order."""
_HYPHEN = re.compile(r"(?<=[^\W\d])-")
_SPARE = 2
"""Pixels below the lines of a row: where they are no whole pixels high, Qt would leave the last one out."""
_TAKEN = 2 * _PADDING
"""Pixels of a cell beside its text."""


class TimelineTable(QTableWidget):
    """Emits `entry_chosen(number)`; 0 where no row is."""

    entry_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, 5, parent)
        self._entries: dict[int, EntrySummary] = {}
        self._newest = 0
        """The newest release when they were last shown; 0 without one."""
        self.setHorizontalHeaderLabels(
            [
                self.tr("Paid on"),
                self.tr("Bundle"),
                self.tr("Dates"),
                self.tr("Per vehicle"),
                self.tr("State"),
            ]
        )
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setStyleSheet(f"QTableView::item {{ padding: {_ABOVE}px {_PADDING - _ITEM_MARGIN}px; }}")
        self.setAlternatingRowColors(True)
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
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setStretchLastSection(True)
        for column in (_BUNDLE, _STATE):
            self.setItemDelegateForColumn(column, _BrokenAtHyphens(self))
        self.setMinimumHeight(_ROW * (_LEAST_ROWS + 1))
        self.itemSelectionChanged.connect(self._choose)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No higher than it must be: it grows where there is room, and what stands below stays visible."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def show_spending(self, spending: Spending) -> None:
        """Newest first; the chosen entry stays chosen, but the newest release gives way to a newer one."""
        before = self.current.number if self.current else 0
        self._entries = {part.entry.number: part.entry for part in spending.timeline}
        self.blockSignals(True)
        self.clearContents()
        self.setRowCount(len(spending.timeline))
        for row, part in enumerate(reversed(spending.timeline)):
            self._fill(row, part, spending.population.name)
        self.blockSignals(False)
        self._fit()
        newest = newest_release(spending)
        if before == self._newest or not self.choose(before):
            self.choose(0 if newest is None else newest.number)
        self._newest = 0 if newest is None else newest.number

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As wide as what they hold. In a narrow place the day of payment goes, which the state's tip tells
        too, and texts go on in a second line, so that the state of each entry is seen.
        """
        header, room = self.horizontalHeader(), self.viewport().width()
        wanted = [
            max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in range(self.columnCount())
        ]
        least = [min(wanted[column], _LEAST.get(column, wanted[column])) for column in range(_STATE + 1)]
        self.setColumnHidden(_PAID, sum(least) - least[_BUNDLE] + wanted[_BUNDLE] > room)
        short = sum(wanted) - room - (wanted[_PAID] if self.isColumnHidden(_PAID) else 0)
        for column in _LEAST:
            taken = max(0, min(short, wanted[column] - least[column]))
            wanted[column] -= taken
            short -= taken
        for column, width in enumerate(wanted):
            if not self.isColumnHidden(column):
                header.resizeSection(column, width)
        self._fit_rows()

    def _fit_rows(self) -> None:
        """As high as their lines; most have one, and are not measured."""
        metrics = self.fontMetrics()
        shown = [column for column in _LEAST if not self.isColumnHidden(column)]
        for row in range(self.rowCount()):
            cells = ((self.item(row, column), self.columnWidth(column)) for column in shown)
            longer = any(
                item is not None and metrics.horizontalAdvance(item.text()) + _TAKEN > width
                for item, width in cells
            )
            height = max(_ROW, self.sizeHintForRow(row) + _SPARE) if longer else _ROW
            if self.rowHeight(row) != height:
                self.setRowHeight(row, height)

    def _fill(self, row: int, part: TimelineEntry, population: str) -> None:
        entry = part.entry
        bundle = bundles_in_brief(entry)
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
                in_lines(
                    self.tr("exactly {alone}; {after} spent with it").format(
                        alone=unrounded_epsilon(part.alone), after=unrounded_epsilon(part.after)
                    )
                    if column == _CHARGE
                    else self.tr("{state}\nPaid on {day}").format(state=text, day=texts[_PAID])
                    if column == _STATE
                    else first_to_last(entry.dates)
                    if column == _DATES
                    else text
                )
            )
            if column == _CHARGE:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(row, column, item)

    @property
    def current(self) -> EntrySummary | None:
        """The entry whose row is chosen."""
        item = self.item(self.currentRow(), 0) if self.currentRow() >= 0 else None
        return None if item is None else self._entries.get(item.data(_NUMBER))

    def choose(self, number: int) -> bool:
        """Choose the row of an entry; False where it has none."""
        for row in range(self.rowCount()):
            if self.model().index(row, 0).data(_NUMBER) == number:
                self.setCurrentCell(row, _BUNDLE)
                return True
        return False

    def _choose(self) -> None:
        self.entry_chosen.emit(self.current.number if self.current else 0)


class _BrokenAtHyphens(QStyledItemDelegate):
    """A line may end behind a hyphen of a bundle's name, not within a date or version."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: ModelIndex) -> None:  # noqa: N802 - Qt's name
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle  # the end of a name is its version
        option.text = _HYPHEN.sub("-\N{ZERO WIDTH SPACE}", option.text)
