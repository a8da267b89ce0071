"""The recommended grids for the total, each to be taken with one click."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.advice.city_advice import CityAdvice, GridOption
from core.draft.draft import Draft
from core.hats.slots import SlotLength
from core.privacy import Relation
from ui.kit.labels import label
from ui.kit.message_bar import Message
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import core_text, sentence
from ui.parameters.grid_request import compare_grids, grid_request, question_of_list
from ui.parameters.grid_row import ROW, ROW_HEIGHT, GridRowDelegate, grid_row
from ui.session.guards import one_grid
from ui.session.query_texts import first_measure
from ui.session.session import Session

_LEAST_PROGRESS = 40
"""Pixels: more would widen the column while grids are compared."""
_Grid = tuple[int, SlotLength, tuple[str, str]]
"""Resolution, length of slot, hours."""


class GridList(QWidget):
    """Compares grids on demand, from public counts; a row is taken as one undo step.

    Shown for a joint mean by HAT alone. The list stays while the draft moves between its rows.
    """

    refused = Signal(object)

    def __init__(self, session: Session, selected: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selected = selected
        self._advice: CityAdvice | None = None
        self._question: Mapping[str, Any] = {}
        """Of the list, or of the work on it."""
        self._grid: _Grid | None = None
        """The one that it was asked about."""
        self._own: int | None = None
        """The row that the draft has."""
        self._about = ""
        """What the list is, and how it is used."""
        self.job = Stage(
            self, self._on_compared, failed=self.refused, stopped=lambda: self._say(self.tr("Stopped."))
        )
        self.job.progressed.connect(self._on_progressed)
        self.job.finished.connect(lambda: self._show_running(running=False))
        self._build()
        session.data_changed.connect(self.refresh)
        session.draft_changed.connect(self.refresh)
        session.forecast_changed.connect(self.refresh)
        session.ledger_changed.connect(self.refresh)
        self._show_running(running=False)
        self.refresh()

    def _build(self) -> None:
        self.compare = QPushButton(self.tr("Compare &grids"), self)
        self.compare.setToolTip(
            in_lines(
                self.tr(
                    "The finest grid of use, the most exact one and the one between, at this total. From "
                    "counts alone."
                )
            )
        )
        self.compare.setAccessibleDescription(self.compare.toolTip())
        self.compare.clicked.connect(self.start)
        self.progress = QProgressBar(self)
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setMinimumWidth(_LEAST_PROGRESS)
        self.progress.setAccessibleName(self.tr("Comparing grids"))
        self.stop = QPushButton(self.tr("Stop"), self)
        self.stop.setAccessibleName(self.tr("Stop comparing grids"))
        self.stop.clicked.connect(self.job.cancel)
        self.hint = label(look="muted", parent=self)
        self.rows = QListWidget(self)
        self.rows.setItemDelegate(GridRowDelegate(self))
        self.rows.setAccessibleName(self.tr("Recommended grids"))
        self.rows.setAccessibleDescription(self.tr("Enter takes the row into the draft."))
        for bar in ("setHorizontalScrollBarPolicy", "setVerticalScrollBarPolicy"):
            getattr(self.rows, bar)(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.rows.itemClicked.connect(self._take_item)
        self.rows.itemActivated.connect(self._take_item)
        self.reason = label(parent=self)
        self.bound = label(look="muted", parent=self)
        for text in (self.reason, self.bound):  # confidential figures are not for the clipboard
            text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.compare)
        row.addWidget(self.progress, 1)
        row.addWidget(self.stop)
        row.addStretch(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(row)
        for widget in (self.reason, self.hint, self.rows, self.bound):
            layout.addWidget(widget)

    # what is asked

    @Slot()
    def start(self) -> None:
        """Compare for the draft as it stands."""
        request = grid_request(self._session)
        if isinstance(request, Message):
            self._say(request.what)
            return
        self._forget()
        self._question, self._grid = question_of_list(self._session), _grid_of(self._session.draft)
        self.progress.setValue(0)
        self._show_running(running=True)
        self.job.start(lambda progress: compare_grids(request, progress))

    @Slot()
    def refresh(self) -> None:
        """Keep a list that is still true of the draft; let go of any other, and of work on it."""
        mean = self._session.draft.mean
        shown = mean is not None and mean.joint and not mean.parameters.get("regions", False)
        shown = shown and self._session.draft.relation is not Relation.USER  # no count may choose a grid
        self.setVisible(shown and mean is not None and mean.id == self._selected())
        if not (shown and question_of_list(self._session) == self._question and self._is_listed()):
            self.job.drop()
            self._show_running(running=False)
            self._forget()
        self._show_running(running=self.job.running)
        if (reason := one_grid(self._session)) is not None:
            self._say(f"{sentence(reason.what)} {reason.mend}")
        self._show_rows()

    def _is_listed(self) -> bool:
        """The draft's grid is the one that was asked about, or a row's."""
        return _grid_of(self._session.draft) in {self._grid, *map(_grid_of_option, self._options())}

    def _options(self) -> tuple[GridOption, ...]:
        return tuple(self._advice.options) if self._advice is not None else ()

    def _forget(self) -> None:
        self._advice = None
        self._say("")
        self._show_rows()

    # what is shown

    def _show_running(self, *, running: bool) -> None:
        self.compare.setEnabled(not running and self._session.table is None)
        self.progress.setVisible(running)
        self.stop.setVisible(running)

    def _say(self, text: str) -> None:
        self._about = text
        self._show_hint()

    def _show_hint(self) -> None:
        """With what a row that was taken since brought along: hours longer by whole slots."""
        shown, hours = [self._about] if self._about else [], self._session.draft.hours
        if self._advice is not None and self._grid is not None and hours != self._grid[2]:
            shown.append(
                self.tr(
                    "Hours are now {first} to {last}; they were {once} to {then}: slots are whole."
                ).format(first=hours[0], last=hours[1], once=self._grid[2][0], then=self._grid[2][1])
            )
        self.hint.setText("\n".join(shown))
        self.hint.setVisible(bool(shown))

    @Slot(float, str)
    def _on_progressed(self, done: float, _text: str) -> None:
        self.progress.setValue(round(1000 * done))

    @Slot(object)
    def _on_compared(self, advice: CityAdvice) -> None:
        self._advice = advice
        if advice.options:
            self._say(
                self.tr(
                    "Finer shows more places, coarser is more exact. Click a row, or press Enter, to use it."
                )
                + ("" if self._session.ledger.delta else " " + self._without_delta())
            )
        self._show_rows()
        own = (number for number, option in enumerate(advice.options) if self._is_own(option))
        self.rows.setCurrentRow(next(own, 0))

    def _without_delta(self) -> str:
        return self.tr("Laplace noise only, as the population has no delta.")

    def _show_rows(self) -> None:
        advice, mean = self._advice, self._session.draft.mean
        options = self._options()
        self.rows.setVisible(bool(options))
        # both are of the grid that was compared: once a row is taken, of another than the draft's
        shown = advice if _grid_of(self._session.draft) == self._grid else None
        self.reason.setText(core_text(shown.reason) if shown is not None else "")
        self.bound.setText(core_text(shown.bound) if shown is not None else "")
        self._show_hint()
        for text in (self.reason, self.bound):
            text.setVisible(bool(text.text()))
        if mean is None:
            return
        measure = first_measure(mean, self._session.quantity)
        if self.rows.count() != len(options):
            self.rows.clear()
            for _ in options:
                QListWidgetItem(self.rows).setSizeHint(QSize(0, ROW_HEIGHT))
        self.rows.setFixedHeight(len(options) * ROW_HEIGHT + 2 * self.rows.frameWidth())
        own = next((number for number, option in enumerate(options) if self._is_own(option)), None)
        if own not in (None, self._own):  # taken, undone or chosen elsewhere; what is looked at else stays
            self.rows.setCurrentRow(own)
        self._own = own
        for number, option in enumerate(options):
            roles = advice.roles(option) if advice is not None else ()
            row = grid_row(option, measure, roles, own=self._is_own(option))
            item = self.rows.item(number)
            item.setData(ROW, row)
            item.setText(row.spoken)  # what is read aloud; the delegate paints the row
            item.setToolTip(in_lines(row.spoken))

    def _is_own(self, option: GridOption) -> bool:
        return _grid_of_option(option) == _grid_of(self._session.draft)

    # what the analyst takes

    @Slot(QListWidgetItem)
    def _take_item(self, item: QListWidgetItem) -> None:
        advice, row = self._advice, self.rows.row(item)
        if advice is not None and 0 <= row < len(advice.options):
            self.take(advice.options[row])

    def take(self, option: GridOption) -> None:
        """Give the draft this grid, as one undo step."""
        if not self._is_own(option):
            self._session.edit(
                self.tr("Grid"),
                resolution=option.resolution,
                slot_minutes=option.window.slot_length,
                hours=option.window.hours,
            )


def _grid_of(draft: Draft) -> _Grid:
    return draft.resolution, draft.slot_minutes, draft.hours


def _grid_of_option(option: GridOption) -> _Grid:
    return option.resolution, option.window.slot_length, option.window.hours
