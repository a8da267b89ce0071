"""The vocabulary of protection: relation, unit, charge, and what is confidential.

Source: method 5 (relation and unit), method 13 (charges).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from enum import StrEnum
from typing import Any


class Relation(StrEnum):
    """What neighbouring data sets differ in."""

    VALUES = "values"
    USER = "user"


class Unit(StrEnum):
    """Whose records may vary: the thing that is protected, called a *user* in the papers."""

    VEHICLE = "vehicle"
    VEHICLE_DAY = "vehicle-day"
    VEHICLE_HAT_DAY = "vehicle-hat-day"


class Confidential:
    """Base of every type that holds true values: its text shows sizes only."""

    __slots__ = ()

    def __repr__(self) -> str:
        sizes = ", ".join(
            f"{field.name}={len(value)}"
            for field in fields(self)  # type: ignore[arg-type]
            if hasattr(value := getattr(self, field.name), "__len__")
        )
        return f"<confidential {type(self).__name__}: {sizes}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What a release (or one query of it) costs, as maxima over vehicles; no ids.

    All amounts are exact decimals of pure epsilon.
    """

    per_vehicle_hat_day: Decimal
    per_vehicle_day: Decimal
    per_vehicle: Decimal
    per_date: Mapping[dt.date, Decimal]
    """Date -> the largest charge of one vehicle on that date."""

    def of(self, unit: Unit) -> Decimal:
        """The charge for one unit of protection."""
        return {
            Unit.VEHICLE: self.per_vehicle,
            Unit.VEHICLE_DAY: self.per_vehicle_day,
            Unit.VEHICLE_HAT_DAY: self.per_vehicle_hat_day,
        }[unit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What one noise scope (a query in one HAT) may spend of a reservation."""

    scope: str
    """`"<query id> <HAT id>"`, for instance `"mean_speed 20 8742d9d69ffffff"`."""
    epsilon: Decimal


def charge_to_json(charge: Charge) -> dict[str, Any]:
    """A charge as plain JSON values."""
    return {
        "per_vehicle_hat_day": str(charge.per_vehicle_hat_day),
        "per_vehicle_day": str(charge.per_vehicle_day),
        "per_vehicle": str(charge.per_vehicle),
        "per_date": {date.isoformat(): str(amount) for date, amount in sorted(charge.per_date.items())},
    }


def charge_from_json(stored: Mapping[str, Any]) -> Charge:
    """The inverse of `charge_to_json`."""
    return Charge(
        per_vehicle_hat_day=Decimal(stored["per_vehicle_hat_day"]),
        per_vehicle_day=Decimal(stored["per_vehicle_day"]),
        per_vehicle=Decimal(stored["per_vehicle"]),
        per_date={
            dt.date.fromisoformat(date): Decimal(amount) for date, amount in stored["per_date"].items()
        },
    )
