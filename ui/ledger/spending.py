"""What the ledger place shows of one population, computed away from the window's thread."""

from __future__ import annotations

from dataclasses import dataclass

from core.accounting.ledger_report import PopulationSummary
from core.accounting.ledger_timeline import DaySpent, TimelineEntry, days_spent, timeline_of
from core.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """A population, entry by entry and day by day."""

    population: PopulationSummary
    timeline: tuple[TimelineEntry, ...]
    days: tuple[DaySpent, ...]


def spending_of(population: PopulationSummary, _: Progress) -> Spending:
    """For a job: conversions of many entries take a while."""
    return Spending(population=population, timeline=timeline_of(population), days=days_spent(population))
