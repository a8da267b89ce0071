"""The view of the HAT table: its style, a header with padlocks on confidential columns, no other copying."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.kit.model_index import ModelIndex
from ui.kit.theme import LIGHT, Colours
from ui.layout.row_table import RowTable
from ui.layout.whole_columns import whole_columns
from ui.table.model import HatTableModel

_ROW_HEIGHT = 26
_STRIP = 17
"""Height of the strip with the padlock."""
_PADDING = 12
"""Around a cell's text, both sides together."""
_FOCUS_MARGIN = 3
"""What Qt leaves free on each side of a cell's text besides."""
_LINE = 2
"""Between two columns."""
_BACKGROUND = Qt.ItemDataRole.BackgroundRole


class HatHeader(QHeaderView):
    """Confidential columns carry a strip with a padlock: to be distinguished without colour."""

    def __init__(self, model: HatTableModel, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self._colours = LIGHT
        self.setStyleSheet(
            f"QHeaderView::section {{ padding: 9px {_PADDING // 2}px 5px {_PADDING // 2}px; }}"
            "QHeaderView::up-arrow, QHeaderView::down-arrow"
            " { subcontrol-origin: padding; subcontrol-position: top center; width: 9px; height: 9px; }"
        )
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def set_colours(self, colours: Colours) -> None:
        """Follow the theme."""
        self._colours = colours
        self.viewport().update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        size = super().sizeHint()
        return QSize(size.width(), size.height() + _STRIP)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802 - Qt's name
        painter.save()
        super().paintSection(painter, rect.adjusted(0, _STRIP, 0, 0), section)
        painter.restore()
        strip = QRect(rect.left(), rect.top(), rect.width(), _STRIP)
        confidential = self._model.columns[section].confidential
        colours = self._colours
        painter.fillRect(strip, QColor(colours.warning_soft if confidential else colours.raised))
        if confidential:
            _paint_lock(painter, QPointF(strip.center()), QColor(colours.warning))


class _TintedRows(QStyledItemDelegate):
    """Lays the tint of a marked row below its cells: a style sheet paints over what a model asks for."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        tint = index.data(_BACKGROUND)
        if tint is not None:
            painter.fillRect(option.rect, tint)
        super().paint(painter, option, index)


class HatTableView(RowTable):
    """Columns as wide as their content, wider where there is room; the right edge cuts none in two."""

    def __init__(self, model: HatTableModel, parent: QWidget | None = None) -> None:
        self._model = model
        self._header = HatHeader(model, parent)
        self._corner = QWidget(parent)
        """Above the scroll bar: the head goes on there."""
        self._corner.setAutoFillBackground(True)
        self._corner.setBackgroundRole(QPalette.ColorRole.Button)
        super().__init__(self._header, parent)
        self.gaining_focus = False
        """Just now: the first row becomes current with it, which is nobody's choice."""
        self.setItemDelegate(_TintedRows(self))
        # the border is always there, or the text of the current cell would move
        padding = _PADDING // 2 - _FOCUS_MARGIN - 1
        self.setStyleSheet(
            "QTableView { outline: none; }"
            f"QTableView::item {{ padding: 0 {padding}px; border: 1px solid transparent; }}"
            "QTableView::item:selected:focus { border-color: palette(highlight); }"
        )
        self.addScrollBarWidget(self._corner, Qt.AlignmentFlag.AlignTop)
        self.show_rows(model, height=_ROW_HEIGHT, sorted_by=1)

    def set_colours(self, colours: Colours) -> None:
        """Follow the theme."""
        self._header.set_colours(colours)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        self.gaining_focus = True
        super().focusInEvent(event)
        self.gaining_focus = False

    def updateGeometries(self) -> None:  # noqa: N802 - Qt's name
        super().updateGeometries()
        self._corner.setFixedHeight(self._header.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.fit_columns()

    def follow_columns(self) -> None:
        """Columns may have come, gone or changed places."""
        order = self._model.order
        if (self._header.sortIndicatorSection(), self._header.sortIndicatorOrder()) != order:
            self._header.setSortIndicator(*order)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Give every column its width, and a share of what is left."""
        metrics = self.fontMetrics()
        widths = [
            max(map(metrics.horizontalAdvance, (column.sample, *column.title.split("\n")))) + _PADDING + _LINE
            for column in self._model.columns
        ]
        for section, width in enumerate(whole_columns(self.viewport().width(), widths)):
            self._header.resizeSection(section, width)


def _paint_lock(painter: QPainter, centre: QPointF, colour: QColor) -> None:
    """A small padlock: no icon theme is there on every desktop."""
    painter.save()
    painter.translate(centre.x() - 4.5, centre.y() - 5.0)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.4))
    painter.drawArc(QRectF(2, 0.7, 5, 7), 0, 180 * 16)
    for x in (2.0, 7.0):
        painter.drawLine(QPointF(x, 4), QPointF(x, 6))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(0, 5, 9, 6), 1.5, 1.5)
    painter.restore()
