"""Section *Whole city*: every method at one total, with notes: no noise for so little, true errors."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from core.accounting.epsilon_rounding import delta_text, plain
from core.evaluate.city_comparison import RELEASES, SMOOTHED_RELEASES, CityErrors
from core.statistics.error_figures import figure
from core.statistics.registry import require_statistic
from ui.errors.city_methods_model import CityMethodsModel, ErrorBarDelegate, method_rows, predicted_alone
from ui.errors.city_request import (
    CityRequest,
    chosen_method,
    city_request,
    compare_methods,
    question_of_methods,
)
from ui.errors.evaluation_dialog import EvaluationDialog
from ui.errors.method_tips import zoom_label
from ui.kit.buttons import push_button
from ui.kit.figure_view import FigureView
from ui.kit.labels import label
from ui.kit.message_bar import Message, MessageBar
from ui.kit.stage import Stage
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.session.guards.plots import not_evaluated
from ui.session.origin_badge import OriginBadge
from ui.session.query_texts import with_unit
from ui.session.session import Session

_LEAST_PAGE = 160
"""Pixels of the methods that are seen together."""


class CityMethodsSection(QWidget):
    """Compares on demand; what is shown goes when the draft asks for something else.

    Where only the order of vehicles with equal counts is another one, as of another population, it compares
    again by itself: then as good as nothing changes.
    Predicted errors follow from public counts. True ones are of simulated releases, computed and shown only
    after the confirmation that the ledger keeps, for the population that was confirmed.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._question: Mapping[str, Any] = {}
        """Of what is shown, or of the work on it."""
        self._order = b""
        """What users with equal counts were put in order by for it."""
        self._releases = 0
        """That were simulated for it."""
        self._found: tuple[CityErrors, ...] = ()
        self._constant_text = ""
        """What publishing one number for all HATs typically misses."""
        self.dialog: EvaluationDialog | None = None
        self.job = Stage(self, self._on_compared, failed=self._on_failed, stopped=self._on_stopped)
        self.job.progressed.connect(self._on_progressed)
        self.job.finished.connect(lambda: self._show_running(running=False))
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)
        for signal in (
            session.data_changed,
            session.draft_changed,
            session.forecast_changed,
            session.ledger_changed,
            session.busy_changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        self.title = label(self.tr("Methods for the whole city"), "heading", self)
        self.badge = OriginBadge(self, session=self._session)
        self.intro = label(look="muted", parent=self)
        self.compare = push_button(self.tr("Compare methods"), self, self.start)
        self.reveal = QPushButton(self.tr("Show &true errors…"), self)
        self.reveal.setToolTip(
            in_lines(
                self.tr(
                    "Errors of simulated releases against the true means. Hexveil asks first, and the "
                    "ledger records it."
                )
            )
        )
        self.reveal.setAccessibleDescription(self.reveal.toolTip())
        self.reveal.clicked.connect(self.ask_true)
        self.progress = QProgressBar(self, minimum=0, maximum=1000, textVisible=False)
        self.progress.setAccessibleName(self.tr("Comparing methods"))
        self.doing = label(look="muted", parent=self)
        self.stop = QPushButton(self.tr("Stop"), self)
        self.stop.setAccessibleName(self.tr("Stop comparing methods"))
        self.stop.clicked.connect(self.job.cancel)
        self.message = MessageBar(self)
        self.model = CityMethodsModel(self)
        self.table = FigureView(self.model, self)
        self.table.setAccessibleName(self.tr("Errors of each method at the same total"))
        self.bars = ErrorBarDelegate(self.table)
        self.table.setItemDelegate(self.bars)
        self.blind = label(look="muted", parent=self)
        self.blind.setTextFormat(Qt.TextFormat.RichText)  # shows the colour that it speaks of
        self.note = label(look="muted", parent=self)
        head, row = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.badge)
        for widget in (self.compare, self.reveal):
            row.addWidget(widget)
        row.addWidget(self.progress, 1)
        row.addWidget(self.stop)
        row.addStretch(0)
        content = QWidget(self)
        in_column(content, self.table, self.blind, self.note, 1, spacing=8)
        layout = in_column(
            self, head, self.intro, row, self.doing, self.message, margins=(12, 10, 12, 10), spacing=8
        )
        page = scrolling(content)
        page.setMinimumHeight(_LEAST_PAGE)
        layout.addWidget(page, 1)

    # what is asked

    def start(self) -> None:
        """Predict for the session as it stands."""
        self._start(releases=0)

    def ask_true(self) -> None:
        """Ask once a window and population, then measure."""
        if isinstance(city_request(self._session), Message):  # a confirmation for nothing
            return
        if not_evaluated(self._session) is None:
            self._start(releases=RELEASES)
            return
        self.dialog = EvaluationDialog(self._session, self.window())
        self.dialog.accepted.connect(lambda: self._start(releases=RELEASES))
        self.dialog.open()

    def _start(self, *, releases: int) -> None:
        request = city_request(self._session)
        if isinstance(request, Message) or (releases and not_evaluated(self._session) is not None):
            return
        self._question, self._order = (
            question_of_methods(self._session),
            self._session.planning.paid_by.tie_key,
        )
        self._releases = releases
        self.message.clear()
        self.progress.setValue(0)
        self.doing.setText("")
        self._show_running(running=True)
        self.job.start(lambda progress: compare_methods(request, releases, progress))

    def refresh(self) -> None:
        """Let go of what the session no longer asks for, and of true errors that nobody confirmed."""
        if question_of_methods(self._session) != self._question:
            self._forget()
        elif self.measured and not_evaluated(self._session) is not None:
            # they are of another population than the one that is charged now
            self.job.drop()
            self._found = tuple(map(predicted_alone, self._found))
        if (self._found or self.job.running) and self._order != self._session.planning.paid_by.tie_key:
            self._start(releases=self._releases if not_evaluated(self._session) is None else 0)
        self._show_running(running=self.job.running)
        self._show_found()

    def _forget(self) -> None:
        self.job.drop()
        self._found = ()
        self.message.clear()

    @property
    def measured(self) -> bool:
        """True errors are among what was found."""
        return any(one.releases for one in self._found)

    # what the work brings

    def _on_progressed(self, done: float, text: str) -> None:
        self.progress.setValue(round(1000 * done))
        self.doing.setText(text)

    def _on_compared(self, found: tuple[CityErrors, ...]) -> None:
        confirmed = not_evaluated(self._session) is None  # another population may have been chosen meanwhile
        self._found = found if confirmed else tuple(map(predicted_alone, found))
        if not found:
            self.message.show_message(
                Message(
                    what=self.tr("No method has noise for so little."),
                    mend=self.tr("Choose a larger total in step Parameters."),
                ),
                look="warning",
            )
        self._show_found()

    def _on_failed(self, error: object) -> None:
        self.message.show_error(error)

    def _on_stopped(self) -> None:
        self.message.show_message(Message(what=self.tr("Stopped. Nothing was changed.")), look="warning")

    # what is shown

    def _show_running(self, *, running: bool) -> None:
        request = city_request(self._session)
        ready = isinstance(request, CityRequest)
        self.compare.setEnabled(ready and not running)
        self.reveal.setEnabled(ready and not running and not self.measured)
        for widget in (self.progress, self.stop, self.doing):
            widget.setVisible(running)
        if isinstance(request, CityRequest):
            self.intro.setText(self._intro_of(request))
        else:
            self.intro.setText("\n".join(part for part in (request.what, request.mend) if part))

    def _intro_of(self, request: CityRequest) -> str:
        text = self.tr(
            "Every method spends epsilon {total} per vehicle on the selected hexagon slots. Predicted "
            "errors follow from numbers of records, never from their values."
        ).format(total=plain(request.total))
        if not request.city.delta:
            text += " " + self.tr("Methods with Gaussian noise need a population with a delta.")
        else:
            named = self.tr("The rows named Gaussian are at delta {delta}.")
            text += " " + named.format(delta=delta_text(request.city.delta))
        return text

    def _show_found(self) -> None:
        rows = method_rows(self._found)
        measure = require_statistic("mean").of(self._session.quantity).measures[0]
        contributions = self._session.contributions
        upper = 0 if contributions is None else contributions.upper_bound
        constant = measure.constant_error(upper)
        self.model.show_rows(rows, measure, constant, chosen=chosen_method(self._session))
        for widget in (self.table, self.note, self.badge):
            widget.setVisible(bool(rows))
        self.reveal.setVisible(bool(rows))
        self.blind.setVisible(constant is not None and self.model.has_blind)
        if rows:
            self.note.setText(self._note())
        if constant is not None:
            self._constant_text = with_unit(figure(constant, measure), measure.unit)
            self._tell_blind()

    def _tell_blind(self) -> None:
        text = self.tr(
            "No better than one number for the whole city, which is typically off by {constant}."
        ).format(constant=self._constant_text)
        bar = f'<span style="color:{self._theme.colours.warning}">━━</span>'
        self.blind.setText(f"{bar} {html.escape(text)}")

    def _note(self) -> str:
        parts = [self.tr("Bold: the smallest error in a column. A longer bar means a larger error.")]
        names = self.tr("Rest the pointer on a name to read what the method does.")
        parts.append(f"{self.tr('✓: the method of your draft.')} {names}" if self.model.has_chosen else names)
        if self.model.has_other_zoom:  # it is often the best one, and no advice names it
            parts.append(
                self.tr(
                    "The recommendation leaves zoom out. Find it as “{option}” of Tokens in step Parameters."
                ).format(option=core_text(zoom_label()))
            )
        if self.measured:
            parts.append(
                self.tr(
                    "True errors, averaged over simulated releases ({raw} raw, {smoothed} smoothed). "
                    "Keep them to yourself. Later releases say that their parameters were chosen after "
                    "a confidential evaluation."
                ).format(raw=RELEASES, smoothed=SMOOTHED_RELEASES)
            )
        return "\n".join(parts)

    def _restyle(self) -> None:
        colours = self._theme.colours
        self.bars.colour, self.bars.blind = QColor(colours.accent), QColor(colours.warning)
        self._tell_blind()
        self.table.viewport().update()
