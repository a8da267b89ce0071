"""Two strips of a verdict: where the truth behind an example may lie, and where the error stands."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.advice.example_value import ExampleValue
from core.advice.usefulness import Usefulness, verdict_word
from ui.budget.verdict_sign import verdict_colour
from ui.kit.labels import TALL
from ui.language.translation import core_text

_EDGE, _LINE, _BAR = 6.0, 2.0, 6.0
"""Pixels at either end, of the line's and of the bands' thickness."""
_APART = 8.0
"""Between two figures, which else read as one."""
_SMALLER = 1.0
_FAINT = 0.35
_CENTRE = Qt.AlignmentFlag.AlignHCenter.value | Qt.AlignmentFlag.AlignVCenter.value | TALL


class _Strip(QWidget):
    """As wide as there is room; its figures are said in words beside it."""

    def __init__(self) -> None:
        super().__init__()
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() - _SMALLER)
        self.setFont(font)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(120, 2 * self.fontMetrics().height() + 12)

    def _x(self, share: float) -> float:
        return _EDGE + min(max(share, 0.0), 1.0) * (self.width() - 2 * _EDGE)

    def _write(self, painter: QPainter, x: float, top: float, text: str) -> QRectF:
        """Centred at x, but within the strip; where it stands."""
        width, height = self.fontMetrics().horizontalAdvance(text) + 4.0, float(self.fontMetrics().height())
        place = QRectF(min(max(x - width / 2, 0.0), self.width() - width), top, width, height)
        painter.drawText(place, _CENTRE, text)
        return place


class RangeStrip(_Strip):
    """The example on the line of all that is possible, with the range that it means."""

    def __init__(self) -> None:
        super().__init__()
        self._example: ExampleValue | None = None
        self._usefulness, self._unit = Usefulness.ROUGH, ""

    def show_example(self, example: ExampleValue | None, usefulness: Usefulness, unit: str) -> None:
        """None: there is none."""
        self._example, self._usefulness, self._unit = example, usefulness, unit
        self.setVisible(example is not None)
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        one = self._example
        if one is None:
            return
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high = float(self.fontMetrics().height())
        middle, span = high + 6.0, float(one.most - one.least)
        low, at, top = (self._x((value - one.least) / span) for value in (one.low, one.published, one.high))
        colour = verdict_colour(self._usefulness, palette)
        painter.fillRect(
            QRectF(_EDGE, middle - _LINE / 2, self.width() - 2 * _EDGE, _LINE),
            palette.color(QPalette.ColorRole.Mid),
        )
        painter.fillRect(QRectF(low, middle - 5, top - low, 10), _faint(colour))
        for end in (low, top):
            painter.fillRect(QRectF(end - 1, middle - 6, 2, 12), colour)
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(QPointF(at, middle), 5, 5)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        self._write(painter, at, -1, f"{one.published}")
        below = middle + 6
        wide = self.fontMetrics().horizontalAdvance
        apart = max(0.0, (wide(f"{one.low}") + wide(f"{one.high}")) / 2 + _APART - (top - low)) / 2
        taken = [
            self._write(painter, x, below, f"{end}")
            for x, end in ((low - apart, one.low), (top + apart, one.high))
        ]
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        first, last = f"{one.least}", f"{one.most} {self._unit}"
        if taken[0].left() > wide(first) + 8:
            self._write(painter, 0, below, first)
        if taken[1].right() + wide(last) + 8 < self.width():
            self._write(painter, self.width(), below, last)
        painter.end()


class BandStrip(_Strip):
    """The error before the bands of good, rough and no use."""

    def __init__(self) -> None:
        super().__init__()
        self._error, self._ends, self._text = 0.0, (0.0, 0.0), ""

    def show_error(self, error: float, good: float | None, constant: float | None, text: str) -> None:
        """text: the error as it is read; where nothing public tells the bands, there is nothing to see."""
        known = good is not None and constant is not None and good < constant
        self._error, self._text = error, text
        self._ends = (good, constant) if known and good is not None and constant is not None else (0.0, 0.0)
        self.setVisible(known)
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high = float(self.fontMetrics().height())
        good, constant = self._ends
        most = 1.5 * constant
        edges = [self._x(end / most) for end in (0.0, good, constant, most)]
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        for word, left, right in zip(Usefulness, edges, edges[1:], strict=False):
            painter.fillRect(QRectF(left, high + 2, right - left - 2, _BAR), band_colour(word, palette))
            self._write(painter, (left + right) / 2, high + 2 + _BAR, core_text(verdict_word(word)))
        at = self._x(self._error / most)
        painter.setBrush(palette.color(QPalette.ColorRole.Text))
        painter.setPen(Qt.PenStyle.NoPen)
        corners = ((at - 5, high - 6), (at + 5, high - 6), (at, high + 1))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        width = self.fontMetrics().horizontalAdvance(self._text) + 12.0
        beside = at + width / 2 + 4 if at + width < self.width() else at - width / 2 - 4
        self._write(painter, beside, -2, self._text)
        painter.end()


def band_colour(usefulness: Usefulness, palette: QPalette) -> QColor:
    """Of a stretch of errors or amounts with that verdict."""
    colour = verdict_colour(usefulness, palette)
    return _faint(colour) if usefulness is Usefulness.ROUGH else colour


def _faint(colour: QColor) -> QColor:
    pale = QColor(colour)
    pale.setAlphaF(_FAINT)
    return pale
