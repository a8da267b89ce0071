"""The frame around what follows from the records, on a map and on the small maps of all slots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

FRAME_COLOURS: Final = {False: "#8f3a00", True: "#ffc48a"}
"""Dark or not -> colour, as that of the badge in resources/map/map.css."""
FRAME_WIDTH: Final = 2
"""Pixels."""


def draw_confidential_frame(painter: QPainter, around: QRect, *, dark: bool) -> None:
    """Along the inner edge of a rectangle."""
    painter.setPen(QPen(QColor(FRAME_COLOURS[dark]), FRAME_WIDTH, j=Qt.PenJoinStyle.MiterJoin))
    half = FRAME_WIDTH / 2
    painter.drawRect(QRectF(around).adjusted(half, half, -half, -half))


def fill_frames(painter: QPainter, around: QRect, colours: Sequence[QColor | None], inner: QColor) -> None:
    """Frames of these colours, the outermost first, around `inner`; None leaves the room of one."""
    for colour in colours:
        painter.fillRect(around, colour or inner)
        around = around.adjusted(FRAME_WIDTH, FRAME_WIDTH, -FRAME_WIDTH, -FRAME_WIDTH)
    painter.fillRect(around, inner)
