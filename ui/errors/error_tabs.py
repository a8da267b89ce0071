"""Tab *Error plot*: one hexagon slot against epsilon, and the whole city at one total."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from core.privacy import Relation
from ui.budget.hat_histogram import HatHistogram, HistogramRequest
from ui.errors.city_methods import CityMethodsSection
from ui.errors.constant_plot import ConstantPlotSection
from ui.errors.error_plot import ErrorPlotTab
from ui.kit.glossary import term_tip
from ui.kit.message_bar import Message
from ui.kit.theme import Theme
from ui.language.translation import translator
from ui.layout.boxes import in_column
from ui.layout.tab_pages import section_tabs
from ui.session.error_sources import Source
from ui.session.guards import nothing_loaded, privacy_open
from ui.session.hat_bins import bins_of_errors
from ui.session.session import Session

_tr = translator("ErrorTabs")


def error_histogram(session: Session, parent: QWidget | None = None) -> HatHistogram:
    """The section: in relation `user` its numbers follow from constants, else from public counts."""

    def ask() -> HistogramRequest | Message:
        shown = session.forecast
        if session.overview is None:
            return nothing_loaded()
        if reason := privacy_open(session):
            return reason
        if shown is None or shown.plan is None:
            return Message(what=_tr("Nothing is planned yet"), mend=_tr("See what is open in the steps."))
        measure = shown.plan.query.question.statistic.measures[0]
        unit = f" ({measure.unit})" if measure.unit else ""
        return HistogramRequest(
            title=_tr("Typical errors of all planned hexagon slots{unit}").format(unit=unit),
            unit=measure.unit,
            confidential=session.draft.relation is not Relation.USER,
            work=lambda _: bins_of_errors(shown),
        )

    return HatHistogram(session, ask, parent)


class ErrorTabs(QWidget):
    """Sections with a bar to choose among them."""

    true_errors_gone = Signal()
    """None of the loaded records is on screen, or about to be."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = ErrorPlotTab(session, theme)
        self.city = CityMethodsSection(session, theme)
        self.constants = ConstantPlotSection(session, theme)
        self.sections = section_tabs(self.tr("Errors"), self)
        self.sections.addTab(self.plot, self.tr("One hexagon"))
        self.sections.addTab(self.city, self.tr("Whole city"))
        self.sections.addTab(self.constants, self.tr("Constants"))
        self.histogram = error_histogram(session)
        self.sections.addTab(self.histogram, self.tr("All hexagons"))
        for section in (self.plot, self.histogram):
            self.sections.setTabToolTip(self.sections.indexOf(section), term_tip("HAT"))
        self._session, self._relation = session, session.draft.relation
        self._follow()
        session.draft_changed.connect(self._follow)
        for signal in (
            self.sections.currentChanged,
            self.plot.bar.changed,
            self.city.job.finished,
            session.data_changed,
            session.draft_changed,
            session.ledger_changed,
        ):
            signal.connect(self._tell_true_errors)
        in_column(self, self.sections)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        if not event.spontaneous():  # a window that is made small shows them again
            self.true_errors_gone.emit()

    @Slot()
    def _tell_true_errors(self) -> None:
        section = self.sections.currentWidget()
        of_plot = section is self.plot and self.plot.bar.source is Source.LOADED
        of_city = section is self.city and (self.city.measured or self.city.job.running)
        if not (of_plot or of_city):
            self.true_errors_gone.emit()

    @Slot()
    def _follow(self) -> None:
        """Another relation asks for another plot first; in `user` alone errors follow from constants."""
        relation = self._session.draft.relation
        user = relation is Relation.USER
        self.sections.setTabVisible(self.sections.indexOf(self.constants), user)
        if relation is not self._relation:
            self._relation = relation
            self.sections.setCurrentWidget(self.constants if user else self.plot)
