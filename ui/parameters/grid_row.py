"""One row of the recommended grids in words: resolution, slots, noise, estimated error, records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from core.advice.city_advice import GridOption, GridRole
from core.advice.knob_advice import slot_name
from core.advice.usefulness import Usefulness, verdict_word
from core.city.noise_kind import NoiseKind
from core.hats.cells import area_around_km2, mean_area_km2
from core.hats.places import LABELLED, WHOLE, ZONED
from core.hats.slots import ALL
from core.privacy import Relation
from core.statistics.base import Measure
from core.statistics.error_figures import significant
from ui.budget.verdict_sign import paint_verdict_sign, verdict_colour
from ui.kit.labels import MIDDLE_LINE
from ui.kit.model_index import ModelIndex
from ui.language.counted_words import counted_hats
from ui.language.translation import core_text, counted, percent, translator
from ui.session.query_texts import error_with_unit, short_figure
from ui.session.session import Session

_tr = translator("GridRow")

ROW_HEIGHT = 38
ROW = Qt.ItemDataRole.UserRole
RIGHTS = (0.42, 0.585, 0.715, 0.8)
"""Right edges of area, slot, records and error, of the width; at the right of these stands the verdict."""
_LEFT, _GAP, _SIGN = 26, 8, 12
_OLD = 0.5
"""How much ink figures of the choices before have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """A grid and what it reaches."""

    title: str
    detail: str
    """Small, below it."""
    cells: tuple[str, str, str, str]
    """Area, slot, records, error."""
    usefulness: Usefulness
    recommended: bool
    own: bool
    """It is the draft's."""
    spoken: str
    """All of it in sentences, for tips and assistive technology."""


def grid_row(
    option: GridOption, measure: Measure, roles: Sequence[GridRole], place: str, *, own: bool
) -> GridRow:
    """An option in words; measure: whose error it is; roles: why it is listed; place: of `compared_place`."""
    recommended = GridRole.BALANCED in roles and option.usefulness is not Usefulness.NO_USE
    role = GridRole.BALANCED if GridRole.BALANCED in roles else next(iter(roles), None)
    slots = counted("{n} slot", "{n} slots", option.hats)
    return GridRow(
        title=role_text(role) if role or own else _tr("Other"),
        detail=_tr("recommended") if recommended else slots,
        cells=(
            place,
            slot_text(option),
            percent(option.records),
            short_figure(option.error, measure),
        ),
        usefulness=option.usefulness,
        recommended=recommended,
        own=own,
        spoken=_spoken(option, measure, roles, place, own=own),
    )


def _spoken(option: GridOption, measure: Measure, roles: Sequence[GridRole], place: str, *, own: bool) -> str:
    grid = (
        _tr("Resolution {resolution}, slots: {slots}, {noise} noise.")
        if option.resolution
        else _tr("Places: {place}, slots: {slots}, {noise} noise.")
    )
    spoken = [", ".join(map(role_text, roles)) + "."] if roles else []
    if own:
        spoken.append(_tr("Chosen now."))
    return " ".join(
        [
            *spoken,
            grid.format(
                resolution=option.resolution,
                place=place,
                slots=slot_text(option),
                noise=noise_text(option.noise),
            ),
            _tr("Hours: {first} to {last}.").format(
                first=option.window.hours[0], last=option.window.hours[1]
            ),
            _tr("{hats} with {share} of the records.").format(
                hats=counted_hats(option.hats), share=percent(option.records)
            ),
            _errors(option, measure),
            _tr("{verdict}: one number for the whole city is typically off by {constant}.").format(
                verdict=core_text(verdict_word(option.usefulness)),
                constant=error_with_unit(option.constant, measure),
            ),
        ]
    )


def role_text(role: GridRole | None) -> str:
    """Why a grid is listed."""
    return {
        GridRole.FINEST: _tr("Finest"),
        GridRole.BALANCED: _tr("Balanced"),
        GridRole.MOST_EXACT: _tr("Most exact"),
        None: _tr("Chosen"),
    }[role]


def slot_text(option: GridOption) -> str:
    """How long its slots are, in short."""
    length = option.window.slot_length
    return _tr("all hours") if length == ALL else core_text(slot_name(length))


def noise_text(noise: NoiseKind) -> str:
    """A kind of noise by its name."""
    return _tr("Gaussian") if noise is NoiseKind.GAUSS else _tr("Laplace")


def _errors(option: GridOption, measure: Measure) -> str:
    raw = error_with_unit(option.raw_error, measure)
    if option.smoothed_error is None:
        return _tr("Estimate: a typical number is off by {raw}.").format(raw=raw)
    return _tr("Estimate: a typical number is off by {raw} raw, {smoothed} smoothed.").format(
        raw=raw, smoothed=error_with_unit(option.smoothed_error, measure)
    )


class GridRowDelegate(QStyledItemDelegate):
    """What is chosen at the left, figures in columns, the verdict at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        row: GridRow = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not option.state & option.state.State_Enabled:
            painter.setOpacity(_OLD)
        palette: QPalette = option.palette
        box: QRect = option.rect
        if row.own:
            painter.fillRect(box, palette.color(QPalette.ColorRole.Midlight))
        accent = palette.color(QPalette.ColorRole.Accent)
        outline = accent if row.own else palette.color(QPalette.ColorRole.Dark)
        circle = QRectF(box.left() + 8, box.center().y() - 5.5, 12, 12)
        painter.setPen(QPen(outline, 4 if row.own else 1))
        painter.drawEllipse(circle.adjusted(1.5, 1.5, -1.5, -1.5) if row.own else circle)
        text, muted = (
            palette.color(role) for role in (QPalette.ColorRole.Text, QPalette.ColorRole.PlaceholderText)
        )
        strong, small = QFont(option.font), QFont(option.font)
        strong.setBold(True)
        small.setPointSizeF(option.font.pointSizeF() - 1)
        name = QRect(
            box.left() + _LEFT, box.top() + 3, round(RIGHTS[0] * box.width()) - _LEFT, box.height() // 2 - 2
        )
        _write(painter, name, row.title, strong, text)
        lower = name.translated(0, name.height())
        _write(
            painter,
            lower,
            row.detail,
            small,
            accent if row.recommended and not row.own else (text if row.own else muted),
        )
        painter.setFont(small)
        painter.setPen(text)
        for cell, right in zip(row.cells, RIGHTS, strict=True):
            place = QRect(box.left(), box.top(), round(right * box.width()), box.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight.value | MIDDLE_LINE, cell)
        left = box.left() + RIGHTS[-1] * box.width() + _GAP
        sign = QRectF(left, box.center().y() - _SIGN / 2 + 0.5, _SIGN, _SIGN)
        paint_verdict_sign(painter, sign, row.usefulness, palette)
        word = QRect(round(sign.right()) + 4, box.top(), box.right() - round(sign.right()) - 4, box.height())
        _write(
            painter,
            word,
            core_text(verdict_word(row.usefulness)).lower(),
            strong,
            text if row.own else verdict_colour(row.usefulness, palette),
        )
        if option.state & option.state.State_HasFocus:
            painter.setPen(QPen(accent, 2))
            painter.drawRect(QRectF(box).adjusted(1, 1, -1, -1))
        painter.restore()

    def sizeHint(  # noqa: N802 - Qt's name
        self, _: QStyleOptionViewItem, __: ModelIndex
    ) -> QSize:
        return QSize(0, ROW_HEIGHT)


def _write(painter: QPainter, place: QRect, words: str, font: QFont, colour: object) -> None:
    """At the left, cut short where it does not fit."""
    painter.setFont(font)
    painter.setPen(colour)
    fitting = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft.value | MIDDLE_LINE, fitting)


def area_of(session: Session, resolution: int) -> float:
    """Of a hexagon in km2, where the records are; worldwide where these are nobody's to see, or not there."""
    around = None if session.draft.relation is Relation.USER else session.usual_box
    return mean_area_km2(resolution) if around is None else area_around_km2(around, resolution)


def compared_place(session: Session, resolution: int) -> str:
    """The area of a hexagon; of other places, whose resolution is 0, what they are."""
    if resolution:
        return area_text(area_of(session, resolution))
    draft = session.draft
    kinds = {LABELLED: draft.place_column, ZONED: _tr("zones"), WHOLE: _tr("whole area")}
    return kinds.get(draft.place_kind) or draft.place_column or _tr("zones")


def area_text(area: float) -> str:
    """As people read it."""
    return _tr("{area} km²").format(area=significant(area, 2))
