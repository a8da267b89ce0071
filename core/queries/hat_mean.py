"""The mean of every selected HAT: planned from public counts, then drawn (SPEC 6, 7)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.accounting.budgets import Budget, hat_epsilon
from core.accounting.compose import charge_of, to_steps
from core.contributions import Contributions, UserTable
from core.errors import InputError
from core.hats.cells import cell_text
from core.hats.slots import hat_id
from core.mechanisms.base import Draw, Mechanism, Plan
from core.noise.source import NoiseSource
from core.privacy import Allowance, Charge
from core.progress import Progress, silent
from core.selection.base import Selection
from core.values import THOUSAND

LN_20 = float(np.log(20.0))
"""A Laplace variable of scale b stays within b ln 20 with probability 0.95."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedHat:
    """One selected HAT; `plan` is None where it is suppressed."""

    cell: int
    slot: int
    slot_minutes: int
    index: int
    """Number in the contributions, -1 where there are no records."""
    plan: Plan | None

    @property
    def cell_text(self) -> str:
        return cell_text(self.cell)

    @property
    def name(self) -> str:
        """The id text of the HAT."""
        return hat_id(self.slot, self.slot_minutes, self.cell_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanPlan:
    """A whole query before any noise: what it will cost and how exact it will be."""

    query_id: str
    mechanism: Mechanism
    budget: Budget
    hats: tuple[PlannedHat, ...]
    charge: Charge

    @property
    def published(self) -> tuple[PlannedHat, ...]:
        return tuple(hat for hat in self.hats if hat.plan)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plans of the published HATs."""
        return tuple(hat.plan for hat in self.hats if hat.plan)

    @property
    def allowances(self) -> tuple[Allowance, ...]:
        """What each HAT's noise may spend."""
        return tuple(
            Allowance(scope=self.scope(hat), epsilon=hat.plan.epsilon) for hat in self.hats if hat.plan
        )

    def scope(self, hat: PlannedHat) -> str:
        """The name of a HAT's noise scope."""
        return f"{self.query_id} {hat.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnHat:
    """A published value and its noise interval, thousandths of km/h."""

    mean: int
    low: int
    high: int
    bias_bound: int


class Scopes(Protocol):
    """Hands out the noise of each scope."""

    def scope(self, name: str) -> NoiseSource: ...


def distinct_vehicles(contributions: Contributions) -> NDArray[np.int64]:
    """Shape (G,): different vehicles in each HAT over the whole window."""
    pairs = np.unique(contributions.hat.astype(np.int64) << 32 | contributions.vehicle)
    return np.bincount(pairs >> 32, minlength=contributions.hats)


def plan_means(
    contributions: Contributions,
    users: UserTable,
    selection: Selection,
    *,
    query_id: str,
    mechanism: Mechanism,
    params: Any,
    budget: Budget,
    minimum_vehicles: int,
    progress: Progress = silent,
) -> MeanPlan:
    """Plan every selected HAT from public counts.

    A HAT without records, or with fewer than `minimum_vehicles` vehicles, is suppressed and costs
    nothing. Raises InputError when every HAT is.
    """
    enough = distinct_vehicles(contributions) >= minimum_vehicles
    published = np.zeros(contributions.hats, bool)
    published[selection.index[selection.index >= 0]] = True
    published &= enough
    if not published.any():
        raise InputError(
            f"Every selected HAT has fewer than {minimum_vehicles} vehicles.",
            where="selection.minimum_vehicles",
            mend="choose a coarser resolution or a longer slot, or select other HATs",
        )
    epsilon = hat_epsilon(budget, contributions, published, users.unit)
    hats = []
    for number, (cell, slot, index) in enumerate(
        zip(selection.cell.tolist(), selection.slot.tolist(), selection.index.tolist(), strict=True)
    ):
        plan = None
        if index >= 0 and published[index]:
            plan = mechanism.plan(users.hat_counts(index), epsilon, users.upper_bound, params)
        hats.append(
            PlannedHat(
                cell=cell, slot=slot, slot_minutes=contributions.window.slot_minutes, index=index, plan=plan
            )
        )
        progress((number + 1) / len(selection), "Planning")
    return MeanPlan(
        query_id=query_id,
        mechanism=mechanism,
        budget=budget,
        hats=tuple(hats),
        charge=charge_of(contributions, np.where(published, to_steps(epsilon), 0), users.unit),
    )


def draw_means(plan: MeanPlan, users: UserTable, noise: Scopes) -> tuple[DrawnHat | None, ...]:
    """Draw every published HAT, in the order of `plan.hats`; None where one is suppressed."""
    return tuple(
        _drawn(
            hat.plan,
            plan.mechanism.run(hat.plan, users.hat_data(hat.index), noise.scope(plan.scope(hat))),
        )
        if hat.plan
        else None
        for hat in plan.hats
    )


def _drawn(plan: Plan, draw: Draw) -> DrawnHat:
    """The value with its 95 % interval of the noise, cut to [0, U] (SPEC 14)."""
    mean = int(draw.estimates[0])
    half_width = math.ceil(float(draw.noise_scale[0]) * LN_20 * THOUSAND)
    return DrawnHat(
        mean=mean,
        low=max(0, mean - half_width),
        high=min(plan.upper_bound, mean + half_width),
        bias_bound=math.ceil(plan.bias_bound * THOUSAND),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedErrors:
    """Expected error over the published HATs, km/h: noise plus worst-case bias (SPEC 10)."""

    median: float
    worst: float


def expected_errors(plans: tuple[Plan, ...]) -> ExpectedErrors:
    """Median and largest expected error; plans must not be empty."""
    errors = np.array([plan.expected_error for plan in plans])
    return ExpectedErrors(median=float(np.median(errors)), worst=float(errors.max()))


def largest_noise_scale(plans: tuple[Plan, ...]) -> Decimal:
    """The largest Laplace scale, km/h, to six decimals."""
    return Decimal(f"{max(plan.noise_scale for plan in plans):.6f}")


def largest_sensitivity(plans: tuple[Plan, ...]) -> Decimal:
    """The largest sensitivity, km/h, to six decimals."""
    return Decimal(f"{max(plan.sensitivity_kmh for plan in plans):.6f}")
