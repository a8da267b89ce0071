"""A strip of what a vehicle has spent on each day, against the limit per day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from core.accounting.ledger_timeline import DaySpent
from core.accounting.privacy_loss import UNBOUNDED
from ui.kit.labels import TALL
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.ledger.spending import Spending
from ui.session.draft_charge import shown_epsilon, unrounded_epsilon

_CHART = 64
_HEIGHT = 86
_LEAST_HEIGHT = 3.0
_WIDEST_DAY = 26.0
_STRIPE = 2.0
"""Pixels of a stripe, and from one to the next as many."""


class DayStrip(QWidget):
    """A column for each day from the first that was paid for to the last; days without a charge are empty."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._spending: Spending | None = None
        self.setFixedHeight(_HEIGHT)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Spent per vehicle on each day"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(300, _HEIGHT)

    def show_spending(self, spending: Spending) -> None:
        """Draw another population, or the same anew."""
        self._spending = spending
        self.setAccessibleDescription("; ".join(self._text(day) for day in spending.days[-31:]))
        self.update()

    def _text(self, day: DaySpent) -> str:
        text = f"{day.date}: {shown_epsilon(day.epsilon)}"
        return self.tr("{day}, over the limit").format(day=text) if day.over else text

    @property
    def columns(self) -> list[tuple[DaySpent, QRectF]]:
        """Each day with its place."""
        spending = self._spending
        if spending is None or not spending.days or spending.population.spent_per_day == UNBOUNDED:
            return []
        first = spending.days[0].date
        width = self._day_width()
        found = []
        for day in spending.days:
            left = (day.date - first).days * width
            height = max(float(day.epsilon / self._top()) * (_CHART - 2), _LEAST_HEIGHT)
            gap = 1.0 if width > 3 else 0.0
            found.append((day, QRectF(left, _CHART - height, max(width - gap, 1.0), height)))
        return found

    def _day_width(self) -> float:
        assert self._spending is not None
        days = self._spending.days
        return min(self.width() / ((days[-1].date - days[0].date).days + 1), _WIDEST_DAY)

    def _top(self) -> Decimal:
        assert self._spending is not None
        population = self._spending.population
        return max(population.spent_per_day, population.per_vehicle_day or Decimal(0)) or Decimal(1)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._spending is None or not self._spending.days:
            return
        colours, population = self._theme.colours, self._spending.population
        columns = self.columns
        end = columns[-1][1].right() if columns else float(self.width())
        painter = QPainter(self)
        painter.setPen(QColor(colours.line))
        painter.drawLine(QPointF(0, _CHART + 0.5), QPointF(max(end, 60), _CHART + 0.5))
        for day, place in columns:
            if day.over:  # distinguished from the others by more than its hue, also where it is a pixel wide
                for stripe in _stripes(place):
                    painter.fillRect(stripe, QColor(colours.bad))
            else:
                painter.fillRect(place, QColor(colours.accent))
        limit = population.per_vehicle_day
        if limit is not None and columns:
            height = _CHART - float(limit / self._top()) * (_CHART - 2)
            painter.setPen(QPen(QColor(colours.text), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(0, height), QPointF(self.width(), height))
        self._write(painter, self._spending.days[0].date, self._spending.days[-1].date)
        painter.end()

    @property
    def scale(self) -> str:
        """How much the highest column is, and the limit."""
        assert self._spending is not None
        most, limit = self._spending.population.spent_per_day, self._spending.population.per_vehicle_day
        text = (
            self.tr("no limit per day")
            if limit is None
            else self.tr("dashed: limit per day {limit}").format(limit=unrounded_epsilon(limit))
        )
        if most == UNBOUNDED:
            return text
        return self.tr("at most {most} on a day; {limit}").format(most=shown_epsilon(most), limit=text)

    def _write(self, painter: QPainter, first: dt.date, last: dt.date) -> None:
        painter.setPen(QColor(self._theme.colours.muted))
        line = QRectF(0, _CHART + 4, self.width(), _HEIGHT - _CHART - 4)
        top = Qt.AlignmentFlag.AlignTop.value | TALL
        days = str(first) if first == last else self.tr("{first} to {last}").format(first=first, last=last)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft.value | top, days)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight.value | top, self.scale)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            x = event.pos().x()
            found = (day for day, place in self.columns if place.left() <= x <= place.right())
            day = next(found, None)
            text = "" if day is None else self._text(day)
            QToolTip.showText(event.globalPos(), in_lines(text), self)
            return True
        return super().event(event)


def _stripes(column: QRectF) -> Iterator[QRectF]:
    """From the top, so that the column is as high as it would be solid."""
    top = column.top()
    while top < column.bottom():
        yield QRectF(column.left(), top, column.width(), min(_STRIPE, column.bottom() - top))
        top += 2 * _STRIPE
