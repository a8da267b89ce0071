"""Worst cases of the mean and the population variance when records are retained or changed (method 7).

Everywhere `upper` is U in any one unit, and results are in that unit (mean) or its square
(variance); n = sum of the Gamma_l records retained of every user, k = the largest Gamma_l, and
`records` = M, the records of all users, retained or not. Source: P4, user suppression.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.fixed_point import THOUSAND

_STATISTICS = 2
"""Mean and variance share a HAT's budget equally, so that each is drawn with half of it."""


def mean_sensitivity(upper: int, n: int, k: int) -> Fraction:
    """The most that the retained values of one user move the mean: U k / n, with 1 <= k <= n."""
    return upper * Fraction(k, n)


def variance_sensitivity(upper: int, n: int, k: int) -> Fraction:
    """The most that the retained values of one user move the variance, with 1 <= k <= n.

    A user of fewer than half of the records turns a constant set into two clusters of its size
    and the rest; a user of half or more reaches the most spread set there is.
    """
    if n > 2 * k:
        return upper**2 * Fraction(k * (n - k), n**2)
    return largest_variance(upper, n)


def mean_bias(upper: int, n: int, records: int) -> Fraction:
    """The most that the mean of n retained records is off that of all: U (1 - n / M), 1 <= n <= M."""
    return upper * (1 - Fraction(n, records))


def variance_bias(upper: int, n: int, records: int) -> Fraction:
    """The most that the variance of n retained records is off that of all, 1 <= n <= M.

    Differs: P4 has the two cases below the other way round, which counterexamples refute.
    """
    if records < 2 * n:
        return upper**2 * Fraction(n * (records - n), records**2)
    return largest_variance(upper, records)


def largest_variance(upper: int, count: int) -> Fraction:
    """The largest population variance of `count` values in [0, U]: half of them at either end."""
    return upper**2 * Fraction((count // 2) * (count - count // 2), count**2)


def hat_error(upper_kmh: float, n: int, k: int, records: int, epsilon: Decimal) -> float:
    """Worst-case bias plus expected absolute noise of mean and variance, in km/h.

    Errors of the variance are divided by U. Each statistic gets half of `epsilon`.
    """
    bias = mean_bias(1, n, records) + variance_bias(1, n, records)
    noise = _STATISTICS * (mean_sensitivity(1, n, k) + variance_sensitivity(1, n, k)) / Fraction(epsilon)
    return upper_kmh * float(bias + noise)


def hat_errors(
    upper_kmh: float,
    retained: NDArray[np.int64],
    largest: NDArray[np.int64],
    records: NDArray[np.int64],
    epsilon: NDArray[np.float64] | float,
) -> NDArray[np.float64]:
    """`hat_error` of many HATs: retained = n, largest = k, records = M, all of shapes that broadcast."""
    n, k, m = (array.astype(np.float64) for array in (retained, largest, records))
    user, dropped = k / n, 1.0 - n / m
    sensitivity = np.where(n > 2.0 * k, user * (1.0 - user), _largest_variances(n))
    bias = np.where(m < 2.0 * n, (n / m) * dropped, _largest_variances(m))
    errors: NDArray[np.float64] = upper_kmh * (dropped + bias + _STATISTICS * (user + sensitivity) / epsilon)
    return errors


def _largest_variances(count: NDArray[np.float64]) -> NDArray[np.float64]:
    """`largest_variance` for U = 1; counts are whole and below 2^53, so that parity is exact."""
    return 0.25 * (1.0 - np.mod(count, 2.0) / count**2)


def mean_errors(
    upper_kmh: float,
    retained: NDArray[np.int64],
    largest: NDArray[np.int64],
    records: NDArray[np.int64],
    epsilon: NDArray[np.float64] | float,
) -> NDArray[np.float64]:
    """Worst-case bias plus expected absolute noise of the mean alone, km/h; arguments as `hat_errors`.

    For Array-Averaging it is the error that its papers minimise. Source: P4 (E for a fixed m), P3 Sec. III.
    """
    n, k, m = (array.astype(np.float64) for array in (retained, largest, records))
    errors: NDArray[np.float64] = upper_kmh * (1.0 - n / m + k / n / epsilon)
    return errors


def constant_mean_error(upper_kmh: float) -> float:
    """Error of publishing U / 2 whatever the data are, km/h."""
    return upper_kmh / 2.0


def constant_error(upper_kmh: float) -> float:
    """Error of publishing U / 2 and U^2 / 8 whatever the data are, in km/h; the variance's over U."""
    return constant_mean_error(upper_kmh) + upper_kmh / 8.0


def largest_error(upper_kmh: float) -> float:
    """What mean and variance can miss at most, both being clamped: U, and U^2 / 4 over U, in km/h."""
    return upper_kmh + upper_kmh / 4.0


def feasible_pair(mean: int, variance: int, upper: int) -> tuple[int, int]:
    """Make a noisy mean and variance a pair that values in [0, U] can have.

    mean, upper: thousandths of km/h; variance: thousandths of km2/h2. Clamps the mean to [0, U],
    then the variance to [0, mean (U - mean)], which is at most U^2 / 4. The variance gives way, as its
    noise takes up more of its range, and the mean is read without it. Nothing but the two noisy
    numbers decides, so that this costs no budget.
    """
    mean = min(max(mean, 0), upper)
    return mean, min(max(variance, 0), mean * (upper - mean) // THOUSAND)
