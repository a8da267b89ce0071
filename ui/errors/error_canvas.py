"""The plotting area of the error plot. Imports pyqtgraph: import this module late, and in a worker."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from ui.errors.curve_styles import SYMBOL_LINE, CurveStyle, curve_styles, symbol_path
from ui.errors.curves import Curves
from ui.kit.theme import Colours
from ui.language.translation import rounded_to
from ui.plots.log_axis import LogAxis
from ui.plots.plot_canvas import PlotCanvas, fill_label, readout_text
from ui.session.draft_charge import shown_epsilon

_ABOVE, _BELOW = 1.25, 1.6
"""Factors of room around the curves; below them stands the label of the chosen epsilon."""
_POINT = 7
"""Pixels of a simulated point."""


class ErrorCanvas(PlotCanvas):
    """Curves, the draft's epsilon as a line, and a read-out under the pointer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, paint=self._restyle, read=self._read, axes={"left": LogAxis("left")})
        self._curves: Curves | None = None
        self._styles: Mapping[str, CurveStyle] = {}
        self._hidden: frozenset[str] = frozenset()
        self._lines: dict[str, pg.PlotDataItem] = {}
        self._points: dict[str, pg.PlotDataItem] = {}
        self._item.setLogMode(x=False, y=True)
        self._item.getViewBox().setDefaultPadding(0.0)
        self._line = pg.InfiniteLine(
            angle=90, label="", labelOpts={"position": 0.05, "movable": False, "rotateAxis": None}
        )
        self._item.addItem(self._line)
        self._marks = self._item.plot([], [], pen=None, symbol="o", symbolSize=11)
        self._hovered = self._item.plot([], [], pen=None, symbol="o", symbolSize=9)
        for level, item in enumerate((self._line, self._marks, self._hovered), start=10):
            item.setZValue(level)

    # what is shown

    def show_curves(self, curves: Curves) -> None:
        """Plot these curves; the ones switched off stay so."""
        self._curves = curves
        request = curves.request
        for key, errors in curves.errors.items():
            _draw(self._line_of(key), curves.epsilons, errors)
        for key, errors in curves.simulated.items():
            _draw(self._points_of(key), curves.epsilons, errors)
        low, high = float(curves.epsilons[0]), float(curves.epsilons[-1])
        self._line.setValue(float(request.epsilon))
        self._line.label.setFormat(f"ε {shown_epsilon(request.epsilon)}")
        self._label_axes(curves)
        self._item.setXRange(low, high, padding=0.02)
        self.hide_readout()
        self._paint()

    def _line_of(self, key: str) -> pg.PlotDataItem:
        if key not in self._lines:
            self._lines[key] = self._item.plot([], [], antialias=True)
        return self._lines[key]

    def _points_of(self, key: str) -> pg.PlotDataItem:
        if key not in self._points:
            self._points[key] = self._item.plot(
                [],
                [],
                pen=None,
                symbol=symbol_path(self._styles[key].symbol),
                symbolSize=_POINT,
                antialias=True,
            )
        return self._points[key]

    def _label_axes(self, curves: Curves) -> None:
        self.name_across(self.tr("Epsilon of the hexagon slot"))
        self.name_upright(self.tr("Mean absolute error ({unit})").format(unit=curves.request.value_unit))

    def _fit(self, curves: Curves) -> None:
        """Let the visible curves fill the plot."""
        shown = [*curves.errors.items(), *curves.simulated.items()]
        parts = [errors for key, errors in shown if key not in self._hidden]
        every = np.concatenate([*parts, []])
        every = every[np.isfinite(every) & (every > 0)]
        if every.size:
            low, high = float(every.min()) / _BELOW, float(every.max()) * _ABOVE
            self._item.setYRange(math.log10(low), math.log10(high), padding=0)

    def set_hidden(self, hidden: frozenset[str]) -> None:
        """Switch curves off by their keys."""
        self._hidden = hidden
        self.hide_readout()
        self._paint()

    def _restyle(self, colours: Colours) -> None:
        self._styles = curve_styles(colours)
        self._line.setPen(pg.mkPen(colours.accent, width=2))
        fill_label(self._line, ground=colours.accent, text=colours.on_accent)
        self._paint()

    def _paint(self) -> None:
        """Every visible curve in its style, as high as they need."""
        colours, curves = self._colours, self._curves
        if colours is None or curves is None:
            return
        self._fit(curves)
        for key, line in self._lines.items():
            line.setVisible(key in curves.errors and key not in self._hidden)
            pen = self._styles[key].pen(strong=key == curves.request.strong)
            if line.opts["pen"] != pen:
                line.setPen(pen)
        for key, points in self._points.items():
            style = self._styles[key]
            points.setVisible(key in curves.simulated and key not in self._hidden)
            points.setSymbolPen(pg.mkPen(style.colour, width=SYMBOL_LINE))
            points.setSymbolBrush(pg.mkBrush(colours.surface if style.hollow else style.colour))
        self._place(self._marks, curves.chosen)

    def _place(self, marks: pg.PlotDataItem, at: int) -> None:
        """One dot on every visible curve."""
        curves, colours = self._curves, self._colours
        assert curves is not None
        assert colours is not None
        keys = [key for key in curves.errors if key not in self._hidden]
        styles = [self._styles[key] for key in keys]
        marks.setData(
            [curves.epsilons[at]] * len(keys),
            [curves.best(key)[at] for key in keys],
            symbol=[symbol_path(style.symbol) for style in styles] or "o",
            symbolBrush=[QColor(colours.surface if style.hollow else style.colour) for style in styles]
            or None,
            symbolPen=[pg.mkPen(style.colour, width=SYMBOL_LINE) for style in styles] or None,
        )

    # what the pointer does

    def _read(self, value: float) -> tuple[float, str] | None:
        curves = self._curves
        if curves is None:
            return None
        at = int(np.abs(curves.epsilons - value).argmin())
        return float(curves.epsilons[at]), self._readout_text(curves, at)

    def _point_at(self, value: float) -> None:
        super()._point_at(value)
        assert self._curves is not None
        self._hovered.show()
        self._place(self._hovered, int(np.abs(self._curves.epsilons - value).argmin()))

    def _readout_text(self, curves: Curves, at: int) -> str:
        keys = [key for key in curves.errors if key not in self._hidden]
        keys.sort(key=lambda key: -float(curves.best(key)[at]))  # as the curves lie
        rows = [self._readout_row(curves, key, at) for key in keys]
        head = (
            self.tr("Epsilon {epsilon}: error, {unit} (exact, simulated)")
            if curves.simulated
            else self.tr("Epsilon {epsilon}: error, {unit}")
        )
        return readout_text(
            head.format(epsilon=_shown(curves.epsilons[at]), unit=curves.request.value_unit), rows, wide=True
        )

    def _readout_row(self, curves: Curves, key: str, at: int) -> list[str]:
        style, error = self._styles[key], float(curves.errors[key][at])
        values = ["–" if math.isnan(error) else rounded_to(error, 3)]
        if curves.simulated:
            tried = curves.simulated.get(key)
            values.append("–" if tried is None else rounded_to(float(tried[at]), 3))
        mark = "□" if style.hollow else "■"
        return [f'<span style="color:{style.colour}">{mark}</span>&nbsp;&nbsp;{style.title}', *values]

    def hide_readout(self) -> None:
        """Nothing is read."""
        super().hide_readout()
        self._hovered.hide()


def _shown(epsilon: float) -> str:
    """One of the curves' epsilons, to read."""
    return shown_epsilon(Decimal(f"{epsilon:.6f}"))


def _draw(item: pg.PlotDataItem, across: NDArray[np.float64], up: NDArray[np.float64]) -> None:
    """Give a curve its points, unless it has them: while others come, most stay as they were."""
    x, y = item.xData, item.yData
    if x is None or y is None or not np.array_equal(x, across) or not np.array_equal(y, up, equal_nan=True):
        item.setData(across, up)
