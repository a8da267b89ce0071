"""Tab *Table*: every HAT, sortable, to be filtered and, as far as it is public, copied."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.mechanisms.registry import all_mechanisms
from ui.jobs import LatestJob
from ui.models.hat_rows import HatRows, hat_rows, no_rows
from ui.models.hat_table import HatTableModel
from ui.session import Session
from ui.theme import Theme
from ui.widgets.labels import badge, label

_ROW_HEIGHT = 26
_PADDING = 18
"""Around a cell's text."""
_MARK = QSize(11, 13)
_ROWS = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class HatTableView(QTableView):
    """Columns as wide as their content, wider where there is room. Never copies by itself."""

    copy_wanted = Signal()

    def __init__(self, model: HatTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSortIndicator(1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Qt's own copy would take the current cell, confidential or not."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Give every column its width, and a share of what is left."""
        header = self.horizontalHeader()
        metrics, bold = self.fontMetrics(), header.fontMetrics()
        widths = []
        for column in self._model.columns:
            title = max(bold.horizontalAdvance(line) for line in column.title.split("\n"))
            extra = (_MARK.width() + 8 if column.confidential else 0) + _PADDING
            widths.append(max(metrics.horizontalAdvance(column.sample) + _PADDING, title + extra))
        spare = max(0, self.viewport().width() - sum(widths))
        for section, width in enumerate(widths):
            share = spare * (section + 1) // len(widths) - spare * section // len(widths)
            header.resizeSection(section, width + share)


class TableTab(QWidget):
    """Follows the session while it is shown; the current row is the chosen HAT everywhere."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._stale = True
        self._following = False
        self.model = HatTableModel(self)
        self.view = HatTableView(self.model, self)
        self.view.setAccessibleName(self.tr("HATs"))
        self.view.copy_wanted.connect(self.copy)
        self.view.selectionModel().currentRowChanged.connect(self._choose)
        self._gathering = LatestJob(parent=self)
        self._gathering.succeeded.connect(self._on_rows)
        self._gathering.failed.connect(session.failed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        layout.addLayout(self._controls())
        layout.addWidget(self.view, 1)
        layout.addLayout(self._foot())
        self._restyle()
        theme.changed.connect(self._restyle)
        for signal in (session.contributions_changed, session.preview_changed, session.published_changed):
            signal.connect(self._refresh)
        session.hat_chosen.connect(self._show_hat)

    def _controls(self) -> QHBoxLayout:
        caption = QLabel(self.tr("F&ilter"), self)
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText(self.tr("hexagon or slot, such as 17:00"))
        self.filter.setAccessibleName(self.tr("Filter by hexagon or slot"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(280)
        caption.setBuddy(self.filter)
        self.selected_only = QCheckBox(self.tr("&Selected only"), self)
        self.count = QLabel(self)
        self.filter.textChanged.connect(self._filter)
        self.selected_only.toggled.connect(self._filter)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(caption)
        row.addWidget(self.filter, 1)
        row.addWidget(self.selected_only)
        row.addStretch(1)
        row.addWidget(self.count)
        row.addWidget(
            badge(
                self.tr("Confidential"),
                self.tr("Columns with a lock are made from the loaded records: for your screen only."),
                self,
            )
        )
        return row

    def _foot(self) -> QHBoxLayout:
        self.hint = label(look="muted", parent=self)
        row = QHBoxLayout()
        row.addWidget(self.hint, 1)
        return row

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self._stale:
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        """Gather the rows of the session as it stands; while hidden only remember that it is due."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        session, draft = self._session, self._session.draft
        overview, contributions, published = session.overview, session.contributions, session.published
        if overview is None or contributions is None:
            self._gathering.drop()
            self._on_rows(no_rows())
            return
        minutes, preview = contributions.window.slot_minutes, session.preview
        release = published.release if published else None
        planned = (
            draft.unit is not None
            and draft.relation is not None
            and draft.relation in all_mechanisms()[draft.mechanism].relations
        )
        self._gathering.start(lambda _: hat_rows(overview, minutes, preview, release, planned=planned))

    @Slot(object)
    def _on_rows(self, rows: HatRows) -> None:
        self.model.set_rows(rows)
        self.view.fit_columns()
        self._say()
        self._show_hat()

    @Slot()
    def _filter(self) -> None:
        self.model.set_filter(self.filter.text(), selected_only=self.selected_only.isChecked())
        self._say()
        self._show_hat()

    def _say(self) -> None:
        """How many rows there are, and what may be copied."""
        draft = self._session.draft
        self.count.setText(
            self.tr("{shown} of {total} HATs").format(
                shown=f"{self.model.shown:,}", total=f"{self.model.total:,}"
            )
            if self.model.total
            else self.tr("No data yet")
        )
        qualified = (
            self.tr("Relation and unit are not chosen yet.")
            if draft.relation is None or draft.unit is None
            else self.tr("Unit {unit}, relation {relation}.").format(unit=draft.unit, relation=draft.relation)
        )
        self.hint.setText(
            qualified
            + " "
            + self.tr("Columns with a lock are confidential: copying (Ctrl+C) takes public columns only.")
        )

    # the chosen HAT, both ways

    @Slot(QModelIndex, QModelIndex)
    def _choose(self, current: QModelIndex) -> None:
        if current.isValid() and not self._following:
            self._session.choose_hat(*self.model.hat_at(current.row()))

    @Slot()
    def _show_hat(self) -> None:
        hat = self._session.hat
        row = self.model.row_of(hat) if hat else -1
        current = self.view.currentIndex()
        if row == current.row() and self.view.selectionModel().hasSelection() == (row >= 0):
            return
        self._following = True
        index = self.model.index(row, max(0, current.column())) if row >= 0 else QModelIndex()
        self.view.selectionModel().setCurrentIndex(index, _ROWS)
        if row >= 0:
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        self._following = False

    # what may leave the window

    @Slot()
    def copy(self) -> None:
        """Copy what is public of the selected rows, and say what that was."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        text, copied = self.model.copy_text(rows, self._session.draft.relation)
        if text:
            QGuiApplication.clipboard().setText(text)
        self._session.noted.emit(self._outcome(len(rows), copied))

    def _outcome(self, asked: int, copied: int) -> str:
        if not asked:
            return self.tr("Nothing copied: no row is selected.")
        if copied and self.model.has_release:
            return self.tr("{copied} of {asked} rows copied: released columns only.").format(
                copied=copied, asked=asked
            )
        if copied:
            return self.tr("{copied} of {asked} rows copied: hexagon and slot of selected HATs only.").format(
                copied=copied, asked=asked
            )
        if self.model.has_release:
            return self.tr("Nothing copied: these HATs are not in the release.")
        return self.tr("Nothing copied: before a release the figures of these HATs are confidential.")

    @Slot()
    def _restyle(self) -> None:
        self.model.set_mark(_lock(self._theme.colours.warning, self.devicePixelRatioF()))


def _lock(colour: str, ratio: float) -> QIcon:
    """A small padlock: no icon theme is there on every desktop."""
    pixmap = QPixmap(_MARK * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour), 1.5))
    painter.drawArc(QRectF(3, 1.5, 5, 8), 0, 180 * 16)
    for x in (3.0, 8.0):
        painter.drawLine(QPointF(x, 5.5), QPointF(x, 7))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(1, 6, 9, 6.5), 1.5, 1.5)
    painter.end()
    return QIcon(pixmap)
