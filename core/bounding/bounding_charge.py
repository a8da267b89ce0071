"""What a release of relation `user` costs, from constants alone (method 12.3)."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.zcdp import RHO_STEP
from core.bounding.constants import BoundingConstants
from core.city.noise_kind import NoiseKind
from core.privacy import Charge, RhoCharge, Unit

_ZERO = Decimal(0)


def bounding_charge(
    constants: BoundingConstants, noise: NoiseKind, spend: Decimal, *, by_hat: bool
) -> Charge:
    """The three charges of a query that spends `spend` on one protected unit, and the charge of each date.

    by_hat: whether a unit's records in one HAT only decide about that HAT, but for another HAT that takes its
    place: false where days are bounded first, where one factor bounds all HATs together, or where values
    follow from positions in other HATs.

    Units get their noise together, so that what several of them move adds up before it is squared: n units
    cost n times an epsilon, and n^2 times a rho. A vehicle is a unit for each date. A *part* of a unit, such
    as one day of a vehicle, may decide what else of the unit counts: to take it away replaces the unit by
    another, which is one removal and one addition.
    """
    of = charges_of_units(
        constants.unit,
        hats=constants.hats,
        days=constants.window.days,
        noise=noise,
        spend=spend,
        by_hat=by_hat,
    )
    amounts = RhoCharge(
        per_vehicle_hat_day=of[Unit.VEHICLE_HAT_DAY],
        per_vehicle_day=of[Unit.VEHICLE_DAY],
        per_vehicle=of[Unit.VEHICLE],
        per_date=dict.fromkeys(constants.window.dates, of[Unit.VEHICLE_DAY]),
    )
    if noise.squared:
        return Charge(
            per_vehicle_hat_day=_ZERO, per_vehicle_day=_ZERO, per_vehicle=_ZERO, per_date={}, rho=amounts
        )
    return Charge(
        per_vehicle_hat_day=amounts.per_vehicle_hat_day,
        per_vehicle_day=amounts.per_vehicle_day,
        per_vehicle=amounts.per_vehicle,
        per_date=amounts.per_date,
    )


def charges_of_units(
    unit: Unit, *, hats: int, days: int, noise: NoiseKind, spend: Decimal, by_hat: bool
) -> dict[Unit, Decimal]:
    """Pure epsilon or rho of each unit, where `unit` is protected; hats: C; days: of the window."""
    replaced = _of_several(2, noise, spend)
    if unit is Unit.VEHICLE:
        vehicle, day = spend, replaced if days > 1 else spend
    else:
        vehicle, day = _of_several(days, noise, spend), spend
    return {
        Unit.VEHICLE_HAT_DAY: above(replaced / hats if by_hat else replaced, noise),
        Unit.VEHICLE_DAY: above(day, noise),
        Unit.VEHICLE: above(vehicle, noise),
    }


def _of_several(units: int, noise: NoiseKind, spend: Decimal) -> Decimal:
    return spend * (units**2 if noise.squared else units)


def above(amount: Decimal, noise: NoiseKind) -> Decimal:
    """The amount in whole steps of its currency, rounded up."""
    return amount.quantize(RHO_STEP if noise.squared else EPSILON_STEP, rounding=ROUND_CEILING)
