"""The most HATs of one vehicle in a plan, and what each would have if all had the same."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import floor_epsilon
from core.city.city_pairs import city_pairs
from core.contributions import Contributions, UserTable
from core.planning.query_plan import QueryPlan
from core.privacy import Unit

_DIGITS_OF_HATS = 6
"""Of the HATs of one vehicle: shares that are floats then make whole HATs where they are equal."""


def hats_of_one(plan: QueryPlan, contributions: Contributions, unit: Unit) -> float:
    """The most published HATs of one vehicle, as far as the kinds of noise are concerned.

    With equal shares and unit `vehicle` just their number. Where HATs have shares c, or a vehicle's days in
    one are units of their own, Laplace noise goes with the sum of c times days and Gaussian noise with the
    root of the sum of squares: as with so many equal HATs as the square of their ratio is.
    """
    shares = np.zeros(contributions.hats)
    for one in plan.published:
        if one.plan:
            shares[one.index] = math.sqrt(one.plan.rho) if one.plan.rho else float(one.plan.epsilon)
    hat, vehicle, days = contributions.vehicle_days()
    moved = shares[hat] * (1 if unit is Unit.VEHICLE else days)
    ratio = np.bincount(vehicle, moved).max() ** 2 / np.bincount(vehicle, moved**2).max()
    return round(float(ratio), _DIGITS_OF_HATS)


def most_published_hats(mean: QueryPlan, users: UserTable) -> int:
    """The most published HATs of one vehicle; where regions are published, those of them that it is in."""
    published = np.zeros(users.first.size - 1, np.bool_)
    published[[hat.index for hat in mean.published]] = True
    return int(np.bincount(city_pairs(users, published).vehicle).max())


def equal_share(most: int, total: Decimal) -> Decimal:
    """What each HAT would have if they all had the same, of a total per vehicle with `most` of them."""
    return max(floor_epsilon(total / most), EPSILON_STEP)
