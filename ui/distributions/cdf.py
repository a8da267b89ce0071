"""Section *CDF*: a distribution with its band, of made-up records or as released; another simulation.

The distribution of loaded records is shown nowhere.
"""

from __future__ import annotations

from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QRadioButton, QVBoxLayout, QWidget

from core.bundle.release_result import Release
from core.errors import HexveilError
from core.privacy import Relation
from core.statistics.cdf import STATISTIC
from ui.distributions.cdf_choices import CdfChoices
from ui.distributions.cdf_curves import CdfCurves, CdfRequest, released_curves, simulated_curves
from ui.distributions.chosen_epsilon import epsilon_per_hat, number_of
from ui.kit.labels import badge, label, plain_label
from ui.kit.message_bar import Message, message_of
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_row
from ui.plots.area_fills import blended
from ui.plots.plot_section import PlotSection
from ui.session.error_sources import Source, source_note
from ui.session.guards.plots import RELEASED_DISTRIBUTION
from ui.session.guards.reasons import first_reason
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.distributions.cdf_canvas import CdfCanvas

_USUAL_EPSILON = Decimal(1)


def _canvas_class() -> type[CdfCanvas]:
    from ui.distributions.cdf_canvas import CdfCanvas  # brings pyqtgraph

    return CdfCanvas


class CdfSection(QWidget):
    """Two sources; neither looks at a value of the loaded records."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.plot = PlotSection(theme, _canvas_class, [self._make_canvas], parent=self)
        self.plot.wanted.connect(self._follow)
        self.plot.explained.connect(self._hide_texts)
        self.plot.failed.connect(session.failed)
        self.plot.computing.succeeded.connect(self._on_computed)
        self.canvas: CdfCanvas | None = None
        self._seed = 1
        self._simulated: CdfCurves | None = None
        self._known: tuple[Release | None, tuple[str, int] | None, CdfCurves | Message] | None = None
        self._build()
        theme.changed.connect(self._restyle)
        for signal in (session.draft_changed, session.forecast_changed, session.published_changed):
            signal.connect(self.plot.refresh_soon)
        session.hat_chosen.connect(self.plot.refresh_soon)

    def _build(self) -> None:
        self.title = label(look="heading", parent=self)
        self.remarks = label(look="warning", parent=self)
        self.facts = label(look="muted", parent=self)
        self.useless = label(look="warning", parent=self)
        self.legend = plain_label(parent=self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.choices = CdfChoices(self)
        self.choices.changed.connect(self.plot.refresh_soon)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        layout.addLayout(self._sources())
        layout.addWidget(self.choices)
        layout.addLayout(self._head())
        for widget in (self.remarks, self.facts, self.useless, self.legend):
            layout.addWidget(widget)
        layout.addWidget(self.plot, 1)

    def _sources(self) -> QHBoxLayout:
        self.replica = QRadioButton(self.tr("Replica of the papers"), self)
        self.replica.setToolTip(in_lines(source_note(Source.REPLICA)))
        self.replica.setChecked(True)
        self.released = QRadioButton(self.tr("Released"), self)
        self.released.setToolTip(self.tr("What was released for the hexagon slot chosen in the window."))
        self.replica.toggled.connect(self.plot.refresh_soon)
        self.badge = badge(
            self.tr("Simulated"),
            self.tr("Made-up records with noise from a seed; contains nothing of your records."),
            self,
        )
        self.again = QPushButton(self.tr("Draw again"), self)
        self.again.setToolTip(self.tr("Simulate another release with other noise."))
        self.again.clicked.connect(self._on_again)
        return in_row(None, self.replica, self.released, 1, spacing=14)

    def _head(self) -> QHBoxLayout:
        """Beside the title there is room on a small screen too."""
        row = in_row(None, (self.title, 1), self.badge, self.again, spacing=14)
        # what is below must not move when the button comes
        self.again.ensurePolished()
        row.addStrut(self.again.sizeHint().height())
        return row

    def _make_canvas(self, canvas_class: type[CdfCanvas]) -> CdfCanvas:
        self.canvas = canvas_class(self)
        self.canvas.setAccessibleName(core_text(STATISTIC.title))
        return self.canvas

    # what is wanted

    def _on_again(self) -> None:
        self._seed += 1
        self.plot.refresh()

    def _follow(self) -> None:
        simulated = self.replica.isChecked()
        for widget in (self.choices, self.again):
            widget.setVisible(simulated)
        if simulated:
            self._follow_replica()
        else:
            self.plot.rest()
            self._show(self._released_curves())

    def _released_curves(self) -> CdfCurves | Message:
        """Made once of each release and HAT."""
        release, hat = self._session.release.shown, self._session.chosen.hat
        if self._known is None or self._known[0] is not release or self._known[1] != hat:
            found: CdfCurves | Message | None = first_reason(self._session, RELEASED_DISTRIBUTION)
            if found is None:
                assert release is not None
                assert hat is not None
                found = released_curves(release, hat)
            self._known = (release, hat, found)
        return self._known[2]

    def _follow_replica(self) -> None:
        request = self._wanted()
        if isinstance(request, Message):
            self.plot.computing.forget()
            self.plot.rest()
            self.plot.explain(request)
        # beside a worker that computes, building the plot would take many times as long
        elif self.plot.ready and self.plot.computing.ask(
            request, lambda progress: simulated_curves(request, progress)
        ):
            assert self._simulated is not None
            self._show(self._simulated)
        elif self.canvas is None or self.canvas.curves is None or self.canvas.curves.exact is None:
            self.plot.explain(Message(what=self.tr("Simulating a release…")))

    def _wanted(self) -> CdfRequest | Message:
        number = number_of(self._session, STATISTIC.key)
        query_id = ""
        if number is None or self._session.draft.relation is Relation.USER:
            self.choices.release()  # that relation's curves are planned from other parameters
        else:
            try:
                query = self._session.draft.queries[number].asked_of(self._session.quantity)
            except HexveilError as error:
                return message_of(error)
            query_id = query.id
            self.choices.fix(query.question.params, self.tr("As in step Parameters."))
        return CdfRequest(
            params=self.choices.params,
            epsilon=epsilon_per_hat(self._session, number or 0) or _USUAL_EPSILON,
            seed=self._seed,
            query_id=query_id,
        )

    @property
    def complete(self) -> bool:
        """The simulated release that is asked for is shown."""
        computing = self.plot.computing
        return computing.taken is not None and not computing.running and self.plot.ready

    def _on_computed(self, curves: CdfCurves) -> None:
        self._simulated = curves
        self._show(curves)

    # showing

    def _hide_texts(self) -> None:
        for widget in (self.title, self.remarks, self.facts, self.useless, self.legend, self.badge):
            widget.hide()

    def _show(self, shown: CdfCurves | Message) -> None:
        if isinstance(shown, Message):
            self.plot.explain(shown)
        elif self.canvas is not None and self.plot.ready:
            self.title.setText(shown.title)
            remarks = self._remarks_of(shown)
            self.remarks.setText(remarks)
            self.remarks.setVisible(bool(remarks))
            self.facts.setText(shown.facts)
            self.useless.setText(f"! {shown.useless}" if shown.useless else "")
            self.useless.setVisible(bool(shown.useless))
            self._paint_legend(shown)
            if self.canvas.curves is not shown:
                self.canvas.show_curves(shown)
            self.canvas.setAccessibleName(core_text(STATISTIC.of(shown.quantity).title))
            self.canvas.setAccessibleDescription(
                f"{shown.title}. {remarks} {shown.spoken} {shown.facts} {shown.useless}"
            )
            for widget in (self.title, self.facts, self.legend):
                widget.show()
            self.badge.setVisible(shown.exact is not None)
            self.plot.show_plot()

    def _remarks_of(self, shown: CdfCurves) -> str:
        """What must be known of a released curve; empty where there is nothing, or it is simulated."""
        if shown.exact is not None:
            return ""
        return " ".join(self._session.release.remarks)

    def _paint_legend(self, curves: CdfCurves) -> None:
        colours = self._theme.colours
        band = blended(colours.accent, colours.surface)
        parts = [
            f'<span style="color:{colours.accent}">━━</span> {escape(curves.name)}',
            f'<span style="background-color:{band}">&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;</span> '
            f"{self.tr('95 % band')}",
        ]
        if curves.exact is not None:
            parts.append(f'<span style="color:{colours.text}">╌╌</span> {self.tr("exact")}')
        self.legend.setText("&nbsp;&nbsp;&nbsp;&nbsp;".join(parts))

    def _restyle(self) -> None:
        if self.canvas is not None and self.canvas.curves is not None:
            self._paint_legend(self.canvas.curves)
