"""What a joint release costs: each vehicle its own tokens (city-release 1)."""

from __future__ import annotations

import datetime as dt
from decimal import ROUND_CEILING, Decimal, localcontext

import numpy as np

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.exact_loss import conversion_of, stated_epsilon
from core.accounting.zcdp import RHO_STEP
from core.arrays import Ints
from core.city.city_plan import CityPlan
from core.contributions import Contributions
from core.contributions.table import distinct
from core.mechanisms.tokens import TOKENS
from core.privacy import Charge, RhoCharge
from core.system.parallel import cut

_ZERO = Decimal(0)
_DIGITS = 60
_BLOCK = 1 << 18
"""Rows of an addition that keeps Python's lock: the window's thread gets it in between."""


def city_charge(plan: CityPlan, contributions: Contributions) -> Charge:
    """The three charges, and the largest of a vehicle on each date, in pure epsilon or in rho.

    A vehicle on one day is charged all its tokens in the HATs (or regions) where it was that day, as any of
    the day's records may move its mean there.
    """
    losses = _losses(plan)
    per_vehicle = np.zeros(plan.pairs.vehicles, np.int64)
    np.add.at(per_vehicle, plan.pairs.vehicle, losses)
    per_date = _largest_by_date(plan, losses, contributions)
    charge = RhoCharge(
        per_vehicle_hat_day=amount_of(plan, int(losses.max())),
        per_vehicle_day=max(per_date.values(), default=_ZERO),
        per_vehicle=amount_of(plan, int(per_vehicle.max())),
        per_date=per_date,
    )
    if plan.noise.squared:
        return Charge(
            per_vehicle_hat_day=_ZERO, per_vehicle_day=_ZERO, per_vehicle=_ZERO, per_date={}, rho=charge
        )
    return Charge(
        per_vehicle_hat_day=charge.per_vehicle_hat_day,
        per_vehicle_day=charge.per_vehicle_day,
        per_vehicle=charge.per_vehicle,
        per_date=charge.per_date,
    )


def hat_epsilons(plan: CityPlan) -> list[Decimal]:
    """What each HAT alone costs a vehicle in it at most, as it is stated at the population's delta; (G,)."""
    losses = plan.largest**2 if plan.noise.squared else plan.largest
    amounts = [amount_of(plan, loss) for loss in losses.tolist()]
    if not plan.noise.squared:
        return amounts
    delta, conversion = plan.budget.delta, conversion_of(plan.lattice_error)
    stated = {amount: stated_epsilon(_ZERO, amount, delta, conversion) for amount in set(amounts)}
    return [stated[amount] for amount in amounts]


def amount_of(plan: CityPlan, loss: int) -> Decimal:
    """Pure epsilon or rho of so many tokens, or of that sum of squares; rounded up."""
    limit = TOKENS**2 if plan.noise.squared else TOKENS
    step = RHO_STEP if plan.noise.squared else EPSILON_STEP
    with localcontext(prec=_DIGITS):
        return (plan.spend * loss / limit).quantize(step, rounding=ROUND_CEILING)


def _losses(plan: CityPlan) -> Ints:
    """Tokens of each pair, or their squares; shape (n,). No sum over a vehicle exceeds 10^12."""
    losses: Ints = plan.tokens**2 if plan.noise.squared else plan.tokens
    return losses


def _largest_by_date(plan: CityPlan, losses: Ints, contributions: Contributions) -> dict[dt.date, Decimal]:
    """Date -> the largest charge of one vehicle on that date; only dates with a charge."""
    vehicles, dates = len(contributions.vehicles), contributions.window.dates
    known = plan.pairs.hat.astype(np.int64) * vehicles + plan.pairs.code
    order = np.argsort(known)
    wanted = plan.columns(contributions.hats)[contributions.hat] * vehicles + contributions.vehicle
    place = np.searchsorted(known, wanted, sorter=order).clip(max=known.size - 1)
    pair = order[place]
    found = known[pair] == wanted
    # a region has several HATs: a vehicle's day there counts once
    pair, day = np.divmod(distinct(pair[found] * len(dates) + contributions.day[found]), len(dates))
    sums = np.zeros(vehicles * len(dates), np.int64)
    into = plan.pairs.code[pair].astype(np.int64) * len(dates) + day
    for rows in cut(0, pair.size, _BLOCK):
        np.add.at(sums, into[rows], losses[pair[rows]])
    largest = sums.reshape(-1, len(dates)).max(axis=0)
    return {date: amount_of(plan, int(most)) for date, most in zip(dates, largest, strict=True) if most}
