"""Tab *Distributions*: how records spread over hexagons, slots and vehicles, one section for each view."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from ui.distributions.cdf import CdfSection
from ui.distributions.hat_sizes import hat_sizes
from ui.distributions.resolutions import ResolutionsSection
from ui.distributions.suppression import SuppressionSection
from ui.kit.theme import Theme
from ui.session.session import Session


class DistributionsTab(QWidget):
    """Sections that each follow the session while they are shown; a bar to choose among them."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.resolutions = ResolutionsSection(session, theme)
        self.suppression = SuppressionSection(session, theme)
        self.cdf = CdfSection(session, theme)
        self.sizes = hat_sizes(session)
        self.sections = QTabWidget(self)
        self.sections.setDocumentMode(True)
        self.sections.tabBar().setDrawBase(False)
        self.sections.tabBar().setAccessibleName(self.tr("Distributions"))
        self.sections.addTab(self.resolutions, self.tr("Resolutions and slots"))
        self.sections.addTab(self.suppression, self.tr("Suppression"))
        self.sections.addTab(self.cdf, self.tr("Values (CDF)"))
        self.sections.addTab(self.sizes, self.tr("Vehicles of HATs"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.sections)
