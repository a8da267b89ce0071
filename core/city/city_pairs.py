"""Who gave how many records to which published HAT: the cost matrix of a joint release (city-release 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.contributions import UserTable
from core.contributions.table import changes
from core.mechanisms.covariate import PublicSign, records_per_visit


@dataclass(frozen=True, slots=True, kw_only=True)
class CityPairs:
    """One row per (published HAT, vehicle), sorted by HAT and keyed hash of the vehicle.

    Public in relation `values`. HATs and vehicles are numbered from 0 without gaps.
    """

    hat: NDArray[np.int32]
    """Shape (n,): pair -> HAT."""
    vehicle: NDArray[np.int32]
    """Shape (n,): pair -> vehicle, by its keyed hash."""
    code: NDArray[np.int32]
    """Shape (n,): what the contributions call that vehicle."""
    records: Ints
    """Shape (n,): m_lg, at least 1."""
    visits: Ints | None = None
    """Shape (n,): from 1 to m_lg; None where they are not known, or say nothing about the value."""

    hats: int = field(init=False)
    """G."""
    vehicles: int = field(init=False)
    """L."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hats", int(self.hat[-1]) + 1 if self.hat.size else 0)
        object.__setattr__(self, "vehicles", int(self.vehicle.max(initial=-1)) + 1)

    @property
    def starts(self) -> Ints:
        """Shape (G,): each HAT's first pair."""
        starts: Ints = np.searchsorted(self.hat, np.arange(self.hats))
        return starts

    @property
    def shares(self) -> Floats:
        """w_lg = m_lg / M_g; shape (n,)."""
        shares: Floats = self.records / self.by_hat(self.records)[self.hat]
        return shares

    @property
    def dwell(self) -> Floats | None:
        """h_lg less its mean over the HAT's records, `h = ln(m / visits)`; shape (n,), or None."""
        if self.visits is None:
            return None
        per_visit = np.log(self.records / self.visits)
        dwell: Floats = per_visit - self.by_hat(self.shares * per_visit)[self.hat]
        return dwell

    def records_per_visit(self, *, speeds: bool) -> PublicSign:
        """Of each HAT; where visits are not known each vehicle makes one. speeds: it is speeds that count."""
        visits = np.ones(self.hat.size) if self.visits is None else self.visits
        return records_per_visit(self.by_hat(self.records), self.by_hat(visits), speeds=speeds)

    def only(self, hats: NDArray[np.bool_]) -> CityPairs:
        """The pairs of some of the HATs, which are numbered anew; vehicles keep their numbers."""
        retained = hats[self.hat]
        if retained.all():
            return self
        number = np.cumsum(hats) - 1
        return CityPairs(
            hat=number[self.hat[retained]].astype(np.int32),
            vehicle=self.vehicle[retained],
            code=self.code[retained],
            records=self.records[retained],
            visits=None if self.visits is None else self.visits[retained],
        )

    def grouped(self, group: Ints) -> CityPairs:
        """The pairs of groups of HATs, which are its HATs; vehicles keep their numbers, visits are not known.

        group: shape (G,), HAT -> its group from 0 without gaps, -1 where it has none.
        """
        rows = np.flatnonzero(group[self.hat] >= 0)
        rows = rows[np.lexsort((self.vehicle[rows], group[self.hat[rows]]))]
        first = np.flatnonzero(changes(group[self.hat[rows]], self.vehicle[rows]))
        return CityPairs(
            hat=group[self.hat[rows[first]]].astype(np.int32),
            vehicle=self.vehicle[rows[first]],
            code=self.code[rows[first]],
            records=np.add.reduceat(self.records[rows], first),
        )

    def by_hat(self, numbers: Floats | Ints) -> Floats:
        """Sums of the pairs' numbers over each HAT; shape (G,)."""
        return np.bincount(self.hat, numbers, minlength=self.hats).astype(np.float64, copy=False)

    def by_vehicle(self, numbers: Floats | Ints) -> Floats:
        """Sums of the pairs' numbers over each vehicle; shape (L,)."""
        return np.bincount(self.vehicle, numbers, minlength=self.vehicles).astype(np.float64, copy=False)


def grouped_rows(users: UserTable, group: Ints) -> tuple[Ints, Ints]:
    """The same of groups of HATs; group: shape (G of the table,), HAT -> its group, -1 where it has none."""
    rows = np.flatnonzero(group[users.hat] >= 0)
    rows = rows[np.lexsort((users.place[rows], group[users.hat[rows]]))]
    return rows, np.flatnonzero(changes(group[users.hat[rows]], users.vehicle[rows]))


def city_pairs(users: UserTable, published: NDArray[np.bool_]) -> CityPairs:
    """The pairs of the published HATs; published: shape (G of the table,)."""
    return _pairs_of(users, columns_of(published), users.visits)


def columns_of(published: NDArray[np.bool_]) -> Ints:
    """HAT -> its number among the published ones, -1 where it is none of them; shape (G,)."""
    columns: Ints = np.where(published, np.cumsum(published) - 1, -1)
    return columns


def grouped_pairs(users: UserTable, group: Ints) -> CityPairs:
    """The same of groups of HATs, which are its HATs; group: as for `grouped_rows`, from 0 without gaps.

    Visits are not known: of a place that is made of several they are not the sum.
    """
    return _pairs_of(users, group, None)


def _pairs_of(users: UserTable, group: Ints, visits: Ints | None) -> CityPairs:
    rows, first = grouped_rows(users, group)
    vehicle = users.vehicle[rows[first]]
    _, renumbered = np.unique(_first_places(users, vehicle), return_inverse=True)
    return CityPairs(
        hat=group[users.hat[rows[first]]].astype(np.int32),
        vehicle=renumbered.astype(np.int32),
        code=vehicle,
        records=np.add.reduceat(users.counts[rows], first),
        visits=None if visits is None else np.add.reduceat(visits[rows], first),
    )


def _first_places(users: UserTable, vehicle: NDArray[np.int32]) -> Ints:
    """The least place of each pair's vehicle: one number a vehicle, in the order of the keyed hashes."""
    least = np.full(int(users.vehicle.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(least, users.vehicle, users.place)
    places: Ints = least[vehicle]
    return places
