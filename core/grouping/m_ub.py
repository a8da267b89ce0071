"""Rules for m_UB, the most records that one user may give (SPEC 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MEDIAN = "median"


def median_rule(counts: NDArray[np.int64]) -> int:
    """Rule (a): the ceil(L/2)-th largest count. counts: shape (L,), non-increasing. Source: P1."""
    return int(counts[(counts.size + 1) // 2 - 1])


def resolve_m_ub(rule: str | int, counts: NDArray[np.int64]) -> int:
    """m_UB by a named rule, or a given integer cut to [1, m*] (rule (e))."""
    if isinstance(rule, str):
        return median_rule(counts)
    return max(1, min(rule, int(counts[0])))
