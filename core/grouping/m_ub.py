"""Rules (a) to (e) for m_UB, the most records that one user may give (method 6).

`counts` is m_l of every user, shape (L,), non-increasing, each at least 1. Ties go to the smaller m.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

MEDIAN = "median"
SQRT = "sqrt"
OPTIMAL = "optimal"
OPTIMAL_LAPLACE = "optimal-p4"
SIMPLIFIED = "simplified"
ALL_RECORDS = "all"

_FIRST = np.zeros(1, np.int64)
_CLOSE = 1e-12
"""Errors of rule (c) for m_UB this near are equal: far above the rounding of its floats."""


def median_rule(counts: Counts, _: Decimal) -> int:
    """Rule (a): the ceil(L/2)-th largest count. Source: P1 Sec. III-C."""
    return int(counts[(counts.size + 1) // 2 - 1])


def sqrt_rule(counts: Counts, _: Decimal) -> int:
    """Rule (b): argmax over m of `sum min(m_l, m) / sqrt(m)`; some count is the maximiser.

    Compared as exact integers, `retained^2 / m`, so that ties are ties. Source: P1 eq. 1.
    """
    candidates, retained = (column.tolist() for column in retained_at_counts(counts))
    best, best_retained = candidates[0], retained[0]
    for candidate, ours in zip(candidates, retained, strict=True):
        if ours * ours * best > best_retained * best_retained * candidate:
            best, best_retained = candidate, ours
    return int(best)


def optimal_rule(counts: Counts, epsilon: Decimal, factor: float = math.sqrt(2.0)) -> int:
    """Rule (c): argmin over m of `(1 - n / M) + factor m / (eps n)`, n retained; some count is the minimiser.

    The bound U is a common factor of both parts and drops out. Source: P2 eq. 4 (factor sqrt 2; P4
    has 1, the expected absolute value of Laplace noise).
    """
    candidates, retained = retained_at_counts(counts)
    records = int(counts.sum())
    noise = Fraction(factor) / Fraction(epsilon)
    error = 1.0 - retained / records + float(noise) * candidates / retained
    # floats find the few candidates that may be the least, exact fractions tell them apart
    close = error <= error.min() * (1.0 + _CLOSE) + _CLOSE
    pairs: list[tuple[int, int]] = list(
        zip(candidates[close].tolist(), retained[close].tolist(), strict=True)
    )
    return min(pairs, key=lambda pair: (noise * Fraction(*pair) - Fraction(pair[1], records), pair[0]))[0]


def optimal_laplace_rule(counts: Counts, epsilon: Decimal) -> int:
    """Rule (c) with factor 1. Source: P4."""
    return optimal_rule(counts, epsilon, factor=1.0)


def simplified_rule(counts: Counts, _: Decimal) -> int:
    """Rule (d): argmin of `1 - n / M + max(m, mean) / m*`, n records retained, in exact fractions.

    Over the reals `max(mean, m_(floor(q) + 1))` with `q = M / m*`; a fraction is replaced by the
    better of floor and ceiling.

    Source: P2 eq. 5. Differs: the paper's "otherwise a boundary point" is wrong.
    """
    records, most = int(counts.sum()), int(counts[0])
    rank = records // most + 1
    tail = int(counts[rank - 1]) if rank <= counts.size else 0
    best = max(Fraction(records, counts.size), Fraction(tail))
    return min((math.floor(best), math.ceil(best)), key=lambda m: (_simplified_error(counts, m), m))


def all_records_rule(counts: Counts, _: Decimal) -> int:
    """Rule (f): m*, so that every record counts."""
    return int(counts[0])


def _simplified_error(counts: Counts, m: int) -> Fraction:
    records = int(counts.sum())
    retained = int(np.minimum(counts, m).sum())
    mean = Fraction(records, counts.size)
    return 1 - Fraction(retained, records) + max(Fraction(m), mean) / int(counts[0])


def retained_at_counts(counts: Counts) -> tuple[Counts, Counts]:
    """The different counts in increasing order, and `sum min(m_l, m)` at each."""
    ascending = counts[::-1]
    first = run_starts(ascending)
    candidates = ascending[first]
    below = np.concatenate(([0], np.cumsum(ascending)))[first]
    retained: Counts = below + candidates * (counts.size - first)
    return candidates, retained


def run_starts(ordered: Counts) -> NDArray[np.int64]:
    """Where each run of equal counts begins; ordered: shape (L,), L >= 1, falling or rising."""
    starts = np.flatnonzero(ordered[1:] != ordered[:-1])
    starts += 1
    return np.concatenate((_FIRST, starts))


RULES: dict[str, Callable[[Counts, Decimal], int]] = {
    MEDIAN: median_rule,
    SQRT: sqrt_rule,
    OPTIMAL: optimal_rule,
    OPTIMAL_LAPLACE: optimal_laplace_rule,
    SIMPLIFIED: simplified_rule,
    ALL_RECORDS: all_records_rule,
}
RULE_TITLES = {
    MEDIAN: "the median",
    SQRT: "by square root (sqrt)",
    OPTIMAL: "least error (optimal)",
    OPTIMAL_LAPLACE: "least error (optimal-p4)",
    SIMPLIFIED: "a simpler rule",
    ALL_RECORDS: "all records",
}
"""How lists call a rule: its key alone would not be understood, and stays as it is in every language."""
EPSILON_RULES = frozenset({OPTIMAL, OPTIMAL_LAPLACE})
"""Rules that ask for epsilon; the others look at counts only."""


def beyond_m_star(rule: str | int, counts: Counts) -> bool:
    """A given integer that is larger than m*: m* is taken in its place (rule (e))."""
    return not isinstance(rule, str) and rule > int(counts[0])


def resolve_m_ub(rule: str | int, counts: Counts, epsilon: Decimal) -> int:
    """m_UB by a named rule, or a given integer cut to [1, m*] (rule (e))."""
    if isinstance(rule, str):
        return RULES[rule](counts, epsilon)
    return max(1, min(rule, int(counts[0])))
