"""Bars of all HATs' numbers, to press or drag over, which marks their HATs on map and table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from ui.kit.empty_state import EmptyState
from ui.kit.jobs import JobWork
from ui.kit.labels import label
from ui.kit.message_bar import Message
from ui.kit.signals import on_any
from ui.kit.stage import Stage
from ui.layout.boxes import in_column, in_row
from ui.layout.half_ink import ink_of_counts
from ui.layout.tab_pages import ShownPage
from ui.plots.brushed_bars import BrushedBars
from ui.session.hat_bins import HatBins
from ui.session.origin_badge import OriginBadge
from ui.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramRequest:
    """What to count, and how to tell it."""

    title: str
    unit: str
    confidential: bool
    work: JobWork
    """Makes the `HatBins`."""


class HatHistogram(QWidget):
    """Follows the session while it is shown.

    ask: what to count now, or why there is nothing to.
    """

    def __init__(
        self, session: Session, ask: Callable[[], HistogramRequest | Message], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._ask = ask
        self._stale = True
        self._request: HistogramRequest | None = None
        self.shown_bins: HatBins | None = None
        self.title = label(look="heading")
        self.badge = OriginBadge(self, session=self._session)
        self.bars = BrushedBars(self)
        self.bars.brushed.connect(self._brush)
        self.hint = label(
            self.tr(
                "Press a bar, or drag over several, to mark their hexagon slots on the map, in the "
                "table and here. Ctrl adds to the marks, Escape clears them."
            ),
            "muted",
        )
        self.empty = EmptyState(self)
        head = in_row(None, (self.title, 1), self.badge)
        page = QWidget(self)
        in_column(page, head, (self.bars, 1), self.hint)
        self._pages = ShownPage(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(page)
        in_column(self, self._pages, margins=(12, 10, 12, 10))
        self.ink = ink_of_counts(session.planning, self, self.bars)
        self._counting = Stage(self, self._take, failed=session.failed)
        on_any(self.refresh, session.contributions_changed, session.forecast_changed, session.draft_changed)
        session.marked.changed.connect(self._show_marks)

    @property
    def settled(self) -> bool:
        """What is wanted is shown."""
        return not self._stale and not self._counting.running

    def showEvent(self, _: QShowEvent) -> None:  # noqa: N802 - Qt's name
        if self._stale:
            self.refresh()

    def refresh(self) -> None:
        """Count anew; while hidden only remember that it is due."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        asked = self._ask()
        if isinstance(asked, Message):
            self._counting.drop()
            self.shown_bins = self._request = None
            self.empty.show_message(asked)
            self._pages.setCurrentIndex(0)
            return
        self._request = asked
        self._counting.start(asked.work, what=self.tr("Counting the hexagon slots…"))

    def _take(self, bins: HatBins) -> None:
        request = self._request
        assert request is not None
        self.shown_bins = bins
        self.title.setText(request.title)
        self.badge.setVisible(request.confidential)
        self.bars.setAccessibleName(request.title)
        self.bars.counted = self.tr("Hexagon slots in each bar")
        self.bars.show_bars(*bins.bars(request.unit))
        self._show_marks()
        self._pages.setCurrentIndex(1)

    def _show_marks(self) -> None:
        if self.shown_bins is not None and self.isVisible():
            marked = self._session.marked.hats if self._session.chosen.marks_stand_out else frozenset()
            self.bars.show_marked(self.shown_bins.marked_counts(marked))
        else:
            self._stale = True

    def _brush(self, first: int, last: int, add: bool) -> None:
        if self.shown_bins is not None:
            hats, marked = self.shown_bins.hats_between(first, last), self._session.marked
            if add:
                marked.add(hats)
            else:
                marked.take(hats)
