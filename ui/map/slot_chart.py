"""A bar for each timeslot with a scale, suppressed shares below, dots where HATs are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from core.charts.ticks import Scale, linear_scale, tick_label
from ui.kit.labels import MIDDLE_LINE
from ui.kit.tips import in_lines

_HEIGHT = 88
_ABOVE, _BELOW = 9.0, 24.0
"""Pixels for marks above the bars, and for shares and times below them."""
_LEFT = 40.0
"""For the numbers of the scale."""
_SHARE = 4.0
"""Height of the line of published and suppressed."""
_GAP = 2.0
_DOT = 2.5
_STUB = 3.0
"""Of a bar that is too low to be seen."""
_BESIDE = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_Up: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotBar:
    """What is drawn of one slot."""

    start: str
    """`HH:MM`."""
    value: float | None
    published: int
    """HATs with a number."""
    suppressed: int
    words: str
    """All of it, for tip and readers."""


class SlotChart(QWidget):
    """Emits `chosen(int)`, the place of a slot, by click, by arrow keys, Home and End."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: tuple[SlotBar, ...] = ()
        self._current = -1
        self._marked: frozenset[int] = frozenset()
        self._scale: Scale = linear_scale([0.0], from_zero=True)
        self.setFixedHeight(_HEIGHT)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(300, _HEIGHT)

    def show_bars(self, bars: Sequence[SlotBar]) -> None:
        """Other bars; the current place stays."""
        self.bars = tuple(bars)
        values = [bar.value for bar in bars if bar.value is not None]
        self._scale = linear_scale([0.0, *values], from_zero=False)
        self._tell()

    def show_current(self, place: int) -> None:
        """Let this bar stand out."""
        if place != self._current:
            self._current = place
            self._tell()

    def show_marked(self, places: frozenset[int]) -> None:
        """Put a dot above these."""
        if places != self._marked:
            self._marked = places
            self._tell()

    @property
    def current(self) -> int:
        """The place that stands out; -1: none."""
        return self._current

    @property
    def scale_ends(self) -> tuple[float, float]:
        """From where to where the bars are measured."""
        return self._scale.low, self._scale.high

    def _tell(self) -> None:
        known = 0 <= self._current < len(self.bars)
        self.setAccessibleDescription(self._words(self._current) if known else "")
        self.update()

    def _words(self, place: int) -> str:
        """Of a bar, and of the dot above it."""
        words = self.bars[place].words
        if place not in self._marked:
            return words
        return "\n".join((words, self.tr("Dot: marked hexagons lie in this slot.")))

    # where things are

    @property
    def _step(self) -> float:
        return (self.width() - _LEFT) / max(len(self.bars), 1)

    def _y(self, value: float) -> float:
        return _ABOVE + (1.0 - self._scale.share(value)) * (self.height() - _ABOVE - _BELOW)

    def _column(self, place: int) -> QRectF:
        """The way of a bar, as wide as the bar itself."""
        gap = min(_GAP, self._step / 3.0)
        bottom = self.height() - _BELOW
        return QRectF(_LEFT + place * self._step, _ABOVE, max(self._step - gap, 1.0), bottom - _ABOVE)

    def bar_box(self, place: int) -> QRectF | None:
        """Where a bar is drawn; None for one without a value."""
        value, column = self.bars[place].value, self._column(place)
        if value is None:
            return None
        ends = sorted((self._y(value), self._y(0.0)))
        height = max(ends[1] - ends[0], _STUB)
        return QRectF(column.left(), ends[1] - height, column.width(), height)

    # painting

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, palette = QPainter(self), self.palette()
        self._paint_scale(painter, palette)
        for place, bar in enumerate(self.bars):
            current = place == self._current
            if current:
                ground = self._column(place).adjusted(-1, -_ABOVE + 1, 1, _BELOW - 1)
                painter.fillRect(ground, palette.color(QPalette.ColorRole.Midlight))
                painter.setPen(palette.color(QPalette.ColorRole.Highlight))
                painter.drawRect(ground.adjusted(-0.5, 0.5, 0.5, -0.5))
            box = self.bar_box(place)
            if box is not None:
                role = QPalette.ColorRole.Highlight if current else QPalette.ColorRole.Dark
                painter.fillRect(box, palette.color(role))
            self._paint_share(painter, palette, bar, place)
            if place in self._marked:
                self._paint_dot(painter, palette, place)
        self._paint_times(painter, palette)
        if self.hasFocus():
            painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight), 2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_scale(self, painter: QPainter, palette: QPalette) -> None:
        """Its ends and 0, each with a line."""
        painter.setFont(self._small())
        for value in sorted({self._scale.low, 0.0, self._scale.high}):
            y = self._y(value)
            painter.fillRect(
                QRectF(_LEFT, y, self.width() - _LEFT, 1.0), palette.color(QPalette.ColorRole.Mid)
            )
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            right = Qt.AlignmentFlag.AlignRight.value | MIDDLE_LINE
            painter.drawText(QRectF(0, y - 8, _LEFT - 5, 16), right, tick_label(value))

    def _paint_share(self, painter: QPainter, palette: QPalette, bar: SlotBar, place: int) -> None:
        """Published solid, suppressed hatched; nothing where nothing was to be published."""
        column, hats = self._column(place), bar.published + bar.suppressed
        if not bar.suppressed:
            return
        line = QRectF(column.left(), column.bottom() + 3, column.width(), _SHARE)
        solid = line.width() * bar.published / hats
        colour = QColor(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.fillRect(QRectF(line.left(), line.top(), solid, _SHARE), colour)
        rest = QRectF(line.left() + solid, line.top(), line.width() - solid, _SHARE)
        painter.fillRect(rest, QBrush(colour, Qt.BrushStyle.BDiagPattern))
        painter.setPen(QPen(colour, 0.6))
        painter.drawRect(rest)

    def _paint_dot(self, painter: QPainter, palette: QPalette, place: int) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(QPalette.ColorRole.Text))
        painter.drawEllipse(QPointF(self._column(place).center().x(), _ABOVE / 2.0), _DOT, _DOT)
        painter.restore()

    def _paint_times(self, painter: QPainter, palette: QPalette) -> None:
        """As many starts of slots as there is room for."""
        font = self._small()
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        widest = painter.fontMetrics().horizontalAdvance("00:00") + 8
        every = max(1, -(-widest // max(int(self._step), 1)))
        for place in range(0, len(self.bars), every):
            left = self._column(place).left()
            if left + widest <= self.width() + 4:
                room = max(widest, int(self._step) * every - _GAP)  # a period's name may be long
                at = QRectF(left, self.height() - 16, room, 15)
                end = Qt.TextElideMode.ElideRight
                text = painter.fontMetrics().elidedText(self.bars[place].start, end, int(room))
                painter.drawText(at, Qt.AlignmentFlag.AlignLeft.value | MIDDLE_LINE, text)

    def _small(self) -> QFont:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.82)
        return font

    # pointer and keys

    def _place_at(self, x: float) -> int | None:
        place = int((x - _LEFT) // self._step) if self.bars else -1
        return place if 0 <= place < len(self.bars) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self._place_at(event.position().x())
        if place is not None:
            QToolTip.showText(event.globalPosition().toPoint(), in_lines(self._words(place)), self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        place = self._place_at(event.position().x())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        last = len(self.bars) - 1
        wanted = {int(key): self._current + step for key, step in _BESIDE.items()}
        wanted |= {int(Qt.Key.Key_Home): 0, int(Qt.Key.Key_End): last}
        place = wanted.get(event.key())
        if place is None:
            super().keyPressEvent(event)
        elif 0 <= place <= last:
            self.chosen.emit(place)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.update()
