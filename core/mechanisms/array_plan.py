"""What all mechanisms on arrays share: grouping, m_UB, and the plan that follows (method 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from core.arrays import Floats, Ints
from core.contributions import HatUsers
from core.fixed_point import FINE, fine_ceil
from core.grouping.assignment import Assignment, assignment_bias
from core.grouping.groupings import GROUPINGS
from core.grouping.m_ub import EPSILON_RULES, resolve_m_ub
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import NOISE, Plan
from core.mechanisms.public_model import Bias, weights_bias


class Packed(NamedTuple):
    """What follows from counts, U and the parameters, whatever the epsilon."""

    m_ub: int
    assignment: Assignment
    bias: float
    """km/h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayPlan(Plan):
    """A plan of a mechanism on arrays."""

    m_ub: int = field()  # or else the property that it takes the place of would be its default
    """The most records that one user gives."""
    assignment: Assignment

    @property
    def arrays(self) -> int:
        return self.assignment.arrays

    def user_weights(self) -> Floats:
        """v_l: what the mean of array means weighs each user with; shape (L,), summing to 1."""
        placed = self.assignment
        each = placed.taken / (placed.sizes[placed.array] * placed.arrays)
        return np.bincount(placed.user, each, minlength=self.users).astype(np.float64)

    def retained_records(self) -> Ints:
        """r_l: the records of each user that are in an array; shape (L,)."""
        placed = self.assignment
        return np.bincount(placed.user, placed.taken, minlength=self.users).astype(np.int64)


def plan_arrays(
    mechanism: str,
    users: HatUsers,
    epsilon: Decimal,
    upper_bound: int,
    cache: PlanCache,
    *,
    grouping: str,
    m_ub: str | int,
) -> ArrayPlan:
    """The plan of a plain mean of array means; mechanisms that project narrow it.

    One user moves the sum of array means by at most U. BestFit: the user is in one array, whose mean
    stays in [0, U], and rounding is monotone: `fine_ceil(U)`. WrapAround: the user's records in two
    full arrays of m_UB are at most m_UB, so that both means together move by at most U; each of the
    two rounded means adds at most one unit.

    users: who stays; the bias is against the mean of everyone's records. cache: where the grouping is found
    again for another epsilon.

    Source: P3 Sec. III-B. Differs: the paper has 2U/K for WrapAround, twice too large.
    """
    counts = users.counts
    rule = resolve_m_ub(m_ub, counts, epsilon) if m_ub in EPSILON_RULES else m_ub

    group = GROUPINGS[grouping]

    def pack() -> Packed:
        resolved = resolve_m_ub(rule, counts, epsilon)
        assignment = group(counts, resolved)
        return Packed(resolved, assignment, assignment_bias(assignment, users.all_records, upper_bound))

    asked = (group, rule, upper_bound, users.all_records)
    resolved, assignment, bias = cache.get("arrays", counts, asked, pack)
    rounding = 0 if assignment.touched == 1 else assignment.touched
    return ArrayPlan(
        mechanism=mechanism,
        epsilon=epsilon,
        upper_bound=upper_bound,
        users=counts.size,
        records=users.records,
        sensitivity=fine_ceil(upper_bound) + rounding,
        divisor=FINE * assignment.arrays,
        bias_bound=bias,
        budget_shares=((NOISE, epsilon),),
        m_ub=resolved,
        assignment=assignment,
    )


def array_bias(plan: ArrayPlan, users: HatUsers) -> Bias:
    """Modelled bias of a plain mean of array means: arrays weigh users otherwise than records do."""
    return weights_bias(users, plan.user_weights(), plan.upper_kmh, retained=plan.retained_records())
