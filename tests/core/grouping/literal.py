"""P3 Algorithms 1 and 2, line by line: lists of records (user, number), O(L^2)."""

from __future__ import annotations

Array = list[tuple[int, int]]


def wraparound_as_printed(sizes: list[int], m_ub: int) -> list[Array]:
    """P3 Algorithm 1: the first K arrays."""
    k = sum(min(count, m_ub) for count in sizes) // m_ub
    arrays: list[Array] = [[] for _ in range(len(sizes) + 1)]
    t = 0
    for user, count in enumerate(sizes):
        r = min(count, m_ub)
        w = len(arrays[t])
        if m_ub - w >= r:
            arrays[t] += [(user, record) for record in range(r)]
        else:
            arrays[t] += [(user, record) for record in range(m_ub - w)]
            t += 1
            arrays[t] += [(user, record) for record in range(m_ub - w, r)]
    return arrays[:k]


def bestfit_as_printed(sizes: list[int], m_ub: int) -> list[Array]:
    """P3 Algorithm 2: one empty array for each user at first, the non-empty ones at last."""
    arrays: list[Array] = [[] for _ in sizes]
    for user, count in enumerate(sizes):
        r = min(count, m_ub)
        room = [index for index, array in enumerate(arrays) if m_ub - len(array) >= r]
        fullest = max(len(arrays[index]) for index in room)
        j = next(index for index in room if len(arrays[index]) == fullest)
        arrays[j] += [(user, record) for record in range(r)]
    return [array for array in arrays if array]


def as_printed(grouping: str, sizes: list[int], m_ub: int) -> list[Array]:
    """The arrays of either algorithm."""
    return {"wraparound": wraparound_as_printed, "bestfit": bestfit_as_printed}[grouping](sizes, m_ub)
