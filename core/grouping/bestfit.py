"""BestFit: each user's records go, together, into the fullest array that has room (P3 Alg. 2)."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from core.grouping.assignment import Assignment
from core.grouping.m_ub import run_starts

_BITS = 32
_INDEX = (1 << _BITS) - 1
"""A heap's key is one integer: what it is ordered by, then the index of the array."""


def bestfit(counts: NDArray[np.int64], m_ub: int) -> Assignment:
    """Pack users, given by non-increasing count; counts: shape (L,), each at least 1.

    Ties between equally full arrays go to the least index. O(L log L).

    Source: P3 Alg. 2.
    """
    taken = np.minimum(counts, m_ub)
    starts = run_starts(taken)
    ends = [*starts[1:].tolist(), counts.size]
    runs = [end - start for start, end in zip(starts.tolist(), ends, strict=True)]
    sizes, placed, users = _pack(taken[starts].tolist(), runs, m_ub)
    return Assignment(
        user=np.arange(counts.size),
        first=np.zeros(counts.size, np.int64),
        taken=taken,
        array=np.repeat(np.array(placed, np.int64), users),
        sizes=np.array(sizes, np.int64),
        touched=1,
    )


def _pack(retained: list[int], runs: list[int], m_ub: int) -> tuple[list[int], list[int], list[int]]:
    """Runs of users who keep equally many records, in decreasing order of `retained`.

    Returns the sizes of the arrays, and for stretches of consecutive users their array and number.
    As `retained` never rises, an array with room keeps it: arrays wait for their turn only once. The
    array that was chosen is fuller afterwards, so that it stays the choice while it has room and the
    run lasts.
    """
    sizes: list[int] = []
    placed: list[int] = []
    users: list[int] = []
    ready: list[int] = []  # arrays with room, fullest first
    waiting: list[int] = []  # arrays without room for this run, emptiest first
    for records, run in zip(retained, runs, strict=True):
        left = run
        while waiting and waiting[0] >> _BITS <= m_ub - records:
            key = heapq.heappop(waiting)
            heapq.heappush(ready, (m_ub - (key >> _BITS)) << _BITS | key & _INDEX)
        while left:
            if ready:
                key = heapq.heappop(ready)
                gap, index = key >> _BITS, key & _INDEX
            elif left >= 2 * (each := m_ub // records):
                # new arrays, each with as many users as fit: none of this run fits into what is left of one
                first, many, gap = len(sizes), left // each, m_ub - each * records
                left -= many * each
                sizes += [m_ub - gap] * many
                placed += range(first, first + many)
                users += [each] * many
                if gap:
                    for index in range(first, first + many):
                        heapq.heappush(waiting, (m_ub - gap) << _BITS | index)
                continue
            else:
                gap, index = m_ub, len(sizes)
                sizes.append(0)
            together = min(gap // records, left)
            left -= together
            gap -= together * records
            sizes[index] = m_ub - gap
            placed.append(index)
            users.append(together)
            if gap >= records:
                heapq.heappush(ready, gap << _BITS | index)
            elif gap:
                heapq.heappush(waiting, (m_ub - gap) << _BITS | index)
    return sizes, placed, users
