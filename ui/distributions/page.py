"""Tab *Distributions*: how records spread over hexagons, slots and vehicles, one section for each view."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.distributions.cdf import CdfSection
from ui.distributions.hat_sizes import hat_sizes
from ui.distributions.resolutions import ResolutionsSection
from ui.distributions.suppression import SuppressionSection
from ui.kit.glossary import term_tip
from ui.kit.theme import Theme
from ui.layout.tab_pages import section_tabs
from ui.session.session import Session


class DistributionsTab(QWidget):
    """Sections that each follow the session while they are shown; a bar to choose among them."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.resolutions = ResolutionsSection(session, theme)
        self.suppression = SuppressionSection(session, theme)
        self.cdf = CdfSection(session, theme)
        self.sizes = hat_sizes(session)
        self.sections = section_tabs(self.tr("Distributions"), self)
        self.sections.addTab(self.resolutions, self.tr("Resolutions and slots"))
        self.sections.addTab(self.suppression, self.tr("Suppression"))
        self.sections.addTab(self.cdf, self.tr("Values (CDF)"))
        self.sections.addTab(self.sizes, self.tr("Vehicles"))
        self.sections.setTabToolTip(self.sections.indexOf(self.sizes), term_tip("HAT"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.sections)
