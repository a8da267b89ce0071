"""What the grids are compared by: computed in a worker, stored for coming back to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.contributions import Contributions, contributions_of
from core.hats.slots import SlotLength
from core.hats.window import DateRange, Window
from core.planning.hours_of_day import HoursOfDay, hours_of_day, hours_of_table
from core.planning.resolution_table import ResolutionRow, resolution_row, windows_of
from core.privacy import Confidential
from core.progress import Progress
from core.records.records import Records
from ui.session.session import Session

_MOST_STORED = 120
"""Rows; one is a few thousand numbers."""


@dataclass(frozen=True, slots=True)
class RowKey:
    """What a row of given records follows from. The threshold only asks a stored row anew."""

    window: Window
    resolution: int


@dataclass(frozen=True, slots=True)
class HoursKey:
    """What the hours of the day of given records follow from."""

    date_ranges: tuple[DateRange, ...]
    resolution: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RowRequest(Confidential):
    """A row, or the hours of the day, to compute."""

    key: RowKey | HoursKey
    records: Records | None
    """None where a contribution table is open."""
    contributions: Contributions | None
    """The session's own, where they are of this window and resolution; always where there are no records."""


class RowCache:
    """Rows of the records that are loaded; used in the main thread only."""

    def __init__(self) -> None:
        self._rows: dict[RowKey | HoursKey, ResolutionRow | HoursOfDay] = {}

    def clear(self) -> None:
        """Other records are loaded."""
        self._rows.clear()

    def row(self, key: RowKey) -> ResolutionRow | None:
        """The row, if it is known."""
        found = self._rows.get(key)
        return found if isinstance(found, ResolutionRow) else None

    def hours(self, key: HoursKey) -> HoursOfDay | None:
        """The hours, if they are known."""
        found = self._rows.get(key)
        return found if isinstance(found, HoursOfDay) else None

    def __contains__(self, key: RowKey | HoursKey) -> bool:
        return key in self._rows

    def keep(self, key: RowKey | HoursKey, found: ResolutionRow | HoursOfDay) -> None:
        """Keep it; the oldest one goes when there are too many."""
        self._rows[key] = found
        while len(self._rows) > _MOST_STORED:
            self._rows.pop(next(iter(self._rows)))


@dataclass(frozen=True, slots=True)
class Compared:
    """The grids that are compared: every resolution with one slot, and one with every length of slot."""

    resolutions: tuple[int, ...]
    windows: tuple[Window, ...]
    """The same dates with slots of each length."""
    own: RowKey
    """The draft's grid, or the nearest to it that is compared."""

    @property
    def columns(self) -> tuple[RowKey, ...]:
        """What is shown side by side: all resolutions with one slot, then its other lengths with one."""
        slots = (RowKey(window, self.own.resolution) for window in self.windows if window != self.own.window)
        return (*(RowKey(self.own.window, resolution) for resolution in self.resolutions), *slots)

    @property
    def hours(self) -> HoursKey:
        """The hours of the day, whatever the window's hours are."""
        return HoursKey(self.own.window.date_ranges, self.own.resolution)


def window_of(session: Session) -> Window:
    """The draft's window. Raises InputError for dates and hours that fit no window."""
    draft = session.draft
    return draft.window


def compared_grids(
    window: Window, resolution: int, resolutions: Sequence[int], lengths: Sequence[SlotLength]
) -> Compared:
    """What is compared of the draft's window and resolution; at least one of each is asked for."""
    windows = windows_of(window, lengths)
    own = RowKey(
        window if window in windows else windows[0],
        min(resolutions, key=lambda other: abs(other - resolution)),
    )
    return Compared(tuple(resolutions), windows, own)


def row_request(session: Session, key: RowKey | HoursKey) -> RowRequest | None:
    """What to compute; None while the session itself is indexing what the draft asks for.

    Indexing is most of the work, and two of them in parallel are no faster than one after the other.
    """
    contributions = session.contributions
    mixed = contributions is not None and bool(contributions.choice.mixed)
    key_at_hand = (
        RowKey(contributions.window, contributions.resolution)
        if contributions is not None and not mixed
        else None
    )
    if session.busy and not mixed and key_at_hand != RowKey(window_of(session), session.draft.resolution):
        return None
    if session.loaded is None:
        return RowRequest(key=key, records=None, contributions=contributions)
    own = contributions if key_at_hand == key else None
    return RowRequest(key=key, records=session.loaded.records, contributions=own)


def compute_row(request: RowRequest, progress: Progress) -> ResolutionRow | HoursOfDay:
    """It, in a worker thread. Raises InputError when there is no record."""
    key, records, contributions = request.key, request.records, request.contributions
    if contributions is not None:
        return hours_of_table(contributions) if isinstance(key, HoursKey) else resolution_row(contributions)
    assert records is not None
    if isinstance(key, HoursKey):
        return hours_of_day(records, key.resolution, key.date_ranges, progress)
    return resolution_row(contributions_of(records, key.resolution, key.window, progress))
