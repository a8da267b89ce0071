"""A small table of confidential figures: to be walked through by keyboard, never copied from."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

_ACROSS = Qt.Orientation.Horizontal
_ROW_HEIGHT = 25
_LEAST = 66
"""Pixels of a column of figures."""
_MOST = 150
"""Wider ones would tear figures and names apart."""
_MARGIN = 16
"""Around a text, both sides together."""


class FigureView(QTableView):
    """As high as its rows; the first column names them and keeps its width, the others share the rest."""

    def __init__(self, model: QAbstractItemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.horizontalHeader().setSectionsClickable(False)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(_LEAST)
        self.setStyleSheet(
            "QTableView { outline: none; }"
            "QTableView::item { padding: 0 4px; border: 1px solid transparent; }"
            "QTableView::item:selected:focus { border-color: palette(highlight); }"
        )
        model.modelReset.connect(self._fit)
        model.dataChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Qt's own copy would take the current cell; what is confidential stays on the screen."""
        if event.matches(QKeySequence.StandardKey.Copy):
            event.accept()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        model, header = self.model(), self.horizontalHeader()
        rows, figures = model.rowCount(), model.columnCount() - 1
        if figures < 1:
            self._fit_height(0)
            return
        texts = (str(model.index(row, 0).data()) for row in range(rows))
        names = max(map(self.fontMetrics().horizontalAdvance, texts), default=0) + _MARGIN
        room = self.viewport().width()
        heads = (str(model.headerData(column, _ACROSS)) for column in range(1, figures + 1))
        least = max(_LEAST, *(header.fontMetrics().horizontalAdvance(head) + _MARGIN for head in heads))
        share = min(_MOST, max(least, (room - names) // figures))
        for section in range(1, figures + 1):
            header.resizeSection(section, share)
        header.resizeSection(0, max(names, room - share * figures))
        self._fit_height(header.length() - room)

    def _fit_height(self, beyond: int) -> None:
        """So that the rows are seen, and below them the bar that brings what lies beyond the right edge."""
        header, rows = self.horizontalHeader(), self.model().rowCount()
        bar = self.horizontalScrollBar().sizeHint().height() if beyond > 0 else 0
        self.setFixedHeight(header.sizeHint().height() + rows * _ROW_HEIGHT + 2 * self.frameWidth() + bar)
