"""Tab *Error plot*: errors of every mechanism and grouping against epsilon, of a source to choose."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.accounting.budgets import Budget
from core.errors import HexveilError
from core.values import EPSILON_STEP, floor_epsilon
from ui.errors.bar import ErrorBar
from ui.errors.curve_styles import CONSTANT, CurveStyle, constant_style, curve_styles
from ui.errors.curves import CurveCache, CurveRequest, Curves, compute_curves, known_curves, same_picture
from ui.errors.legend import ErrorLegend
from ui.errors.request import curve_request
from ui.errors.texts import headline, spoken, subline, summary
from ui.kit.jobs import LatestJob
from ui.kit.labels import label
from ui.kit.messages import Message, MessageBar
from ui.kit.theme import Theme
from ui.session.error_sources import Source
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.errors.canvas import ErrorCanvas

_EXCUSE_WIDTH = 420


class ErrorPlotTab(QWidget):
    """Follows the session while it is shown; builds its plot when it is shown first."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._styles: dict[str, CurveStyle] = {}
        self._stale = True
        self._cache = CurveCache()
        self._curves: Curves | None = None
        self._wanted: CurveRequest | None = None
        self._running: CurveRequest | None = None
        self.canvas: ErrorCanvas | None = None
        self._imported = False
        self._importing = LatestJob(parent=self)
        self._importing.succeeded.connect(self._on_imported)
        self._importing.failed.connect(session.failed)
        self._computing = LatestJob(parent=self)
        self._computing.progressed.connect(self._on_progressed)
        self._computing.succeeded.connect(self._on_computed)
        self._computing.failed.connect(self._on_failed)
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)
        session.data_changed.connect(self._forget)
        for signal in (session.data_changed, session.draft_changed, session.contributions_changed):
            signal.connect(self._refresh)
        session.forecast_changed.connect(self._refresh)
        session.hat_chosen.connect(self._refresh)
        session.evaluated_changed.connect(self._refresh)

    def _build(self) -> None:
        self.title = label(look="heading", parent=self)
        self.subtitle = label(look="muted", parent=self)
        self.bar = ErrorBar(self._session, self)
        self.bar.changed.connect(self._refresh)
        self.badge = self.bar.badge
        self.legend = ErrorLegend(self)
        self.legend.switched.connect(self._switch)
        self.switches = self.legend.switches
        self.message = MessageBar(self)
        self.bar.told.connect(lambda message: self.message.show_message(message, look="good"))
        self.bar.failed.connect(self.message.show_error)
        self.summary = label(parent=self)
        self.summary.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.summary.setIndent(0)
        self.summary.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.summary.setAccessibleName(self.tr("Errors at the chosen epsilon"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        for widget in (self.bar, self.message, self.title, self.subtitle, self.legend):
            layout.addWidget(widget)
        layout.addWidget(self._middle(), 1)
        layout.addWidget(self.summary)

    def _middle(self) -> QStackedWidget:
        self.reason = label(look="title")
        self.advice = label(look="muted")
        excuse = QWidget(self)
        column = QVBoxLayout(excuse)
        column.addStretch(1)
        for text in (self.reason, self.advice):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            text.setFixedWidth(_EXCUSE_WIDTH)
            column.addWidget(text, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(excuse)
        return self.stack

    # the plot comes with the first look at it

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if not self._imported:
            self._imported = True
            # pyqtgraph takes a third of a second to import: not at the start of the program, and not
            # in the thread of the window. Its widgets are made in the main thread all the same.
            self._importing.start(lambda _: import_module("ui.errors.canvas"))
        if self._stale:
            self._refresh()

    @Slot(object)
    def _on_imported(self, module: ModuleType) -> None:
        canvas = module.ErrorCanvas(self)
        canvas.setAccessibleName(self.tr("Error plot"))
        canvas.epsilon_moved.connect(self._follow)
        canvas.epsilon_dragged.connect(self._set_epsilon)
        # each step in an event of its own: in between the window may answer
        QTimer.singleShot(0, self, lambda: self._dress(canvas))

    def _dress(self, canvas: ErrorCanvas) -> None:
        self.canvas = canvas
        self.stack.addWidget(canvas)
        self._restyle()
        self._switch()
        QTimer.singleShot(0, self, self._show_curves)

    @Slot()
    def _refresh(self) -> None:
        """Compute what the session asks for now; while hidden only remember that it is due."""
        self._stale = not self.isVisible()
        if self._stale or (self.canvas is not None and self.canvas.dragging):
            return
        request = self._request()
        if isinstance(request, Message):
            self._wanted = None
            self._computing.drop()
            self._excuse(request)
        else:
            self._want(request)

    @Slot()
    def _forget(self) -> None:
        """Other data: a hidden plot too lets go of the counts of the old ones."""
        self._computing.drop()
        self._wanted = self._running = self._curves = None

    def _request(self) -> CurveRequest | Message:
        source = self.bar.source
        try:
            request = curve_request(self._session, source, simulated=self.bar.simulated)
        except HexveilError as error:
            return Message(what=error.what, where=error.where, mend=error.mend)
        if source is Source.LOADED and not self._session.evaluated and not isinstance(request, Message):
            return Message(
                what=self.tr("Not confirmed yet"),
                mend=self.tr("Choose this source once more to confirm that you want to see true errors."),
            )
        return request

    def _want(self, request: CurveRequest) -> None:
        """Show what is known; else first exact errors, then simulated ones."""
        if same_picture(request, self._wanted):
            return
        self._wanted = request
        known = known_curves(request, self._cache)
        if known.complete:
            self._computing.drop()
            self._take(known)
            return
        shown = self._curves.request if self._curves is not None else None
        exact_is_shown = shown is not None and shown.token == request.token and shown.simulated
        self._compute(request if exact_is_shown else dataclasses.replace(request, simulated=False))

    def _compute(self, request: CurveRequest) -> None:
        self._running, cache = request, self._cache
        if self._curves is None or self._curves.request.token != request.token:
            self._excuse(Message(what=self.tr("Computing…")))
        self._computing.start(lambda progress: compute_curves(request, cache, progress))

    @Slot()
    def _on_progressed(self) -> None:
        """The curves that are ready already, where there was nothing."""
        request, shown = self._running, self._curves
        if request is None or (shown is not None and shown.complete and shown.request.token == request.token):
            return
        known = known_curves(request, self._cache)
        if len(known.errors) > (len(shown.errors) if shown is not None else 0):
            self._take(known)

    @Slot(object)
    def _on_computed(self, curves: Curves) -> None:
        self._take(curves)
        if self._wanted is not None and self._wanted.simulated and not curves.request.simulated:
            self._compute(self._wanted)

    def _take(self, curves: Curves) -> None:
        self._curves = curves
        self._show_curves()

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self._wanted = None
        if isinstance(error, HexveilError):
            self._excuse(Message(what=error.what, where=error.where, mend=error.mend))
        else:
            self._session.failed.emit(error)

    def _excuse(self, message: Message) -> None:
        """Say why there is no plot, in its place."""
        self._curves = None
        self.reason.setText(message.what)
        self.advice.setText("\n".join(part for part in (message.where, message.mend) if part))
        self.title.setText(self.tr("Error against epsilon"))
        self._show_parts()

    def _show_parts(self) -> None:
        shown = self._curves is not None and self.canvas is not None
        for widget in (self.subtitle, self.summary, self.legend):
            widget.setVisible(shown)
        self.bar.show_for(self._curves if shown else None, self.legend.hidden)
        if shown and self.canvas is not None:
            self.stack.setCurrentWidget(self.canvas)
        else:
            self.stack.setCurrentIndex(0)

    def _show_curves(self) -> None:
        curves, canvas = self._curves, self.canvas
        if curves is None or canvas is None:
            return
        canvas.show_curves(curves, self._styles)
        self.title.setText(headline(curves.request))
        self.subtitle.setText(subline(curves))
        self.summary.setText(summary(curves, self._styles))
        canvas.setAccessibleDescription(f"{self.title.text()}\n{spoken(curves, self._styles)}")
        self.legend.show_for(curves)
        self._paint_switches()
        self._show_parts()

    # what the analyst does

    @Slot(float)
    def _follow(self, value: float) -> None:
        """The line is being dragged: show the errors where it is; the plan stays as it is meanwhile."""
        if self._wanted is not None:
            self._want(dataclasses.replace(self._wanted, epsilon=_as_labelled(value)))

    @Slot(float)
    def _set_epsilon(self, value: float) -> None:
        """The line was let go."""
        self._session.set_budget(self.tr("Epsilon"), Budget(per_hat=_as_labelled(value)))
        self._refresh()  # let go where it was, it changes no plan, but the picture is another

    @Slot()
    def _switch(self) -> None:
        if self.canvas is not None:
            self.canvas.set_hidden(self.legend.hidden)
            self.bar.show_for(self._curves, self.legend.hidden)

    @Slot()
    def _restyle(self) -> None:
        colours = self._theme.colours
        self._styles = curve_styles(colours)
        self._styles[CONSTANT] = constant_style(colours)
        self.summary.setStyleSheet(
            "QLabel { border: 1px solid transparent; border-radius: 4px; padding: 2px 0; }"
            f"QLabel:focus {{ border-color: {colours.accent}; }}"
        )
        self._paint_switches()
        if self.canvas is not None:
            self.canvas.set_styles(self._styles)
            self.canvas.set_colours(colours)

    def _paint_switches(self) -> None:
        strong = self._curves.request.strong if self._curves is not None else ""
        self.legend.paint(self._styles, self._theme.colours, strong)


def _as_labelled(epsilon: float) -> Decimal:
    """Three figures, as the label of the line reads."""
    return max(EPSILON_STEP, floor_epsilon(Decimal(f"{epsilon:.3g}")))
