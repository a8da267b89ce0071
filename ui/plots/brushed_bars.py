"""A histogram of which a bar, or several side by side, can be chosen by mouse and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from ui.kit.labels import MIDDLE_LINE
from ui.kit.tips import in_lines
from ui.language.translation import whole

_LEAST_HEIGHT = 180
_LEFT, _ABOVE, _BELOW, _RIGHT = 52.0, 28.0, 26.0, 28.0
_GAP = 1.5
_STUB = 2.0
"""Of a bar that is too low to be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountBar:
    """One bar."""

    start: str
    """Its lower end, as the axis names it."""
    count: int
    words: str
    """For tip and readers."""


class BrushedBars(QWidget):
    """Emits `brushed(first, last, add)`: the bars that were drawn over, and whether Ctrl was down.

    Left and right walk from bar to bar, with Shift they take more of them; Space or Enter chooses.
    """

    brushed = Signal(int, int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: tuple[CountBar, ...] = ()
        self.marked: tuple[int, ...] = ()
        self.counted = ""
        """What the heights of bars are numbers of: written above them."""
        self._end = ""
        self._from = self._to = -1
        self._pressed = False
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(500, 260)

    def show_bars(self, bars: Sequence[CountBar], end: str) -> None:
        """Other bars; end: the upper end of the last."""
        self.bars, self._end = tuple(bars), end
        self.marked = (0,) * len(self.bars)
        self._from = self._to = min(self._to, len(self.bars) - 1)
        self._tell()

    def show_marked(self, counts: Sequence[int]) -> None:
        """How much of each bar stands out."""
        self.marked = tuple(counts)
        self._tell()

    @property
    def span(self) -> tuple[int, int]:
        """First and last of the bars that are being chosen."""
        return min(self._from, self._to), max(self._from, self._to)

    def _tell(self) -> None:
        first, last = self.span
        bars = self.bars[first : last + 1] if first >= 0 else [bar for bar in self.bars if bar.count]
        self.setAccessibleDescription("; ".join(bar.words for bar in bars))
        self.update()

    def _column(self, place: int) -> QRectF:
        step = (self.width() - _LEFT - _RIGHT) / max(len(self.bars), 1)
        height = self.height() - _ABOVE - _BELOW
        return QRectF(_LEFT + place * step, _ABOVE, max(step - _GAP, 1.0), height)

    def _box(self, place: int, count: int) -> QRectF:
        column, top = self._column(place), max((bar.count for bar in self.bars), default=1)
        height = max(column.height() * count / max(top, 1), _STUB) if count else 0.0
        return QRectF(column.left(), column.bottom() - height, column.width(), height)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, palette = QPainter(self), self.palette()
        self._paint_axes(painter, palette)
        any_marked, (first, last) = any(self.marked), self.span
        quiet, strong = QPalette.ColorRole.Dark, QPalette.ColorRole.Highlight
        for place, (bar, marked) in enumerate(zip(self.bars, self.marked, strict=True)):
            if first <= place <= last and (self.hasFocus() or self._pressed):
                painter.fillRect(self._column(place), palette.color(QPalette.ColorRole.Midlight))
            whole = self._box(place, bar.count)
            if any_marked and bar.count:  # hollow: a quiet grey would be nearly as dark as what is marked
                painter.setPen(palette.color(quiet))
                painter.drawRect(whole.adjusted(0.5, 0.5, -0.5, -0.5))
            else:
                painter.fillRect(whole, palette.color(strong))
            painter.fillRect(self._box(place, marked), palette.color(strong))
        if self.hasFocus():
            painter.setPen(QPen(palette.color(strong), 2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_axes(self, painter: QPainter, palette: QPalette) -> None:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        bottom = self.height() - _BELOW
        painter.fillRect(QRectF(_LEFT, bottom, self.width() - _LEFT - _RIGHT, 1), palette.mid())
        right = Qt.AlignmentFlag.AlignRight.value | MIDDLE_LINE
        left = Qt.AlignmentFlag.AlignLeft.value | MIDDLE_LINE
        painter.drawText(QRectF(4, 1, self.width() - 8, 16), left, self.counted)
        most = max((bar.count for bar in self.bars), default=0)
        for text, y in ((whole(most), _ABOVE), ("0", bottom)):
            painter.drawText(QRectF(0, y - 8, _LEFT - 6, 16), right, text)
        names = [*(bar.start for bar in self.bars), self._end]
        widest = max((painter.fontMetrics().horizontalAdvance(name) for name in names), default=1) + 10
        step = (self.width() - _LEFT - _RIGHT) / max(len(self.bars), 1)
        every = max(1, int(-(-widest // max(step, 1.0))))
        for place in range(0, len(names), every):
            at = QRectF(_LEFT + place * step - widest / 2, bottom + 4, widest, 16)
            painter.drawText(at, Qt.AlignmentFlag.AlignHCenter.value | MIDDLE_LINE, names[place])

    # pointer and keys

    def _place_at(self, x: float, *, clipped: bool = False) -> int | None:
        step = (self.width() - _LEFT - _RIGHT) / max(len(self.bars), 1)
        place, last = int((x - _LEFT) // step), len(self.bars) - 1
        if clipped and self.bars:
            return min(max(place, 0), last)
        return place if 0 <= place <= last else None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self._place_at(event.position().x())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._pressed = True
            self._from = self._to = place
            self._tell()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self._place_at(event.position().x(), clipped=self._pressed)
        if place is None:
            return
        if self._pressed and place != self._to:
            self._to = place
            self._tell()
        QToolTip.showText(event.globalPosition().toPoint(), in_lines(self.bars[place].words), self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._pressed and event.button() is Qt.MouseButton.LeftButton:
            self._pressed = False
            self.brushed.emit(*self.span, _adds(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        last, key = len(self.bars) - 1, event.key()
        beside = {int(Qt.Key.Key_Left): self._to - 1, int(Qt.Key.Key_Right): self._to + 1}
        beside |= {int(Qt.Key.Key_Home): 0, int(Qt.Key.Key_End): last}
        if key in beside and last >= 0:
            self._to = min(max(beside[key], 0), last)
            if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._from = self._to
            self._tell()
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._to >= 0:
            self.brushed.emit(*self.span, _adds(event))
        else:
            super().keyPressEvent(event)


def _adds(event: QMouseEvent | QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
