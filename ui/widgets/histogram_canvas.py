"""A histogram as bars. Imports pyqtgraph: import this module late, and in a worker."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from core.queries.resolution_table import Bins, Histogram
from ui.theme import Colours
from ui.widgets.histogram_texts import Axes, Mark
from ui.widgets.whole_axis import WholeAxis

_MOST_BARS = 60
_MOST_APART = 30
"""Bars with a gap between them; gaps between more would be uneven fractions of a pixel."""
_SHARE = 0.88
"""Of its place that such a bar takes up."""
_ABOVE = 1.28
"""Room above the highest bar, for the names of the marks."""
_GAP = 14
"""Pixels between pointer and read-out."""
_HEIGHTS = (0.94, 0.82)
"""Where along its line the name of a mark stands."""


class HistogramCanvas(QWidget):
    """Bars, two marks, and a read-out under the pointer."""

    def __init__(self, axes: Axes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axes = axes
        self._colours: Colours | None = None
        self._bins: Bins | None = None
        self._marks: tuple[Mark, ...] = ()
        self._build_plot()
        self._readout = QLabel(self._plot)
        self._readout.setTextFormat(Qt.TextFormat.PlainText)
        self._readout.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._readout.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._plot)

    def _build_plot(self) -> None:
        axis = {"bottom": WholeAxis("bottom"), "left": WholeAxis("left")}
        self._plot = pg.PlotWidget(self, axisItems=axis)
        self._plot.setFrameShape(pg.QtWidgets.QFrame.Shape.NoFrame)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._item = self._plot.getPlotItem()
        self._item.setMenuEnabled(False)
        self._item.hideButtons()
        self._item.setMouseEnabled(x=False, y=False)
        self._item.setLabel("left", self._axes.up)
        self._bars = pg.BarGraphItem(x0=[], x1=[], y0=[], height=[])
        self._hovered = pg.BarGraphItem(x0=[], x1=[], y0=[], height=[])
        self._lines = [pg.InfiniteLine(angle=90, label="") for _ in _HEIGHTS]
        for level, item in enumerate((self._bars, self._hovered, *self._lines)):
            item.setZValue(level)
            self._item.addItem(item, ignoreBounds=True)
        self._plot.scene().sigMouseMoved.connect(self._on_moved)
        self._plot.viewport().installEventFilter(self)

    # what is shown

    def show_histogram(self, histogram: Histogram, marks: tuple[Mark, ...]) -> None:
        """Draw this histogram; at most two marks, drawn with the same items each time."""
        bins = histogram.bins(_MOST_BARS)
        self._bins, self._marks = bins, marks
        across = self._axes.across
        if bins.width > 1:
            across = self.tr("{quantity} (bars of {width})").format(quantity=across, width=bins.width)
        self._item.setLabel("bottom", across)
        self._bars.setOpts(**_shape(bins, range(bins.counts.size)))
        self._item.setXRange(0.4, max(bins.range_of(bins.counts.size - 1)[1], 3) + 0.6, padding=0.02)
        self._item.setYRange(0, int(bins.counts.max()) * _ABOVE, padding=0)
        self._hide_readout()
        self._place_marks()

    def set_colours(self, colours: Colours) -> None:
        """Follow the theme."""
        self._colours = colours
        self._hide_readout()
        self._restyle()

    def _restyle(self) -> None:
        colours = self._colours
        if colours is None:
            return
        self._plot.setBackground(colours.surface)
        self._paint_axes(colours)
        self._bars.setOpts(pen=None, brush=pg.mkBrush(colours.accent))
        self._hovered.setOpts(pen=None, brush=pg.mkBrush(colours.text))
        self._readout.setStyleSheet(
            f"background: {colours.surface}; color: {colours.text}; border: 1px solid {colours.line};"
            "border-radius: 5px; padding: 4px 7px;"
        )
        self._place_marks()

    def _place_marks(self) -> None:
        colours = self._colours
        if colours is None:
            return
        for number, line in enumerate(self._lines):
            line.setVisible(number < len(self._marks))
            if number < len(self._marks):
                self._place(line, self._marks[number], number, colours)

    def _place(self, line: pg.InfiniteLine, mark: Mark, number: int, colours: Colours) -> None:
        """A mark with its name on the side that has room."""
        assert self._bins is not None
        colour = colours.warning if mark.strong else colours.text
        stroke = Qt.PenStyle.SolidLine if mark.strong else Qt.PenStyle.DashLine
        line.setPen(pg.mkPen(colour, width=2, style=stroke))
        line.setValue(mark.value)
        name = line.label
        name.setFormat(mark.name)
        name.setColor(colours.surface)
        name.fill = pg.mkBrush(colour)
        name.setPosition(_HEIGHTS[number])
        right = mark.value * 2 <= self._bins.counts.size * self._bins.width
        name.anchors = [(0.0, 0.5), (0.0, 0.5)] if right else [(1.0, 0.5), (1.0, 0.5)]
        name.updatePosition()

    def _paint_axes(self, colours: Colours) -> None:
        self.ensurePolished()  # before the first show the font is not yet that of the style sheet
        font = QFont(self.font())
        font.setPointSize(9)
        for name in ("bottom", "left"):
            axis = self._item.getAxis(name)
            axis.enableAutoSIPrefix(False)
            axis.setPen(pg.mkPen(colours.line))
            axis.setTextPen(pg.mkPen(colours.text))
            axis.setTickFont(font)
            axis.setStyle(tickTextOffset=6, maxTickLevel=0)
            axis.label.setFont(self.font())
            axis.label.setDefaultTextColor(QColor(colours.muted))
        self._item.getAxis("left").setGrid(70)

    # what the pointer does

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.Leave:
            self._hide_readout()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _on_moved(self, position: QPointF) -> None:
        box = self._item.getViewBox()
        if not box.sceneBoundingRect().contains(position):
            self._hide_readout()
            return
        self.read_out(box.mapSceneToView(position).x(), position)

    def read_out(self, value: float, position: QPointF) -> None:
        """Show the bar over this value; position: in the plot."""
        bins = self._bins
        bar = None if bins is None else bins.bar_of(round(value))
        if bins is None or bar is None:
            self._hide_readout()
            return
        self._hovered.setOpts(**_shape(bins, [bar]))
        self._hovered.show()
        self._readout.setText(self._readout_text(bins, bar))
        self._readout.adjustSize()
        self._readout.move(*self._beside(position))
        self._readout.show()

    def _readout_text(self, bins: Bins, bar: int) -> str:
        first, last = bins.range_of(bar)
        value = self._axes.value.format(value=f"{first}" if first == last else f"{first}–{last}")
        items = self._axes.items.format(count=f"{int(bins.counts[bar]):,}")
        return f"{value}: {items} ({bins.share_of(bar):.1%})"

    def _beside(self, position: QPointF) -> tuple[int, int]:
        """Right of the pointer, or left where there is no room."""
        size = self._readout.size()
        x, y = int(position.x()) + _GAP, int(position.y()) + _GAP
        if x + size.width() > self._plot.width():
            x = max(0, int(position.x()) - _GAP - size.width())
        return x, max(0, min(y, self._plot.height() - size.height()))

    @property
    def readout(self) -> str:
        """The text under the pointer; empty while it is elsewhere."""
        return self._readout.text() if self._readout.isVisibleTo(self) else ""

    @property
    def bins(self) -> Bins | None:
        """The bars that are drawn."""
        return self._bins

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The values that are pointed out."""
        return self._marks

    def _hide_readout(self) -> None:
        self._readout.hide()
        self._hovered.hide()


def _shape(bins: Bins, bars: Sequence[int]) -> dict[str, object]:
    """Some of the bars, as pyqtgraph takes them."""
    first, last = np.array([bins.range_of(bar) for bar in bars], float).T
    margin = bins.width * (1 - _SHARE) / 2 if bins.counts.size <= _MOST_APART else 0.0
    edge = 0.5 - margin
    return {"x0": first - edge, "x1": last + edge, "y0": 0, "height": bins.counts[list(bars)]}
