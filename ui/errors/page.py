"""Step *Errors*: rows of budgets to choose from; looking is free; figures of previous settings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.accounting.epsilon_rounding import plain
from core.advice.error_curve import ErrorPoint
from core.advice.usefulness import verdict_word
from ui.budget.verdict_sign import paint_verdict_sign
from ui.errors.release_plot import ReleasePlotSection, ShownCurve
from ui.kit.labels import label
from ui.language.counted_words import counted_hats
from ui.language.translation import core_text
from ui.layout.boxes import in_column
from ui.layout.half_ink import draw_faintly
from ui.layout.tab_order import focus_first
from ui.session.query_texts import short_error

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SIGN = QSize(14, 14)


class ErrorsPage(QWidget):
    """The rows are those of the curve beside it; Enter or a double click takes one."""

    chosen = Signal(object)
    """The amount of a row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: ShownCurve | None = None
        self._begun_at: QWidget | None = None
        self.about = label(
            self.tr("Looking is free: errors follow from what is public, never from measured values."),
            parent=self,
        )
        self.rows = QTableWidget(0, 3, self)
        self.rows.setAccessibleName(self.tr("Typical error of each amount"))
        self.rows.verticalHeader().hide()
        self.rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.rows.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.rows.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.rows.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.rows.setTabKeyNavigation(False)
        self.rows.setShowGrid(False)
        self.rows.setIconSize(_SIGN)
        self.rows.itemActivated.connect(self._take)
        self.hint = label(
            self.tr(
                "Press Enter on a row, or drag the line in the plot, to set epsilon. Help > "
                "Methods compared shows the papers' methods."
            ),
            "muted",
            self,
        )
        self.sampled = label(look="muted", parent=self)
        self.stale = label(look="muted", parent=self)
        self.stale.hide()
        in_column(self, self.about, self.rows, self.sampled, self.stale, self.hint, 1, margins=None)
        self.show_curve(None)

    def begin(self) -> None:
        """The keyboard goes to the rows; to those that come later if it is nowhere else by then."""
        focus_first(self.rows)
        self._begun_at = QApplication.focusWidget()

    def fade_with(self, release: ReleasePlotSection) -> None:
        """The rows are as interim as the curve, and of choices before until that is shown again."""
        draw_faintly(self.rows, release.ink.on)
        said = self.tr("These figures are of your previous settings. The tab Errors computes new ones.")
        if release.is_refused:
            said = self.tr("These figures are of your previous settings: an input was refused.")
        self.stale.setText(said)
        self.stale.setVisible(release.ink.on and release.is_of_before and self._shown is not None)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Another theme has signs in other colours."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self.show_curve(self._shown)

    def show_curve(self, shown: ShownCurve | None) -> None:
        """None: nothing is planned."""
        self._shown = shown
        self.rows.setVisible(shown is not None)
        sampled = 0 if shown is None else shown.curve.sampled
        self.sampled.setVisible(sampled > 0)
        self.sampled.setText(
            self.tr(
                "The other rows are estimates from {slots}. A row that you take may change a little."
            ).format(slots=counted_hats(sampled))
        )
        if shown is None:
            return
        points = shown.curve.points
        self.rows.setHorizontalHeaderLabels([shown.amounts, self.tr("Typical error"), self.tr("Verdict")])
        self.rows.setRowCount(len(points))
        for row, point in enumerate(points):
            self._fill(row, point, shown)
        self.rows.setCurrentCell(shown.curve.chosen, 0)
        height = self.rows.horizontalHeader().height() + self.rows.verticalHeader().length()
        self.rows.setFixedHeight(height + 2 * self.rows.frameWidth())
        if self._begun_at is not None and self._begun_at is QApplication.focusWidget():
            focus_first(self.rows)
        self._begun_at = None

    def _fill(self, row: int, point: ErrorPoint, shown: ShownCurve) -> None:
        texts = (
            plain(point.amount),
            short_error(point.error, shown.measure),
            core_text(verdict_word(point.usefulness)),
        )
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            if column < 2:
                item.setTextAlignment(_RIGHT)
            font = item.font()
            font.setBold(row == shown.curve.chosen)
            item.setFont(font)
            if column == 2:
                item.setIcon(self._sign(point))
            self.rows.setItem(row, column, item)

    def _sign(self, point: ErrorPoint) -> QPixmap:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(_SIGN * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        paint_verdict_sign(painter, QRectF(QPointF(), _SIGN.toSizeF()), point.usefulness, self.rows.palette())
        painter.end()
        return picture

    def _take(self, item: QTableWidgetItem) -> None:
        if self._shown is not None:
            self.chosen.emit(self._shown.curve.points[item.row()].amount)
