"""Section *Resolutions*: the resolution table side by side, and its two histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QTimer, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import HexveilError
from core.hats.cells import RESOLUTIONS
from core.hats.window import Window
from core.planning.resolution_table import ResolutionRow
from ui.distributions.histogram_pair import HistogramPair
from ui.distributions.resolution_model import ResolutionModel
from ui.distributions.resolution_rows import (
    RowCache,
    RowKey,
    RowRequest,
    compute_row,
    neighbours,
    row_request,
    window_of,
)
from ui.kit.figure_view import FigureView
from ui.kit.labels import badge
from ui.kit.layouts import scrolling
from ui.kit.message_bar import Message, message_of
from ui.kit.plot_section import PlotSection
from ui.kit.theme import Theme
from ui.session.guards import no_data
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.distributions.histogram_canvas import HistogramCanvas

_SLOW_MS = 500


def _canvas_class() -> type[HistogramCanvas]:
    from ui.distributions.histogram_canvas import HistogramCanvas  # brings pyqtgraph

    return HistogramCanvas


class ResolutionsSection(QWidget):
    """Follows the session while it is shown; what was computed once is there at once again."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._own_choice = False
        self._cache = RowCache()
        self._window: Window | None = None
        self._running: RowKey | None = None
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(_SLOW_MS)
        self._slow.timeout.connect(self._show_progress)
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)
        session.data_changed.connect(self._forget)
        for signal in (session.contributions_changed, session.forecast_changed):
            signal.connect(self.plot.refresh)
        # only after the draft's own listeners is it known whether the session indexes anew
        session.draft_changed.connect(self.plot.refresh_soon)

    def _build(self) -> None:
        self.model = ResolutionModel(self)
        self.table = FigureView(self.model, self)
        self.table.setAccessibleName(self.tr("Resolution table"))
        self.histograms = HistogramPair(self)
        content = QWidget(self)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.table)
        column.addLayout(self._choice_of_histograms())
        column.addWidget(self.histograms, 1)
        self.plot = PlotSection(
            self._theme,
            _canvas_class,
            [self.histograms.make_vehicles, self.histograms.make_hats],
            page=scrolling(content),
            place=self.histograms.place,
            parent=self,
        )
        self.plot.wanted.connect(self._follow)
        self.plot.explained.connect(self._hide_badge)
        self.plot.rested.connect(self._on_rested)
        self.plot.failed.connect(self._session.failed)
        self.plot.computing.progressed.connect(self._on_progressed)
        self.plot.computing.succeeded.connect(self._on_computed)
        self.plot.computing.cancelled.connect(self._on_stopped)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(8)
        layout.addLayout(self._controls())
        layout.addWidget(self.plot, 1)

    def _controls(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(QLabel(self.tr("Resolutions"), self))
        self.checks: dict[int, QCheckBox] = {}
        for resolution in RESOLUTIONS:
            box = QCheckBox(str(resolution), self)
            box.setAccessibleName(self.tr("Show resolution {number}").format(number=resolution))
            box.toggled.connect(self._on_checked)
            self.checks[resolution] = box
            row.addWidget(box)
        row.addStretch(1)
        self.progress = QProgressBar(self)
        self.progress.setRange(0, 1000)
        self.progress.setFixedWidth(110)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Indexing resolutions"))
        self.stop = QPushButton(self.tr("Stop"), self)
        self.stop.setToolTip(self.tr("Keep the resolutions that are ready."))
        self.stop.clicked.connect(self.plot.computing.cancel)
        self.badge = badge(
            self.tr("Confidential"), self.tr("Follows from the loaded records: for your screen only."), self
        )
        for widget in (self.progress, self.stop, self.badge):
            row.addWidget(widget)
            widget.hide()
        # what is below must not move when the button comes
        self.stop.ensurePolished()
        row.addStrut(self.stop.sizeHint().height())
        return row

    def _choice_of_histograms(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(QLabel(self.tr("Histograms of resolution"), self))
        self.shown = QButtonGroup(self)
        for resolution in RESOLUTIONS:
            button = QRadioButton(str(resolution), self)
            button.setAccessibleName(self.tr("Histograms of resolution {number}").format(number=resolution))
            self.shown.addButton(button, resolution)
            row.addWidget(button)
        self.shown.idToggled.connect(self._on_shown)
        row.addStretch(1)
        return row

    # what is wanted

    @Slot()
    def _forget(self) -> None:
        """Other records: nothing of the old ones is kept."""
        self.plot.rest()
        self._cache.clear()

    @Slot()
    def _follow(self) -> None:
        """Show what is known of the session as it stands, and compute what is not."""
        self._follow_draft()
        found = self._window_or_reason()
        if isinstance(found, Message):
            self._window = None
            self.plot.rest()
            self.plot.explain(found)
            return
        self._window = found
        self._show_known()
        self._compute_next()

    def _window_or_reason(self) -> Window | Message:
        """The window to count in, or why there is nothing to compute."""
        if reason := no_data(self._session):
            return reason
        if not self._wanted:
            return Message(
                what=self.tr("No resolution is ticked"), mend=self.tr("Tick the ones to compare above.")
            )
        try:
            return window_of(self._session)
        except HexveilError as error:
            return message_of(error)

    # which resolutions

    @property
    def _wanted(self) -> tuple[int, ...]:
        return tuple(resolution for resolution, box in self.checks.items() if box.isChecked())

    def _follow_draft(self) -> None:
        """The draft's resolution between its neighbours, until the analyst ticks others."""
        if not self._own_choice:
            self._tick(neighbours(self._session.draft.resolution))

    def _tick(self, resolutions: frozenset[int]) -> None:
        for resolution, box in self.checks.items():
            with QSignalBlocker(box):
                box.setChecked(resolution in resolutions)

    @Slot()
    def _on_checked(self) -> None:
        self._own_choice = True
        self.plot.refresh()

    # computing, one resolution after the other

    def _known(self) -> dict[int, ResolutionRow]:
        assert self._window is not None
        rows = {resolution: self._cache.get(RowKey(self._window, resolution)) for resolution in self._wanted}
        return {resolution: row for resolution, row in rows.items() if row is not None}

    @property
    def complete(self) -> bool:
        """Every ticked resolution is shown."""
        return self._window is not None and len(self._known()) == len(self._wanted)

    def _compute_next(self) -> None:
        """Start the next row that is wanted and not known; the draft's own resolution first."""
        assert self._window is not None
        loaded = self._session.loaded
        assert loaded is not None
        known = self._known()
        missing = [resolution for resolution in self._wanted if resolution not in known]
        missing.sort(key=lambda resolution: resolution != self._session.draft.resolution)
        if not missing:
            self.plot.rest()
            return
        key = RowKey(self._window, missing[0])
        request = row_request(self._session, loaded.records, key)
        if request is None:  # the session's own indexing comes first, and tells its progress itself
            self.plot.rest()
        elif request.contributions is None and not self.plot.ready:
            return  # beside a worker that indexes, building the charts would take many times as long
        elif self._running != key:
            self._start(request)

    def _start(self, request: RowRequest) -> None:
        self._running = request.key
        self.plot.computing.start(lambda progress: compute_row(request, progress))
        if not self._slow.isActive() and self.progress.isHidden():
            self._slow.start()

    @Slot()
    def _on_rested(self) -> None:
        self._running = None
        self._slow.stop()
        self.progress.hide()
        self.stop.hide()

    @Slot()
    def _show_progress(self) -> None:
        self.progress.show()
        self.stop.show()

    @Slot(float)
    def _on_progressed(self, done: float) -> None:
        if self._window is not None:
            self.progress.setValue(round(1000 * (len(self._known()) + done) / len(self._wanted)))

    @Slot(object)
    def _on_computed(self, row: ResolutionRow) -> None:
        key, self._running = self._running, None
        assert key is not None
        self._cache.keep(key, row)
        self.plot.refresh()

    @Slot()
    def _on_stopped(self) -> None:
        """What is ready stays ticked."""
        self.plot.rest()
        if self._window is not None:
            self._own_choice = True
            self._tick(frozenset(self._known()))
            self.plot.refresh()

    # showing

    @Slot()
    def _hide_badge(self) -> None:
        self.badge.hide()

    def _show_known(self) -> None:
        known, draft = self._known(), self._session.draft
        if not known:
            self.plot.explain(Message(what=self.tr("Indexing…")))
            return
        self.model.show_rows(self._wanted, known, chosen=draft.resolution, threshold=draft.threshold)
        self._offer_histograms(known)
        self._show_histograms()
        self.badge.show()
        self.plot.show_plot()

    def _offer_histograms(self, known: dict[int, ResolutionRow]) -> None:
        """Keep the shown resolution while it is there; else the draft's, else the first."""
        with QSignalBlocker(self.shown):
            for button in self.shown.buttons():
                button.setVisible(self.shown.id(button) in known)
            if self.shown.checkedId() not in known:
                own = self._session.draft.resolution
                self.shown.button(own if own in known else min(known)).setChecked(True)

    @Slot(int, bool)
    def _on_shown(self, resolution: int, shown: bool) -> None:
        del resolution
        if shown:
            self._show_histograms()

    def _show_histograms(self) -> None:
        if self._window is None:
            return
        row = self._cache.get(RowKey(self._window, self.shown.checkedId()))
        if row is not None:
            self.histograms.show_row(row)

    @Slot()
    def _restyle(self) -> None:
        self.table.set_colours(self._theme.colours)
