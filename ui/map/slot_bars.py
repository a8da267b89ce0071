"""Small bars, one a slot; the chosen slot stands out, and a click chooses another."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QToolTip, QWidget

from ui.kit.tips import in_lines

_HEIGHT = 40
_LEAST_BAR = 2.0
_GAP = 1.0
_BELOW = 5
"""Room below the bars, for the mark of the chosen one."""
_MARK = 3


class SlotBars(QWidget):
    """Emits `chosen(int)`, the place of a bar. None is drawn where there is no value."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values: tuple[float | None, ...] = ()
        self.words: tuple[str, ...] = ()
        self._marked = -1
        self.setMinimumHeight(_HEIGHT)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, _HEIGHT)

    def show_bars(self, values: Sequence[float | None], words: Sequence[str], marked: int) -> None:
        """Heights, what each says on hover, and the place of the chosen one."""
        self.values, self.words, self._marked = tuple(values), tuple(words), marked
        self.setAccessibleDescription("; ".join(self.words))
        self.update()

    def _box(self, place: int, room: float) -> QRectF:
        step = room / len(self.values)
        top = max((value for value in self.values if value is not None), default=0.0)
        value = self.values[place]
        share = 0.0 if value is None or not top else value / top
        tall = self.height() - _BELOW
        height = max(_LEAST_BAR, share * (tall - _LEAST_BAR)) if value is not None else 0.0
        width = max(step - _GAP, 1.0)
        return QRectF(place * step, tall - height, width, height)

    def _mark(self, place: int) -> QRectF:
        """Below the chosen slot, also where it has no bar: its hue alone would not tell it."""
        step = self.width() / len(self.values)
        return QRectF(place * step, self.height() - _MARK, max(step - _GAP, 1.0), _MARK)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, palette = QPainter(self), self.palette()
        line = palette.color(QPalette.ColorRole.Mid)
        painter.fillRect(QRectF(0, self.height() - _BELOW - 1, self.width(), 1), line)
        for place in range(len(self.values)):
            role = QPalette.ColorRole.Highlight if place == self._marked else QPalette.ColorRole.Dark
            painter.fillRect(self._box(place, self.width()), QColor(palette.color(role)))
            if place == self._marked:
                painter.fillRect(self._mark(place), palette.color(role))
        painter.end()

    def _place_at(self, x: float) -> int | None:
        place = int(x / self.width() * len(self.values)) if self.values and self.width() else -1
        return place if 0 <= place < len(self.values) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if (place := self._place_at(event.position().x())) is not None:
            QToolTip.showText(event.globalPosition().toPoint(), in_lines(self.words[place]), self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if (place := self._place_at(event.position().x())) is not None:
            self.chosen.emit(place)
