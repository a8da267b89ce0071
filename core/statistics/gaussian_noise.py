"""Gaussian noise of one HAT that is drawn alone: rho in place of epsilon (method 7.5).

Numbers of a HAT are one vector that a user moves by a known distance in L2; one draw of the discrete Gaussian
pays for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal

from core.accounting.epsilon_rounding import plain
from core.arrays import Ints
from core.mechanisms.tokens import GAUSS
from core.noise.source import NoiseSource
from core.statistics.base import MadeBy

RHO_OF_HATS = "rho_of_a_hat"
"""Detail of a query with Gaussian noise in each HAT: the least and the most that one costs a user."""
COUNT_UNIT = 1 << 20
"""What 1 is of a count that gets Gaussian noise: next to nothing is lost where the root in a sensitivity is
rounded up, and sums of noises are normal for all that anyone can tell."""
EXCHANGED = 2
"""A count that leaves one bin for another moves two numbers of its histogram: a squared distance of 2."""


def root_above(square: int) -> int:
    """The least integer whose square is at least `square`, which is above 0."""
    return math.isqrt(square - 1) + 1


def deviation_of(sensitivity: float, rho: Decimal) -> float:
    """Standard deviation of the noise on each number of a vector, in the unit of the sensitivity."""
    return sensitivity / math.sqrt(2.0 * float(rho))


def noisy_numbers(noise: NoiseSource, exact: Ints, sensitivity: int, rho: Decimal) -> Ints:
    """One vector with one payment, shape (n,) as that of `exact`; sensitivity: in L2, of all of it."""
    drawn: Ints = noise.gaussian_vector(exact, sensitivity, spend=rho).reshape(-1, exact.size)[0]
    return drawn


def gaussian_facts(rhos: Iterable[Decimal]) -> dict[str, MadeBy]:
    """What is stated of the noise, from the rho of every HAT; nothing where it is Laplace's."""
    spent = sorted(rhos)
    if not any(spent):
        return {}
    ends = dict.fromkeys((spent[0], spent[-1]))
    return {"noise": GAUSS, RHO_OF_HATS: " to ".join(map(plain, ends))}
