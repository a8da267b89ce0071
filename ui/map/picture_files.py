"""A picture of a map as .png, .svg or .pdf: endings, pixels, letters of every script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
    QPolygonF,
)

from core.charts.hexagon_map import HexagonMap, map_picture
from core.charts.shapes import PAPER, Area, Picture, Polyline, Shape, Words
from core.charts.svg import svg
from core.errors import InputError, InternalError
from core.system.files import write_atomic
from ui.language.translation import translator

_tr = translator("PictureFiles")
_SCALE = 2
"""Pixels of a PNG for each point."""
_FINER = 8
"""Sizes of letters are whole numbers of pixels: they are set larger and drawn smaller."""
_DOTS = 288
"""A PDF's units for each inch."""
_POINTS = 72
_METRES_AN_INCH = 0.0254


def letters_width(text: str, size: float) -> float:
    """How long a line is in the window's typeface, in points."""
    return QFontMetricsF(_font(size)).horizontalAdvance(text) / _FINER


def png_of(picture: Picture) -> bytes:
    """Two pixels for each point, on white."""
    size = QSizeF(picture.width * _SCALE, picture.height * _SCALE).toSize()
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor(PAPER))
    dots = round(_SCALE * _POINTS / _METRES_AN_INCH)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)
    _draw(picture, QPainter(image), _SCALE)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise InternalError("the picture could not be encoded")
    return bytes(buffer.data().data())


def pdf_of(picture: Picture) -> bytes:
    """One page of the picture's size; lines, areas and letters with their typeface, no pixels."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    page = QPageSize(
        QSizeF(picture.width, picture.height), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    writer.setResolution(_DOTS)
    writer.setTitle(picture.title)
    writer.setCreator("Hexveil")
    _draw(picture, QPainter(writer), _DOTS / _POINTS)
    buffer.close()
    return bytes(buffer.data().data())


ENCODERS: dict[str, Callable[[Picture], bytes]] = {".png": png_of, ".svg": svg, ".pdf": pdf_of}
"""By the ending of the file."""


def require_ending(path: Path) -> Path:
    """The path, if its ending is one of a picture's. Raises InputError otherwise."""
    if path.suffix.lower() not in ENCODERS:
        raise InputError(
            _tr("A picture ends in .png, .svg or .pdf."),
            where=str(path),
            mend=_tr("give the file one of these endings"),
        )
    return path


def write_picture(shown: HexagonMap, path: Path) -> Path:
    """Draw and write, whole or not at all; the ending decides on the format. For a worker.

    Raises InputError for another ending, and where the folder cannot be written.
    """
    encode = ENCODERS[require_ending(path).suffix.lower()]
    write_atomic(path, encode(map_picture(shown, letters_width)))
    return path


def _font(size: float) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(round(size * _FINER))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _draw(picture: Picture, painter: QPainter, scale: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    painter.fillRect(QRectF(0, 0, picture.width, picture.height), QColor(PAPER))
    for shape in picture.shapes:
        _draw_shape(shape, painter)
    painter.end()


def _draw_shape(shape: Shape, painter: QPainter) -> None:
    if isinstance(shape, Words):
        _draw_words(shape, painter)
        return
    pen = QPen(QColor(shape.colour), shape.width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    corners = QPolygonF([QPointF(*point) for point in shape.points])
    if isinstance(shape, Polyline):
        if shape.dash is not None:
            pen.setDashPattern([length / shape.width for length in shape.dash])
        painter.setPen(pen)
        painter.drawPolyline(corners)
    else:
        assert isinstance(shape, Area)
        painter.setPen(pen)
        painter.setBrush(QColor(shape.fill))
        painter.drawPolygon(corners)


def _draw_words(words: Words, painter: QPainter) -> None:
    painter.save()
    painter.translate(*words.at)
    if words.upwards:
        painter.rotate(-90)
    painter.scale(1 / _FINER, 1 / _FINER)
    font = _font(words.size)
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(words.text)
    left = {"start": 0.0, "middle": -width / 2, "end": -width}[words.align]
    painter.setFont(font)
    painter.setPen(QColor(words.colour))
    painter.drawText(QPointF(left, metrics.capHeight() / 2), words.text)
    painter.restore()
