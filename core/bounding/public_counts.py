"""What is known of a city without records: its fleet, expected vehicles; impossible ones (method 12.8)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.bounding.constants import BoundingConstants
from core.city.city_pairs import CityPairs
from core.errors import InputError, InternalError
from core.mechanisms.covariate import OF_SPEEDS, PublicSign, records_per_visit


def require_fleet(fleet: int) -> None:
    """Raises InputError where nobody says how many units there are."""
    if fleet < 1:
        raise InputError(
            "Without the number of vehicles Hexveil cannot tell how many hexagon slots each one visits.",
            where="query.parameters.fleet",
            mend="estimate how many vehicles there are (unit vehicle-day: vehicles and days)",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicCounts:
    """How many units each candidate HAT is thought to see, and how often each sends from there."""

    units: Ints
    """Shape (G,): vehicles of the window (unit vehicle), or its pairs of vehicle and day; 0 or more."""
    records: Ints
    """Shape (G,): of one unit; at least 1."""
    fleet: int
    """How many units there are in all; 0 where that is not known: then all of their HATs count."""
    speeds: Floats | None = None
    """Shape (G,): public mean speeds there, km/h; None where none is known."""

    def __post_init__(self) -> None:
        """Raises InputError for counts that cannot be, InternalError for columns of different lengths."""
        if self.units.shape != self.records.shape:
            raise InternalError("public counts of different numbers of hexagon slots")
        if not self.units.size or self.units.min() < 0 or self.records.min() < 1 or self.fleet < 0:
            raise InputError(
                "These expected numbers of vehicles and records are impossible.",
                where="the public counts",
                mend="give at least one hexagon slot, no negative numbers, and at least one record per "
                "vehicle",
            )
        if 0 < self.fleet < int(self.units.max()):
            raise InputError(
                "A fleet of {fleet} cannot have {value} vehicles in one hexagon slot.",
                fleet=self.fleet,
                value=int(self.units.max()),
                where="the public counts",
                mend="write a larger fleet, or fewer vehicles per hexagon slot",
            )

    @property
    def hats_of_one(self) -> float:
        """How many HATs one unit is thought to visit; 0 where the fleet is not known."""
        return float(self.units.sum()) / self.fleet if self.fleet else 0.0

    def sign(self, *, speeds: bool) -> PublicSign:
        """The public sign of the means of the HATs; speeds: it is speeds that are released."""
        if speeds and self.speeds is not None:
            return PublicSign(amounts=self.speeds, slope=OF_SPEEDS)
        return records_per_visit(self.records, np.ones(self.records.size), speeds=speeds)

    def retained(self, constants: BoundingConstants) -> Floats:
        """Entries that are expected to count in each HAT, shape (G,): where each has too many, fewer."""
        share = min(1.0, constants.hats / self.hats_of_one) if self.hats_of_one else 1.0
        retained: Floats = self.units.astype(np.float64) * share
        return retained

    def pairs(self) -> CityPairs:
        """Units dealt out in turn, so that each visits about as many HATs: for plans by such counts.

        Raises InputError where a HAT has no unit, or the fleet is not known.
        """
        require_fleet(self.fleet)
        if not self.units.min():
            raise InputError(
                "A plan needs a fleet, and a vehicle in each of its hexagon slots.",
                where="the public counts",
                mend="write how many vehicles there are, and leave hexagon slots without vehicles out",
            )
        hat = np.repeat(np.arange(self.units.size), self.units)
        unit = np.arange(hat.size) % self.fleet
        order = np.lexsort((unit, hat))
        _, code = np.unique(unit[order], return_inverse=True)
        return CityPairs(
            hat=hat.astype(np.int32),
            vehicle=code.astype(np.int32),
            code=code.astype(np.int32),
            records=self.records[hat],
        )
