"""One row of the list of grids: in words, painted, and spoken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from core.advice.city_advice import GridOption, GridRole
from core.advice.usefulness import Usefulness, verdict_word
from core.city.noise_kind import NoiseKind
from core.hats.slots import ALL
from core.statistics.base import Measure
from core.statistics.error_figures import figure
from ui.kit.labels import MIDDLE_LINE
from ui.kit.model_index import ModelIndex
from ui.kit.two_line_row import begin_row
from ui.language.counted_words import counted_hats
from ui.language.translation import core_text, percent, translator
from ui.session.query_texts import with_unit

_tr = translator("GridRow")

ROW_HEIGHT = 44
ROW = Qt.ItemDataRole.UserRole
_GAP = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """A grid with its noise, and what it reaches."""

    title: str
    detail: str
    error: str
    """Large, at the right."""
    verdict: str
    """Small, below it."""
    recommended: bool
    own: bool
    """It is the draft's."""
    spoken: str
    """All of it in sentences, for tips and assistive technology."""


def grid_row(option: GridOption, measure: Measure, roles: Sequence[GridRole], *, own: bool) -> GridRow:
    """An option in words; measure: whose error it is; roles: why it is listed, nothing of one asked about."""
    slots = slots_text(option)
    noise = noise_text(option.noise)
    error = _tr("≈ {error}").format(error=with_unit(figure(option.error, measure), measure.unit))
    verdict = core_text(verdict_word(option.usefulness))
    named = [role_text(role) for role in sorted(roles, key=lambda one: one is not GridRole.BALANCED)]
    hats, share = counted_hats(option.hats), percent(option.records)
    short = _tr("one slot") if option.window.slot_length == ALL else slots
    spoken = [
        _tr("Resolution {resolution}, slots: {slots}, {noise} noise.").format(
            resolution=option.resolution, slots=slots, noise=noise
        ),
        _tr("Hours: {first} to {last}.").format(first=option.window.hours[0], last=option.window.hours[1]),
        _tr("{hats} with {share} of the records.").format(hats=hats, share=share),
        _errors(option, measure),
        _tr("{verdict}: one number for the whole city is typically off by {constant}.").format(
            verdict=verdict, constant=with_unit(figure(option.constant, measure), measure.unit)
        ),
    ]
    if own:
        spoken.insert(0, _tr("Chosen now."))
    if named:
        spoken.insert(0, ", ".join(named) + ".")
    return GridRow(
        title=_tr("Resolution {resolution}, {slots}").format(resolution=option.resolution, slots=short),
        # the line has room for one of the names
        detail=", ".join([*named[:1], _tr("{hats} ({share})").format(hats=hats, share=share)]),
        error=error,
        verdict=verdict,
        recommended=option.usefulness is not Usefulness.NO_USE,
        own=own,
        spoken=" ".join(spoken),
    )


def role_text(role: GridRole) -> str:
    """Why a grid is listed."""
    return {
        GridRole.FINEST: _tr("Finest"),
        GridRole.BALANCED: _tr("Recommended"),
        GridRole.MOST_EXACT: _tr("Most exact"),
    }[role]


def slots_text(option: GridOption) -> str:
    """How long the slots are, in short."""
    minutes = option.window.slot_length
    return _tr("whole window") if minutes == ALL else _tr("{n} minutes").format(n=minutes)


def noise_text(noise: NoiseKind) -> str:
    """A kind of noise by its name."""
    return _tr("Gaussian") if noise is NoiseKind.GAUSS else _tr("Laplace")


def _errors(option: GridOption, measure: Measure) -> str:
    raw = with_unit(figure(option.raw_error, measure), measure.unit)
    if option.smoothed_error is None:
        return _tr("Estimated typical error in half of the numbers: {raw}.").format(raw=raw)
    return _tr("Estimated typical error in half of the numbers: {raw} raw, {smoothed} smoothed.").format(
        raw=raw, smoothed=with_unit(figure(option.smoothed_error, measure), measure.unit)
    )


class GridRowDelegate(QStyledItemDelegate):
    """The grid at the left, error and verdict at the right, where they can be compared."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        row: GridRow | None = index.data(ROW)
        if row is None:
            return
        self.initStyleOption(option, index)
        upper, lower, small = begin_row(painter, option, marked=row.own, above=4, bar_inset=2)
        palette: QPalette = option.palette
        muted = palette.color(QPalette.ColorRole.PlaceholderText)
        text = palette.color(QPalette.ColorRole.Text) if row.recommended else muted
        strong = QFont(option.font)
        strong.setBold(True)
        room = upper.width() - _GAP - QFontMetrics(strong).horizontalAdvance(row.error)
        title = shown_title(row, QFontMetrics(option.font), room)
        _line(painter, upper, (title, option.font), (row.error, strong), text)
        _line(painter, lower, (row.detail, small), (row.verdict, small), muted)
        painter.restore()

    def sizeHint(  # noqa: N802 - Qt's name
        self, _: QStyleOptionViewItem, __: ModelIndex
    ) -> QSize:
        return QSize(0, ROW_HEIGHT)


def shown_title(row: GridRow, letters: QFontMetrics, width: int) -> str:
    """With a mark where it is the draft's, unless that would cut it: the bar beside it says the same."""
    marked = f"✓ {row.title}"
    return marked if row.own and letters.horizontalAdvance(marked) <= width else row.title


def _line(
    painter: QPainter, box: QRect, left: tuple[str, QFont], right: tuple[str, QFont], colour: QColor
) -> None:
    """The right text whole, the left one cut short where it does not fit beside it."""
    painter.setPen(colour)
    painter.setFont(right[1])
    room = painter.fontMetrics().horizontalAdvance(right[0])
    painter.drawText(box, Qt.AlignmentFlag.AlignRight.value | MIDDLE_LINE, right[0])
    painter.setFont(left[1])
    free = box.adjusted(0, 0, -room - _GAP, 0)
    fitting = painter.fontMetrics().elidedText(left[0], Qt.TextElideMode.ElideRight, free.width())
    painter.drawText(free, Qt.AlignmentFlag.AlignLeft.value | MIDDLE_LINE, fitting)
