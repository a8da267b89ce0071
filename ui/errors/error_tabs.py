"""Tab *Errors*: typical errors of all planned HATs as bars, what a budget buys, what is open in the steps."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.privacy import Relation
from ui.budget.hat_histogram import HatHistogram, HistogramRequest
from ui.errors.constant_plot import ConstantPlotSection
from ui.errors.release_plot import ReleasePlotSection
from ui.kit.glossary import term_tip
from ui.kit.message_bar import Message
from ui.kit.theme import Theme
from ui.language.translation import translator
from ui.layout.boxes import in_column
from ui.layout.tab_pages import section_tabs
from ui.session.guards.protection import privacy_open
from ui.session.guards.reasons import nothing_loaded
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
    """Sections with a bar to choose among them; constants only where errors follow from them."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.release = ReleasePlotSection(session, theme)
        self.constants = ConstantPlotSection(session, theme)
        self.histogram = error_histogram(session)
        self.sections = section_tabs(self.tr("Errors"), self)
        self.sections.addTab(self.release, self.tr("This release"))
        self.sections.addTab(self.constants, self.tr("Constants"))
        self.sections.addTab(self.histogram, self.tr("All hexagons"))
        self.sections.setTabToolTip(self.sections.indexOf(self.histogram), term_tip("Hexagon slot"))
        in_column(self, self.sections)
        session.draft_changed.connect(self._offer_constants)
        self._offer_constants()

    def _offer_constants(self) -> None:
        user = self._session.draft.relation is Relation.USER
        self.sections.setTabVisible(self.sections.indexOf(self.constants), user)
