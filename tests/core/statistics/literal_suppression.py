"""User suppression as method 7 words it: one user, one HAT and one error at a time."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import numpy as np

from core.arrays import Floats, Ints
from core.grouping.m_ub import resolve_m_ub
from core.statistics.suppression import Occupancy

Error = Callable[[int, int, int, float], float]
UPPER = 65.0
CAP = UPPER / 2 + UPPER / 8


def mean_and_variance_error(retained: int, largest: int, records: int, epsilon: float) -> float:
    """Bias and noise of the mean and, divided by U, of the variance; half the epsilon each (method 7)."""
    noise, quarter = 2.0 / epsilon, UPPER * UPPER / 4.0
    mean = UPPER * (1.0 - retained / records) + UPPER * largest / retained * noise
    if retained > 2 * largest:
        spread = UPPER * UPPER * largest * (retained - largest) / (retained * retained)
    else:
        spread = quarter if retained % 2 == 0 else quarter * (1.0 - 1.0 / (retained * retained))
    if retained == records:
        bias = 0.0
    elif records < 2 * retained:
        bias = UPPER * UPPER * retained * (records - retained) / (records * records)
    else:
        bias = quarter if records % 2 == 0 else quarter * (1.0 - 1.0 / (records * records))
    return mean + (bias + spread * noise) / UPPER


def array_errors(retained: Ints, largest: Ints, records: Ints, epsilon: Floats) -> Floats:
    """The same for arrays, operation by operation, so that the results are equal to the last bit."""
    noise, quarter = 2.0 / epsilon, UPPER * UPPER / 4.0
    mean = UPPER * (1.0 - retained / records) + UPPER * largest / retained * noise
    odd_kept, odd_all = (
        quarter * (1.0 - 1.0 / (retained * retained)),
        quarter * (1.0 - 1.0 / (records * records)),
    )
    inner = UPPER * UPPER * largest * (retained - largest) / (retained * retained)
    spread = np.where(retained > 2 * largest, inner, np.where(retained % 2 == 0, quarter, odd_kept))
    part = UPPER * UPPER * retained * (records - retained) / (records * records)
    full = np.where(records % 2 == 0, quarter, odd_all)
    bias = np.where(retained == records, 0.0, np.where(records < 2 * retained, part, full))
    errors: Floats = mean + (bias + spread * noise) / UPPER
    return errors


def random_occupancy(
    rng: np.random.Generator, *, hats: int, users: int, share: float, most: int
) -> Occupancy:
    """Each user in each HAT with probability `share`, at least one user in each; rows in any order."""
    there = rng.random((hats, users)) < share
    there[np.arange(hats), rng.integers(0, users, hats)] = True
    hat, user = np.nonzero(there)
    order = rng.permutation(hat.size)
    return Occupancy(
        hat=hat[order].astype(np.int32),
        user=user[order],
        counts=rng.integers(1, most + 1, hat.size),
        rank=rng.permutation(users),
    )


def literal_suppression(
    occupancy: Occupancy, m_ub: str | int, epsilon: list[Decimal], error: Error, cap: float
) -> tuple[list[bool], int, int, float]:
    """(kept, before, after, threshold)."""
    hat, user = occupancy.hat.tolist(), occupancy.user.tolist()
    counts, rank = occupancy.counts.tolist(), occupancy.rank.tolist()
    rows_of_hat: dict[int, set[int]] = {}
    rows_of_user: dict[int, set[int]] = {}
    for row in range(len(hat)):
        rows_of_hat.setdefault(hat[row], set()).add(row)
        rows_of_user.setdefault(user[row], set()).add(row)
    records = {g: sum(counts[row] for row in rows) for g, rows in rows_of_hat.items()}

    def error_of(g: int, rows: set[int]) -> float:
        sizes = np.array(sorted((counts[row] for row in rows), reverse=True), np.int64)
        m = resolve_m_ub(m_ub, sizes, epsilon[g])
        retained = [min(size, m) for size in sizes.tolist()]
        return error(sum(retained), max(retained), records[g], float(epsilon[g]))

    threshold = min(cap, max(error_of(g, rows) for g, rows in rows_of_hat.items()))
    before = max(len(rows) for rows in rows_of_user.values())
    retained = [True] * len(hat)
    while True:
        most = max(len(rows) for rows in rows_of_user.values())
        turn = sorted(
            (code for code, rows in rows_of_user.items() if len(rows) == most), key=rank.__getitem__
        )
        dropped: list[int] = []
        for code in turn:
            choices = [
                (error_of(hat[row], rows_of_hat[hat[row]] - {row}), hat[row], row)
                for row in rows_of_user[code]
                if len(rows_of_hat[hat[row]]) > 1
            ]
            if not choices or min(choices)[0] > threshold:
                for row in dropped:
                    retained[row] = True
                return retained, before, most, threshold
            row = min(choices)[2]
            retained[row] = False
            dropped.append(row)
            rows_of_hat[hat[row]].remove(row)
            rows_of_user[code].remove(row)
