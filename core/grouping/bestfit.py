"""BestFit: each user's records go, together, into the fullest array that has room (P3 Alg. 2)."""

from __future__ import annotations

import bisect
import heapq

import numpy as np
from numpy.typing import NDArray

from core.grouping.packing import Packing


def bestfit(counts: NDArray[np.int64], m_ub: int) -> Packing:
    """Pack users, given by non-increasing count; counts: shape (L,), each at least 1.

    Ties between equally full arrays go to the least index. O(L log L): open arrays are kept by
    how full they are, and users who fill an array alone never look for one.

    Source: P3 Alg. 2.
    """
    taken = np.minimum(counts, m_ub)
    alone = int(np.searchsorted(-taken, -m_ub, side="right"))
    array = np.arange(counts.size, dtype=np.int64)
    sizes = [m_ub] * alone
    open_arrays: dict[int, list[int]] = {}
    levels: list[int] = []
    for user, records in enumerate(taken[alone:].tolist(), start=alone):
        place = bisect.bisect_right(levels, m_ub - records) - 1
        if place >= 0:
            level = levels[place]
            index = heapq.heappop(open_arrays[level])
            if not open_arrays[level]:
                del open_arrays[level], levels[place]
        else:
            level, index = 0, len(sizes)
            sizes.append(0)
        sizes[index] = level + records
        array[user] = index
        if sizes[index] < m_ub:
            if sizes[index] not in open_arrays:
                open_arrays[sizes[index]] = []
                bisect.insort(levels, sizes[index])
            heapq.heappush(open_arrays[sizes[index]], index)
    return Packing(array=array, taken=taken, sizes=np.array(sizes, np.int64))
