"""What queries of relation `values` are planned on: what was counted, and what the population allows."""

from __future__ import annotations

import dataclasses
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal

from core.contributions import Contributions, UserTable
from core.grouping.plan_cache import PlanCache
from core.privacy import Confidential
from core.selection.base import Selection


@dataclass(frozen=True, slots=True, repr=False)
class CountedCity(Confidential):
    """Numbers of records and visits are public there, and no value of a record is looked at."""

    contributions: Contributions
    users: UserTable
    selection: Selection
    _: KW_ONLY
    minimum_vehicles: int
    """A HAT with fewer is suppressed and costs nothing, as one without records."""
    delta: Decimal = Decimal(0)
    """What the population allows; without one no noise is Gaussian."""
    cache: PlanCache | None = None
    """Of an owner who plans these counts again and again, and finds the plan of the same inputs in it;
    without one nothing is stored beyond a call."""

    def cached(self) -> CountedCity:
        """The same with a cache, for work that plans it several times."""
        return self if self.cache is not None else dataclasses.replace(self, cache=PlanCache())
