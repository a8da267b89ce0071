"""The sign of a verdict: signs differ in form as well as in colour."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPalette, QPen

from core.advice.usefulness import Usefulness


def verdict_colour(usefulness: Usefulness, palette: QPalette) -> QColor:
    """Amber from rough on."""
    good = usefulness is Usefulness.GOOD
    return palette.color(QPalette.ColorRole.Shadow if good else QPalette.ColorRole.LinkVisited)


def paint_verdict_sign(painter: QPainter, place: QRectF, usefulness: Usefulness, palette: QPalette) -> None:
    """A tick in a disc, a wave in a ring, a cross in a disc."""
    colour, ground = verdict_colour(usefulness, palette), palette.color(QPalette.ColorRole.Base)
    ring = usefulness is Usefulness.ROUGH
    width = place.width() / 9
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, width) if ring else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if ring else colour)
    inset = width / 2 if ring else 0.0
    painter.drawEllipse(place.adjusted(inset, inset, -inset, -inset))
    pen = QPen(colour if ring else ground, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for line in _lines(usefulness):
        painter.drawPath(_path(line, place))
    painter.restore()


def _lines(usefulness: Usefulness) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Corners in a box from 0 to 1; of a wave those of its curve."""
    if usefulness is Usefulness.GOOD:
        return (((0.28, 0.52), (0.44, 0.68), (0.73, 0.34)),)
    if usefulness is Usefulness.ROUGH:
        return (((0.26, 0.54), (0.38, 0.38), (0.62, 0.66), (0.74, 0.48)),)
    return (((0.33, 0.33), (0.67, 0.67)), ((0.67, 0.33), (0.33, 0.67)))


def _path(corners: tuple[tuple[float, float], ...], place: QRectF) -> QPainterPath:
    points = [QPointF(place.left() + x * place.width(), place.top() + y * place.height()) for x, y in corners]
    path = QPainterPath(points[0])
    if len(points) == 4:
        path.cubicTo(*points[1:])
        return path
    for point in points[1:]:
        path.lineTo(point)
    return path
