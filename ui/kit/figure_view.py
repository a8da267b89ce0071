"""A small table of confidential figures: its style, widths, no copying."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from ui.layout.whole_columns import whole_columns

_ACROSS = Qt.Orientation.Horizontal
_ROW_HEIGHT = 25
_LEAST = 66
"""Pixels of a column of figures."""
_MOST = 150
"""Wider ones would tear figures and names apart."""
_MARGIN = 16
"""Around a text, both sides together."""
_ROUNDED = 3
"""Qt lays out fractions of a pixel that its measures leave away, and needs more around what breaks."""
_LINE = 17
"""Pixels that each further line of a name adds."""
_NAMES = 0.5
"""Of the width at most, where not all figures fit beside: names break, so that some are seen."""


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
        self.setWordWrap(True)
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

    def narrowest(self) -> int:
        """Pixels of the narrowest column of figures."""
        widths = (self.columnWidth(column) for column in range(1, self.model().columnCount()))
        return min(widths, default=0)

    def _fit(self) -> None:
        model, header = self.model(), self.horizontalHeader()
        rows, figures = model.rowCount(), model.columnCount() - 1
        if figures < 1:
            self._fit_height(0)
            return
        texts = [str(model.index(row, 0).data()) for row in range(rows)]
        heads = [str(model.headerData(column, _ACROSS)) for column in range(figures + 1)]
        names = max(map(self.fontMetrics().horizontalAdvance, texts), default=0) + _MARGIN + _ROUNDED
        room = self.viewport().width()
        strong = header.font()
        strong.setBold(True)  # as the head of what is chosen is
        measure = QFontMetrics(strong)
        least = [
            max(
                _LEAST,
                *(measure.horizontalAdvance(line) + _MARGIN + 2 for line in head.split("\n")),
                *(self._need_of(model.index(row, column)) for row in range(rows)),
            )
            for column, head in enumerate(heads[1:], start=1)
        ]
        left, word = room - sum(least), self._widest_word([*texts, heads[0]])
        names = min(names, left if left >= word else max(round(_NAMES * room), word))
        shares = self._shared(room - names, least) if left >= word else whole_columns(room - names, least)
        for section, share in enumerate(shares, start=1):
            header.resizeSection(section, share)
        header.resizeSection(0, max(names, room - sum(shares)))
        for row, text in enumerate(texts):
            self.setRowHeight(row, _ROW_HEIGHT + _LINE * (self._lines(text, _ROUNDED - 1) - 1))
        self._fit_head(heads)
        self._fit_height(header.length() - room)

    def _need_of(self, figure: QModelIndex) -> int:
        """Pixels of a figure, which no column cuts: what is left of one misleads."""
        font = figure.data(Qt.ItemDataRole.FontRole)
        measure = self.fontMetrics() if font is None else QFontMetrics(font)
        return measure.horizontalAdvance(figure.data() or "") + _MARGIN + 2

    @staticmethod
    def _shared(room: int, least: Sequence[int]) -> list[int]:
        """Widths of the columns of figures: alike where all of them have room so."""
        share = room // len(least)
        if share >= max(least):
            return [min(_MOST, share)] * len(least)
        more = max(0, room - sum(least)) // len(least)
        return [one + more for one in least]

    def _widest_word(self, texts: Sequence[str]) -> int:
        words = (word for text in texts for word in text.split())
        return max(map(self.fontMetrics().horizontalAdvance, words), default=0) + _MARGIN

    def _lines(self, text: str, spare: int = 0) -> int:
        """How many a name breaks into."""
        room = QRect(0, 0, self.columnWidth(0) - _MARGIN - spare, _ROW_HEIGHT)
        height = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        return max(1, round(height / self.fontMetrics().lineSpacing()))

    def _fit_head(self, heads: Sequence[str]) -> None:
        """High enough for the head of the names too, which breaks where their column is narrower."""
        header, given = self.horizontalHeader(), max(head.count("\n") + 1 for head in heads)
        more = max(0, self._lines(heads[0], _ROUNDED) - given) * header.fontMetrics().lineSpacing()
        header.setMinimumHeight(header.sizeHint().height() + more if more else 0)

    def _fit_height(self, beyond: int) -> None:
        """So that the rows are seen, and below them the bar that brings what lies beyond the right edge."""
        header, rows = self.horizontalHeader(), self.verticalHeader().length()
        heads = max(header.sizeHint().height(), header.minimumHeight())
        bar = self.horizontalScrollBar().sizeHint().height() if beyond > 0 else 0
        self.setFixedHeight(heads + rows + 2 * self.frameWidth() + bar)
