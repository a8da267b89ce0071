"""Tab *Error plot*: one HAT against epsilon, and the whole city at one total."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from ui.errors.city_methods import CityMethodsSection
from ui.errors.error_plot import ErrorPlotTab
from ui.kit.theme import Theme
from ui.session.session import Session


class ErrorTabs(QWidget):
    """Sections with a bar to choose among them."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = ErrorPlotTab(session, theme)
        self.city = CityMethodsSection(session, theme)
        self.sections = QTabWidget(self)
        self.sections.setDocumentMode(True)
        self.sections.tabBar().setDrawBase(False)
        self.sections.tabBar().setAccessibleName(self.tr("Errors"))
        self.sections.addTab(self.plot, self.tr("One HAT"))
        self.sections.addTab(self.city, self.tr("Whole city"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.sections)
