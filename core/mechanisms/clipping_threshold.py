"""The threshold T of two-step clipping: candidates for it, and how far deviations are modelled to spread.

Source: ours, docs/two-step-clipping.md.
"""

from __future__ import annotations

import math

import numpy as np

from core.arrays import Floats, Ints
from core.fixed_point import FINE_BITS, THOUSAND
from core.mechanisms.water_filling import CountGroups
from core.noise.laplace_normal import erfc_of

_THRESHOLDS = 56
_LOWEST_THRESHOLD = 0.01
_SIGMA = 0.85
"""What a vehicle's weighted deviation is modelled to spread by, as a part of the spread times its weight."""


def largest_move(groups: CountGroups, upper_bound: int) -> int:
    """The most that `w_l (X_l - c)`, rounded to integers of 2^-30 km/h, moves when X_l runs over [0, U].

    Both ends are rounded by at most a half, so that an integer move is at most `floor(U w_l) + 1`
    (two-step-clipping 4.4).
    """
    records = int((groups.counts * groups.users).sum())
    return (int(groups.counts[0]) * upper_bound << FINE_BITS) // (THOUSAND * records) + 1


CLIP_PARTS: Floats = _LOWEST_THRESHOLD ** ((_THRESHOLDS - 1 - np.arange(_THRESHOLDS)) / (_THRESHOLDS - 1))
"""56 geometric T in [0.01, 1] of `U max w`, as parts of it."""


def threshold_bias(groups: CountGroups, upper_kmh: float, spread: float) -> Floats:
    """`sqrt((2 / pi) B2 + B1^2)` for each T, km/h; shape (56,).

    B1 and B2 are what clipping takes away, as a sum and as a sum of squares, if deviations are normal
    with sd `sigma_l = 0.85 s w_l`.
    """
    thresholds = CLIP_PARTS * (upper_kmh * float(groups.shares[0]))
    sigma = _SIGMA * spread * groups.shares
    t = thresholds[:, None] / sigma
    q = erfc_of(t / math.sqrt(2.0)) / 2.0
    phi = np.exp(-(t**2) / 2.0) / math.sqrt(2.0 * math.pi)
    first = (2.0 * sigma * np.maximum(phi - t * q, 0.0)) @ groups.users
    second = (2.0 * sigma**2 * np.maximum((1.0 + t**2) * q - t * phi, 0.0)) @ groups.users
    bias: Floats = np.sqrt(2.0 / math.pi * second + first**2)
    return bias


def best_thresholds(groups: CountGroups, epsilons: Floats, upper_kmh: float, biases: Floats) -> Ints:
    """Which of the thresholds is best for each row of `threshold_bias` and each epsilon of the noise.

    biases: shape (S, 56); epsilons: shape (E,); found: shape (S, E). Minimises `D(T) / eps3` plus the bias;
    ties go to the smallest T.
    """
    noise = threshold_moves(groups, upper_kmh) / epsilons[:, None]
    best: Ints = np.argmin(noise + biases[:, None, :], axis=2)
    return best


def threshold_moves(groups: CountGroups, upper_kmh: float) -> Floats:
    """`D(T) = min(2 T, U max w)` of each T, km/h; shape (56,)."""
    moved: Floats = np.minimum(2.0 * CLIP_PARTS, 1.0) * (upper_kmh * float(groups.shares[0]))
    return moved
