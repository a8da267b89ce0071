"""Colour, symbol and stroke of each curve: a mechanism's are two marks, so none is known by colour alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF, QTransform

from core.charts.markers import MARKERS, marker
from core.evaluate.compared_curves import Series, all_series
from core.grouping.groupings import BESTFIT, WRAPAROUND
from ui.errors.curve_request import curve_key
from ui.kit.theme import Colours
from ui.language.translation import core_text

DASHED = WRAPAROUND
"""The grouping that is drawn dashed, with hollow symbols."""
_GROUPINGS = {BESTFIT: "BestFit", WRAPAROUND: "WrapAround"}
_LIGHT = (
    *("#0f6e68", "#b85c00", "#6b4fbb", "#2b6cb0", "#a8327d", "#64731b", "#7a4a2b", "#4a5b6c"),
    "#c42b2b",
)
_DARK = (*("#3fc1b5", "#f0a35a", "#b7a1f2", "#7fb3f0", "#ee8cc6", "#c0cf6a", "#d3a585", "#aab8c6"), "#ff8a80")
SWATCH = QSize(34, 14)
_SYMBOL = 8.0
_STRONG, _USUAL = 3.0, 1.6
"""Widths of curves in pixels, of the chosen mechanism and of others."""
SYMBOL_LINE = 1.5
"""Width of the line around a symbol, pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveStyle:
    """How one curve is called and drawn."""

    title: str
    colour: str
    stroke: Qt.PenStyle
    symbol: str = next(iter(MARKERS))
    """Key of `core.charts.markers.MARKERS`."""
    hollow: bool = False

    def pen(self, *, strong: bool = False) -> QPen:
        """A cosmetic pen; the chosen mechanism's is `strong`."""
        pen = QPen(QColor(self.colour), _STRONG if strong else _USUAL, self.stroke)
        if self.stroke is Qt.PenStyle.DashLine:
            pen.setDashPattern([4.0, 2.5])
        pen.setCosmetic(True)
        return pen

    def swatch(self, ratio: float, *, strong: bool = False, surface: str = "") -> QIcon:
        """A piece of the curve for the legend; ratio: device pixels of the screen."""
        pixmap = QPixmap(SWATCH * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen(strong=strong))
        middle = QRectF(0, 0, SWATCH.width(), SWATCH.height()).center()
        painter.drawLine(QPointF(0, middle.y()), QPointF(SWATCH.width(), middle.y()))
        if surface:
            place = QTransform.fromTranslate(middle.x(), middle.y()).scale(_SYMBOL, _SYMBOL)
            painter.setPen(QPen(QColor(self.colour), SYMBOL_LINE))
            painter.setBrush(QColor(surface if self.hollow else self.colour))
            painter.drawPath(place.map(symbol_path(self.symbol)))
        painter.end()
        return QIcon(pixmap)


@cache
def symbol_path(key: str) -> QPainterPath:
    """A symbol of about unit size around the origin."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(*corner) for corner in marker(key, (0.0, 0.0), 0.5)]))
    path.closeSubpath()
    return path


def curve_styles(colours: Colours) -> dict[str, CurveStyle]:
    """A style for each curve, the same in every session: a colour and a symbol for each mechanism."""
    palette = _DARK if colours.dark else _LIGHT
    numbers: dict[str, int] = {}
    styles: dict[str, CurveStyle] = {}
    for series in all_series():
        number = numbers.setdefault(series.mechanism.key, len(numbers))
        dashed = series.grouping == DASHED
        styles[curve_key(series)] = CurveStyle(
            title=curve_title(series),
            colour=palette[number % len(palette)],
            stroke=Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine,
            symbol=list(MARKERS)[number % len(MARKERS)],
            hollow=dashed,
        )
    return styles


def curve_title(series: Series) -> str:
    """The mechanism, and its grouping if it has one."""
    title = core_text(series.mechanism.title)
    return title if series.grouping is None else f"{title}, {grouping_title(series.grouping)}"


def grouping_title(key: str) -> str:
    """As the papers write it."""
    return _GROUPINGS.get(key, key)


def by_mechanism() -> dict[str, list[tuple[str, Series]]]:
    """Mechanism key -> its curves, in the order of the registry."""
    groups: dict[str, list[tuple[str, Series]]] = {}
    for item in all_series():
        groups.setdefault(item.mechanism.key, []).append((curve_key(item), item))
    return groups
