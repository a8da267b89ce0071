"""Epsilons of many HATs added up for one vehicle (P3 Thm II.3), exactly, in steps of 1e-6.

Releasing HATs g with budgets eps_g costs a user the sum of eps_g over the HATs it occupies; the
headline is the maximum over users. A vehicle's charge is the sum over its units (method 5).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.zcdp import RHO_STEP
from core.contributions import Contributions
from core.errors import InternalError
from core.privacy import Charge, RhoCharge, Unit

_MICRO_EPSILONS = int(1 / EPSILON_STEP)
"""In an epsilon of 1."""


def to_micro_epsilon(epsilon: Decimal) -> int:
    """An epsilon as a whole number of 1e-6. Raises InternalError for a finer one: never round a charge."""
    micro_epsilons = int(epsilon * _MICRO_EPSILONS)
    if from_micro_epsilon(micro_epsilons) != epsilon:
        raise InternalError("an epsilon is finer than the steps of 1e-6 that charges are counted in")
    return micro_epsilons


def from_micro_epsilon(micro_epsilons: int) -> Decimal:
    """The inverse of `to_micro_epsilon`."""
    return Decimal(int(micro_epsilons)) * EPSILON_STEP


def charge_of(
    contributions: Contributions,
    hat_micro_epsilons: NDArray[np.int64],
    unit: Unit,
    retained: NDArray[np.bool_] | None = None,
) -> Charge:
    """The three charges and the largest vehicle-day charge of each date.

    hat_micro_epsilons: shape (G,), epsilon of each HAT in steps of 1e-6, 0 where nothing is released.
    retained: shape (P,), rows of users that were not suppressed; None: all. With unit `vehicle` the rows
    of a vehicle in a HAT are retained or suppressed together.

    With unit `vehicle` one HAT costs a vehicle its epsilon once, however many days it was there;
    with the smaller units each day in a HAT is a separate user, and the days add up.

    Source: P3 Thm II.3.
    """
    micro_epsilons = hat_micro_epsilons[contributions.hat]
    if retained is not None:
        micro_epsilons = np.where(retained, micro_epsilons, 0)
    counted = _once_per_vehicle(contributions, micro_epsilons) if unit is Unit.VEHICLE else micro_epsilons
    return Charge(**_largest(contributions, micro_epsilons, counted, EPSILON_STEP))


def rho_charge_of(contributions: Contributions, hat_pico_rhos: NDArray[np.int64], unit: Unit) -> Charge:
    """The same of Gaussian noise: the three charges are rho, and no epsilon is pure.

    hat_pico_rhos: shape (G,), rho of each HAT in steps of 1e-12, 0 where nothing is released.
    Rho grows with the square of what moves: with a unit smaller than a vehicle, a vehicle with n days in a
    HAT moves its number by n times as much as one of them, and costs n^2 times its rho (method 7.5).
    """
    amounts = hat_pico_rhos[contributions.hat]
    counted = np.zeros_like(amounts)
    counted[contributions.starts_vehicle()] = hat_pico_rhos[contributions.vehicle_days()[0]] * days_squared(
        contributions, unit
    )
    found = _largest(contributions, amounts, counted, RHO_STEP)
    return Charge(
        per_vehicle_hat_day=Decimal(0),
        per_vehicle_day=Decimal(0),
        per_vehicle=Decimal(0),
        per_date={},
        rho=RhoCharge(**found),
    )


def days_squared(contributions: Contributions, unit: Unit) -> NDArray[np.int64]:
    """How many times a HAT's rho each (HAT, vehicle) costs, in the order of `vehicle_days`."""
    _, _, days = contributions.vehicle_days()
    return np.ones(days.size, np.int64) if unit is Unit.VEHICLE else days.astype(np.int64) ** 2


def _largest(
    contributions: Contributions,
    amounts: NDArray[np.int64],
    counted: NDArray[np.int64],
    step: Decimal,
) -> dict[str, Any]:
    """The largest amounts of one vehicle, per HAT and day, per day, in all, and on each date.

    amounts: shape (P,), what each row costs, in multiples of `step`; counted: shape (P,), what of it adds up
    over the days of a vehicle.
    """
    per_day = _largest_by_date(contributions, amounts, step)
    per_vehicle = _sums(contributions.vehicle, counted, len(contributions.vehicles))
    return {
        "per_vehicle_hat_day": int(amounts.max(initial=0)) * step,
        "per_vehicle_day": max(per_day.values(), default=Decimal(0)),
        "per_vehicle": int(per_vehicle.max(initial=0)) * step,
        "per_date": per_day,
    }


def hats_per_vehicle(
    contributions: Contributions,
    published: NDArray[np.bool_],
    unit: Unit,
    retained: NDArray[np.bool_] | None = None,
) -> int:
    """The most users that one vehicle is, over the published HATs: what a total is divided by."""
    return int(
        charge_of(contributions, published.astype(np.int64), unit, retained).per_vehicle / EPSILON_STEP
    )


def heaviest_vehicle(
    contributions: Contributions,
    weights: NDArray[np.float64],
    unit: Unit,
    retained: NDArray[np.bool_] | None = None,
) -> float:
    """The largest sum over one vehicle's users of their HATs' weights; weights: shape (G,), not negative."""
    rows = weights[contributions.hat]
    if retained is not None:
        rows = np.where(retained, rows, 0.0)
    if unit is Unit.VEHICLE:
        rows = np.where(contributions.starts_vehicle(), rows, 0.0)
    return float(np.bincount(contributions.vehicle, rows).max(initial=0.0))


def _once_per_vehicle(contributions: Contributions, micro_epsilons: NDArray[np.int64]) -> NDArray[np.int64]:
    """The epsilons of a vehicle's first day in each HAT, 0 on its other days."""
    return np.where(contributions.starts_vehicle(), micro_epsilons, 0)


def _largest_by_date(
    contributions: Contributions, amounts: NDArray[np.int64], step: Decimal
) -> dict[dt.date, Decimal]:
    """Date -> the largest charge of one vehicle on that date; only dates with a charge."""
    dates = contributions.window.dates
    sums = _sums(
        contributions.vehicle.astype(np.int64) * len(dates) + contributions.day,
        amounts,
        len(contributions.vehicles) * len(dates),
    )
    largest = sums.reshape(-1, len(dates)).max(axis=0)
    return {date: int(most) * step for date, most in zip(dates, largest, strict=True) if most}


def _sums(group: NDArray[np.integer], amounts: NDArray[np.int64], groups: int) -> NDArray[np.int64]:
    """Exact sums of `amounts` by group, shape (groups,)."""
    sums = np.zeros(groups, np.int64)
    np.add.at(sums, group, amounts)
    return sums


def add_charges(charges: Iterable[Charge]) -> Charge:
    """The charge of several queries: for each unit and date their sum, of epsilon and of rho."""
    listed = list(charges)
    return Charge(**_sums_of(listed), rho=RhoCharge(**_sums_of([charge.rho for charge in listed])))


def _sums_of(listed: Sequence[Charge] | Sequence[RhoCharge]) -> dict[str, Any]:
    per_date: dict[dt.date, Decimal] = {}
    for charge in listed:
        for date, amount in charge.per_date.items():
            per_date[date] = per_date.get(date, Decimal(0)) + amount
    return {
        "per_vehicle_hat_day": sum((charge.per_vehicle_hat_day for charge in listed), Decimal(0)),
        "per_vehicle_day": sum((charge.per_vehicle_day for charge in listed), Decimal(0)),
        "per_vehicle": sum((charge.per_vehicle for charge in listed), Decimal(0)),
        "per_date": dict(sorted(per_date.items())),
    }
