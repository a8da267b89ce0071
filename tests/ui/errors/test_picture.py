"""ui.errors.picture: painted in slices, and no pixel another than all at once."""

from __future__ import annotations

import pytest
from pyqtgraph.exporters.Exporter import Exporter
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.errors.test_source_bar import replica_curves
from ui.errors import picture
from ui.errors.error_canvas import ErrorCanvas
from ui.kit.theme import LIGHT


def at_once(canvas: ErrorCanvas, like: QImage) -> QImage:
    """The canvas as large as `like`."""
    exporter = Exporter(canvas.item)
    scale = like.width() / exporter.getTargetRect().width()
    exporter.setExportMode(True, {"antialias": True, "background": LIGHT.surface, "resolutionScale": scale})
    image = QImage(like.size(), like.format())
    image.fill(QColor(LIGHT.surface))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        exporter.getScene().render(painter, QRectF(image.rect()), QRectF(exporter.getSourceRect()))
    return image


def test_an_image_painted_in_slices_is_the_one_painted_at_once(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "_AT_ONCE", 1)
    canvas = ErrorCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(600, 450)
    canvas.set_colours(LIGHT)
    assert sum(1 for _ in canvas.making()) >= 2, "many lines take long"
    canvas.show_curves(replica_curves())
    canvas.show()
    qapp.processEvents()
    made: list[QImage] = []

    def painting() -> object:
        made.append((yield from picture.image_in_slices(canvas.item)))

    slices = [None for _ in painting()]
    assert len(slices) == 6, "the axes, two lines, the chosen epsilon, its marks, and what is around them"
    assert made[0].width() == 2000
    for part in canvas.item.getViewBox().addedItems + canvas.item.childItems():
        part.setOpacity(1)
    assert made[0] == at_once(canvas, made[0])
