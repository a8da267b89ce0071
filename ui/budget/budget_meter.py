"""A bar of a limit: spent, asked by a release, and ticks of further ones like it."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget

from ui.session.draft_charge import shown_epsilon, unrounded_epsilon

_LEAST_OVER = 0.02
_LEAST_SEEN = 3.0
"""Pixels of a part, however little it is of the limit."""
_MOST_TICKS = 24
"""Of further releases like it: of more, a meter would be all ticks."""


def _share(amount: Decimal, limit: Decimal) -> float:
    return min(float(amount / limit), 1.0) if limit else 1.0


class BudgetMeter(QWidget):
    """A bar of a limit: spent, then what this release would add, then what is left."""

    def __init__(self) -> None:
        super().__init__()
        self._shares = (0.0, 0.0)
        self._over = False
        self.more = 0
        """How many ticks there are."""
        self.setFixedHeight(14)

    def set_amounts(
        self, spent: Decimal, after: Decimal, limit: Decimal, *, text: str = "", more: int = 0
    ) -> None:
        """Show what is spent of a limit, and would be after; a limit of 0 allows nothing and is used up.

        text: how what is asked for reads elsewhere, where it is no plain difference; more: further releases
        like it that fit.
        """
        self.more = more if more <= _MOST_TICKS else 0
        asked = after - spent if after.is_finite() else after
        self._over = after > limit
        self._shares = (_share(spent, limit), _share(asked, limit))
        self.setAccessibleName(
            self.tr("{spent} spent and {asked} asked of {limit}").format(
                spent=shown_epsilon(spent), asked=text or shown_epsilon(asked), limit=unrounded_epsilon(limit)
            )
        )
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        colour_of, role = self.palette().color, QPalette.ColorRole
        outline = colour_of(role.Dark)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(outline)
        painter.setBrush(colour_of(role.Button))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        spent, asked = self._shares
        room = frame.width()
        spent, asked = (max(part, _LEAST_SEEN / room) if part else 0.0 for part in (spent, asked))
        if self._over:  # the part that does not fit stays visible on a full bar
            spent = min(spent, 1 - _LEAST_OVER)
        asked = min(asked, 1 - spent)
        for start, width, colour in (
            (0.0, spent, role.PlaceholderText),
            (spent, asked, role.BrightText if self._over else role.Accent),
        ):
            painter.setBrush(colour_of(colour))
            painter.drawRect(
                QRectF(frame.left() + start * room, frame.top() + 1, width * room, frame.height() - 2)
            )
        painter.setPen(outline)
        for number in range(self.more):  # where each further release like it would end
            right = frame.left() + (spent + (number + 2) * asked) * room
            if asked and right < frame.right() - 2:
                painter.drawLine(QPointF(right, frame.top() + 1), QPointF(right, frame.bottom() - 1))
        if spent and asked:  # the two are equally dark
            between = QRectF(frame.left() + spent * room - 1, frame.top() + 1, 2, frame.height() - 2)
            painter.fillRect(between, colour_of(role.Base))
        painter.end()
