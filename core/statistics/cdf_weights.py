"""How much each record of a user counts in a CDF, so that no user counts too much (method 9)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData
from core.grouping.m_ub import resolve_m_ub
from core.statistics.base import HatCounts
from core.statistics.gaussian_noise import EXCHANGED, root_above

RECORDS = "records"
USER = "user"
UNIT = 1 << 20
"""Weight of one record (`records`), or of all records of a user at most (`user`).

So fine a unit makes the discrete noise as good as continuous, also for the largest epsilons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What is counted of each user, from public counts alone."""

    retained: NDArray[np.int64]
    """Shape (L,): Gamma_l, the first records of each user that count."""
    weight: NDArray[np.int64]
    """Shape (L,): of each of these records."""
    bias_bound: float
    """The most that the weighted CDF can differ from the one that is asked for, as a share."""
    m_ub: int | None

    @property
    def total(self) -> int:
        """Weight of all that is counted: public in relation `values`."""
        return int((self.retained * self.weight).sum())

    @property
    def heaviest(self) -> int:
        """The most weight of one user."""
        return int((self.retained * self.weight).max())

    @property
    def moved(self) -> int:
        """The L1 sensitivity of one histogram: a user's weight leaves its bins and enters others."""
        return 2 * self.heaviest

    def moved_together(self, levels: int) -> int:
        """The L2 sensitivity of the counts of so many levels of a tree as one vector, rounded up.

        On each level what leaves is one user's weight at most, and what enters is as much: neither is longer
        than where all of it is in one node.
        """
        return root_above(EXCHANGED * levels * self.heaviest**2)


def weigh(counts: HatCounts, weights: str, m_ub: str | int, epsilon: Decimal) -> Weights:
    """The weights by `RECORDS` or `USER`; `m_ub` is used by the first only."""
    if weights == USER:
        return _by_user(counts)
    return _by_records(counts, resolve_m_ub(m_ub, counts.users, epsilon))


def _by_records(counts: HatCounts, m_ub: int) -> Weights:
    """Retained records alike: the CDF of all M records, of which n are counted, off by 1 - n/M at most."""
    retained = np.minimum(counts.users, m_ub)
    return Weights(
        retained=retained,
        weight=np.full_like(retained, UNIT),
        bias_bound=1.0 - int(retained.sum()) / counts.records,
        m_ub=m_ub,
    )


def _by_user(counts: HatCounts) -> Weights:
    """Every user alike: the mean of the users' own CDFs.

    The bias is the total variation between the rounded weights and equal ones, what a user with more
    than UNIT records leaves out, and the suppressed users, at worst one for each missing record.
    """
    retained = np.minimum(counts.users, UNIT)
    weight = UNIT // retained
    users = counts.users.size
    share = retained * weight / int((retained * weight).sum())
    uneven = float(np.abs(share - 1.0 / users).sum()) / 2.0
    cut = float((1.0 - retained / counts.users).mean())
    missing = counts.records - int(counts.users.sum())
    bias = uneven + cut + missing / (users + missing)
    return Weights(retained=retained, weight=weight, bias_bound=min(bias, 1.0), m_ub=None)


def bin_edges(bins: int, upper_bound: int) -> NDArray[np.int64]:
    """Right edges of `bins` bins on [0, U], thousandths: `i U / N`, each rounded to the nearest.

    A value on an edge belongs to the bin that ends there, and 0 to the first. bins: at most U.
    """
    return (2 * np.arange(1, bins + 1, dtype=np.int64) * upper_bound + bins) // (2 * bins)


def weigh_bins(weights: Weights, users: HatData, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Weight of the retained records in each bin, shape (N,); sums to `weights.total`."""
    user = np.repeat(np.arange(weights.retained.size), weights.retained)
    first = np.cumsum(weights.retained) - weights.retained
    number = np.arange(user.size) - first[user]
    values = users.values[users.starts[user] + number]
    sums = np.zeros(edges.size, np.int64)
    np.add.at(sums, np.searchsorted(edges, values, side="left"), weights.weight[user])
    return sums
