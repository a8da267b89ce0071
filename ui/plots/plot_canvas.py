"""What plots have in common. Imports pyqtgraph: import this module late, and in a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QFont, QTextOption
from PySide6.QtWidgets import QRadioButton, QWidget

from ui.kit.labels import plain_label
from ui.kit.theme import Colours
from ui.layout.boxes import in_column
from ui.layout.half_ink import HALF_INK

LEAST_HEIGHT = 220
"""Pixels in which axes and their names still have room."""
_UNDER_THE_CURVES = -200
"""Of the axes and their grid: pyqtgraph's view stands at -100, its axes above it, so that a line of the grid
would cross names and curves."""
AROUND_A_NAME = 7
"""Pixels around the name of an axis: pyqtgraph lays 5 of them beyond the edge, and signs of vowels reach into
the rest."""
_JOINED = "\u2060"
"""After it no line ends."""
_GAP = 14
"""Pixels between pointer and read-out."""


class PlotCanvas(QWidget):
    """Axes in the colours of the theme, and a read-out at the pointer; curves are its subclasses'.

    paint: gives the curves the colours of a theme. read: of a value of the lower axis, the plotted value
    nearest to it and what is read there; None where nothing is plotted. axes: in place of pyqtgraph's own,
    by side.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        paint: Callable[[Colours], None],
        read: Callable[[float], tuple[float, str] | None],
        axes: Mapping[str, pg.AxisItem] | None = None,
    ) -> None:
        super().__init__(parent)
        self._paint_curves = paint
        self._read_at = read
        self._colours: Colours | None = None
        self._plot = pg.PlotWidget(self, axisItems=dict(axes or {}), enableMenu=False)
        self._plot.setFrameShape(pg.QtWidgets.QFrame.Shape.NoFrame)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._item = self._plot.getPlotItem()
        self._item.hideButtons()
        # pyqtgraph makes a menu that is never shown here, and leaves it behind when the plot is gone
        menu = self._item.ctrlMenu
        menu.setParent(self, menu.windowFlags())
        for choice in menu.findChildren(QRadioButton):
            choice.setAutoExclusive(False)  # else these count among the radio buttons of the page
        # the picture is whole as it stands
        self._item.setMouseEnabled(x=False, y=False)
        self._pointer = pg.InfiniteLine(angle=90)
        self._pointer.hide()
        self._item.addItem(self._pointer, ignoreBounds=True)
        self._readout = plain_label(parent=self._plot)
        self._readout.setTextFormat(Qt.TextFormat.RichText)
        self._readout.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._readout.hide()
        self._plot.scene().sigMouseMoved.connect(self._on_moved)
        self._plot.viewport().installEventFilter(self)
        upright = self._item.getAxis("left")
        lines = upright.label.document()
        lines.setDefaultTextOption(QTextOption(Qt.AlignmentFlag.AlignHCenter))
        upright.geometryChanged.connect(self._fit_upright)
        self.setMinimumHeight(LEAST_HEIGHT)
        in_column(self, self._plot)

    def fade(self, faint: bool) -> None:
        """At half ink, or in full: an effect on a scene would blacken its ground."""
        self._item.setOpacity(HALF_INK if faint else 1.0)

    def set_colours(self, colours: Colours) -> None:
        """Follow the theme."""
        self._colours = colours
        self.hide_readout()
        self._plot.setBackground(colours.surface)
        self._paint_axes(colours)
        self._pointer.setPen(pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine))
        self._readout.setStyleSheet(
            f"background: {colours.surface}; color: {colours.text}; border: 1px solid {colours.line};"
            "border-radius: 5px; padding: 6px 8px;"
        )
        self._paint_curves(colours)

    def name_upright(self, name: str) -> None:
        """What the upright axis tells; on as many lines as it needs in a low plot."""
        # else `km/h` would be divided
        self._item.setLabel("left", escape(name.replace("/", f"/{_JOINED}")))
        self._fit_upright()

    def name_across(self, name: str) -> None:
        """What the lower axis tells."""
        self._item.setLabel("bottom", escape(name))

    def _fit_upright(self) -> None:
        """Keep the name in the plot: pyqtgraph writes it on one line, in the middle of its axis."""
        axis = self._item.getAxis("left")
        label, before, high = axis.label, axis.label.textWidth(), axis.size().height()
        top, room = axis.scenePos().y(), self._plot.height()
        label.setTextWidth(-1)
        if high > 0 and room < label.boundingRect().width() - 2 * AROUND_A_NAME:
            label.setTextWidth(high + 2 * AROUND_A_NAME)
        if label.textWidth() != before:
            axis.showLabel(label.isVisible())  # the axis becomes as wide as its lines need
        axis.resizeEvent()
        # rather into the corner below than out of the plot
        length = label.boundingRect().width()
        label.setY(max(label.y(), min(length - AROUND_A_NAME - top, room + AROUND_A_NAME - top)))

    def _point_at(self, value: float) -> None:
        """Mark in the plot what is read out."""
        self._pointer.setValue(value)
        self._pointer.show()

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
            axis.setGrid(70)
            axis.setZValue(_UNDER_THE_CURVES)
            axis.setStyle(tickTextOffset=6, maxTickLevel=0)
            axis.label.setFont(self.font())
            axis.label.document().setDocumentMargin(AROUND_A_NAME)
            axis.label.setDefaultTextColor(QColor(colours.muted))
        self._fit_upright()  # in this font

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.Leave:
            self.hide_readout()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _on_moved(self, position: QPointF) -> None:
        box = self._item.getViewBox()
        if box.sceneBoundingRect().contains(position):
            self.read_out(box.mapSceneToView(position).x(), position)
        else:
            self.hide_readout()

    def read_out(self, value: float, position: QPointF) -> None:
        """Show what is read at this value of the lower axis; position: in the plot."""
        found = self._read_at(value) if self._colours is not None else None
        if found is None:
            self.hide_readout()
            return
        self._point_at(found[0])
        self._readout.setText(found[1])
        self._readout.adjustSize()
        self._readout.move(*self._beside(position))
        self._readout.show()

    def _beside(self, position: QPointF) -> tuple[int, int]:
        """Right of the pointer, or left where there is no room."""
        size = self._readout.size()
        x, y = int(position.x()) + _GAP, int(position.y()) + _GAP
        if x + size.width() > self._plot.width():
            x = max(0, int(position.x()) - _GAP - size.width())
        return x, max(0, min(y, self._plot.height() - size.height()))

    @property
    def readout(self) -> str:
        """The text at the pointer; empty while it is elsewhere."""
        return self._readout.text() if self._readout.isVisibleTo(self) else ""

    def hide_readout(self) -> None:
        """Nothing is read."""
        self._readout.hide()
        self._pointer.hide()


def readout_text(head: str, rows: Sequence[Sequence[str]], *, wide: bool = False) -> str:
    """A read-out as rich text: a bold line, then rows of a name and its figures, which stand right.

    A name is rich text itself, for signs in colours. wide: the table is as wide as the line above it.
    """
    width = ' width="100%"' if wide else ""
    lines = []
    for name, *figures in rows:
        cells = "".join(f'<td align="right">&nbsp;&nbsp;{escape(figure)}</td>' for figure in figures)
        lines.append(f"<tr><td>{name}</td>{cells}</tr>")
    return f"<b>{escape(head)}</b><table{width}>{''.join(lines)}</table>"


def fill_label(line: pg.InfiniteLine, *, ground: str, text: str) -> None:
    """The name of a line on a ground of the line's colour."""
    line.label.setColor(text)
    line.label.fill = pg.mkBrush(ground)
    line.label.update()


def lean_label(line: pg.InfiniteLine, *, right: bool) -> None:
    """The name of an upright line on the side that has room."""
    line.label.anchors = [(0.0, 0.5), (0.0, 0.5)] if right else [(1.0, 0.5), (1.0, 0.5)]
    line.label.updatePosition()
