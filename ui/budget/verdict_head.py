"""The verdict's word with its sign, large: the same sign and colour as everywhere."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.advice.usefulness import Usefulness, verdict_word
from ui.budget.verdict_sign import paint_verdict_sign, verdict_colour
from ui.language.translation import core_text

_POINTS, _SMALL_POINTS = 19.0, 9.0
_GAP = 8


class VerdictHead(QWidget):
    """The word in its colour, and what it is about at the right."""

    def __init__(self) -> None:
        super().__init__()
        self._usefulness = Usefulness.ROUGH
        self.about = self.tr("how exact")
        """Of what it is the verdict: privacy is another matter."""
        font = self.font()
        font.setPointSizeF(_POINTS)
        font.setBold(True)
        self.setFont(font)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """The word."""
        return core_text(verdict_word(self._usefulness))

    def show_verdict(self, usefulness: Usefulness) -> None:
        """The newest one."""
        self._usefulness = usefulness
        self.setAccessibleName(self.text)
        self.setAccessibleDescription(self.about)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        metrics = self.fontMetrics()
        width = metrics.height() + _GAP + metrics.horizontalAdvance(self.text)
        return QSize(width, self._above() + metrics.descent())

    def _above(self) -> int:
        """Pixels above the line: strokes over Devanagari are higher than the font says."""
        metrics = self.fontMetrics()
        words = (core_text(verdict_word(one)) for one in Usefulness)  # not of each is the stroke measured
        return max(metrics.ascent(), *(1 - metrics.tightBoundingRect(word).top() for word in words))

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        palette, side = self.palette(), self.fontMetrics().height() * 0.76
        sign = QRectF(1.0, (self.height() - side) / 2, side, side)
        paint_verdict_sign(painter, sign, self._usefulness, palette)
        painter.setPen(verdict_colour(self._usefulness, palette))
        left = round(sign.right()) + _GAP
        painter.drawText(left, self._above(), self.text)
        small = self.font()
        small.setPointSizeF(_SMALL_POINTS)
        small.setBold(False)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        left += self.fontMetrics().horizontalAdvance(self.text) + _GAP
        painter.setFont(small)
        painter.drawText(
            self.rect().adjusted(left, 0, 0, 0),
            Qt.AlignmentFlag.AlignRight.value | Qt.AlignmentFlag.AlignVCenter.value,
            self.about,
        )
        painter.end()
