"""Section *The papers' plot*: every mechanism and grouping against epsilon, of a source to choose."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.errors import HexveilError
from ui.errors.curve_request import curve_request
from ui.errors.curve_styles import CurveStyle, curve_styles
from ui.errors.curves import CurveCache, CurveRequest, Curves, compute_curves, known_curves, same_picture
from ui.errors.legend import ErrorLegend
from ui.errors.plot_texts import plot_subtitle, plot_title, spoken_curves, summary
from ui.errors.source_bar import SourceBar
from ui.kit.labels import label
from ui.kit.message_bar import Message, MessageBar, message_of
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.plots.plot_section import PlotSection
from ui.session.error_sources import Source
from ui.session.guards.plots import not_evaluated
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.errors.error_canvas import ErrorCanvas


def _canvas_class() -> type[ErrorCanvas]:
    from ui.errors.error_canvas import ErrorCanvas  # brings pyqtgraph

    return ErrorCanvas


class ErrorPlotTab(QWidget):
    """Exact errors first, then simulated ones where they are wanted."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        cache: CurveCache | None = None,
    ) -> None:
        """cache: points that were computed before; a new one where there is none."""
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._styles: dict[str, CurveStyle] = {}
        self._cache = CurveCache() if cache is None else cache
        self._curves: Curves | None = None
        """Those that are on the screen, with their figures."""
        self._wanted: CurveRequest | None = None
        self._running: CurveRequest | None = None
        self.canvas: ErrorCanvas | None = None
        self.plot = PlotSection(theme, _canvas_class, [self._make_canvas], parent=self)
        self.plot.wanted.connect(self._follow)
        self.plot.built.connect(self._on_built)
        self.plot.explained.connect(self._on_explained)
        self.plot.rested.connect(self._on_rested)
        self.plot.failed.connect(session.failed)
        self.plot.computing.progressed.connect(self._on_progressed)
        self.plot.computing.succeeded.connect(self._on_computed)
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)
        session.data_changed.connect(self._forget)
        on_any(self.plot.refresh, session.data_changed, session.draft_changed, session.contributions_changed)
        session.forecast_changed.connect(self.plot.refresh)
        session.hat_chosen.connect(self.plot.refresh)
        session.evaluated_changed.connect(self.plot.refresh)

    def _build(self) -> None:
        self.title = label(look="heading", parent=self)
        self.subtitle = label(look="muted", parent=self)
        self.bar = SourceBar(self._session, self)
        self.bar.changed.connect(self.plot.refresh)
        self.badge = self.bar.badge
        self.legend = ErrorLegend(self)
        self.legend.switched.connect(self._switch)
        self.switches = self.legend.switches
        self.message = MessageBar(self)
        self.bar.reported.connect(lambda message: self.message.show_message(message, look="good"))
        self.bar.failed.connect(self.message.show_error)
        self.summary = label(parent=self)
        self.summary.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.summary.setIndent(0)
        self.summary.setStyleSheet(
            "QLabel { border: 2px solid transparent; border-radius: 4px; padding: 1px 0; }"
            "QLabel:focus { border-color: palette(highlight); }"
        )
        self.summary.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.summary.setAccessibleName(self.tr("Errors at the chosen epsilon"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        for widget in (self.bar, self.message, self.title, self.subtitle, self.legend):
            layout.addWidget(widget)
        layout.addWidget(self.plot, 1)
        layout.addWidget(self.summary)

    def _make_canvas(self, canvas_class: type[ErrorCanvas]) -> ErrorCanvas:
        self.canvas = canvas_class(self)
        self.canvas.setAccessibleName(self.tr("Error plot"))
        return self.canvas

    def _on_built(self) -> None:
        self._switch()
        self._show_curves()

    # what is wanted

    def _follow(self) -> None:
        """Show what the session asks for."""
        request = self._request()
        if isinstance(request, Message):
            self.plot.rest()
            self.plot.explain(request)
        else:
            self._want(request)

    def _forget(self) -> None:
        """Other data: a hidden plot too lets go of the counts of the old ones."""
        self.plot.computing.drop()
        self._wanted = self._running = self._curves = None

    @property
    def complete(self) -> bool:
        """Every curve that is asked for is shown."""
        return self._curves is not None and self._curves.complete and self.plot.ready

    def _request(self) -> CurveRequest | Message:
        source = self.bar.source
        try:
            request = curve_request(self._session, source, simulated=self.bar.simulated)
        except HexveilError as error:
            return message_of(error)
        if source is Source.LOADED and not isinstance(request, Message):
            return not_evaluated(self._session) or request
        return request

    def _on_rested(self) -> None:
        self._wanted = None

    def _want(self, request: CurveRequest) -> None:
        """Show what is known; else first exact errors, then simulated ones."""
        if same_picture(request, self._wanted):
            return
        self._wanted = request
        known = known_curves(request, self._cache)
        if known.complete:
            self.plot.computing.drop()
            self._take(known)
            return
        shown = self._curves.request if self._curves is not None else None
        exact_is_shown = shown is not None and shown.token == request.token and shown.simulated
        self._compute(request if exact_is_shown else dataclasses.replace(request, simulated=False))

    def _compute(self, request: CurveRequest) -> None:
        self._running, cache = request, self._cache
        if self._curves is None or self._curves.request.token != request.token:
            self.plot.explain(Message(what=self.tr("Computing…")))
        self.plot.computing.start(lambda progress: compute_curves(request, cache, progress))

    def _on_progressed(self) -> None:
        """The curves that are ready already, where there was nothing."""
        request, shown = self._running, self._curves
        if request is None or (shown is not None and shown.complete and shown.request.token == request.token):
            return
        known = known_curves(request, self._cache)
        if len(known.errors) > (len(shown.errors) if shown is not None else 0):
            self._take(known)

    def _on_computed(self, curves: Curves) -> None:
        self._take(curves)
        if self._wanted is not None and self._wanted.simulated and not curves.request.simulated:
            self._compute(self._wanted)

    def _take(self, curves: Curves) -> None:
        self._curves = curves
        self._show_curves()

    # showing

    def _on_explained(self) -> None:
        self._curves = None
        self.title.setText(self.tr("Error against epsilon"))
        self._show_parts()

    def _show_parts(self) -> None:
        shown = self._curves is not None and self.plot.ready
        for widget in (self.subtitle, self.summary, self.legend):
            widget.setVisible(shown)
        self.bar.show_for(self._curves if shown else None, self.legend.hidden)
        if shown:
            self.plot.show_plot()

    def _show_curves(self) -> None:
        curves, canvas = self._curves, self.canvas
        if curves is None or canvas is None or not self.plot.ready:
            return
        canvas.show_curves(curves)
        self.title.setText(plot_title(curves.request))
        self.subtitle.setText(plot_subtitle(curves))
        self.summary.setText(summary(curves, self._styles))
        canvas.setAccessibleDescription(f"{self.title.text()}\n{spoken_curves(curves, self._styles)}")
        self.legend.show_for(curves)
        self._paint_switches()
        self._show_parts()

    # what the analyst does

    def _switch(self) -> None:
        if self.canvas is not None:
            self.canvas.set_hidden(self.legend.hidden)
            self.bar.show_for(self._curves, self.legend.hidden)

    def _restyle(self) -> None:
        colours = self._theme.colours
        self._styles = curve_styles(colours)
        self._paint_switches()

    def _paint_switches(self) -> None:
        strong = self._curves.request.strong if self._curves is not None else ""
        self.legend.paint(self._styles, self._theme.colours, strong)
