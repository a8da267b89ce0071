"""Tab *Table*: filter, what was copied or not, columns with a lock, marked HATs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from PySide6.QtCore import QItemSelectionModel, QItemSelectionRange, QModelIndex
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHBoxLayout, QLineEdit, QWidget

from core.bundle.smoothed_facts import caveat
from core.mechanisms.registry import all_mechanisms
from core.progress import Progress
from ui.budget.number_box import NumberBox
from ui.kit.labels import label, plain_label
from ui.kit.stage import Stage
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.language.translation import core_text, counted, stopped, whole
from ui.layout.boxes import in_column
from ui.layout.half_ink import ink_of_counts
from ui.layout.reflowing_grid import ReflowingGrid
from ui.session.guards.protection import privacy_open
from ui.session.guards.reasons import nothing_loaded
from ui.session.origin_badge import OriginBadge, is_made_up
from ui.session.session import Session
from ui.session.slot_chips import SlotChips
from ui.table.model import HatTableModel
from ui.table.route_lines_bar import RouteLinesBar
from ui.table.rows import hat_rows, no_rows
from ui.table.sortable_rows import SortableRows, sortable
from ui.table.view import HatTableView

_FILTER = 200
"""Pixels of the field: its own words, and the row fits beside the panel of a common screen."""
_ROWS = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


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
        self.view.setAccessibleName(self.tr("Hexagon slots"))
        self.view.copy_wanted.connect(self.copy)
        self.view.selectionModel().currentRowChanged.connect(self._choose)
        self.view.selectionModel().selectionChanged.connect(self._mark)
        self._gathering = Stage(self, self._on_rows, failed=session.failed)
        self.chips = SlotChips(session, self, periods=False)
        layout = in_column(
            self, self._controls(), self.chips, (self.view, 1), margins=(12, 10, 12, 10), spacing=6
        )
        self.hint = label(look="muted", parent=self)
        layout.addWidget(self.hint)
        self.lines = RouteLinesBar(session, self)
        layout.addWidget(self.lines)
        self.ink = ink_of_counts(session.planning, self, self.view.viewport())
        self._restyle()
        theme.changed.connect(self._restyle)
        for signal in (
            session.contributions_changed,
            session.forecast_changed,
            session.published_changed,
            session.number_changed,
        ):
            signal.connect(self._refresh)
        session.own_layers.places_changed.connect(self._refresh)
        session.draft_changed.connect(self._say)
        session.slot_changed.connect(self._follow_labels)
        session.hat_chosen.connect(self._show_hat)
        session.hat_chosen.connect(self._show_marks)
        session.marked.changed.connect(self._show_marks)

    def _controls(self) -> QWidget:
        self.filter = QLineEdit(self)
        text = self.tr("Filter by hexagon, place or slot")
        self.filter.setPlaceholderText(self.tr("Hexagon, place or slot"))
        self.filter.setAccessibleName(text)
        self.filter.setToolTip(in_lines(text))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(_FILTER)
        self.selected_only = QCheckBox(self.tr("Selected only"), self)
        self.smoothed = QCheckBox(self.tr("Smoothed"), self)
        text = self.tr("Value and interval after smoothing, in place of the raw ones: {caveat}.")
        self.smoothed.setToolTip(in_lines(text.format(caveat=core_text(caveat(self._session.quantity)))))
        self.smoothed.toggled.connect(self._show_smoothed)
        self.smoothed.hide()
        self.marked_only = QCheckBox(self.tr("Marked"), self)
        self.marked_only.setToolTip(
            in_lines(
                self.tr(
                    "The hexagon slots that are marked here, on the map or in a "
                    "chart. Escape clears the marks."
                )
            )
        )
        self.marked_only.toggled.connect(self._filter)
        self.marked_only.hide()
        counted = QWidget(self)
        self.count = plain_label(parent=counted)
        self.filter.textChanged.connect(self._filter)
        self.selected_only.toggled.connect(self._filter)
        self.badge = OriginBadge(
            counted,
            self.tr("Columns with a lock come from the loaded records and are for your screen only."),
            self._session,
        )
        together = QHBoxLayout(counted)  # the tag is never alone on a line
        together.setContentsMargins(0, 0, 0, 0)
        together.setSpacing(12)
        together.addWidget(self.count)
        together.addWidget(self.badge)
        controls = QWidget(self)
        grid = ReflowingGrid(controls, across=12, down=4, columns=False)
        self.number = NumberBox(self._session, self)
        for widget in (
            self.filter,
            self.number,
            self.selected_only,
            self.smoothed,
            self.marked_only,
            counted,
        ):
            grid.addWidget(widget)
        return controls

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self._stale:
            self._refresh()

    def _refresh(self) -> None:
        """Gather the rows of the session as it stands; while hidden only remember that it is due."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        session, draft = self._session, self._session.draft
        overview, contributions = session.overview, session.contributions
        if overview is None or contributions is None:
            self._gathering.drop()
            self._on_rows(sortable(no_rows()))
            return
        grid, forecast = contributions.window.grid, session.forecast
        release, preview = session.release.shown, session.release.preview is not None
        planned = (
            draft.unit is not None
            and draft.relation is not None
            and draft.relation in all_mechanisms()[draft.leading.mechanism].relations
        )
        practice = session.release.practised
        quantity, places = self._session.quantity, self._session.own_layers.places
        chosen_number = session.release.chosen_number
        sorted_by = self.model.sorted_by

        def work(_: Progress) -> SortableRows:
            rows = hat_rows(
                overview,
                grid,
                forecast,
                release,
                planned=planned,
                practice=practice,
                preview=preview,
                quantity=quantity,
                places=places,
                chosen_number=chosen_number,
            )
            return sortable(rows, sorted_by)

        self._gathering.start(work, what=self.tr("Gathering the rows…"))

    def _on_rows(self, rows: SortableRows) -> None:
        self.model.set_rows(rows)
        self._follow_labels()
        self.smoothed.setVisible(self.model.has_smoothed)
        self.view.follow_columns()
        self._say()
        self._show_hat()

    def _show_smoothed(self, smoothed: bool) -> None:
        self.model.show_smoothed(smoothed)
        self.view.follow_columns()
        self._say()
        self._show_hat()

    def _filter(self) -> None:
        self.model.set_filter(
            self.filter.text(),
            selected_only=self.selected_only.isChecked(),
            marked_only=self.marked_only.isChecked(),
            slots=self._slots_of_labels,
        )
        self._say()
        self._show_hat()

    @property
    def _slots_of_labels(self) -> range | None:
        contributions = self._session.contributions
        grouped = contributions is not None and contributions.window.groups
        return self._session.chosen.slots if grouped else None

    def _follow_labels(self) -> None:
        if self._slots_of_labels != self.model.slots:
            self._filter()

    @property
    def _remarks(self) -> tuple[str, ...]:
        """What must be known of the released numbers."""
        return self._session.release.remarks if self.model.shows_release else ()

    def _say(self) -> None:
        """How many rows there are, and what may be copied."""
        self.count.setText(
            counted(
                "{shown} of {n} hexagon slot",
                "{shown} of {n} hexagon slots",
                self.model.total,
                shown=whole(self.model.shown),
            )
            if self.model.total
            else nothing_loaded().what
        )
        reason = privacy_open(self._session)
        locked = self.model.total > 0 and any(column.confidential for column in self.model.columns)
        self.badge.setVisible(locked)
        text = [*self._remarks, *([stopped(reason.what)] if reason is not None else [])]
        if locked and is_made_up(self._session):
            text.append(
                self.tr("Columns with a lock come from the records: copying (Ctrl+C) takes the others only.")
            )
        elif locked:
            text.append(
                self.tr("Columns with a lock are confidential: copying (Ctrl+C) takes public columns only.")
            )
        if self.model.smoothed:
            smoothed = self.tr("Smoothed: {caveat}")
            text.append(stopped(smoothed.format(caveat=core_text(caveat(self._session.quantity)))))
        self.hint.setText(" ".join(text))

    # the chosen HAT, both ways

    def _choose(self, current: QModelIndex) -> None:
        if current.isValid() and not self._following and not self.view.gaining_focus:
            self._following = True  # what else is selected is about to be reported
            self._session.chosen.choose_hat(
                *self.model.hat_at(current.row()), mark=not self.marked_only.isChecked()
            )
            self._following = False

    def _mark(self) -> None:
        """The selected rows, as soon as they are more than the chosen one."""
        if self._following or self.marked_only.isChecked():
            return  # rows of marked HATs alone are walked through, and stay
        self._following = True
        self._session.marked.take(self.model.hats_at(self._selected()))
        self._following = False

    def _selected(self) -> list[int]:
        """The rows that are selected."""
        # of thousands of rows a list of indexes would take seconds
        ranges = cast(Iterable[QItemSelectionRange], self.view.selectionModel().selection())
        return sorted({row for one in ranges for row in range(one.top(), one.bottom() + 1)})

    def _show_marks(self) -> None:
        several = self._session.chosen.marks_stand_out
        self.marked_only.setVisible(several)
        if not several:
            self.marked_only.setChecked(False)  # else rows were missing, and nothing to say why
        self.model.set_marked(self._session.marked.hats if several else frozenset())
        if self.marked_only.isChecked():
            self._say()
        if not self._following:
            self._show_hat()

    def _show_hat(self) -> None:
        hat = self._session.chosen.hat
        row = self.model.row_of(hat) if hat else -1
        if self._following:
            return
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

    def copy(self) -> None:
        """Copy what is public of the selected rows, and say what that was."""
        rows = sorted({*self._selected(), *self.model.marked_rows})
        text, copied = self.model.copy_text(rows, self._session.draft.relation)
        if text:
            QGuiApplication.clipboard().setText(text)
        remarks = self._remarks if copied else ()
        self._session.noted.emit(" ".join([self._outcome(len(rows), copied), *remarks]))

    def _outcome(self, asked: int, copied: int) -> str:
        if not asked:
            return self.tr("Nothing copied: no row is selected.")
        if copied and self.model.has_release:
            return counted(
                "{copied} of {n} row copied: released columns only.",
                "{copied} of {n} rows copied: released columns only.",
                asked,
                copied=whole(copied),
            )
        if copied:
            return counted(
                "{copied} of {n} row copied: names of selected hexagon slots only.",
                "{copied} of {n} rows copied: names of selected hexagon slots only.",
                asked,
                copied=whole(copied),
            )
        if self.model.has_release:
            return self.tr("Nothing copied: these hexagon slots are not in the release.")
        return self.tr(
            "Nothing copied: before a release the figures of these hexagon slots are confidential."
        )

    def _restyle(self) -> None:
        self.view.set_colours(self._theme.colours)
