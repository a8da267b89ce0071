"""The HATs with the most records, at least one, for an evaluation of true values (method 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.contributions import Contributions
from core.errors import InputError
from core.planning.values_query import distinct_vehicles
from core.privacy import Confidential
from core.selection.base import vehicle_days


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListedHat(Confidential):
    """What one HAT holds over the window."""

    name: str
    """Its id text, as `evaluate` takes it."""
    records: int
    vehicles: int
    """Distinct ones."""
    vehicle_days: int
    """Distinct vehicles of each day, summed over the days."""

    def to_json(self) -> dict[str, Any]:
        """The keys that `hexveil hats --help` explains."""
        return {
            "hat": self.name,
            "records": self.records,
            "vehicles": self.vehicles,
            "vehicle_days": self.vehicle_days,
        }


def busiest_hats(contributions: Contributions, top: int) -> tuple[ListedHat, ...]:
    """At most that many HATs, those with most records first; of equal ones in the order of cell and slot.

    Raises InputError for fewer than one.
    """
    require_top(top, where="top")
    records, vehicles, days = (
        contributions.records,
        distinct_vehicles(contributions),
        vehicle_days(contributions),
    )
    order = np.argsort(-records, kind="stable")[:top]
    return tuple(
        ListedHat(
            name=contributions.hat_text(index),
            records=int(records[index]),
            vehicles=int(vehicles[index]),
            vehicle_days=int(days[index]),
        )
        for index in order.tolist()
    )


def require_top(top: int, *, where: str) -> int:
    """How many to list, if it is any. Raises InputError below 1."""
    if top < 1:
        raise InputError(
            "At least one hexagon slot must be asked for.", where=where, mend="write for instance 20"
        )
    return top
