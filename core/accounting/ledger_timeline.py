"""How a population's budget was spent, entry by entry and day by day (method 13.7)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.ledger_report import EntrySummary, PopulationSummary
from core.accounting.privacy_loss import NO_LOSS, loss_of
from core.privacy import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """One entry, and what a vehicle had spent with it. Amounts are epsilon at the shared delta."""

    entry: EntrySummary
    alone: Decimal
    """What it would cost a vehicle that had spent nothing."""
    before: Decimal
    """Spent per vehicle by all entries before it."""
    after: Decimal
    """The same with it; where rho is in it, less than `before` and `alone` together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySpent:
    """What a vehicle has spent on one day at most."""

    date: dt.date
    epsilon: Decimal
    over: bool
    """More than the limit per vehicle and day."""


def timeline_of(population: PopulationSummary) -> tuple[TimelineEntry, ...]:
    """Every entry that the population pays for, oldest first."""
    return tuple(_timeline(population))


def _timeline(population: PopulationSummary) -> Iterator[TimelineEntry]:
    delta, loss = population.shared_delta, NO_LOSS
    for entry in population.entries:
        own = loss_of(entry.charge, Unit.VEHICLE)
        yield TimelineEntry(
            entry=entry,
            alone=own.epsilon_at(delta),
            before=loss.epsilon_at(delta),
            after=(loss + own).epsilon_at(delta),
        )
        loss += own


def days_spent(population: PopulationSummary) -> tuple[DaySpent, ...]:
    """Every day with a charge, in order."""
    limit, delta = population.per_vehicle_day, population.shared_delta
    spent = ((date, loss.epsilon_at(delta)) for date, loss in sorted(population.loss_by_date.items()))
    return tuple(
        DaySpent(date=date, epsilon=epsilon, over=limit is not None and epsilon > limit)
        for date, epsilon in spent
    )
