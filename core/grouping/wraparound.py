"""WrapAround: records are laid out one after the other and cut into full arrays (P3 Alg. 1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.grouping.assignment import Assignment


def wraparound(counts: NDArray[np.int64], m_ub: int) -> Assignment:
    """Pack users, given by non-increasing count; counts: shape (L,), each at least 1; m_ub <= m*.

    A user's records may straddle two arrays, no more, as nobody gives more than m_UB. Only full
    arrays count: `K = floor(sum Gamma / m_UB)`, at least 1.

    Source: P3 Alg. 1.
    """
    retained = np.minimum(counts, m_ub)
    end = np.cumsum(retained)
    begin = end - retained
    arrays = int(end[-1]) // m_ub
    cut = (begin // m_ub + 1) * m_ub
    straddles = end > cut
    head = np.minimum(end, cut) - begin
    everyone = np.arange(counts.size)
    user = np.concatenate((everyone, everyone[straddles]))
    first = np.concatenate((np.zeros(counts.size, np.int64), head[straddles]))
    taken = np.concatenate((head, (retained - head)[straddles]))
    array = np.concatenate((begin // m_ub, cut[straddles] // m_ub))
    full = array < arrays
    order = np.lexsort((first[full], user[full]))
    return Assignment(
        user=user[full][order],
        first=first[full][order],
        taken=taken[full][order],
        array=array[full][order],
        sizes=np.full(arrays, m_ub, np.int64),
        touched=2,
    )
