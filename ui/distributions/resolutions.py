"""Section *Resolutions and slots*: grids to tick, charts of one, hours that a table does not cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from core.draft.draft import Draft
from core.errors import HexveilError
from core.planning.hours_of_day import HoursOfDay, tells_hours
from core.planning.resolution_table import ResolutionRow
from ui.distributions.grid_charts import GridCharts
from ui.distributions.grid_checks import GridChecks
from ui.distributions.resolution_model import ResolutionModel, grid_text, short_text
from ui.distributions.resolution_rows import (
    Compared,
    HoursKey,
    RowCache,
    RowKey,
    RowRequest,
    compared_grids,
    compute_row,
    row_request,
    window_of,
)
from ui.kit.figure_view import FigureView
from ui.kit.labels import plain_label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import Message, message_of
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.language.translation import sentence
from ui.layout.boxes import in_column, in_row
from ui.layout.reflowing_grid import ReflowingGrid
from ui.layout.scroll_areas import scrolling
from ui.plots.plot_section import PlotSection
from ui.session.guards.plots import COMPARED_COUNTS, one_grid
from ui.session.guards.reasons import first_reason
from ui.session.hat_texts import slot_length_text
from ui.session.origin_badge import OriginBadge
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.distributions.histogram_canvas import HistogramCanvas

_LEAST_PAGE = 200
"""Pixels of table and charts that are seen together."""
_SLOW_MS = 500
_PROGRESS = 80
"""Pixels of the bar where there is room."""


def _canvas_class() -> type[HistogramCanvas]:
    from ui.distributions.histogram_canvas import HistogramCanvas  # brings pyqtgraph

    return HistogramCanvas


class ResolutionsSection(QWidget):
    """Follows the session while it is shown; what was computed once is there immediately."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._cache = RowCache()
        self._compared: Compared | None = None
        self._halted: Compared | None = None
        """What was stopped: of this, only what is ready is wanted."""
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_MS)
        self._slow.timeout.connect(self._show_progress)
        self._build()
        session.data_changed.connect(self._forget)
        on_any(self.plot.refresh, session.contributions_changed, session.forecast_changed)
        # only after the draft's own listeners is it known whether the session indexes anew
        session.draft_changed.connect(self.plot.refresh_soon)

    def _build(self) -> None:
        self.model = ResolutionModel(self)
        self.table = FigureView(self.model, self)
        self.table.setAccessibleName(self.tr("Resolution table"))
        self.charts = GridCharts(self)
        content = QWidget(self)
        in_column(content, self.table, self._choice_of_charts(), (self.charts, 1), spacing=5)
        page = scrolling(content)
        page.setMinimumHeight(_LEAST_PAGE)
        self.plot = PlotSection(
            self._theme,
            _canvas_class,
            [self.charts.make_vehicles, self.charts.make_hats, self.charts.make_hours],
            page=page,
            place=self.charts.place,
            parent=self,
        )
        self.plot.wanted.connect(self._follow)
        self.plot.explained.connect(lambda: self.badge.hide())
        self.plot.rested.connect(self._on_rested)
        self.plot.failed.connect(self._session.failed)
        self.plot.computing.progressed.connect(self._on_progressed)
        self.plot.computing.succeeded.connect(self._on_computed)
        self.plot.computing.cancelled.connect(self._on_stopped)
        in_column(self, self._controls(), (self.plot, 1), margins=(12, 10, 12, 10), spacing=8)

    def _controls(self) -> GridChecks:
        self.checks = GridChecks(self)
        self.checks.changed.connect(self._on_checked)
        self.progress = QProgressBar(self, minimum=0, maximum=1000)
        self.progress.setMinimumWidth(_PROGRESS // 4)
        self.progress.setMaximumWidth(_PROGRESS)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Counting the grids"))
        self.stop = QPushButton(self.tr("Stop"), self)
        self.stop.setToolTip(self.tr("Keep what is ready."))
        self.stop.clicked.connect(self.plot.computing.cancel)
        self.badge = OriginBadge(self, session=self._session)
        # beside different rows: all in one would be wider than the place on a small screen
        beside = {
            self.badge: self.checks.first_row,
            self.progress: self.checks.second_row,
            self.stop: self.checks.second_row,
        }
        for widget, row in beside.items():
            row.addWidget(widget)
            widget.hide()
        # what is below must not move when the button comes
        self.stop.ensurePolished()
        self.checks.second_row.addStrut(self.stop.sizeHint().height())
        return self.checks

    def _choice_of_charts(self) -> QWidget:
        title = plain_label(self.tr("Charts of resolution / slot"), self)
        self.shown = ListBox(self)
        self.shown.setAccessibleName(self.tr("Charts of this resolution and timeslot"))
        self.shown.currentIndexChanged.connect(self._show_charts)
        shrinkable(self.shown)
        title.setBuddy(self.shown)
        counted = plain_label(self.tr("By hour of the day"), self)
        counted.setBuddy(self.charts.counted)
        choice = QWidget(self)
        grid = ReflowingGrid(choice, across=24, down=4)
        for pair in ((title, self.shown), (counted, self.charts.counted)):
            both = QWidget(choice)
            in_row(both, *pair, spacing=10)
            grid.addWidget(both)
        return choice

    # what is wanted

    def _forget(self) -> None:
        """Other records: nothing of the old ones stays."""
        self.plot.computing.forget()
        self.plot.rest()
        self._cache.clear()

    def _follow(self) -> None:
        """Show what is known of the session as it stands, and compute what is not."""
        draft = self._session.draft
        self._follow_grid(draft)
        found = self._compared_or_reason()
        if isinstance(found, Message):
            self._compared = None
            self.plot.rest()
            self.plot.explain(found)
            return
        self._compared = found
        self._show_known()
        self._compute_next()

    def _follow_grid(self, draft: Draft) -> None:
        """Of a contribution table only its own grid is known."""
        reason = one_grid(self._session)
        if reason is None:
            self.checks.unlock()
            self.checks.follow(draft.resolution, draft.slot_minutes)
        else:
            self.checks.lock(draft.resolution, draft.slot_minutes, f"{sentence(reason.what)} {reason.mend}")

    def _compared_or_reason(self) -> Compared | Message:
        """The grids to compare, or why there is nothing to compute."""
        if reason := first_reason(self._session, COMPARED_COUNTS):
            return reason
        resolutions, lengths = self.checks.ticked_resolutions, self.checks.ticked_lengths
        if not resolutions:
            return Message(
                what=self.tr("No resolution is ticked"), mend=self.tr("Tick the ones to compare above.")
            )
        if not lengths:
            return Message(
                what=self.tr("No timeslot is ticked"), mend=self.tr("Tick the ones to compare above.")
            )
        try:
            window = window_of(self._session)
            return compared_grids(window, self._session.draft.resolution, resolutions, lengths)
        except HexveilError as error:
            return message_of(error)

    def _on_checked(self) -> None:
        self._halted = None
        self.plot.refresh()

    # computing, one grid after the other

    def _known(self) -> dict[RowKey, ResolutionRow]:
        assert self._compared is not None
        rows = {key: self._cache.row(key) for key in self._compared.columns}
        return {key: row for key, row in rows.items() if row is not None}

    def _work(self) -> tuple[RowKey | HoursKey, ...]:
        """All that is wanted, in order: what is shown, and the hours."""
        compared = self._compared
        assert compared is not None
        if compared == self._halted:
            return ()
        shown = tuple(dict.fromkeys((compared.own, *compared.columns)))
        hours = (compared.hours,) if self._tells_hours else ()
        return (*shown, *hours)

    @property
    def _tells_hours(self) -> bool:
        """Records know every hour; a contribution table those that it was made for, in its slots."""
        table = self._session.table
        return table is None or tells_hours(table.table.window)

    @property
    def complete(self) -> bool:
        """Everything that is wanted is shown."""
        return self._compared is not None and all(key in self._cache for key in self._work())

    def _compute_next(self) -> None:
        """Start the next work that is wanted and not done."""
        key = next((key for key in self._work() if key not in self._cache), None)
        if key is None:
            self.plot.rest()
            return
        request = row_request(self._session, key)
        if request is None:  # the session's own indexing comes first, and tells its progress itself
            self.plot.rest()
        elif request.contributions is None and not self.plot.ready:
            return  # beside a worker that indexes, building the charts would take many times as long
        else:
            self._start(request)

    def _start(self, request: RowRequest) -> None:
        self.plot.computing.ask(request.key, lambda progress: compute_row(request, progress))
        if not self._slow.isActive() and self.progress.isHidden():
            self._slow.start()

    def _on_rested(self) -> None:
        self._slow.stop()
        self.progress.hide()
        self.stop.hide()

    def _show_progress(self) -> None:
        self.progress.show()
        self.stop.show()

    def _on_progressed(self, done: float) -> None:
        if self._compared is not None and (work := self._work()):
            ready = sum(key in self._cache for key in work)
            self.progress.setValue(round(1000 * (ready + done) / len(work)))

    def _on_computed(self, found: ResolutionRow | HoursOfDay) -> None:
        self._cache.keep(self.plot.computing.taken, found)
        self.plot.refresh()

    def _on_stopped(self) -> None:
        """What is ready stays ticked, and nothing more is computed until something changes."""
        self.plot.rest()
        compared = self._compared
        if compared is None:
            return
        known = self._known()
        resolutions = {key.resolution for key in known if key.window == compared.own.window}
        ready = {key.window for key in known if key.resolution == compared.own.resolution}
        lengths = [
            length
            for length in self.checks.ticked_lengths
            if compared_grids(compared.own.window, 0, (0,), (length,)).windows[0] in ready
        ]
        self.checks.keep(resolutions, lengths)
        found = self._compared_or_reason()
        self._halted = found if isinstance(found, Compared) else None
        self.plot.refresh()

    # showing

    def _show_known(self) -> None:
        compared, draft = self._compared, self._session.draft
        assert compared is not None
        known = self._known()
        if not any(key in known for key in compared.columns):
            self.plot.explain(Message(what=self.tr("Counting…")))
            return
        chosen = RowKey(window_of(self._session), draft.resolution)
        columns = compared.columns
        self.model.show_rows(columns, known, chosen=chosen, threshold=draft.threshold)
        self._offer_charts([key for key in columns if key in known])
        self._show_charts()
        self.badge.show()
        self.plot.show_plot()

    def _offer_charts(self, known: list[RowKey]) -> None:
        """Keep the shown grid while it is there; else the draft's or the nearest to it."""
        compared = self._compared
        assert compared is not None
        with QSignalBlocker(self.shown):
            before = self.shown.currentData()
            self.shown.clear()
            for key in known:
                self.shown.addItem(short_text(key), key)
            wanted = before if before in known else compared.own
            self.shown.setCurrentIndex(known.index(wanted) if wanted in known else 0)

    def _show_charts(self) -> None:
        key = self.shown.currentData()
        row = None if key is None else self._cache.row(key)
        if self._compared is None or row is None:
            return
        self.shown.setToolTip(in_lines(grid_text(key).capitalize()))
        self.charts.show_row(row)
        if self._tells_hours:
            self.charts.show_hours(self._cache.hours(self._compared.hours))
        else:
            self.charts.explain_hours(
                self.tr(
                    "Not known. The contribution table covers {start} to {end} in slots of {length}; "
                    "hours of the day need the whole day in slots of an hour."
                ).format(
                    start=row.window.hours[0],
                    end=row.window.hours[1],
                    length=slot_length_text(row.window.slot_minutes),
                )
            )
