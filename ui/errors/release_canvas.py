"""The plotting area of *This release*. Imports pyqtgraph: import it late."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.accounting.epsilon_rounding import plain
from core.advice.usefulness import Usefulness, verdict_word
from core.statistics.error_figures import error_scale, significant
from ui.errors.release_plot import ShownCurve
from ui.errors.release_texts import dragged_amount, point_words
from ui.kit.theme import Colours
from ui.language.translation import core_text
from ui.plots.log_axis import LogAxis
from ui.plots.plot_canvas import PlotCanvas, fill_label, lean_label, readout_text
from ui.session.query_texts import error_unit

_ABOVE, _BELOW = 1.3, 1.6
"""Factors of room around the curve; below it stands the label of the chosen amount."""
_GROUND = 44
"""How dense the colour of a band is, of 255."""
_SYMBOLS = {Usefulness.GOOD: "o", Usefulness.ROUGH: "d", Usefulness.NO_USE: "x"}
"""Words differ in form as well as in colour."""


class ReleaseCanvas(PlotCanvas):
    """A curve over the verdict's bands, both axes logarithmic; a line to drag stands at the chosen amount."""

    amount_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            parent,
            paint=self._paint,
            read=self._read,
            axes={"left": LogAxis("left"), "bottom": LogAxis("bottom")},
        )
        self.shown: ShownCurve | None = None
        self._item.setLogMode(x=True, y=True)
        self._item.getViewBox().setDefaultPadding(0.0)
        self._bands = {word: self._band() for word in (Usefulness.GOOD, Usefulness.NO_USE)}
        self._limits = {word: self._limit() for word in self._bands}
        self._line = self._item.plot([], [], antialias=True)
        self._points = self._item.plot([], [], pen=None, symbol="o")
        self._chosen = pg.InfiniteLine(
            angle=90,
            movable=True,
            label="",
            labelOpts={"position": 0.05, "movable": False, "rotateAxis": None},
        )
        self._chosen.setCursor(Qt.CursorShape.SizeHorCursor)
        self._chosen.sigPositionChanged.connect(self._label_chosen)
        self._chosen.sigPositionChangeFinished.connect(
            lambda: self.amount_chosen.emit(dragged_amount(self._chosen.value()))
        )
        self._item.addItem(self._chosen, ignoreBounds=True)

    def _band(self) -> pg.LinearRegionItem:
        band = pg.LinearRegionItem(orientation="horizontal", movable=False)
        self._item.addItem(band, ignoreBounds=True)
        return band

    def _limit(self) -> pg.InfiniteLine:
        options = {"position": 0.97, "movable": False, "anchors": [(1.0, 1.0), (1.0, 1.0)]}
        line = pg.InfiniteLine(angle=0, label="", labelOpts=options)
        self._item.addItem(line, ignoreBounds=True)
        return line

    def show_curve(self, shown: ShownCurve) -> None:
        """Draw it as far as it is known."""
        self.shown = shown
        curve, measure = shown.curve, shown.measure
        scale = error_scale(measure)
        amounts = [float(one.amount) for one in curve.points]
        errors = [scale * one.error for one in curve.points]
        self._line.setData(amounts, errors)
        known = [scale * limit for limit in (curve.good, curve.constant) if limit is not None]
        low, high = math.log10(min(errors + known) / _BELOW), math.log10(max(errors + known) * _ABOVE)
        self._item.setYRange(low, high, padding=0)
        left, right = math.log10(amounts[0]), math.log10(amounts[-1])
        self._item.setXRange(left, right, padding=0.04) if left < right else None
        limits = {Usefulness.GOOD: curve.good, Usefulness.NO_USE: curve.constant}
        texts = {
            Usefulness.GOOD: self.tr("{word} up to {error}"),
            Usefulness.NO_USE: self.tr("{word} from {error} on"),
        }
        for word, limit in limits.items():
            for item in (self._bands[word], self._limits[word]):
                item.setVisible(limit is not None)
            if limit is not None:
                at = math.log10(scale * limit)
                self._bands[word].setRegion((low, at) if word is Usefulness.GOOD else (at, high))
                self._limits[word].setValue(at)
                said = texts[word].format(
                    word=core_text(verdict_word(word)),
                    error=f"{significant(scale * limit, 2)} {error_unit(measure)}",
                )
                self._limits[word].label.setFormat(said)
        self.name_across(shown.amounts)
        self.name_upright(self.tr("Typical error ({unit})").format(unit=error_unit(measure)))
        if not self._chosen.moving:
            at = math.log10(amounts[curve.chosen])
            self._chosen.setBounds((left, right) if left < right else (at, at))
            self._chosen.setValue(at)
            self._label_chosen()
        lean_label(self._chosen, right=2 * self._chosen.value() <= left + right)
        self.setAccessibleDescription("\n".join(point_words(one, measure) for one in curve.points))
        self.hide_readout()
        if self._colours is not None:
            self._paint(self._colours)

    def _label_chosen(self) -> None:
        """Where it stands, to the digits that letting it go would choose."""
        if self._chosen.moving:
            self._chosen.label.setFormat(plain(dragged_amount(self._chosen.value())))
        elif self.shown is not None:
            curve = self.shown.curve
            self._chosen.label.setFormat(point_words(curve.points[curve.chosen], self.shown.measure))

    def _paint(self, colours: Colours) -> None:
        of_word = {
            Usefulness.GOOD: colours.good,
            Usefulness.ROUGH: colours.warning,
            Usefulness.NO_USE: colours.warning,
        }
        for word, band in self._bands.items():
            ground = QColor(of_word[word])
            ground.setAlpha(_GROUND)
            band.setBrush(pg.mkBrush(ground))
            for edge in band.lines:
                edge.setPen(pg.mkPen(None))
            self._limits[word].setPen(pg.mkPen(of_word[word], width=1, style=Qt.PenStyle.DashLine))
            self._limits[word].label.setColor(of_word[word])
        self._line.setPen(pg.mkPen(colours.accent, width=2.5))
        self._chosen.setPen(pg.mkPen(colours.accent, width=2))
        self._chosen.setHoverPen(pg.mkPen(colours.accent, width=4))
        fill_label(self._chosen, ground=colours.accent, text=colours.on_accent)
        if self.shown is None:
            return
        curve, scale = self.shown.curve, error_scale(self.shown.measure)
        self._points.setData(
            [float(one.amount) for one in curve.points],
            [scale * one.error for one in curve.points],
            symbol=[_SYMBOLS[one.usefulness] for one in curve.points],
            symbolSize=[14 if at == curve.chosen else 9 for at in range(len(curve.points))],
            symbolBrush=[QColor(of_word[one.usefulness]) for one in curve.points],
            symbolPen=pg.mkPen(colours.surface, width=1),
        )

    def _read(self, value: float) -> tuple[float, str] | None:
        """value: of the axis, which is logarithmic."""
        if self.shown is None:
            return None
        curve, measure = self.shown.curve, self.shown.measure
        places = np.log10([float(one.amount) for one in curve.points])
        nearest = int(np.abs(places - value).argmin())
        return float(places[nearest]), readout_text(point_words(curve.points[nearest], measure), [])
