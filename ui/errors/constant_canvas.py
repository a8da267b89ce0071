"""The plot of typical error against C, its axes and marks. Imports pyqtgraph: import it late."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.advice.constant_curve import ConstantOutlook
from core.city.noise_kind import NoiseKind
from ui.kit.theme import Colours
from ui.plots.log_axis import LogAxis
from ui.plots.plot_canvas import PlotCanvas, fill_label, lean_label, readout_text

_ABOVE, _BELOW = 1.25, 1.5
"""Factors of room around the curves."""
_ON_TOP = 10
"""Marks stand before the line at the chosen C."""


class ConstantCanvas(PlotCanvas):
    """A curve for each noise, both axes logarithmic; marks at the best C of each, a line at the chosen C."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            parent,
            paint=self._paint,
            read=self._read,
            axes={"left": LogAxis("left"), "bottom": LogAxis("bottom")},
        )
        self._outlook: ConstantOutlook | None = None
        self._item.setLogMode(x=True, y=True)
        self._lines = {noise: self._item.plot([], [], antialias=True) for noise in NoiseKind}
        self._best = {noise: self._item.plot([], [], pen=None, symbolSize=11) for noise in NoiseKind}
        self._chosen = pg.InfiniteLine(
            angle=90, label="C", labelOpts={"position": 0.93, "movable": False, "rotateAxis": None}
        )
        self._item.addItem(self._chosen, ignoreBounds=True)
        for mark in self._best.values():
            mark.setZValue(_ON_TOP)

    @property
    def outlook(self) -> ConstantOutlook | None:
        """What is drawn."""
        return self._outlook

    def show_outlook(self, outlook: ConstantOutlook, chosen: int | None, unit: str) -> None:
        """Draw the curves; chosen: the draft's C, if it is typed."""
        self._outlook = outlook
        curves = {curve.noise: curve for curve in outlook.curves}
        errors = []
        for noise, line in self._lines.items():
            choices = curves[noise].choices if noise in curves else ()
            hats = [float(one.hats_per_vehicle) for one in choices]
            values = [one.error_kmh for one in choices]
            errors += values
            line.setData(hats, values)
            best = [curves[noise].best] if noise in curves else []
            self._best[noise].setData(
                [float(one.hats_per_vehicle) for one in best], [one.error_kmh for one in best]
            )
        most = max(one.hats_per_vehicle for curve in outlook.curves for one in curve.choices)
        self._item.setXRange(0.0, math.log10(max(most, 2)), padding=0.03)
        low, high = math.log10(min(errors) / _BELOW), math.log10(max(errors) * _ABOVE)
        self._item.setYRange(low, high, padding=0)
        self.name_across(self.tr("C: hexagon slots of a vehicle that count"))
        self.name_upright(self.tr("Typical error of the median hexagon slot ({unit})").format(unit=unit))
        self._chosen.setVisible(chosen is not None)
        if chosen is not None:
            self._chosen.setValue(math.log10(min(chosen, most)))
            self._chosen.label.setFormat(self.tr("C = {hats}").format(hats=chosen))
            lean_label(self._chosen, right=chosen**2 <= most)
        self.hide_readout()

    def _paint(self, colours: Colours) -> None:
        styles = {
            NoiseKind.LAPLACE: (colours.accent, Qt.PenStyle.SolidLine, "o"),
            NoiseKind.GAUSS: (colours.warning, Qt.PenStyle.DashLine, "d"),
        }
        for noise, (colour, style, symbol) in styles.items():
            line, best = self._lines[noise], self._best[noise]
            line.setPen(pg.mkPen(colour, width=2.5, style=style))
            best.setSymbol(symbol)
            best.setSymbolBrush(pg.mkBrush(colour))
            best.setSymbolPen(pg.mkPen(colours.surface, width=1.5))
        self._chosen.setPen(pg.mkPen(colours.text, width=1.5))
        fill_label(self._chosen, ground=colours.text, text=colours.surface)

    def _read(self, value: float) -> tuple[float, str] | None:
        """value: of the axis, which is logarithmic."""
        if self._outlook is None:
            return None
        hats = [one.hats_per_vehicle for one in self._outlook.curves[0].choices]
        nearest = hats[int(np.abs(np.log10(hats) - value).argmin())]
        rows = [
            (noise_name(curve.noise, self.tr("Laplace"), self.tr("Gaussian")), f"{choice.error_kmh:.2f}")
            for curve in self._outlook.curves
            if (choice := curve.at(nearest)) is not None
        ]
        return math.log10(nearest), readout_text(self.tr("C = {hats}").format(hats=nearest), rows)


def noise_name(noise: NoiseKind, laplace: str, gaussian: str) -> str:
    """Of a noise, in the words of the caller."""
    return gaussian if noise is NoiseKind.GAUSS else laplace
