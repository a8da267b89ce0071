"""Total epsilon of a user before and after suppression. Imports pyqtgraph: import it late, in a worker."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.statistics.suppression_curve import SuppressionPoint
from ui.kit.theme import Colours
from ui.language.translation import counted, rounded_to
from ui.plots.area_fills import blended
from ui.plots.plot_canvas import PlotCanvas, fill_label, lean_label, readout_text

_ABOVE = 1.06
"""Room above the highest point."""


class SuppressionCanvas(PlotCanvas):
    """Two lines through the points that are ready, what lies between them shaded, the chosen epsilon."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, paint=self._paint, read=self._read)
        self._points: tuple[SuppressionPoint, ...] = ()
        self._before = self._item.plot([], [], antialias=True)
        self._after = self._item.plot([], [], antialias=True, symbol="o", symbolSize=6)
        self._saved = pg.FillBetweenItem(self._before, self._after)
        self._item.addItem(self._saved, ignoreBounds=True)
        self._line = pg.InfiniteLine(
            angle=90,
            label="ε {value:.3g}",
            labelOpts={"position": 0.93, "movable": False, "rotateAxis": None},
        )
        self._item.addItem(self._line, ignoreBounds=True)
        for level, item in enumerate((self._saved, self._line, self._pointer, self._after, self._before)):
            item.setZValue(level)

    def show_points(
        self,
        points: Sequence[SuppressionPoint],
        chosen: Decimal,
        span: tuple[Decimal, Decimal],
        across: str,
        up: str,
    ) -> None:
        """Draw the points, ascending; span: the smallest and largest epsilon that there will be.

        across, up: what the axes tell.
        """
        self._points = tuple(points)
        epsilon = np.array([float(point.epsilon) for point in points])
        before = np.array([float(point.before) for point in points])
        self._before.setData(epsilon, before)
        self._after.setData(epsilon, [float(point.after) for point in points])
        self._line.setValue(float(chosen))
        lean_label(self._line, right=chosen * 2 <= span[1])
        self.name_across(across)
        self.name_upright(up)
        hats = max((point.hats_before for point in points), default=1)
        self._item.setXRange(0.0, float(span[1]), padding=0.02)
        # as high as it will be with all points, so that nothing moves while they come
        self._item.setYRange(0.0, hats * float(span[1]) * _ABOVE, padding=0)
        self.hide_readout()

    def _paint(self, colours: Colours) -> None:
        self._before.setPen(pg.mkPen(colours.text, width=1.5, style=Qt.PenStyle.DashLine))
        self._after.setPen(pg.mkPen(colours.accent, width=2.5))
        self._after.setSymbolPen(pg.mkPen(colours.accent, width=1))
        self._after.setSymbolBrush(pg.mkBrush(colours.accent))
        self._saved.setBrush(pg.mkBrush(blended(colours.accent, colours.surface)))
        self._line.setPen(pg.mkPen(colours.warning, width=2))
        fill_label(self._line, ground=colours.warning, text=colours.surface)

    @property
    def points(self) -> tuple[SuppressionPoint, ...]:
        """What is drawn."""
        return self._points

    def _read(self, value: float) -> tuple[float, str] | None:
        if not self._points:
            return None
        point = min(self._points, key=lambda point: abs(float(point.epsilon) - value))
        head = self.tr("Epsilon per hexagon slot {epsilon:.4g}").format(epsilon=point.epsilon)
        rows = [
            (name, rounded_to(float(total), 4), counted("{n} hexagon slot", "{n} hexagon slots", hats))
            for name, total, hats in (
                (self.tr("before"), point.before, point.hats_before),
                (self.tr("after"), point.after, point.hats_after),
            )
        ]
        return float(point.epsilon), readout_text(head, rows)
