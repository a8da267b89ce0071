"""What a plan of 1 to 1,000 like releases will have cost by its end, against the limits (method 13.7)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.ledger_report import PopulationSummary
from core.accounting.privacy_loss import PrivacyLoss, loss_of, sum_of
from core.errors import InputError
from core.privacy import Charge, Unit

MOST_PLANNED = 1000
"""Releases that a plan of like ones may ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPlan:
    """Of releases that cost the same, each of separate dates. Amounts are epsilon per vehicle."""

    count: int
    cost: Decimal
    """Of the releases alone."""
    spent: Decimal
    """Before them."""
    total: Decimal
    """Of both; where rho is in it, less than their sum."""
    limit: Decimal | None
    """None: the population has none yet, and releases nothing."""
    fits: int
    """How many of them the limits allow."""
    stopped_by_day: bool
    """Already the first exceeds a limit per vehicle and day."""

    @property
    def holds(self) -> bool:
        """All of them fit."""
        return self.fits == self.count


def plan_series(population: PopulationSummary, charge: Charge, count: int) -> SeriesPlan:
    """What `count` further releases of this charge come to. Raises InputError for a count out of range."""
    if not 1 <= count <= MOST_PLANNED:
        raise InputError(
            "A plan takes 1 to {most_planned} releases.",
            most_planned=MOST_PLANNED,
            where="count",
            mend="write for instance 12",
        )
    own, delta = loss_of(charge, Unit.VEHICLE), population.shared_delta

    def together(releases: int) -> PrivacyLoss:
        return sum_of([population.loss, *[own] * releases])

    def too_many(releases: int) -> bool:
        loss = together(releases)
        return any(loss.epsilon_at(policy.delta) > policy.per_vehicle for policy in population.policies)

    stopped_by_day = any(
        policy.per_vehicle_day is not None
        and loss_of(charge, Unit.VEHICLE_DAY).epsilon_at(policy.delta) > policy.per_vehicle_day
        for policy in population.policies
    )
    none = stopped_by_day or not population.policies or population.per_vehicle is None
    fits = 0 if none else max(bisect_left(range(count + 1), True, key=too_many) - 1, 0)
    return SeriesPlan(
        count=count,
        cost=sum_of([own] * count).epsilon_at(delta),
        spent=population.spent,
        total=together(count).epsilon_at(delta),
        limit=population.per_vehicle,
        fits=fits,
        stopped_by_day=stopped_by_day,
    )
