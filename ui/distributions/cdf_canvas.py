"""A distribution of values with its band. Imports pyqtgraph: import this module late, and in a worker."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ui.distributions.cdf_curves import CdfCurves
from ui.kit.theme import Colours
from ui.language.translation import percent
from ui.plots.area_fills import blended
from ui.plots.plot_canvas import PlotCanvas, readout_text
from ui.session.query_texts import of_quantity

_MOST_POINTS = 1000
"""More than a plot has pixels."""


class CdfCanvas(PlotCanvas):
    """The released curve, its band, and the exact curve where there is one; in percent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, paint=self._paint, read=self._read)
        self._curves: CdfCurves | None = None
        self._low, self._high = pg.PlotCurveItem(pen=None), pg.PlotCurveItem(pen=None)
        self._band = pg.FillBetweenItem(self._low, self._high)
        self._item.addItem(self._band, ignoreBounds=True)
        self._released = self._item.plot([], [], antialias=True)
        self._exact = self._item.plot([], [], antialias=True)
        for level, item in enumerate((self._band, self._pointer, self._released, self._exact)):
            item.setZValue(level)
        self.name_upright(self.tr("Share at or below (%)"))
        self._item.setYRange(0.0, 100.0, padding=0.02)

    def show_curves(self, curves: CdfCurves) -> None:
        """Draw these curves; the share is 0 left of the first bin."""
        self._curves = curves
        quantity = curves.quantity
        self.name_across(of_quantity(self.tr("{Value} ({unit})"), quantity))
        shown = _thinned(curves.edges.size)
        edges = np.append(curves.left, curves.edges[shown])
        for line, shares in (
            (self._low, curves.low),
            (self._high, curves.high),
            (self._released, curves.released),
        ):
            line.setData(edges, np.append(0.0, 100.0 * shares[shown]))
        if curves.exact is not None:
            self._exact.setData(edges, np.append(0.0, 100.0 * curves.exact[shown]))
        self._exact.setVisible(curves.exact is not None)
        self._item.setXRange(curves.left, float(curves.edges[-1]), padding=0.02)
        self.hide_readout()

    def _paint(self, colours: Colours) -> None:
        self._released.setPen(pg.mkPen(colours.accent, width=2.5))
        self._exact.setPen(pg.mkPen(colours.text, width=1.5, style=Qt.PenStyle.DashLine))
        self._band.setBrush(pg.mkBrush(blended(colours.accent, colours.surface)))

    @property
    def curves(self) -> CdfCurves | None:
        """What is drawn."""
        return self._curves

    def _read(self, value: float) -> tuple[float, str] | None:
        curves = self._curves
        if curves is None:
            return None
        at = int(np.abs(curves.edges - value).argmin())
        head = self.tr("At most {edge:.4g} {unit}").format(edge=curves.edges[at], unit=curves.quantity.unit)
        rows = [
            (curves.name, percent(curves.released[at], 1)),
            (self.tr("95 % band"), f"{percent(curves.low[at], 1)} – {percent(curves.high[at], 1)}"),
        ]
        if curves.exact is not None:
            rows.append((self.tr("exact"), percent(curves.exact[at], 1)))
        return float(curves.edges[at]), readout_text(head, rows)


def _thinned(bins: int) -> NDArray[np.int64]:
    """Which bins are drawn: all, or evenly picked ones with the last."""
    return np.unique(np.linspace(0, bins - 1, min(bins, _MOST_POINTS)).round().astype(np.int64))
