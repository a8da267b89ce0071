"""The hours of the day as bars. Imports pyqtgraph: import this module late, and in a worker."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from core.planning.hours_of_day import HOURS_A_DAY
from ui.kit.theme import Colours
from ui.plots.plot_canvas import PlotCanvas
from ui.plots.whole_axis import WholeAxis

_SHARE = 0.8
"""Of its hour that a bar takes up."""
_BEYOND = 10
"""Pixels that the name of an hour may reach beyond the axis."""
_ABOVE = 1.08
"""Room above the highest bar."""


class HoursCanvas(PlotCanvas):
    """Twenty-four bars; those within the window's hours stand out."""

    def __init__(self, across: str, parent: QWidget | None = None) -> None:
        whole = {side: WholeAxis(side) for side in ("bottom", "left")}
        super().__init__(parent, paint=self._paint, read=self._read, axes=whole)
        self._texts: Sequence[str] = ()
        self._heights: NDArray[np.float64] = np.zeros(HOURS_A_DAY)
        self._inside: NDArray[np.bool_] = np.zeros(HOURS_A_DAY, bool)
        self.name_across(across)
        bottom = self._item.getAxis("bottom")
        bottom.setTicks([[(hour, f"{hour}") for hour in range(0, HOURS_A_DAY, 6)]])
        bottom.setStyle(hideOverlappingLabels=_BEYOND)  # midnight's stands half below the other axis
        self._item.setXRange(0, HOURS_A_DAY, padding=0.01)
        self._bars, self._others, self._hovered = (
            pg.BarGraphItem(x0=[], x1=[], y0=[], height=[]) for _ in range(3)
        )
        for level, bars in enumerate((self._others, self._bars, self._hovered)):
            bars.setZValue(level)
            self._item.addItem(bars, ignoreBounds=True)

    def show_hours(
        self, heights: NDArray[np.float64], inside: NDArray[np.bool_], up: str, texts: Sequence[str]
    ) -> None:
        """Draw these bars, each of shape (24,); up: what they count. texts: what is read at each."""
        self._heights, self._inside, self._texts = heights, inside, texts
        self.name_upright(up)
        self._item.setYRange(0, max(float(heights.max()), 1.0) * _ABOVE, padding=0)
        self._bars.setOpts(**self._shape(np.flatnonzero(inside)))
        self._others.setOpts(**self._shape(np.flatnonzero(~inside)))
        self.hide_readout()

    @property
    def heights(self) -> NDArray[np.float64]:
        """What is drawn, by hour."""
        return self._heights

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which hours stand out."""
        return self._inside

    def _shape(self, hours: NDArray[np.int64]) -> dict[str, object]:
        margin = (1 - _SHARE) / 2
        return {"x0": hours + margin, "x1": hours + 1 - margin, "y0": 0, "height": self._heights[hours]}

    def _paint(self, colours: Colours) -> None:
        self._item.getAxis("bottom").setGrid(False)  # bars need none
        for bars, colour in ((self._bars, colours.accent), (self._hovered, colours.text)):
            bars.setOpts(pen=None, brush=pg.mkBrush(colour))
        # hollow: a grey would be as dark as the others, distinguished from them by its hue alone
        self._others.setOpts(pen=pg.mkPen(colours.muted), brush=pg.mkBrush(None))

    # what the pointer does

    def _read(self, value: float) -> tuple[float, str] | None:
        hour = int(np.floor(value))
        return (hour, self._texts[hour]) if self._texts and 0 <= hour < HOURS_A_DAY else None

    def _point_at(self, value: float) -> None:
        """The bar itself, in another colour."""
        self._hovered.setOpts(**self._shape(np.array([int(value)])))
        self._hovered.show()

    def hide_readout(self) -> None:
        """Nothing is read."""
        super().hide_readout()
        self._hovered.hide()
