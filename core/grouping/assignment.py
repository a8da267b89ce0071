"""What a grouping gives: which array each user's records go to, and how full the arrays are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.fine_means import fine_means
from core.fixed_point import THOUSAND


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Arrays of at most m_UB records, from counts alone.

    Records are placed by segments: consecutive records of one user in one array. A segment is all
    that a user gives (BestFit), or what fits before the next array (WrapAround).
    """

    user: NDArray[np.int64]
    """Shape (S,): the user of each segment."""
    first: NDArray[np.int64]
    """Shape (S,): its first record, counted from the user's own first."""
    taken: NDArray[np.int64]
    """Shape (S,): its records, at least 1."""
    array: NDArray[np.int64]
    """Shape (S,): the array it goes to."""
    sizes: NDArray[np.int64]
    """Shape (K,): records in each array, at least 1."""
    touched: int
    """The most arrays that one user's records can be in."""

    @property
    def arrays(self) -> int:
        return int(self.sizes.size)


def array_means(assignment: Assignment, hat: HatData) -> NDArray[np.int64]:
    """Mean of each array in integers of 2^-30 km/h, rounded one by one; shape (K,)."""
    sums = np.zeros(assignment.arrays, np.int64)
    np.add.at(sums, assignment.array, hat.sums_of(assignment.user, assignment.first, assignment.taken))
    return fine_means(sums, assignment.sizes)


def assignment_bias(assignment: Assignment, records: int, upper_bound: int) -> float:
    """Worst-case |mean of array means - true mean| over values in [0, U], km/h.

    Both are weighted means of the same records, with weights 1 / (K w_i) for records in array i
    of w_i records, 0 for those left out, against 1 / M each. The difference is largest when every
    record whose weight rose is U and every other is 0.
    """
    rise = 1.0 / assignment.arrays - assignment.sizes / records
    return upper_bound / THOUSAND * float(np.maximum(rise, 0.0).sum())
