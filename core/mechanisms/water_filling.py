"""Weights of users under a cap: as near to the shares of their records as the cap allows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.grouping.m_ub import run_starts


@dataclass(frozen=True, slots=True, kw_only=True)
class CountGroups:
    """Users pooled by their count: what depends on m_l alone is computed once for each count."""

    counts: NDArray[np.int64]
    """Shape (D,): the different m_l, decreasing."""
    users: NDArray[np.int64]
    """Shape (D,): how many users have each."""

    @property
    def shares(self) -> Floats:
        """w = m / sum of all m_l of one user of each group; shape (D,)."""
        shares: Floats = self.counts / int((self.counts * self.users).sum())
        return shares


def group_counts(counts: NDArray[np.int64]) -> CountGroups:
    """Pool m_l, shape (L,), non-increasing."""
    first = run_starts(counts)
    users = np.concatenate((first[1:], [counts.size]))
    users -= first
    return CountGroups(counts=counts[first], users=users)


def water_filled(groups: CountGroups, caps: Floats) -> Floats:
    """Weights `a = min(c, theta w)` that sum to 1 over all users; shape (caps, D).

    caps: shape (C,), from 1/L on. At 1/L, where the cap binds for everyone, each user gets 1/L.
    With the k busiest groups at the cap, `theta = (1 - c N_k) / (share of the others)`; the right k
    is the least for which the next group stays below the cap, and that test only turns true once.

    Source: ours, two-step-clipping 3.2.
    """
    shares = groups.shares
    capped_users = np.concatenate(([0], np.cumsum(groups.users)))
    rest = np.concatenate((np.cumsum((shares * groups.users)[::-1])[::-1], [0.0]))
    left = 1.0 - caps[:, None] * capped_users[:-1]
    below = left * shares <= caps[:, None] * rest[:-1]
    capped = np.where(below.any(axis=1), below.argmax(axis=1), groups.counts.size)
    theta = (1.0 - caps * capped_users[capped]) / np.where(rest[capped] > 0.0, rest[capped], 1.0)
    weights: Floats = np.minimum(caps[:, None], theta[:, None] * shares)
    everyone = capped == groups.counts.size
    weights[everyone | (caps * capped_users[-1] <= 1.0)] = 1.0 / capped_users[-1]
    return weights
