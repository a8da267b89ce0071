"""The plotting area of *This release*. Imports pyqtgraph: import it late."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import floor_epsilon, plain
from core.advice.error_curve import ErrorPoint
from core.advice.usefulness import Usefulness, verdict_word
from core.statistics.base import Measure
from core.statistics.error_figures import error_scale
from ui.errors.release_plot import ShownCurve
from ui.kit.theme import Colours
from ui.language.translation import core_text, translator
from ui.plots.log_axis import LogAxis
from ui.plots.plot_canvas import PlotCanvas, fill_label, lean_label, readout_text
from ui.session.query_texts import error_unit, short_error

_tr = translator("ReleasePlot")
_ABOVE, _BELOW = 1.3, 1.6
"""Factors of room around the curve; below it stands the label of the chosen amount."""
_GROUND = 44
"""How dense the colour of a band is, of 255."""
_SYMBOLS = {Usefulness.GOOD: "o", Usefulness.ROUGH: "d", Usefulness.NO_USE: "x"}
"""Words differ in form as well as in colour."""
_ABOVE_LINES = 20
"""In the order of painting."""
_FURTHEST = 10.0
"""Powers of ten: where no band ends."""


class ReleaseCanvas(PlotCanvas):
    """A curve over the verdict's bands, both axes logarithmic; a line to drag stands at the chosen amount."""

    amount_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        axes = {"left": LogAxis("left"), "bottom": LogAxis("bottom")}
        super().__init__(parent, paint=self._paint, read=self._read, axes=axes)
        self.shown: ShownCurve | None = None
        self._item.setLogMode(x=True, y=True)
        self._item.getViewBox().setDefaultPadding(0.0)
        self._bands: dict[Usefulness, pg.LinearRegionItem] = {}
        self.limits: dict[Usefulness, pg.TextItem] = {}
        """What is written where each band begins or ends."""
        for word in (Usefulness.GOOD, Usefulness.NO_USE):
            band = self._bands[word] = pg.LinearRegionItem(orientation="horizontal", movable=False)
            # at the end where the curve, which falls, is farthest; on an own ground above all lines
            limit = self.limits[word] = pg.TextItem(anchor=(int(word is Usefulness.NO_USE), 1))
            limit.setZValue(_ABOVE_LINES)
            for part in (band, limit):
                self._item.addItem(part, ignoreBounds=True)
        self._line = self._item.plot([], [], antialias=True)
        self._points = self._item.plot([], [], pen=None, symbol="o")
        named = {"position": 0.05, "movable": False, "rotateAxis": None}
        self._chosen = pg.InfiniteLine(angle=90, movable=True, label="", labelOpts=named)
        self._chosen.setCursor(Qt.CursorShape.SizeHorCursor)
        self._chosen.sigPositionChanged.connect(self._label_chosen)
        self._chosen.sigPositionChangeFinished.connect(
            lambda: self.amount_chosen.emit(dragged_amount(self._chosen.value()))
        )
        self._item.addItem(self._chosen, ignoreBounds=True)

    def show_curve(self, shown: ShownCurve) -> None:
        """Draw it as far as it is known."""
        self.shown = shown
        curve, measure = shown.curve, shown.measure
        scale = error_scale(measure)
        amounts, errors = self._places(shown)
        self._line.setData(amounts, errors)
        known = [scale * limit for limit in (curve.good, curve.constant) if limit is not None]
        low, high = math.log10(min(errors + known) / _BELOW), math.log10(max(errors + known) * _ABOVE)
        self._item.setYRange(low, high, padding=0)
        left, right = math.log10(amounts[0]), math.log10(amounts[-1])
        if left < right:
            self._item.setXRange(left, right, padding=0.04)
        texts = (self.tr("{word} up to {error}"), self.tr("{word} from {error} on"))
        for (word, band), limit, text in zip(
            self._bands.items(), (curve.good, curve.constant), texts, strict=True
        ):
            for part in (band, self.limits[word]):
                part.setVisible(limit is not None)
            if limit is not None:
                at = math.log10(scale * limit)
                band.setRegion((-_FURTHEST, at) if word is Usefulness.GOOD else (at, _FURTHEST))
                said = text.format(word=core_text(verdict_word(word)), error=short_error(limit, measure))
                self.limits[word].setText(said)
                self.limits[word].setPos(left if word is Usefulness.GOOD else right, at)
        self.name_across(shown.amounts)
        self.name_upright(self.tr("Typical error ({unit})").format(unit=error_unit(measure)))
        if not self._chosen.moving:
            self._chosen.setBounds((left, right))
            self._chosen.setValue(math.log10(amounts[curve.chosen]))
            self._label_chosen()
        lean_label(self._chosen, right=2 * self._chosen.value() <= left + right)
        self.setAccessibleDescription("\n".join(point_words(one, measure) for one in curve.points))
        self.hide_readout()
        if self._colours is not None:
            self._paint(self._colours)

    def _places(self, shown: ShownCurve) -> tuple[list[float], list[float]]:
        """Amounts, and errors as they are read."""
        points, scale = shown.curve.points, error_scale(shown.measure)
        return [float(one.amount) for one in points], [scale * one.error for one in points]

    def _label_chosen(self) -> None:
        """Where it stands, to the digits that letting it go would choose."""
        if self._chosen.moving:
            self._chosen.label.setFormat(plain(dragged_amount(self._chosen.value())))
        elif self.shown is not None:
            curve = self.shown.curve
            self._chosen.label.setFormat(point_words(curve.points[curve.chosen], self.shown.measure))

    def _paint(self, colours: Colours) -> None:
        colour = {word: colours.good if word is Usefulness.GOOD else colours.warning for word in Usefulness}
        for word, band in self._bands.items():
            ground = QColor(colour[word])
            ground.setAlpha(_GROUND)
            band.setBrush(pg.mkBrush(ground))
            for edge in band.lines:
                edge.setPen(pg.mkPen(colour[word], width=1, style=Qt.PenStyle.DashLine))
            self.limits[word].setColor(colour[word])
            self.limits[word].fill = pg.mkBrush(colours.surface)
            self.limits[word].update()
        self._line.setPen(pg.mkPen(colours.accent, width=2.5))
        self._chosen.setPen(pg.mkPen(colours.accent, width=2))
        self._chosen.setHoverPen(pg.mkPen(colours.accent, width=4))
        fill_label(self._chosen, ground=colours.accent, text=colours.on_accent)
        if self.shown is not None:
            curve = self.shown.curve
            self._points.setData(
                *self._places(self.shown),
                symbol=[_SYMBOLS[one.usefulness] for one in curve.points],
                symbolSize=[14 if at == curve.chosen else 9 for at in range(len(curve.points))],
                symbolBrush=[QColor(colour[one.usefulness]) for one in curve.points],
                symbolPen=pg.mkPen(colours.surface, width=1),
            )

    def _read(self, value: float) -> tuple[float, str] | None:
        """value: of the axis, which is logarithmic."""
        if self.shown is None:
            return None
        places = np.log10(self._places(self.shown)[0])
        nearest = int(np.abs(places - value).argmin())
        words = point_words(self.shown.curve.points[nearest], self.shown.measure)
        return float(places[nearest]), readout_text(words, [])


def point_words(point: ErrorPoint, measure: Measure) -> str:
    """What one amount brings, on one line."""
    return _tr("{amount}: {error}, {verdict}").format(
        amount=plain(point.amount),
        error=short_error(point.error, measure),
        verdict=core_text(verdict_word(point.usefulness)).lower(),
    )


def dragged_amount(exponent: float) -> Decimal:
    """Two figures: what a line chooses where it is let go; exponent: of ten."""
    return Decimal(plain(max(EPSILON_STEP, floor_epsilon(Decimal(f"{10**exponent:.2g}")))))
