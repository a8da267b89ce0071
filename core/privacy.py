"""The vocabulary of protection: relation, unit, charge, and what is confidential.

Source: method 5 (relation and unit), method 13 (charges).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from core.codec import Coded


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
class _Amounts:
    """Largest amounts of one vehicle, in one currency of privacy, per unit and per date; no ids."""

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
class RhoCharge(_Amounts):
    """The part of a charge that Gaussian noise costs: exact decimals of rho (zCDP)."""

    def __bool__(self) -> bool:
        """Whether any rho is charged."""
        return self.per_vehicle > 0


NO_RHO = RhoCharge(
    per_vehicle_hat_day=Decimal(0), per_vehicle_day=Decimal(0), per_vehicle=Decimal(0), per_date={}
)
"""What everything costs but Gaussian noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(_Amounts):
    """What a release (or one query of it) costs, as maxima over vehicles; no ids.

    Its own amounts are exact decimals of pure epsilon; those of zCDP stand beside, in `rho`. The two are
    never added: method 13.6 says what epsilon they come to together.
    """

    rho: RhoCharge = NO_RHO


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What one noise scope (a query in one HAT) may spend of a reservation."""

    scope: str
    """`"<query id> <HAT id>"`, for instance `"mean_speed 20 8742d9d69ffffff"`."""
    epsilon: Decimal
    """Pure; 0 where only Gaussian noise is drawn."""
    rho: Decimal = Decimal(0)
    """For Gaussian noise; 0 where there is none."""


def _allowance_to_json(allowance: Allowance) -> list[str]:
    """A third value, rho, where there is any.

    A version that knows no rho cannot read three: it refuses such a ledger rather than understate it.
    """
    rho = [str(allowance.rho)] if allowance.rho else []
    return [allowance.scope, str(allowance.epsilon), *rho]


def _allowance_from_json(stored: Sequence[str]) -> Allowance:
    scope, epsilon, rho = stored if len(stored) == 3 else (*stored, "0")
    return Allowance(scope=scope, epsilon=Decimal(epsilon), rho=Decimal(rho))


StoredAllowance = Annotated[Allowance, Coded(_allowance_to_json, _allowance_from_json)]
"""An allowance that is stored as two or three texts."""
