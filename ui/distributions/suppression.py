"""Section *Suppression*: total epsilon before and after, its buttons, points that are still missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from core.errors import HexveilError
from core.grouping.m_ub import RULE_TITLES
from core.privacy import Unit
from ui.distributions.suppression_points import (
    Points,
    SuppressionCache,
    SuppressionKey,
    SuppressionRequest,
    compute_points,
    ready,
    saving_headline,
    saving_subline,
    spoken_points,
    suppression_request,
)
from ui.kit.glossary import explain
from ui.kit.labels import label, plain_label
from ui.kit.message_bar import Message, message_of
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.language.translation import core_text
from ui.layout.boxes import in_row
from ui.plots.area_fills import blended
from ui.plots.plot_section import PlotSection
from ui.session.guards.plots import SUPPRESSION
from ui.session.guards.reasons import first_reason
from ui.session.origin_badge import OriginBadge
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.distributions.suppression_canvas import SuppressionCanvas

_SLOW_MS = 500
_PROGRESS = 110
"""Pixels of the bar where there is room."""


def _canvas_class() -> type[SuppressionCanvas]:
    from ui.distributions.suppression_canvas import SuppressionCanvas  # brings pyqtgraph

    return SuppressionCanvas


class SuppressionSection(QWidget):
    """Points appear as they are ready, the chosen epsilon's first; what was computed once stays."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.plot = PlotSection(theme, _canvas_class, [self._make_canvas], parent=self)
        self.plot.wanted.connect(self._follow)
        self.plot.explained.connect(self._hide_texts)
        self.plot.rested.connect(self._on_rested)
        self.plot.failed.connect(session.failed)
        self.canvas: SuppressionCanvas | None = None
        self._cache = SuppressionCache()
        self._request: SuppressionRequest | None = None
        self._points: Points = {}
        self._drawn: object = None
        self._stopped: SuppressionKey | None = None
        self.plot.computing.progressed.connect(self._on_progressed)
        self.plot.computing.succeeded.connect(self._on_computed)
        self.plot.computing.cancelled.connect(self._on_stopped)
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_MS)
        self._slow.timeout.connect(self._show_progress)
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)
        session.contributions_changed.connect(self._forget)
        on_any(self.plot.refresh_soon, session.data_changed, session.draft_changed, session.forecast_changed)

    def _build(self) -> None:
        self.headline = label(look="heading", parent=self)
        self.subline = label(look="muted", parent=self)
        self.legend = plain_label(parent=self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        for text in (self.headline, self.subline, self.legend):
            # confidential figures are not for the clipboard
            text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        layout.addLayout(self._controls())
        layout.addLayout(self._head())
        for text in (self.subline, self.legend):
            layout.addWidget(text)
        layout.addWidget(self.plot, 1)

    def _controls(self) -> QHBoxLayout:
        name = plain_label(self.tr("Records per vehicle"), self)
        explain("m_UB", name)
        self.rule = label(parent=self)
        self.rule.setAccessibleName(name.text())
        self.progress = QProgressBar(self, minimum=0, maximum=1000)
        self.progress.setMinimumWidth(_PROGRESS // 4)
        self.progress.setMaximumWidth(_PROGRESS)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Suppressing vehicles"))
        self.stop = QPushButton(self.tr("Stop"), self)
        self.stop.setToolTip(self.tr("Keep the points that are ready."))
        self.stop.clicked.connect(self.plot.computing.cancel)
        self.go_on = QPushButton(self.tr("Go on"), self)
        self.go_on.setToolTip(self.tr("Compute the points that are missing."))
        self.go_on.clicked.connect(self._on_go_on)
        row = in_row(
            None,
            name,
            (self.rule, 1),
            (label(self.tr("as in step Parameters"), "muted", self), 1),
            spacing=10,
        )
        for widget in (self.progress, self.stop, self.go_on):
            row.addWidget(widget)
            widget.hide()
        # what is below must not move when the button comes
        self.stop.ensurePolished()
        row.addStrut(self.stop.sizeHint().height())
        return row

    def _head(self) -> QHBoxLayout:
        """Not beside the controls: all in one row would be wider than the place on a small screen."""
        self.badge = OriginBadge(self, session=self._session)
        self.badge.hide()
        return in_row(None, (self.headline, 1), self.badge, spacing=10)

    def _make_canvas(self, canvas_class: type[SuppressionCanvas]) -> SuppressionCanvas:
        self.canvas = canvas_class(self)
        self.canvas.setAccessibleName(self.tr("Total epsilon before and after suppression"))
        return self.canvas

    # what is wanted

    def _forget(self) -> None:
        """Other contributions: nothing of the old ones stays."""
        self.plot.computing.forget()
        self.plot.rest()
        self._cache.clear()
        self._request = self._stopped = None
        self.plot.refresh_soon()

    def _follow(self) -> None:
        request = self._wanted()
        if isinstance(request, Message):
            self.plot.rest()
            self._request = None
            self.rule.clear()
            self.plot.explain(request)
            return
        rule = str(request.rule.m_ub)
        self.rule.setText(core_text(RULE_TITLES.get(rule, rule)))
        self._request, self._points = request, self._cache.of(request.key)
        self._show_ready()
        self._compute_missing(request)

    def _wanted(self) -> SuppressionRequest | Message:
        try:
            return first_reason(self._session, SUPPRESSION) or suppression_request(self._session)
        except HexveilError as error:
            return message_of(error)

    @property
    def complete(self) -> bool:
        """Every point is there."""
        request = self._request
        return request is not None and len(ready(request, self._points)) == len(request.epsilons)

    def _compute_missing(self, request: SuppressionRequest) -> None:
        if self.complete:
            self.plot.rest()
            return
        if not self.plot.ready:
            return  # beside a worker that computes, building the plot would take many times as long
        self.go_on.setVisible(self._stopped == request.key)
        if self._stopped == request.key:
            return
        computing, points = self.plot.computing, self._points
        asked = request.key, request.epsilon
        if computing.running and computing.asked[0] == request.key and request.epsilon in points:
            return  # under way, and the chosen epsilon is there
        self._stopped = None
        computing.ask(asked, lambda progress: compute_points(request, points, progress))
        if not self._slow.isActive() and self.progress.isHidden():
            self._slow.start()

    def _on_rested(self) -> None:
        self._slow.stop()
        for widget in (self.progress, self.stop, self.go_on):
            widget.hide()

    # what the work brings

    def _show_progress(self) -> None:
        self.progress.show()
        self.stop.show()

    def _on_progressed(self) -> None:
        request = self._request
        if request is not None:
            found = len(ready(request, self._points))
            self.progress.setValue(round(1000 * found / len(request.epsilons)))
            self._show_ready()

    def _on_computed(self) -> None:
        self.plot.computing.forget()
        self.plot.rest()
        self.plot.refresh()  # the chosen epsilon may be another by now

    def _on_stopped(self) -> None:
        """What is ready stays."""
        request = self._request
        self.plot.rest()
        if request is not None:
            self._stopped = request.key
            self.plot.refresh()

    def _on_go_on(self) -> None:
        self._stopped = None
        self.go_on.hide()
        self.plot.refresh()

    # showing

    def _hide_texts(self) -> None:
        self._drawn = None
        for widget in (self.headline, self.subline, self.legend, self.badge):
            widget.hide()

    def _show_ready(self) -> None:
        request = self._request
        assert request is not None
        points = ready(request, self._points)
        if not self.plot.ready or not points:
            self.plot.explain(self._waiting())
            return
        picture = (request.key, request.epsilon, request.title, request.suppressing, len(points))
        if picture != self._drawn:
            self._drawn = picture
            self._draw(request)
            self._tell(request)

    def _waiting(self) -> Message:
        if self._request is not None and self._stopped == self._request.key:
            return Message(what=self.tr("Stopped"), mend=self.tr("No point is ready yet."))
        return Message(
            what=self.tr("Suppressing vehicles…"),
            mend=self.tr("With many hexagon slots each point takes a while; they appear as they are ready."),
        )

    def _draw(self, request: SuppressionRequest) -> None:
        assert self.canvas is not None
        points = ready(request, self._points)
        users = request.users
        across = self.tr("Epsilon per hexagon slot")
        up = (
            self.tr("Total epsilon of a vehicle, at most")
            if users.unit is Unit.VEHICLE
            else self.tr("Total epsilon of a vehicle on one day, at most")
        )
        epsilons = request.epsilons
        self.canvas.show_points(points, request.epsilon, (epsilons[0], epsilons[-1]), across, up)

    def _tell(self, request: SuppressionRequest) -> None:
        """Show what was drawn, with its figures."""
        assert self.canvas is not None
        # the chosen epsilon is computed first, but another may be chosen meanwhile
        chosen = self._points.get(request.epsilon)
        if chosen is not None:
            self.headline.setText(saving_headline(request, chosen))
            self.subline.setText(saving_subline(request, chosen))
        spoken = spoken_points(self.canvas.points)
        self.canvas.setAccessibleDescription(f"{self.headline.text()} {spoken}")
        for widget in (self.headline, self.subline, self.legend, self.badge):
            widget.show()
        self.plot.show_plot()

    def _restyle(self) -> None:
        colours = self._theme.colours
        saved = blended(colours.accent, colours.surface)
        self.legend.setText(
            "&nbsp;&nbsp;&nbsp; ".join(  # a line may end here
                (
                    f'<span style="color:{colours.text}">╌╌</span> {self.tr("before suppression")}',
                    f'<span style="color:{colours.accent}">━●━</span> {self.tr("after suppression")}',
                    f'<span style="background-color:{saved}">&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;</span> '
                    f"{self.tr('saved')}",
                )
            )
        )
