"""A histogram as bars. Imports pyqtgraph: import this module late, and in a worker."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.planning.resolution_table import Bins, Histogram
from ui.distributions.histogram_texts import Axes, Mark
from ui.kit.theme import Colours
from ui.language.translation import percent
from ui.plots.plot_canvas import PlotCanvas, fill_label, lean_label
from ui.plots.whole_axis import WholeAxis

_MOST_BARS = 60
_MOST_APART = 30
"""Bars with a gap between them; gaps between more would be uneven fractions of a pixel."""
_SHARE = 0.88
"""Of its place that such a bar takes up."""
_ABOVE = 1.28
"""Room above the highest bar, for the names of the marks."""
_HEIGHTS = (0.94, 0.82)
"""Where along its line the name of a mark stands, or lower where that would cut it off or cover another."""
_BETWEEN = 3
"""Pixels above each name."""


class HistogramCanvas(PlotCanvas):
    """Bars, two marks, and a read-out under the pointer."""

    def __init__(self, axes: Axes, parent: QWidget | None = None) -> None:
        whole = {side: WholeAxis(side) for side in ("bottom", "left")}
        super().__init__(parent, paint=self._paint, read=self._read, axes=whole)
        self._axes = axes
        self._bins: Bins | None = None
        self._marks: tuple[Mark, ...] = ()
        self._bars = pg.BarGraphItem(x0=[], x1=[], y0=[], height=[])
        self._hovered = pg.BarGraphItem(x0=[], x1=[], y0=[], height=[])
        self._lines = [pg.InfiniteLine(angle=90, label="") for _ in _HEIGHTS]
        for level, item in enumerate((self._bars, self._hovered, *self._lines)):
            item.setZValue(level)
            self._item.addItem(item, ignoreBounds=True)
        self._item.getViewBox().sigResized.connect(self._place_names)

    # what is shown

    def show_histogram(self, histogram: Histogram, marks: tuple[Mark, ...]) -> None:
        """Draw this histogram; at most two marks, drawn with the same items each time."""
        bins = histogram.bins(_MOST_BARS)
        self._bins, self._marks = bins, marks
        across = self._axes.across()
        if bins.width > 1:
            across = self.tr("{quantity}, {width} a bar").format(quantity=across, width=bins.width)
        self.name_across(across)
        self.name_upright(self._axes.up())
        self._bars.setOpts(**_shape(bins, range(bins.counts.size)))
        self._item.setXRange(0.4, max(bins.range_of(bins.counts.size - 1)[1], 3) + 0.6, padding=0.02)
        self._item.setYRange(0, int(bins.counts.max()) * _ABOVE, padding=0)
        self.hide_readout()
        self._place_marks()

    def _paint(self, colours: Colours) -> None:
        self._item.getAxis("bottom").setGrid(False)  # bars need none
        self._bars.setOpts(pen=None, brush=pg.mkBrush(colours.accent))
        self._hovered.setOpts(pen=None, brush=pg.mkBrush(colours.text))
        self._place_marks()

    def _place_marks(self) -> None:
        colours = self._colours
        if colours is None:
            return
        for number, line in enumerate(self._lines):
            line.setVisible(number < len(self._marks))
            if number < len(self._marks):
                self._place(line, self._marks[number], colours)
        self._place_names()

    def _place_names(self) -> None:
        """Whole in a low plot too, the second below the first."""
        room, above = self._item.getViewBox().height(), 0.0
        for line, share in zip(self._lines[: len(self._marks)], _HEIGHTS, strict=False):
            name = line.label.boundingRect().height()
            above += _BETWEEN + name / 2
            line.label.setPosition(min(share, max(1 - above / room, 0.0)) if room > 0 else share)
            above += name / 2

    def _place(self, line: pg.InfiniteLine, mark: Mark, colours: Colours) -> None:
        """A mark with its name on the side that has room."""
        assert self._bins is not None
        colour = colours.warning if mark.strong else colours.text
        stroke = Qt.PenStyle.SolidLine if mark.strong else Qt.PenStyle.DashLine
        line.setPen(pg.mkPen(colour, width=2, style=stroke))
        line.setValue(mark.value)
        line.label.setFormat(mark.name)
        fill_label(line, ground=colour, text=colours.surface)
        first, last = self._item.getViewBox().viewRange()[0]  # wider than few values are
        lean_label(line, right=mark.value * 2 <= first + last)

    # what the pointer does

    def _read(self, value: float) -> tuple[float, str] | None:
        bins = self._bins
        bar = None if bins is None else bins.bar_of(round(value))
        if bins is None or bar is None:
            return None
        return value, self._readout_text(bins, bar)

    def _point_at(self, value: float) -> None:
        """The bar itself, in another colour."""
        assert self._bins is not None
        bar = self._bins.bar_of(round(value))
        assert bar is not None
        self._hovered.setOpts(**_shape(self._bins, [bar]))
        self._hovered.show()

    def _readout_text(self, bins: Bins, bar: int) -> str:
        first, last = bins.range_of(bar)
        value = self._axes.value(first, last)
        items = self._axes.items(int(bins.counts[bar]))
        return f"{value}: {items} ({percent(bins.share_of(bar), 1)})"

    @property
    def bins(self) -> Bins | None:
        """The bars that are drawn."""
        return self._bins

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The values that are pointed out."""
        return self._marks

    def hide_readout(self) -> None:
        """Nothing is read."""
        super().hide_readout()
        self._hovered.hide()


def _shape(bins: Bins, bars: Sequence[int]) -> dict[str, object]:
    """Some of the bars, as pyqtgraph takes them."""
    first, last = np.array([bins.range_of(bar) for bar in bars], float).T
    margin = bins.width * (1 - _SHARE) / 2 if bins.counts.size <= _MOST_APART else 0.0
    edge = 0.5 - margin
    return {"x0": first - edge, "x1": last + edge, "y0": 0, "height": bins.counts[list(bars)]}
