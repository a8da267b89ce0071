"""What the parts of the budget meter are."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.kit.labels import MIDDLE_LINE
from ui.kit.theme import Theme

_SQUARE = 10
_GAP = 5
_APART = 12


class MeterLegend(QWidget):
    """Three squares with their words, in the colours that the meter has."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.over = False
        self.setAccessibleName(", ".join(self.words))
        theme.changed.connect(self.update)

    @property
    def words(self) -> tuple[str, str, str]:
        """Of the parts, from left to right."""
        return self.tr("spent"), self.tr("this release"), self.tr("left")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        metrics = self.fontMetrics()
        width = sum(_SQUARE + _GAP + metrics.horizontalAdvance(word) + _APART for word in self.words)
        return QSize(width, metrics.height() + 2)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colours = self._theme.colours
        painter = QPainter(self)
        left, middle = 0, self.height() // 2
        fills = (colours.muted, colours.bad if self.over else colours.accent, colours.raised)
        for word, fill in zip(self.words, fills, strict=True):
            painter.setPen(QColor(colours.outline))
            painter.setBrush(QColor(fill))
            painter.drawRect(left, middle - _SQUARE // 2, _SQUARE - 1, _SQUARE - 1)
            left += _SQUARE + _GAP
            width = self.fontMetrics().horizontalAdvance(word)
            painter.setPen(QColor(colours.muted))
            painter.drawText(QRect(left, 0, width, self.height()), MIDDLE_LINE, word)
            left += width + _APART
        painter.end()
