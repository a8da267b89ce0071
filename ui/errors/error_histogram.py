"""Section *All HATs*: how the typical errors of the plan spread, and which HATs are where."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.privacy import Relation
from ui.budget.hat_histogram import HatHistogram, HistogramRequest
from ui.kit.message_bar import Message
from ui.language.translation import translator
from ui.session.guards import nothing_loaded, privacy_open
from ui.session.hat_bins import bins_of_errors
from ui.session.session import Session

_tr = translator("ErrorHistogram")


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
