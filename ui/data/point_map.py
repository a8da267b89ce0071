"""The drawing of the preview's small map: points, graticule, box, scale bar. Confidential."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from core.assist.coordinate_order import CoordinateCheck
from core.assist.mini_map import MiniMap, degrees_text, fit_map
from ui.language.translation import translator

_tr = translator("PointMap")

_DOT = 2.6
_CROSS = 3.6
_EDGE = 7
_SMALL = 8
_RIM = 4
_HEADING = 28
"""Pixels from the top in which only longitudes are written."""


class PointMap(QWidget):
    """Points inside the box are filled dots, points outside are crosses: not distinct by colour alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._check: CoordinateCheck | None = None
        self._reason = ""
        self.setMinimumSize(180, 130)
        self.setAccessibleName(_tr("Map of the preview's positions, confidential"))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(300, 220)

    def show_check(self, check: CoordinateCheck | None, reason: str = "") -> None:
        """Show these positions; `reason` stands in their place where none is drawn."""
        self._check, self._reason = check, reason
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Base))
        font = painter.font()
        font.setPointSize(_SMALL)
        painter.setFont(font)
        check = self._check
        if check is not None and check.drawn:
            shown = fit_map(check.latitude, check.longitude, check.box, self.width(), self.height())
            self._paint_graticule(painter, shown)
            self._paint_box(painter, shown, check)
            self._paint_points(painter, shown, check)
            self._paint_degrees(painter, shown)
            self._paint_scale_bar(painter, shown)
        else:
            painter.setPen(self._muted)
            room = QRectF(self.rect()).adjusted(12, 8, -12, -8)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(flags), self._reason)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    @property
    def _muted(self) -> QColor:
        return self.palette().color(QPalette.ColorRole.PlaceholderText)

    def _paint_graticule(self, painter: QPainter, shown: MiniMap) -> None:
        line = QPen(self.palette().color(QPalette.ColorRole.Mid), 1)
        painter.setPen(line)
        for longitude in shown.meridians:
            x = float(shown.place(shown.south, longitude)[0])
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        for latitude in shown.parallels:
            y = float(shown.place(latitude, shown.west)[1])
            painter.drawLine(QPointF(0, y), QPointF(self.width(), y))

    def _paint_degrees(self, painter: QPainter, shown: MiniMap) -> None:
        """Over the points, which would cover the digits; at the right edge before their line, if they fit."""
        taken = 0.0
        for longitude in shown.meridians:
            x = float(shown.place(shown.south, longitude)[0])
            text = degrees_text(longitude, _tr("E"), _tr("W"))
            wide = painter.fontMetrics().horizontalAdvance(text)
            left = x + 3 if x + _EDGE + wide < self.width() else x - 3 - wide
            if left > taken:
                self._paint_readable(painter, QPointF(left, 11), text)
                taken = left + wide + _EDGE
        for latitude in shown.parallels:
            y = float(shown.place(latitude, shown.west)[1])
            if y > _HEADING:
                self._paint_readable(painter, QPointF(3, y - 3), degrees_text(latitude, _tr("N"), _tr("S")))

    def _paint_readable(self, painter: QPainter, place: QPointF, text: str) -> None:
        """A text with a rim of the ground's colour, no wider than keeps it apart from what it stands on."""
        outline = QPainterPath()
        outline.addText(place, painter.font(), text)
        painter.strokePath(outline, QPen(self.palette().color(QPalette.ColorRole.Base), _RIM))
        painter.setPen(self._muted)
        painter.drawText(place, text)

    def _paint_box(self, painter: QPainter, shown: MiniMap, check: CoordinateCheck) -> None:
        if check.box is None:
            return
        left, top = (float(pixel) for pixel in shown.place(check.box.north, check.box.west))
        right, bottom = (float(pixel) for pixel in shown.place(check.box.south, check.box.east))
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Text), 1.4, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(left, top, right - left, bottom - top))

    def _paint_points(self, painter: QPainter, shown: MiniMap, check: CoordinateCheck) -> None:
        accent = self.palette().color(QPalette.ColorRole.Highlight)
        bad = self.palette().color(QPalette.ColorRole.BrightText)
        xs, ys = shown.place(check.latitude, check.longitude)
        for x, y, inside in zip(xs.tolist(), ys.tolist(), check.inside.tolist(), strict=True):
            if inside:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(accent)
                painter.drawEllipse(QPointF(x, y), _DOT, _DOT)
            else:
                painter.setPen(QPen(bad, 1.6))
                painter.drawLine(QPointF(x - _CROSS, y - _CROSS), QPointF(x + _CROSS, y + _CROSS))
                painter.drawLine(QPointF(x - _CROSS, y + _CROSS), QPointF(x + _CROSS, y - _CROSS))

    def _paint_scale_bar(self, painter: QPainter, shown: MiniMap) -> None:
        km, pixels = shown.scale_bar
        text = f"{km:g} km" if km >= 1 else f"{km * 1000:g} m"
        right, base = self.width() - _EDGE, self.height() - _EDGE
        width = max(pixels, painter.fontMetrics().horizontalAdvance(text)) + 10
        painter.fillRect(
            QRectF(right - width, base - 18, width + 4, 22), self.palette().color(QPalette.ColorRole.Base)
        )
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Text), 1.6))
        for x in (right - pixels, right):
            painter.drawLine(QPointF(x, base - 4), QPointF(x, base))
        painter.drawLine(QPointF(right - pixels, base), QPointF(right, base))
        room = QRectF(right - width, base - 19, width, 14)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
