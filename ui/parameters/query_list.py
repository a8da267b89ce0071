"""The statistics of a release as rows: add, remove, move up; at least one, each once."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPalette, QShortcut
from PySide6.QtWidgets import (
    QListWidget,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.draft.draft import QueryDraft
from core.planning.query_plan import QueryPlan
from core.statistics.base import AnyStatistic
from ui.kit.buttons import push_button
from ui.kit.labels import MIDDLE_LINE
from ui.kit.model_index import ModelIndex
from ui.kit.tips import in_lines
from ui.kit.two_line_row import begin_row
from ui.language.translation import core_text
from ui.layout.boxes import in_column, in_row
from ui.session.query_texts import (
    budget_text,
    error_text,
    new_query,
    open_statistics,
    shown_plans,
    statistic_title,
)
from ui.session.session import Session

_ROW = 42
_ITEM = Qt.ItemDataRole.UserRole


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One query in words."""

    title: str
    mark: str
    """At the right: which one the map shows."""
    detail: str


class QueryList(QWidget):
    """Edits which queries the draft has; says which one the other parts of the page are about."""

    selected_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._id = session.draft.leading.id
        self._offered: tuple[AnyStatistic, ...] | None = None
        self.rows = QListWidget(self)
        self.rows.setItemDelegate(_RowDelegate(self))
        self.rows.setAccessibleName(self.tr("Published statistics"))
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.currentRowChanged.connect(self._select)
        self.add = push_button(self.tr("A&dd"), self, name=self.tr("Add a statistic"))
        self.add.setMenu(QMenu(self.add))
        self.remove = QPushButton(self.tr("&Remove"), self)
        self.remove.setAccessibleName(self.tr("Remove the selected statistic"))
        self.remove.clicked.connect(self._remove)
        self.up = QPushButton(self.tr("Move up"), self)
        self.up.setAccessibleName(self.tr("Move the selected statistic up"))
        self.up.setToolTip(self.tr("Map and table show the first statistic."))
        self.up.clicked.connect(self._move_up)
        erase = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.rows)
        erase.setContext(Qt.ShortcutContext.WidgetShortcut)
        erase.activated.connect(self._remove)
        in_column(self, self.rows, in_row(None, self.add, self.remove, self.up, 1))
        session.draft_changed.connect(self.refresh)
        session.forecast_changed.connect(self.refresh)
        self.refresh()

    @property
    def number(self) -> int:
        """Of the selected query in the draft."""
        ids = [query.id for query in self._session.draft.queries]
        return ids.index(self._id) if self._id in ids else 0

    @property
    def query(self) -> QueryDraft:
        """The selected query."""
        return self._session.draft.queries[self.number]

    def choose(self, number: int) -> None:
        """Select a query."""
        self.rows.setCurrentRow(number)

    def refresh(self) -> None:
        """Show the draft's queries; the selected one stays, or the first is taken in its place."""
        queries, plans = self._session.draft.queries, shown_plans(self._session)
        self.rows.blockSignals(True)
        if self.rows.count() != len(queries):
            self.rows.clear()
            self.rows.addItems([""] * len(queries))
            self.rows.setFixedHeight(len(queries) * _ROW + 2 * self.rows.frameWidth())
        for number, query in enumerate(queries):
            shown = self._row(number, query, plans.get(query.id))
            item = self.rows.item(number)
            item.setData(_ITEM, shown)
            item.setText(": ".join(part for part in (shown.title, shown.detail, shown.mark) if part))
            item.setToolTip(in_lines(f"{shown.title}\n{shown.detail}"))
        self.rows.setCurrentRow(self.number)
        self.rows.blockSignals(False)
        self._offer(open_statistics(self._session.draft, self._session.quantity))
        self.remove.setEnabled(len(queries) > 1)
        self.remove.setToolTip("" if len(queries) > 1 else self.tr("A release publishes at least one."))
        self.up.setEnabled(self.number > 0)
        if (selected := queries[self.number].id) != self._id:
            self._id = selected
            self.selected_changed.emit()

    def _row(self, number: int, query: QueryDraft, plan: QueryPlan | None) -> _Row:
        several = len(self._session.draft.queries) > 1
        detail = budget_text(query.budget)
        if plan is not None:
            detail = self.tr("{epsilon}, error {error}").format(epsilon=detail, error=error_text(plan))
        mark = self.tr("on the map") if several and number == 0 else ""
        return _Row(title=statistic_title(query, self._session.quantity), mark=mark, detail=detail)

    def _offer(self, choices: tuple[AnyStatistic, ...]) -> None:
        """What can be added; the menu is made anew only where that is something else."""
        if choices == self._offered:
            return
        self._offered = choices
        menu = self.add.menu()
        menu.clear()
        for statistic in choices:
            action = menu.addAction(core_text(statistic.title))
            action.setToolTip(in_lines(core_text(statistic.summary)))
            action.setData(statistic.key)
            action.triggered.connect(lambda _=False, chosen=statistic: self._add(chosen))
        menu.setToolTipsVisible(True)
        self.add.setEnabled(bool(choices))
        self.add.setToolTip("" if choices else self.tr("Every statistic is in the release."))

    def _select(self, row: int) -> None:
        if row >= 0:
            self._id = self._session.draft.queries[row].id
            self.up.setEnabled(row > 0)
            self.selected_changed.emit()

    def _add(self, statistic: AnyStatistic) -> None:
        source = self._session.source
        if source is None:
            return
        draft = self._session.draft
        added = new_query(draft, statistic, source.rules.upper_bound)
        self._id = added.id
        self._session.edit(
            self.tr("Add {statistic}").format(statistic=statistic.title), queries=(*draft.queries, added)
        )
        self.selected_changed.emit()

    def _remove(self) -> None:
        queries = list(self._session.draft.queries)
        if len(queries) == 1:
            return
        number = self.number
        gone = queries.pop(number)
        self._id = queries[min(number, len(queries) - 1)].id
        self._session.edit(
            self.tr("Remove {statistic}").format(statistic=statistic_title(gone, self._session.quantity)),
            queries=tuple(queries),
        )
        self.selected_changed.emit()

    def _move_up(self) -> None:
        number = self.number
        queries = list(self._session.draft.queries)
        if number > 0:
            queries[number - 1 : number + 1] = queries[number], queries[number - 1]
            self._session.edit(self.tr("Order of statistics"), queries=tuple(queries))


class _RowDelegate(QStyledItemDelegate):
    """Paints title and mark, and the detail below."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        row: _Row = index.data(_ITEM)
        self.initStyleOption(option, index)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        upper, lower, small = begin_row(painter, option, marked=selected, above=3)
        palette: QPalette = option.palette
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        muted = palette.color(QPalette.ColorRole.PlaceholderText)
        painter.setFont(small)
        painter.setPen(muted)
        room = painter.fontMetrics().horizontalAdvance(row.mark)
        painter.drawText(upper, Qt.AlignmentFlag.AlignRight.value | MIDDLE_LINE, row.mark)
        _draw(painter, lower, row.detail, Qt.TextElideMode.ElideRight)
        painter.setFont(option.font)
        painter.setPen(palette.color(QPalette.ColorRole.Text) if enabled else muted)
        _draw(
            painter,
            upper.adjusted(0, 0, -room - 6 if room else 0, 0),
            row.title,
            Qt.TextElideMode.ElideMiddle,
        )
        painter.restore()

    def sizeHint(  # noqa: N802 - Qt's name
        self, _: QStyleOptionViewItem, __: ModelIndex
    ) -> QSize:
        return QSize(0, _ROW)


def _draw(painter: QPainter, box: QRect, text: str, elide: Qt.TextElideMode) -> None:
    """One line, cut short where it does not fit."""
    fitting = painter.fontMetrics().elidedText(text, elide, box.width())
    painter.drawText(box, MIDDLE_LINE, fitting)
