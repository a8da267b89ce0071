"""The error plot as a file, PNG or SVG. Imports pyqtgraph: import this module late."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyqtgraph as pg
from pyqtgraph.exporters import ImageExporter, SVGExporter
from PySide6.QtCore import QBuffer, QCoreApplication, QEventLoop, QIODevice, Qt
from PySide6.QtGui import QImage

from core.errors import InternalError
from ui.errors.canvas import ErrorCanvas
from ui.errors.curve_styles import CurveStyle, curve_styles, symbol_path
from ui.errors.curves import Curves
from ui.errors.curves_csv import require_exportable
from ui.kit.theme import LIGHT

_WIDTH, _HEIGHT = 1000, 760
_PIXELS = 2000
"""Width of a PNG."""
_LEGEND_COLUMNS = 3
_LEGEND_ROW = 4
"""Below the axis in pyqtgraph's layout of title, axes and view."""


def drawn(curves: Curves, hidden: frozenset[str]) -> QImage:
    """The visible curves with their legend, in light colours whatever the theme; `png_bytes` encodes it."""
    with _laid_out(curves, hidden) as item:
        exporter = ImageExporter(item)
        exporter.parameters()["width"] = _PIXELS
        image: QImage = exporter.export(toBytes=True)
    return image


def png_bytes(image: QImage) -> bytes:
    """The image as a PNG file: for a worker, since it takes longer than a window may stand still."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise InternalError("the picture could not be encoded")
    return bytes(buffer.data().data())


def svg_bytes(curves: Curves, hidden: frozenset[str]) -> bytes:
    """The same as an SVG file."""
    with _laid_out(curves, hidden) as item, _paths_without_closing():
        made = SVGExporter(item).export(toBytes=True)
    return bytes(made) if isinstance(made, bytes | bytearray) else str(made).encode()


@contextmanager
def _laid_out(curves: Curves, hidden: frozenset[str]) -> Iterator[pg.PlotItem]:
    """The plot on no screen."""
    require_exportable(curves)
    canvas = ErrorCanvas()
    canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    canvas.resize(_WIDTH, _HEIGHT)
    canvas.set_colours(LIGHT)
    canvas.show_curves(curves)
    canvas.set_hidden(hidden)
    canvas.item.setTitle(curves.request.hat, color=LIGHT.text, size="13pt")
    _add_legend(canvas.item, curves, curve_styles(LIGHT), hidden)
    canvas.show()
    # the plot is laid out by events; those of the analyst have to wait
    QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    try:
        yield canvas.item
    finally:
        canvas.close()
        canvas.deleteLater()


def _add_legend(
    item: pg.PlotItem, curves: Curves, styles: Mapping[str, CurveStyle], hidden: frozenset[str]
) -> None:
    legend = pg.LegendItem(colCount=_LEGEND_COLUMNS, labelTextColor=LIGHT.text, labelTextSize="10pt")
    legend.setFlag(legend.GraphicsItemFlag.ItemIgnoresTransformations, False)  # it grows with the picture
    for key in curves.errors:
        if key not in hidden:
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


@contextmanager
def _paths_without_closing() -> Iterator[None]:
    """pyqtgraph 0.14 fails at the closing `Z` that Qt 6.11 writes into paths (its issue 3495)."""
    module: Any = sys.modules[SVGExporter.__module__]
    original = module.correctCoordinates

    def fixed(node: Any, defs: Any, item: Any, options: Any) -> Any:
        for path in node.getElementsByTagName("path"):
            path.setAttribute("d", re.sub(r"\s*Z\s*", " ", path.getAttribute("d")).strip())
        return original(node, defs, item, options)

    module.correctCoordinates = fixed
    try:
        yield
    finally:
        module.correctCoordinates = original
