"""The error plot as a file, PNG or SVG, drawn in slices. Imports pyqtgraph: import this module late."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from html import escape

import pyqtgraph as pg
from pyqtgraph.exporters.Exporter import Exporter
from PySide6.QtCore import QBuffer, QIODevice, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsItem

from core.errors import InternalError
from ui.errors.curve_styles import CurveStyle, curve_styles, symbol_path
from ui.errors.curves import Curves
from ui.errors.curves_csv import require_exportable
from ui.errors.error_canvas import ErrorCanvas
from ui.kit.theme import LIGHT

_WIDTH, _HEIGHT = 1000, 760
_PIXELS = 2000
"""Width of a PNG."""
_AT_ONCE = 4
"""Curves that are painted in one slice."""
_LEGEND_COLUMNS = 3
_LEGEND_ROW = 4
"""Below the axis in pyqtgraph's layout of title, axes and view."""


def picture_in_slices(
    curves: Curves, hidden: frozenset[str], kind: str
) -> Generator[None, None, Callable[[], bytes]]:
    """The visible curves with their legend, in light colours whatever the theme; for `in_slices`.

    Yields between parts that are each shorter than the window may stand still. Returns what makes the file,
    for a worker; kind: `png` or `svg`.
    """
    require_exportable(curves)
    yield  # whoever asks has imported this module just now
    yield  # and a page that says so is laid out, and its own plot painted anew, in two goes
    canvas = ErrorCanvas()
    try:
        canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        canvas.resize(_WIDTH, _HEIGHT)
        yield
        canvas.set_colours(LIGHT)
        canvas.set_hidden(hidden)
        yield from canvas.making()
        yield
        canvas.show_curves(curves)
        yield
        canvas.item.setTitle(escape(curves.request.hat), color=LIGHT.text, size="13pt")
        yield
        yield from _adding_legend(canvas.item, curves, curve_styles(LIGHT), hidden)
        yield
        canvas.show()
        yield  # the plot is laid out by events
        canvas.setUpdatesEnabled(False)  # from here on it is painted for the file alone
        return (yield from _ENCODERS[kind](canvas.item))
    finally:
        canvas.close()
        canvas.deleteLater()


def _png(item: pg.PlotItem) -> Generator[None, None, Callable[[], bytes]]:
    return partial(png_bytes, (yield from image_in_slices(item)))


def image_in_slices(item: pg.PlotItem) -> Generator[None, None, QImage]:
    """What pyqtgraph's own exporter paints at once. The item is left in its mode for export.

    Cut by what is painted, not by where: a dashed line that is cut at an edge would begin anew there. In a
    worker it would hold Python's lock for as long.
    """
    exporter = Exporter(item)
    source = QRectF(exporter.getSourceRect())
    image = QImage(_PIXELS, int(_PIXELS * source.height() / source.width()), QImage.Format.Format_ARGB32)
    image.fill(QColor(LIGHT.surface))
    scale = _PIXELS / exporter.getTargetRect().width()
    exporter.setExportMode(True, {"antialias": True, "background": LIGHT.surface, "resolutionScale": scale})
    layers = _layers(item)
    for layer in layers:
        for part in layer:
            part.setOpacity(0)
    for layer in layers:
        yield
        for part in layer:
            part.setOpacity(1)
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            exporter.getScene().render(painter, QRectF(image.rect()), source)
        for part in layer:
            part.setOpacity(0)
    return image


def _layers(item: pg.PlotItem) -> list[list[QGraphicsItem]]:
    """In the order in which they are painted: axes with grid, curves some at a time, what is around."""
    box = item.getViewBox()
    curves = sorted((part for part in box.addedItems if part.isVisible()), key=QGraphicsItem.zValue)
    around = [part for part in item.childItems() if part is not box]
    below = [part for part in around if part.zValue() < box.zValue()]
    above = [part for part in around if part.zValue() >= box.zValue()]
    return [below, *(curves[at : at + _AT_ONCE] for at in range(0, len(curves), _AT_ONCE)), above]


def png_bytes(image: QImage) -> bytes:
    """The image as a PNG file: for a worker, since it takes longer than a window may stand still."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise InternalError("the picture could not be encoded")
    return bytes(buffer.data().data())


def _svg(item: pg.PlotItem) -> Generator[None, None, Callable[[], bytes]]:
    """By Qt's own generator: pyqtgraph's takes ten times as long, and all of it in the window's thread."""
    exporter = Exporter(item)
    yield
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the first that cuts off what lies outside
    generator.setOutputDevice(buffer)
    source = QRectF(exporter.getSourceRect())
    sheet = QRectF(0, 0, source.width(), source.height())
    generator.setSize(sheet.size().toSize())
    generator.setViewBox(sheet)
    with QPainter(generator) as painter:
        painter.fillRect(sheet, QColor(LIGHT.surface))
        look = {"antialias": True, "background": LIGHT.surface, "resolutionScale": 1.0}
        exporter.setExportMode(True, {**look, "painter": painter})
        try:
            exporter.getScene().render(painter, sheet, source)
        finally:
            exporter.setExportMode(False)
    made = bytes(buffer.data().data())
    return lambda: made


_ENCODERS: Mapping[str, Callable[[pg.PlotItem], Generator[None, None, Callable[[], bytes]]]] = {
    "png": _png,
    "svg": _svg,
}


def _adding_legend(
    item: pg.PlotItem, curves: Curves, styles: Mapping[str, CurveStyle], hidden: frozenset[str]
) -> Generator[None, None, None]:
    legend = pg.LegendItem(colCount=_LEGEND_COLUMNS, labelTextColor=LIGHT.text, labelTextSize="10pt")
    legend.setFlag(legend.GraphicsItemFlag.ItemIgnoresTransformations, False)  # it grows with the picture
    for number, key in enumerate(key for key in curves.errors if key not in hidden):
        if number and number % _LEGEND_COLUMNS == 0:
            yield
        style = styles[key]
        sample = pg.PlotDataItem(
            [0.0],
            [0.0],
            pen=style.pen(strong=key == curves.request.strong),
            symbol=symbol_path(style.symbol),
            symbolSize=8,
            symbolPen=pg.mkPen(style.colour, width=1.3),
            symbolBrush=pg.mkBrush(LIGHT.surface if style.hollow else style.colour),
        )
        legend.addItem(sample, style.title)
    legend.updateSize()
    legend.setMinimumHeight(legend.height() + 6)
    item.layout.addItem(legend, _LEGEND_ROW, 1)
