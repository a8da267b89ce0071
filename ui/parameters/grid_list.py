"""The list of recommended grids for a total: its tips, a choice that is not among them, whole hours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPalette, QShortcut
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QProgressBar, QWidget

from core.accounting.epsilon_rounding import plain
from core.advice.city_advice import CityAdvice, GridOption
from core.draft.draft import Draft
from core.hats.places import HEXAGON
from core.hats.slots import SlotLength
from core.privacy import Relation
from ui.kit.buttons import push_button
from ui.kit.labels import MIDDLE_LINE, label
from ui.kit.message_bar import Message
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import core_text, sentence
from ui.layout.boxes import in_column, in_row
from ui.parameters.grid_request import compare_grids, grid_request, question_of_list
from ui.parameters.grid_row import RIGHTS, ROW, ROW_HEIGHT, GridRowDelegate, compared_place, grid_row
from ui.session.query_texts import compared_title, short_error_unit
from ui.session.session import Session

_AFTER_MS = 700
"""After the last change, before grids are compared: those of a drag would never end."""
_MOST_BY_ITSELF = 3_000_000
"""Records: of more, each comparison is asked for."""
_HEAD = 20
_MOST_FURTHER = 3
"""Rows beside the three that are recommended."""
_Grid = tuple[str, int | tuple[int, ...], SlotLength, tuple[str, str]]
"""Kind of place, resolution of hexagons, length of slot, hours."""


class GridHead(QWidget):
    """The names of the columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() - 1.5)
        self.setFont(font)
        self.setFixedHeight(max(_HEAD, self.fontMetrics().height() + 4))
        self.names = (self.tr("place"), self.tr("slot"), self.tr("records"), self.tr("error"))

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        for name, right in zip(self.names, RIGHTS, strict=True):
            place = QRect(0, 0, round(right * self.width()), self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight.value | MIDDLE_LINE, name)
        left = round(RIGHTS[-1] * self.width()) + 8
        painter.drawText(QRect(left, 0, self.width() - left, self.height()), MIDDLE_LINE, self.tr("verdict"))
        painter.end()


class GridList(QWidget):
    """Compares grids from public counts once the draft rests; a row is taken as one undo step.

    The list stays while the draft moves between its rows. `advised(CityAdvice or None)` says what it holds,
    `summarised(str)` what it is of.
    """

    refused = Signal(object)
    advised = Signal(object)
    summarised = Signal(str)
    taking = Signal(object)
    """The draft whose grid gives way to the recommended one by itself."""

    def __init__(self, session: Session, page: QWidget | None = None) -> None:
        """page: shows what is advised, also while the list is closed."""
        super().__init__()
        self._session = session
        self._page = page or self
        self._advice: CityAdvice | None = None
        self._question: Mapping[str, Any] = {}
        """Of the list, or of the work on it."""
        self._grid: _Grid | None = None
        """The one that it was asked about."""
        self._untouched: _Grid | None = None
        """Of a new draft whose protection was just chosen: it takes what is recommended."""
        self._relation = session.draft.relation
        self._own: int | None = None
        """The row that the draft has."""
        self.job = Stage(self, self._on_compared, failed=self.refused, stopped=self._on_stopped)
        self.job.progressed.connect(lambda done, _: self.progress.setValue(round(1000 * done)))
        self.job.finished.connect(self._show_running)
        self._rest = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._rest.timeout.connect(self._start_by_itself)
        self._build()
        for signal in (
            session.data_changed,
            session.draft_changed,
            session.forecast_changed,
            session.ledger_changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        self.compare = push_button(self.tr("Compare &grids"), self, self.start)
        self.progress = QProgressBar(self, maximum=1000, textVisible=False)
        self.progress.setAccessibleName(self.tr("Comparing grids"))
        self.stop = push_button(self.tr("Stop"), self, self.job.cancel, name=self.tr("Stop comparing grids"))
        self.head = GridHead(self)
        self.rows = QListWidget(self)
        self.rows.setItemDelegate(GridRowDelegate(self))
        self.rows.setAccessibleName(self.tr("Recommended grids"))
        self.rows.setAccessibleDescription(self.tr("Space takes the row into the draft."))
        for bar in ("setHorizontalScrollBarPolicy", "setVerticalScrollBarPolicy"):
            getattr(self.rows, bar)(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.rows.itemClicked.connect(self._take_item)
        self.rows.itemActivated.connect(self._take_item)
        space = QShortcut(QKeySequence(Qt.Key.Key_Space), self.rows)
        space.setContext(Qt.ShortcutContext.WidgetShortcut)
        space.activated.connect(lambda: self._take_item(self.rows.currentItem()))
        self.note = label(look="muted")
        # confidential figures are not for the clipboard
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        row = in_row(None, self.compare, (self.progress, 1), self.stop, 0)
        in_column(self, self.head, self.rows, self.note, row, margins=(0, 0, 0, 6), spacing=2)

    # what is asked

    def start(self) -> None:
        """Compare for the draft as it stands."""
        self._rest.stop()
        request = grid_request(self._session)
        if isinstance(request, Message):
            return
        self._question, self._grid = question_of_list(self._session), _grid_of(self._session.draft)
        self.progress.setValue(0)
        self.job.start(lambda progress: compare_grids(request, progress))
        self._show_running()
        self._show_rows()

    def _start_by_itself(self) -> None:
        loaded = self._session.loaded
        if loaded is None or len(loaded.records) > _MOST_BY_ITSELF or not self._page.isVisible():
            return
        if self._session.busy:
            self._rest.start()
        else:
            self.start()

    def refresh(self) -> None:
        """Keep a list that is still true of the draft; ask for another one where it is not."""
        self._look_at_relation()
        reason = grid_request(self._session)
        if isinstance(reason, Message):
            self.job.drop()
            self._rest.stop()
            self._question = {}
            self._show_advice(None)
            self._show_running()
            self.note.setText(f"{sentence(reason.what)} {reason.mend}".strip())
            return
        if question_of_list(self._session) != self._question or not self._is_listed():
            self.job.drop()
            self._question = {}
            self.rows.setEnabled(False)  # of the choices before
            self.advised.emit(None)
            self._rest.start()
        self._show_running()
        self._show_rows()

    def _look_at_relation(self) -> None:
        """Once the protection of a new draft is chosen, its grid is the recommended one."""
        draft, before = self._session.draft, self._relation
        self._relation = draft.relation
        if draft.relation is not Relation.VALUES or self._session.grid_given:
            self._untouched = None
        elif before is not Relation.VALUES and self._page.isVisible():
            self._untouched = _grid_of(draft)

    def _is_listed(self) -> bool:
        """The draft's grid is the one that was asked about, or a row's."""
        return _grid_of(self._session.draft) in {self._grid, *map(self._grid_of_option, self._options())}

    def _options(self) -> tuple[GridOption, ...]:
        """The three, each once, and those of other places or periods."""
        advice = self._advice
        found = () if advice is None else (*advice.rows.values(), *self._of_places(advice))
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def _of_places(self, advice: CityAdvice) -> tuple[GridOption, ...]:
        """Further grids: of the places that were asked about, and hexagons instead; or of periods."""
        if advice.of_places:
            return advice.further[-_MOST_FURTHER:]
        return tuple(one for one in advice.further if one.resolution)[:_MOST_FURTHER]

    # what is shown

    def _show_running(self) -> None:
        running, loaded = self.job.running, self._session.loaded
        asked_for = loaded is not None and len(loaded.records) > _MOST_BY_ITSELF
        ready = not isinstance(grid_request(self._session), Message)
        self.compare.setVisible(asked_for and not running and not self._question and ready)
        for widget in (self.progress, self.stop):
            widget.setVisible(running)

    def _on_stopped(self) -> None:
        self._question = {}
        self.note.setText(self.tr("Stopped."))
        self._show_running()

    def _on_compared(self, advice: CityAdvice) -> None:
        self._show_advice(advice)
        best, draft = advice.balanced, self._session.draft
        if best is not None and self._untouched == _grid_of(draft) and not draft.confirmed:
            self.taking.emit(draft)
            self.take(best)
        self._untouched = None

    def _show_advice(self, advice: CityAdvice | None) -> None:
        self._advice = advice
        self.rows.setEnabled(True)
        self._show_rows()
        self.advised.emit(advice)

    def _show_rows(self) -> None:
        advice = self._advice
        options = self._options()
        for widget in (self.rows, self.head):
            widget.setVisible(bool(options))
        if advice is None:
            self.summarised.emit("")
            self.note.clear()
            return
        asked = self.tr("at epsilon {total}; error in {unit}").format(
            total=plain(advice.total), unit=short_error_unit(advice.measure)
        )
        title = compared_title(self._session)
        self.summarised.emit(f"{title} {asked}" if title else asked)
        if self.rows.count() != len(options):
            self.rows.clear()
            self.rows.addItems([""] * len(options))
        self.rows.setFixedHeight(len(options) * ROW_HEIGHT + 2 * self.rows.frameWidth())
        own = next((number for number, option in enumerate(options) if self._is_own(option)), None)
        if own not in (None, self._own):  # taken, undone or chosen elsewhere; what is looked at else stays
            self.rows.setCurrentRow(own)
        self._own = own
        for number, option in enumerate(options):
            place = compared_place(self._session, option.resolution)
            row = grid_row(option, advice.measure, advice.roles(option), place, own=self._is_own(option))
            item = self.rows.item(number)
            item.setData(ROW, row)
            item.setText(row.spoken)  # what is read aloud; the delegate paints the row
            item.setToolTip(in_lines(row.spoken))
        self.note.setText(self._note_of(advice, listed=own is not None))
        self.note.setToolTip(in_lines(core_text(advice.reason)))

    def _note_of(self, advice: CityAdvice, *, listed: bool) -> str:
        if advice.balanced is None:
            return core_text(advice.reason)
        said = (
            self.tr("Finer shows more places, coarser is more accurate.")
            if listed
            else self.tr("Your choice is not among these.")
        )
        hours = self._session.draft.hours
        if self._grid is not None and hours != self._grid[3]:
            said += " " + self.tr("Hours are now {first} to {last}: slots are whole.").format(
                first=hours[0], last=hours[1]
            )
        return said

    def _is_own(self, option: GridOption) -> bool:
        return self._grid_of_option(option) == _grid_of(self._session.draft)

    def _grid_of_option(self, option: GridOption) -> _Grid:
        kind = HEXAGON if option.resolution or self._grid is None else self._grid[0]
        return kind, option.resolution, option.window.slot_length, option.window.hours

    # what the analyst takes

    def _take_item(self, item: QListWidgetItem) -> None:
        options, row = self._options(), self.rows.row(item)
        if 0 <= row < len(options):
            self.take(options[row])

    def take(self, option: GridOption) -> None:
        """Give the draft this grid, as one undo step."""
        if not self._is_own(option):
            kind, _, length, hours = self._grid_of_option(option)
            self._session.edit(
                self.tr("Grid"),
                place_kind=kind,
                resolution=option.resolution or self._session.draft.resolution,
                mixed=(),
                slot_minutes=length,
                hours=hours,
            )


def _grid_of(draft: Draft) -> _Grid:
    resolutions = draft.resolutions if draft.place_kind == HEXAGON else 0
    return draft.place_kind, resolutions, draft.slot_minutes, draft.hours
