"""What one unit moves all candidate HATs by, and how far the noise for it reaches (method 12.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import plain
from core.accounting.zcdp import RHO_STEP
from core.arrays import Ints
from core.bounding.constants import BoundingConstants
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.noise.source import NoiseSource
from core.statistics.gaussian_noise import COUNT_UNIT, root_above

_LN_40 = math.log(40.0)
"""A Laplace variable of scale b stays within b ln 40 with probability 0.975."""
_NORMAL_975 = 2.241403
"""Gaussian noise of a HAT stays within so many standard deviations with probability 0.975."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryBound:
    """The most entries of one unit: in so many HATs, and in each of them."""

    hats: int
    each: int = 1

    @property
    def entries(self) -> int:
        return self.hats * self.each

    def sensitivity(self, largest: int, noise: NoiseKind, numbers: int = 1) -> int:
        """The most that adding or removing a unit moves the vector of HATs, in the norm of the noise.

        largest: of what one entry adds to one number, either way; numbers: of its HAT that it adds to. L1:
        every entry as large as can be. L2: the root of the sum of squares over all numbers, rounded up.
        """
        if noise.squared:
            return root_above(self.hats * numbers * (self.each * largest) ** 2)
        return self.entries * numbers * largest


def entry_bound(constants: BoundingConstants, *, by_day: bool) -> EntryBound:
    """by_day: whether each day of a unit in a HAT is a separate entry."""
    return EntryBound(hats=constants.hats, each=constants.days if by_day else 1)


def entry_unit(noise: NoiseKind) -> int:
    """What one entry adds to a count that gets noise: 1, or 2^20 where a sensitivity is a rounded root."""
    return COUNT_UNIT if noise.squared else 1


def noisy_vector(
    source: NoiseSource, noise: NoiseKind, centres: Ints, sensitivity: int, spend: Decimal
) -> Ints:
    """One exact vector with one payment: epsilon (Laplace) or rho (Gaussian); shape of the centres."""
    buy = source.gaussian_vector if noise.squared else source.laplace_vector
    drawn: Ints = buy(centres, sensitivity, spend=spend).reshape(-1, centres.size)[0]
    return drawn


def vector_scale(noise: NoiseKind, sensitivity: int, spend: Decimal) -> float:
    """Scale (Gaussian: standard deviation) of the noise on each number of such a vector."""
    return sensitivity / (math.sqrt(2.0 * float(spend)) if noise.squared else float(spend))


def reach_975(noise: NoiseKind, scale: float) -> float:
    """What noise of this scale stays within with probability 0.975."""
    return scale * (_NORMAL_975 if noise.squared else _LN_40)


def halves(spend: Decimal, noise: NoiseKind) -> tuple[Decimal, Decimal]:
    """Both halves of a budget in its smallest units, the first perhaps one of them larger; exact in sum.

    Raises InputError where there are no two of them.
    """
    unit = RHO_STEP if noise.squared else EPSILON_STEP
    units = int(spend / unit)
    if units < 2:
        raise InputError(
            "A budget of {spend} cannot be halved.", spend=plain(spend), where="query.total", mend="raise it"
        )
    second = units // 2 * unit
    return spend - second, second
