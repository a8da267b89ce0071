"""Worst-case-optimal bounding: a busy user's values are projected instead of dropped (P5; method 6.9)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

import numpy as np

from core.arrays import Floats, Ints
from core.contributions import HatData, HatUsers
from core.fixed_point import FINE, FINE_BITS, THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE, Draw, Mechanism, Plan, to_draw
from core.mechanisms.model_draws import (
    VALUES,
    drawn_means,
    laplace_error,
    laplace_half_width,
    mean_above,
    new_generator,
)
from core.mechanisms.public_model import RECORD_SPREAD, Accuracy, scaled
from core.noise.source import NoiseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstCaseBoundingParams:
    """Nothing to choose: counts and epsilon say how much is projected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundingPlan(Plan):
    """A plan with the count above which users are projected."""

    cap: int
    """c: the values of a user with more records lie in an interval of width `U c / m_l`. 0: all of them are
    U / 2, so that the estimate says nothing of the data."""

    @property
    def informative(self) -> bool:
        return self.cap > 0


class WorstCaseBounding(Mechanism[WorstCaseBoundingParams, BoundingPlan]):
    """The mean of all values, those of user l projected on `U/2 +- (U/2) min(1, c / m_l)`.

    Sensitivity `U c / sum m_l`. Worst-case bias `(U / sum m_l) sum max(m_l - c, 0) / 2`, half of what
    dropping records costs; with the noise never above U / 2, the error of a constant. No intervals of users
    do better at worst.
    """

    key: ClassVar[str] = "worst-case-bounding"
    title: ClassVar[str] = "Worst-case-optimal bounding"
    reference: ClassVar[str] = "P5"
    summary: ClassVar[str] = "All records count; the values of busy vehicles are drawn towards U / 2."
    Params = WorstCaseBoundingParams

    def plan(
        self,
        users: HatUsers,
        epsilon: Decimal,
        upper_bound: int,
        _: WorstCaseBoundingParams,
        _cache: PlanCache,
    ) -> BoundingPlan:
        """The sensitivity holds in integers of 2^-30 km/h: values of a user stay in its interval.

        With cap 0 there is nothing to protect; noise needs a sensitivity of one unit, and is discarded.
        """
        counts, records = users.counts, users.records
        cap = cap_of(counts, epsilon)
        projected = int(np.maximum(counts - cap, 0).sum())
        return BoundingPlan(
            mechanism=self.key,
            epsilon=epsilon,
            upper_bound=upper_bound,
            users=users.size,
            records=records,
            sensitivity=max(1, _largest_move(counts, cap, upper_bound)),
            divisor=FINE * records,
            bias_bound=upper_bound / THOUSAND * projected / (2 * records),
            budget_shares=((NOISE, epsilon),),
            cap=cap,
        )

    def accuracy(self, plan: BoundingPlan, users: HatUsers, cache: PlanCache) -> Accuracy:
        """A constant's interval is the whole range."""
        asked = (plan.upper_bound, plan.cap, users.other_facts)
        biases = cache.get(
            "bounding biases",
            users.counts,
            asked,
            lambda: modelled_biases(users, plan.cap, plan.upper_kmh),
        )
        if not plan.cap:
            return Accuracy(typical_error=float(np.abs(biases).mean()), half_width=plan.upper_kmh)
        return Accuracy(
            typical_error=laplace_error(plan.noise_scale, biases, plan.upper_kmh),
            half_width=laplace_half_width(plan.noise_scale, biases),
        )

    def run(self, plan: BoundingPlan, hat: HatData, noise: NoiseSource) -> Draw:
        centre = projected_sum(hat, plan.cap)
        noisy = noise.laplace(centre, plan.sensitivity, spend=plan.noise_epsilon)
        return to_draw(noisy if plan.cap else np.full_like(noisy, centre), plan)


def cap_of(counts: Ints, epsilon: Decimal) -> int:
    """c, which minimises `sum max(m_l - c, 0) / 2 + c / epsilon`: the ceil(2 / epsilon)-th largest m_l.

    One more record let through costs `1 / epsilon` in noise and saves half for each user above. 0 where
    there are fewer users: then the constant U / 2 is the best at worst. counts: shape (L,), non-increasing.
    """
    rank = math.ceil(2 / Fraction(epsilon))
    return int(counts[rank - 1]) if rank <= counts.size else 0


def interval_of(count: int, cap: int, upper_bound: int) -> tuple[int, int]:
    """Both ends of the interval of a user with so many records, rounded towards U / 2.

    upper_bound: U in thousandths of km/h; ends in integers of 2^-30 km/h. An interval that holds no such
    integer is the one above U / 2.
    """
    passed = min(cap, count)
    scale, parts = upper_bound << FINE_BITS, 2 * count * THOUSAND
    low = -(-scale * (count - passed) // parts)
    return low, max(low, scale * (count + passed) // parts)


def _intervals(counts: Ints, cap: int, upper_bound: int) -> tuple[Ints, Ints]:
    """`interval_of` each count, as two arrays of shape (L,)."""
    different, users = np.unique(counts, return_inverse=True)
    ends = [interval_of(count, cap, upper_bound) for count in different.tolist()]
    low, high = np.array(ends, np.int64).T
    return low[users], high[users]


def _largest_move(counts: Ints, cap: int, upper_bound: int) -> int:
    """The most that one user moves the sum: `max m_l (high_l - low_l)`, as every value stays in between."""
    low, high = _intervals(counts, cap, upper_bound)
    return int((counts * (high - low)).max())


def modelled_biases(users: HatUsers, cap: int, upper_kmh: float) -> Floats:
    """What projection adds to the mean, in draws of the public model; shape (DRAWS,), km/h.

    A vehicle's records are normal around its mean, and those beyond an end of its interval move there.
    """
    busy = np.flatnonzero(users.counts > cap)
    reach = upper_kmh / 2.0 * cap / users.counts[busy]
    spread = scaled(RECORD_SPREAD, upper_kmh)
    rng, biases = new_generator(VALUES), []
    for everyone in drawn_means(users, upper_kmh, users.size, rng):
        means = everyone[:, busy]
        ends = (means - (upper_kmh / 2.0 + side * reach) for side in (-1.0, 1.0))
        above_low, above_high = (spread * mean_above(end / spread) for end in ends)
        projected = upper_kmh / 2.0 - reach + above_low - above_high
        biases.append((projected - means) @ users.shares[busy])
    return np.concatenate(biases)


def projected_sum(hat: HatData, cap: int) -> int:
    """Sum of all values, each rounded to an integer of 2^-30 km/h and projected on its user's interval."""
    owner = np.repeat(np.arange(hat.counts.size), hat.counts)
    first = np.cumsum(hat.counts) - hat.counts
    place = np.arange(owner.size) + (hat.starts - first)[owner]
    fine = ((hat.values[place].astype(np.int64) << FINE_BITS) + THOUSAND // 2) // THOUSAND
    low, high = _intervals(hat.counts, cap, hat.upper_bound)
    return int(np.clip(fine, low[owner], high[owner]).sum())


MECHANISM = WorstCaseBounding()
