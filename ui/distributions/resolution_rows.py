"""Rows of the resolution table: computed in a worker, kept for coming back to them."""

from __future__ import annotations

from dataclasses import dataclass

from core.contributions import Contributions, contributions_of
from core.hats.cells import RESOLUTIONS
from core.hats.window import Window, build_window
from core.planning.resolution_table import ResolutionRow, resolution_row
from core.privacy import Confidential
from core.progress import Progress
from core.records.records import Records
from ui.session.session import Session

_MOST_KEPT = 60
"""Rows; one is a few thousand numbers."""


@dataclass(frozen=True, slots=True)
class RowKey:
    """What a row of given records follows from. The threshold only asks a kept row anew."""

    window: Window
    resolution: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RowRequest(Confidential):
    """A row to compute."""

    key: RowKey
    records: Records
    contributions: Contributions | None
    """The session's own, where they are of this window and resolution."""


class RowCache:
    """Rows of the records that are loaded; used in the main thread only."""

    def __init__(self) -> None:
        self._rows: dict[RowKey, ResolutionRow] = {}

    def clear(self) -> None:
        """Other records are loaded."""
        self._rows.clear()

    def get(self, key: RowKey) -> ResolutionRow | None:
        """The row, if it is known."""
        return self._rows.get(key)

    def keep(self, key: RowKey, row: ResolutionRow) -> None:
        """Keep a row; the oldest one goes when there are too many."""
        self._rows[key] = row
        while len(self._rows) > _MOST_KEPT:
            self._rows.pop(next(iter(self._rows)))


def window_of(session: Session) -> Window:
    """The draft's window. Raises InputError for dates and hours that fit no window."""
    draft = session.draft
    return build_window(draft.date_ranges, draft.hours, draft.slot_minutes)


def neighbours(resolution: int) -> frozenset[int]:
    """A resolution with the next coarser and finer ones that are offered."""
    return frozenset(RESOLUTIONS) & {resolution - 1, resolution, resolution + 1}


def row_request(session: Session, records: Records, key: RowKey) -> RowRequest | None:
    """What to compute; None while the session itself is indexing what the draft asks for.

    Indexing is most of the work, and two of them at once are no faster than one after the other.
    """
    held = session.contributions
    held_key = RowKey(held.window, held.resolution) if held is not None else None
    if session.busy and held_key != RowKey(key.window, session.draft.resolution):
        return None
    return RowRequest(key=key, records=records, contributions=held if held_key == key else None)


def compute_row(request: RowRequest, progress: Progress) -> ResolutionRow:
    """The row, in a worker thread. Raises InputError when the window holds no record."""
    contributions = request.contributions
    if contributions is None:
        key = request.key
        contributions = contributions_of(request.records, key.resolution, key.window, progress)
    return resolution_row(contributions)
