"""A dashed area that invites to drop files; the page around it takes the drop."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from ui.kit.labels import label

_RADIUS = 10.0
_TINT = 30


class DropArea(QFrame):
    """Drawn with the palette's colours; stands out while something hovers over the page."""

    def __init__(self, title: str, detail: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hovered = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 34, 22, 34)
        layout.setSpacing(6)
        for text, look in ((title, "heading"), (detail, "muted")):
            line = label(text, look, self)
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            line.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            layout.addWidget(line)

    def set_hovered(self, hovered: bool) -> None:
        """Show that a drop would be taken."""
        self._hovered = hovered
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name and call
        palette = self.palette()
        accent = palette.color(QPalette.ColorRole.Highlight)
        line = accent if self._hovered else palette.color(QPalette.ColorRole.PlaceholderText)
        tint = QColor(accent)
        tint.setAlpha(_TINT if self._hovered else 0)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(line, 2 if self._hovered else 1, Qt.PenStyle.DashLine))
        painter.setBrush(tint)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
        painter.end()
