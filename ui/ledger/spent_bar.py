"""One bar of what a vehicle has spent, a piece for each entry, against the limit."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from core.accounting.ledger_timeline import TimelineEntry
from core.accounting.privacy_loss import UNBOUNDED
from ui.kit.labels import TALL
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.ledger.spending import Spending
from ui.ledger.words import bundle_of_entry
from ui.session.draft_charge import shown_epsilon, unrounded_epsilon

_BAR = 26
_HEIGHT = 54
_FRAME = 1
_SEAM = 1
"""Pixels between two pieces."""
_GAP = 12
_MARK = 3
"""Height of the mark below the chosen piece."""
_LEAST_PIECE = 3.0
"""Pixels: what costs little is seen too."""


class SpentBar(QWidget):
    """Emits `chosen(number)` for the entry whose piece is clicked."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._spending: Spending | None = None
        self._current = 0
        self.setFixedHeight(_HEIGHT)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Spent per vehicle, entry by entry"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(300, _HEIGHT)

    def show_spending(self, spending: Spending) -> None:
        """Draw another population, or the same anew."""
        self._spending = spending
        texts = (f"{bundle_of_entry(part.entry)} {shown_epsilon(part.after)}" for part in spending.timeline)
        self.setAccessibleDescription(", ".join(texts))
        self.update()

    def mark(self, number: int) -> None:
        """Make the piece of an entry stand out; 0 for none."""
        self._current = number
        self.update()

    @property
    def pieces(self) -> list[tuple[TimelineEntry, QRectF]]:
        """Each entry with its place on the bar."""
        if self._spending is None or self._spending.population.spent == UNBOUNDED:
            return []
        found, left = [], float(_FRAME)
        for part in self._spending.timeline:
            right = max(self._x(part.after), left + _LEAST_PIECE)
            found.append((part, QRectF(left, _FRAME, right - left, _BAR - 2 * _FRAME)))
            left = right
        return found

    def _x(self, amount: Decimal) -> float:
        assert self._spending is not None
        population = self._spending.population
        whole = max(population.spent, population.per_vehicle or population.spent) or Decimal(1)
        return _FRAME + float(amount / whole) * (self.width() - 2 * _FRAME)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._spending is None:
            return
        colours, population = self._theme.colours, self._spending.population
        painter = QPainter(self)
        frame = QRectF(0, 0, self.width(), _BAR)
        painter.fillRect(frame, QColor(colours.outline))
        painter.fillRect(frame.adjusted(_FRAME, _FRAME, -_FRAME, -_FRAME), QColor(colours.surface))
        painter.fillRect(self._free(), QColor(colours.raised))
        limit = population.per_vehicle
        over = limit is not None and population.spent > limit
        for part, place in self.pieces:
            current = part.entry.number == self._current
            before = _SEAM if place.left() > _FRAME else 0
            self._fill(painter, place.adjusted(before, 0, 0, 0), soft=not current)
            if current:  # not by its shade alone
                painter.fillRect(QRectF(place.left(), _BAR, place.width(), _MARK), QColor(colours.text))
        if limit is not None and over:
            painter.setPen(QPen(QColor(colours.text), 2))
            painter.drawLine(QPointF(self._x(limit), 0), QPointF(self._x(limit), _BAR))
        painter.setPen(QColor(colours.muted))
        line = QRectF(0, _BAR + 4, self.width(), _HEIGHT - _BAR - 4)
        top = Qt.AlignmentFlag.AlignTop.value | TALL
        spent = self.tr("{spent} spent").format(spent=shown_epsilon(population.spent))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft.value | top, spent)
        end = (
            self.tr("no limit")
            if limit is None
            else self.tr("limit {limit}").format(limit=unrounded_epsilon(limit))
        )
        painter.drawText(self.limit_place(spent, end), Qt.AlignmentFlag.AlignRight.value | top, end)
        painter.end()

    def _free(self) -> QRectF:
        """What is not spent."""
        pieces = self.pieces
        left = pieces[-1][1].right() if pieces else float(_FRAME)
        return QRectF(left, _FRAME, max(self.width() - _FRAME - left, 0.0), _BAR - 2 * _FRAME)

    def _fill(self, painter: QPainter, place: QRectF, *, soft: bool) -> None:
        """Up to the limit as what may be spent, beyond it as what is too much."""
        assert self._spending is not None
        colours, limit = self._theme.colours, self._spending.population.per_vehicle
        end = place.right() if limit is None else min(max(self._x(limit), place.left()), place.right())
        within, beyond = QRectF(place), QRectF(place)
        within.setRight(end)
        beyond.setLeft(end)
        for area, shade in ((within, colours.accent), (beyond, colours.bad)):
            painter.fillRect(area, QColor(_soft(shade, colours.surface) if soft else shade))

    def limit_place(self, spent: str, limit: str) -> QRectF:
        """Where the limit stands: it ends below its mark, or as near to it as what is spent leaves room."""
        assert self._spending is not None
        population, metrics = self._spending.population, self.fontMetrics()
        mark = self.width() if population.per_vehicle is None else self._x(population.per_vehicle) + 1
        least = metrics.horizontalAdvance(spent) + _GAP + metrics.horizontalAdvance(limit)
        right = min(float(self.width()), max(mark, float(least)))
        return QRectF(0, _BAR + 4, right, _HEIGHT - _BAR - 4)

    def _at(self, position: QPointF) -> TimelineEntry | None:
        return next((part for part, place in self.pieces if place.contains(position)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        part = self._at(event.position())
        if part is not None:
            self.chosen.emit(part.entry.number)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            part = self._at(QPointF(event.pos()))
            text = "" if part is None else self._text(part)
            QToolTip.showText(event.globalPos(), in_lines(text), self)
            return True
        return super().event(event)

    def _text(self, part: TimelineEntry) -> str:
        return self.tr("Entry {number}, {bundle}: {alone}; {after} spent with it").format(
            number=part.entry.number,
            bundle=bundle_of_entry(part.entry),
            alone=shown_epsilon(part.alone),
            after=shown_epsilon(part.after),
        )


def _soft(colour: str, ground: str) -> QColor:
    """Most of a colour over its ground."""
    over, under = QColor(colour), QColor(ground)
    pairs = ((over.red(), under.red()), (over.green(), under.green()), (over.blue(), under.blue()))
    return QColor(*((4 * one + other) // 5 for one, other in pairs))
