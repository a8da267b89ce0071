"""Colour and stroke of each curve: two marks, so that no curve is known by colour alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from core.mechanisms.base import Mechanism
from ui.theme import Colours

CONSTANT = "constant"
"""Key of the line of a published constant; no mechanism is called so."""
_LIGHT = ("#0f6e68", "#b85c00", "#6b4fbb", "#2b6cb0", "#a8327d", "#64731b", "#7a4a2b", "#4a5b6c")
_DARK = ("#3fc1b5", "#f0a35a", "#b7a1f2", "#7fb3f0", "#ee8cc6", "#c0cf6a", "#d3a585", "#aab8c6")
_STROKES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DotLine)
SWATCH = QSize(30, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveStyle:
    """How one curve is called and drawn."""

    title: str
    colour: str
    stroke: Qt.PenStyle

    def pen(self, *, strong: bool = False) -> QPen:
        """A cosmetic pen; the chosen mechanism's is `strong`."""
        pen = QPen(QColor(self.colour), 3.0 if strong else 2.0, self.stroke)
        pen.setCosmetic(True)
        return pen

    def swatch(self, ratio: float, *, strong: bool = False) -> QIcon:
        """A piece of the curve for the legend; ratio: device pixels of the screen."""
        pixmap = QPixmap(SWATCH * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setPen(self.pen(strong=strong))
        middle = QRectF(0, 0, SWATCH.width(), SWATCH.height()).center().y()
        painter.drawLine(0, int(middle), SWATCH.width(), int(middle))
        painter.end()
        return QIcon(pixmap)


def curve_styles(mechanisms: Mapping[str, Mechanism], colours: Colours) -> dict[str, CurveStyle]:
    """A style for each mechanism, the same in every session."""
    palette = _DARK if colours.dark else _LIGHT
    return {
        key: CurveStyle(
            title=mechanism.title,
            colour=palette[number % len(palette)],
            stroke=_STROKES[number % len(_STROKES)],
        )
        for number, (key, mechanism) in enumerate(mechanisms.items())
    }


def constant_style(colours: Colours, title: str = "") -> CurveStyle:
    """The dashed line of a published constant."""
    return CurveStyle(title=title, colour=colours.muted, stroke=Qt.PenStyle.DashLine)
