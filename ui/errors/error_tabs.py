"""Tab *Error plot*: one hexagon slot against epsilon, and the whole city at one total."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.privacy import Relation
from ui.errors.city_methods import CityMethodsSection
from ui.errors.constant_plot import ConstantPlotSection
from ui.errors.error_histogram import error_histogram
from ui.errors.error_plot import ErrorPlotTab
from ui.kit.glossary import term_tip
from ui.kit.tab_pages import section_tabs
from ui.kit.theme import Theme
from ui.session.session import Session


class ErrorTabs(QWidget):
    """Sections with a bar to choose among them."""

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
        session.draft_changed.connect(self._follow)
        self._session, self._relation = session, session.draft.relation
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.sections)

    @Slot()
    def _follow(self) -> None:
        """Another relation asks for another plot first."""
        relation = self._session.draft.relation
        if relation is self._relation:
            return
        self._relation = relation
        user = relation is Relation.USER
        self.sections.setCurrentWidget(self.constants if user else self.plot)
