"""A table of whole rows, which copies nothing by itself."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget


class RowTable(QTableView):
    """Rows are selected, sorted by a click on a column, and copied by code that knows what may be copied."""

    copy_wanted = Signal()

    def __init__(self, header: QHeaderView | None = None, parent: QWidget | None = None) -> None:
        """header: in place of Qt's own."""
        super().__init__(parent)
        if header is not None:
            self.setHorizontalHeader(header)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)

    def show_rows(self, model: QAbstractTableModel, *, height: int, sorted_by: int) -> None:
        """Take the model; rows of this height, sorted by that column at first, upwards."""
        self.setModel(model)
        header = self.horizontalHeader()
        # A header asks for each of its columns whether all rows are selected: with the table's own
        # selection that costs a third of a second once 5,000 rows are. This one stays empty.
        header.setSelectionModel(QItemSelectionModel(model, header))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(height)
        header.setSortIndicator(sorted_by, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Qt's own copy would take the current cell, confidential or not."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            event.accept()
        else:
            super().keyPressEvent(event)
