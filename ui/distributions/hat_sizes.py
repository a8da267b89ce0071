"""Section *Vehicles*: how many HATs hold how many vehicles, and which they are."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from ui.budget.hat_histogram import HatHistogram, HistogramRequest
from ui.kit.message_bar import Message
from ui.language.translation import translator
from ui.session.guards import nothing_loaded
from ui.session.hat_bins import bins_of_vehicles
from ui.session.session import Session

_tr = translator("HatSizes")


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
