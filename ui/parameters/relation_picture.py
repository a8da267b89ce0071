"""Two plain pictures of the relations, drawn in the colours of the palette: a bus on its timetable, a street
of cars of which one may have been there or not.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.privacy import Relation

_SIZE = QSize(96, 60)
_DRAWN = QSize(112, 84)
"""The box that shapes are drawn in."""
_THIN, _THICK = 1.6, 2.2


class RelationPicture(QWidget):
    """Only to be looked at: what it shows is said beside it."""

    def __init__(self, relation: Relation) -> None:
        super().__init__()
        self._relation = relation
        self.setFixedSize(_SIZE)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = _SIZE.height() / _DRAWN.height()
        painter.translate((_SIZE.width() - scale * _DRAWN.width()) / 2, 0)
        painter.scale(scale, scale)
        brush = _Brush(painter, self.palette())
        brush.road()
        if self._relation is Relation.VALUES:
            brush.bus_on_timetable()
        else:
            brush.street()
        painter.end()


class _Brush:
    """Shapes in a box of 112 by 84."""

    def __init__(self, painter: QPainter, palette: QPalette) -> None:
        self._painter = painter
        self._line = palette.color(QPalette.ColorRole.Text)
        self._muted = palette.color(QPalette.ColorRole.PlaceholderText)
        self._accent = palette.color(QPalette.ColorRole.Accent)
        self._ground = palette.color(QPalette.ColorRole.Base)

    def road(self) -> None:
        self._pen(self._muted, _THIN)
        self._painter.drawLine(QPointF(4, 72), QPointF(108, 72))
        self._pen(self._muted, _THIN, Qt.PenStyle.DashLine)
        self._painter.drawLine(QPointF(4, 78), QPointF(108, 78))

    def bus_on_timetable(self) -> None:
        """A bus, its stop, and the board that says when it comes."""
        draw = self._painter
        self._pen(self._line, _THICK)
        draw.setBrush(self._soft())
        draw.drawRoundedRect(QRectF(8, 40, 58, 26), 5, 5)
        draw.setBrush(self._ground)
        self._pen(self._line, _THIN)
        for left in (14, 27, 40):
            draw.drawRoundedRect(QRectF(left, 45, 9, 8), 1.5, 1.5)
        draw.drawRoundedRect(QRectF(53, 45, 8, 15), 1.5, 1.5)
        self._wheels(20, 53)
        self._pen(self._line, _THICK)
        draw.drawLine(QPointF(86, 30), QPointF(86, 72))
        draw.setBrush(self._ground)
        draw.drawRoundedRect(QRectF(70, 6, 34, 28), 3, 3)
        self._pen(self._muted, _THIN)
        for y in (14, 20, 26):
            draw.drawLine(QPointF(76, y), QPointF(83, y))
            draw.drawLine(QPointF(88, y), QPointF(98, y))
        self._clock(26, 20)

    def _clock(self, x: float, y: float) -> None:
        draw = self._painter
        self._pen(self._accent, _THICK)
        draw.setBrush(self._ground)
        draw.drawEllipse(QPointF(x, y), 11, 11)
        draw.drawLine(QPointF(x, y), QPointF(x, y - 7))
        draw.drawLine(QPointF(x, y), QPointF(x + 5, y + 2))

    def street(self) -> None:
        """A taxi that was there, and a car that may have been: nobody is to tell."""
        self._car(8, self._line, Qt.PenStyle.SolidLine, filled=True)
        draw = self._painter
        self._pen(self._line, _THIN)
        draw.setBrush(self._accent)
        draw.drawRoundedRect(QRectF(24, 39, 12, 5), 1.5, 1.5)
        self._car(62, self._accent, Qt.PenStyle.DashLine, filled=False)
        font = draw.font()
        font.setPixelSize(26)
        font.setBold(True)
        draw.setFont(font)
        self._pen(self._accent, _THICK)
        draw.drawText(QRectF(68, 4, 32, 34), Qt.AlignmentFlag.AlignCenter, "?")

    def _car(self, left: float, colour: QColor, style: Qt.PenStyle, *, filled: bool) -> None:
        draw = self._painter
        self._pen(colour, _THICK, style)
        draw.setBrush(self._soft() if filled else Qt.BrushStyle.NoBrush)
        draw.drawRoundedRect(QRectF(left + 9, 44, 25, 13), 5, 5)
        draw.drawRoundedRect(QRectF(left, 54, 44, 12), 5, 5)
        if filled:
            self._wheels(left + 11, left + 33)
        else:
            self._pen(colour, _THIN, style)
            for x in (left + 11, left + 33):
                draw.drawEllipse(QPointF(x, 67), 5, 5)

    def _wheels(self, *places: float) -> None:
        self._pen(self._line, _THICK)
        self._painter.setBrush(self._ground)
        for x in places:
            self._painter.drawEllipse(QPointF(x, 67), 5, 5)

    def _soft(self) -> QColor:
        soft = QColor(self._accent)
        soft.setAlphaF(0.22)
        return soft

    def _pen(self, colour: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> None:
        pen = QPen(colour, width, style)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self._painter.setPen(pen)
