"""Tab *Distributions*: its sections, and histograms over HATs and all dates chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.statistics.cdf import STATISTIC as CDF
from ui.budget.hat_histogram import HatHistogram, HistogramRequest
from ui.distributions.cdf import CdfSection
from ui.distributions.chosen_epsilon import number_of
from ui.distributions.resolutions import ResolutionsSection
from ui.distributions.suppression import SuppressionSection
from ui.distributions.suppression_points import may_suppress
from ui.kit.glossary import term_tip
from ui.kit.message_bar import Message
from ui.kit.signals import on_any
from ui.kit.theme import Theme
from ui.language.translation import translator
from ui.layout.boxes import in_column
from ui.layout.tab_pages import section_tabs
from ui.session.guards.reasons import nothing_loaded
from ui.session.hat_bins import bins_of_vehicles
from ui.session.session import Session
from ui.session.shown_release import released_distribution

_tr = translator("DistributionsTab")


def hat_sizes(session: Session, parent: QWidget | None = None) -> HatHistogram:
    """The section; its counts are confidential on the screen, as those of the map are."""

    def ask() -> HistogramRequest | Message:
        overview = session.overview
        if overview is None:
            return nothing_loaded()
        return HistogramRequest(
            title=_tr("Distinct vehicles of every hexagon slot, over all dates chosen"),
            unit=_tr("vehicles"),
            confidential=True,
            work=lambda _: bins_of_vehicles(overview),
        )

    return HatHistogram(session, ask, parent)


class DistributionsTab(QWidget):
    """Sections that each follow the session while they are shown; a bar to choose among them."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.resolutions = ResolutionsSection(session, theme)
        self.suppression = SuppressionSection(session, theme)
        self.cdf = CdfSection(session, theme)
        self.sizes = hat_sizes(session)
        self.sections = section_tabs(self.tr("Distributions"), self)
        self.sections.addTab(self.resolutions, self.tr("Resolutions and slots"))
        self.sections.addTab(self.suppression, self.tr("Suppression"))
        self.sections.addTab(self.cdf, self.tr("Values (CDF)"))
        self.sections.addTab(self.sizes, self.tr("Vehicles"))
        self.sections.setTabToolTip(self.sections.indexOf(self.sizes), term_tip("Hexagon slot"))
        in_column(self, self.sections)
        on_any(self._offer_sections, session.draft_changed, session.published_changed)
        self._offer_sections()

    def _offer_sections(self) -> None:
        """What is about a statistic that nobody has chosen or released is not offered."""
        session = self._session
        released = released_distribution(session.release.shown) is not None
        curves = released or number_of(session, CDF.key) is not None
        for section, offered in ((self.suppression, may_suppress(session)), (self.cdf, curves)):
            self.sections.setTabVisible(self.sections.indexOf(section), offered)
