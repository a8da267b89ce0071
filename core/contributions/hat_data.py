"""One HAT's users and their values, with exact sums (method 4)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.contributions.hat_users import HatUsers
from core.privacy import Confidential

_HALF_SQUARE = 31


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatData(Confidential):
    """One HAT's users by non-increasing count (ties by keyed hash), and where their values are."""

    counts: NDArray[np.int64]
    """Shape (L,): m_l."""
    starts: NDArray[np.int64]
    """Shape (L,): each user's first value in `values`."""
    values: NDArray[np.int32]
    """Thousandths of km/h; a user's values are consecutive and in time order."""
    upper_bound: int
    """U in thousandths of km/h."""
    visits: NDArray[np.int64] | None = None
    """Shape (L,): how often each user came to the HAT (method 4); None where that is not known."""

    @property
    def public(self) -> HatUsers:
        """What of it is public in relation `values`."""
        return HatUsers(counts=self.counts, visits=self.visits)

    def sums_of(
        self, user: NDArray[np.int64], first: NDArray[np.int64], taken: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Sums of segments: `taken` values of `user` from their `first` on; shapes (S,), thousandths."""
        return _segment_sums(self.values, self.starts[user] + first, taken)

    def sums(self) -> NDArray[np.int64]:
        """Sum of all values of each user, thousandths of km/h; shape (L,)."""
        everyone = np.arange(self.counts.size)
        return self.sums_of(everyone, np.zeros_like(everyone), self.counts)

    def first_records(self, most: int) -> HatData:
        """The same users with the first `most` records of each at most."""
        return dataclasses.replace(self, counts=np.minimum(self.counts, most), visits=None)

    def sum_of_squares(self) -> int:
        """Sum of the squares of all users' values, in squared thousandths: exact for any number of them."""
        squares = self.values.astype(np.int64) ** 2
        # a square has up to 62 bits: its upper and its lower 31 bits are summed apart
        upper = int(_segment_sums(squares >> _HALF_SQUARE, self.starts, self.counts).sum())
        squares &= (1 << _HALF_SQUARE) - 1
        return (upper << _HALF_SQUARE) + int(_segment_sums(squares, self.starts, self.counts).sum())


def _segment_sums(
    values: NDArray[np.int32] | NDArray[np.int64], start: NDArray[np.int64], taken: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sums of `taken` values from `start` on, shapes (S,); all values together must fit 63 bits."""
    cumulative = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    sums: NDArray[np.int64] = cumulative[start + taken] - cumulative[start]
    return sums
