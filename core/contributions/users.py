"""The contribution table by users of the unit that is protected, in their keyed order (method 4, 5)."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.contributions.hat_data import HatData
from core.contributions.order import order_of
from core.contributions.table import Contributions
from core.contributions.values import Values
from core.privacy import Confidential, Unit

EVALUATION_TIE_KEY = bytes(32)
"""Orders ties where nothing is released; a release uses the population's own key (method 4)."""


def tie_ranks(vehicles: tuple[str, ...], key: bytes) -> NDArray[np.int64]:
    """Shape (vehicles,): rank of each vehicle by a keyed hash of its id, to order equal counts."""
    hashes = [hmac.digest(key, name.encode(), hashlib.sha256) for name in vehicles]
    ranks = np.empty(len(vehicles), np.int64)
    ranks[sorted(range(len(vehicles)), key=hashes.__getitem__)] = np.arange(len(vehicles))
    return ranks


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UserTable(Confidential):
    """The contribution table by users of a unit: one row per (HAT, user), sorted by HAT.

    Within a HAT users come by non-increasing count, ties by (keyed hash of the vehicle, day).
    """

    unit: Unit
    hat: NDArray[np.int32]
    vehicle: NDArray[np.int32]
    place: NDArray[np.int64]
    """Shape (rows,): place of the row's user in the keyed order; equal in all HATs of a vehicle, or of
    a vehicle-day with the smaller units."""
    counts: NDArray[np.int64]
    visits: NDArray[np.int64] | None
    """Shape (rows,): how often the user came to the HAT (method 4); None where that is not known."""
    starts: NDArray[np.int64]
    first: NDArray[np.int64]
    """Shape (G + 1,): HAT -> its first row."""
    values: Values
    upper_bound: int

    def hat_counts(self, index: int, retained: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Public counts of one HAT, m_l in order: shape (L,).

        retained: which rows of the table are not suppressed; None: all.
        """
        return self.counts[self._rows(index, retained)]

    def hat_visits(self, index: int, retained: NDArray[np.bool_] | None = None) -> NDArray[np.int64] | None:
        """Public visits of one HAT, as `hat_counts` gives its counts; None where they are not known."""
        return None if self.visits is None else self.visits[self._rows(index, retained)]

    def hat_data(self, index: int, retained: NDArray[np.bool_] | None = None) -> HatData:
        """One HAT with its own slice of the values; `retained` as for `hat_counts`."""
        rows = self._rows(index, retained)
        starts = self.starts[rows]
        begin, end = int(starts.min()), int((starts + self.counts[rows]).max())
        return HatData(
            counts=self.counts[rows],
            starts=starts - begin,
            values=self.values[begin:end],
            upper_bound=self.upper_bound,
            visits=self.hat_visits(index, retained),
        )

    def _rows(self, index: int, retained: NDArray[np.bool_] | None) -> slice | NDArray[np.int64]:
        first, last = int(self.first[index]), int(self.first[index + 1])
        return slice(first, last) if retained is None else first + np.flatnonzero(retained[first:last])


def users_of(contributions: Contributions, unit: Unit, key: bytes) -> UserTable:
    """Group the table by the unit that is protected (method 5) and order the users (method 4)."""
    by_vehicle = unit is Unit.VEHICLE
    row = np.flatnonzero(contributions.starts_vehicle()) if by_vehicle else np.arange(contributions.hat.size)
    starts = contributions.start[row]
    counts = np.diff(np.append(starts, contributions.start[-1]))
    visits: NDArray[np.int64] | None = None
    if contributions.visits is not None:
        # converted first: sums that convert keep Python's lock for half a second
        visits = np.add.reduceat(contributions.visits.astype(np.int64), row)
    hat, vehicle = contributions.hat[row], contributions.vehicle[row]
    day = contributions.day[row]
    rank = tie_ranks(contributions.vehicles, key)[vehicle]
    # the days of a vehicle come in their order already, which a stable sort keeps
    order = order_of(hat, counts.max(initial=0) - counts, rank)
    return UserTable(
        unit=unit,
        hat=hat[order],
        vehicle=vehicle[order],
        place=(rank if by_vehicle else rank * contributions.window.days + day)[order],
        counts=counts[order],
        visits=None if visits is None else visits[order],
        starts=starts[order],
        first=np.searchsorted(hat, np.arange(contributions.hats + 1)),
        values=contributions.values,
        upper_bound=contributions.upper_bound,
    )
