"""Budgets made smaller until a population's limits leave room for them (method 13.1)."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Any

from core.accounting.budgets import Budget
from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import floor_epsilon
from core.accounting.ledger_report import PopulationSummary
from core.accounting.privacy_loss import NO_LOSS, losses_by_date
from core.accounting.zcdp import rho_of
from core.errors import InputError
from core.privacy import Charge, RhoCharge, Unit

_NOTHING, _WHOLE = Decimal(0), Decimal(1)
_SCALE_STEP = Decimal("0.001")
_SHARE_STEP = Decimal("0.0001")
"""Shares with Gaussian noise are found to this."""


def share_that_fits(
    population: PopulationSummary, charge: Charge, totals: Sequence[Decimal] = ()
) -> Decimal | None:
    """How much of every budget the limits leave room for, from 0 to 1.

    totals: the epsilons that buy the charge's rho, whose shares buy less than the same share of it; without
    them the same share is reckoned with. None where no limit is set, where no part of the totals that fits
    buys Gaussian noise, and where it needs a delta that the population does not allow.
    """
    if not population.policies or population.lacks_delta(charge):
        return None
    if not charge.rho and not population.loss.rho:
        return max(_NOTHING, min([Decimal(1), *_shares(population, charge)]))

    def exceeds(step: int) -> bool:
        share = step * _SHARE_STEP
        smaller = _scaled(charge, share, _share_of_rho(share, totals, population.shared_delta))
        return population.exceeds_limit(smaller) or population.exceeds_limit_per_day(smaller)

    shares = range(int(1 / _SHARE_STEP) + 1)
    share = max(bisect_left(shares, True, key=exceeds) - 1, 0) * _SHARE_STEP
    buys = not charge.rho or _share_of_rho(share, totals, population.shared_delta) > 0
    return share if buys else None


def at_whole_total(charge: Charge, budget: Budget, unit: Unit, delta: Decimal) -> Charge:
    """A query's charge as if it used its total up, which every plan leaves a little of, each another part.

    A smaller total that fits by this fits whatever its plan leaves, and by the check before data are read.
    unit: whose cost the total limits.
    """
    if budget.total is None:
        return charge
    pure, rho = charge.of(unit), charge.rho.of(unit)
    whole = dataclasses.replace(charge, **_parts(charge, max(budget.total, pure), pure or _WHOLE))
    bought = max(_bought(budget.total, delta), rho)
    return dataclasses.replace(
        whole, rho=dataclasses.replace(charge.rho, **_parts(charge.rho, bought, rho or _WHOLE))
    )


def _share_of_rho(share: Decimal, totals: Sequence[Decimal], delta: Decimal) -> Decimal:
    """Of the rho that these totals buy: what the shares of them buy, of the total that loses least."""
    bought = ((_bought(total * share, delta), _bought(total, delta)) for total in totals)
    return max((smaller / whole for smaller, whole in bought if whole), default=share)


def _bought(total: Decimal, delta: Decimal) -> Decimal:
    try:
        return rho_of(total, delta)
    except InputError:  # so little buys none
        return _NOTHING


def _scaled(charge: Charge, share: Decimal, share_of_rho: Decimal) -> Charge:
    """The charge with both of its parts made smaller."""
    rho = dataclasses.replace(charge.rho, **_parts(charge.rho, share_of_rho))
    return dataclasses.replace(charge, **_parts(charge, share), rho=rho)


def _parts(amounts: Charge | RhoCharge, share: Decimal, of: Decimal = _WHOLE) -> dict[str, Any]:
    """Each amount times `share / of`, which is not rounded before."""
    return {
        "per_vehicle": amounts.per_vehicle * share / of,
        "per_vehicle_day": amounts.per_vehicle_day * share / of,
        "per_date": {date: amount * share / of for date, amount in amounts.per_date.items()},
    }


def _shares(population: PopulationSummary, charge: Charge) -> Iterator[Decimal]:
    by_date = losses_by_date(charge)
    for policy in population.policies:
        if charge.per_vehicle:
            yield (policy.per_vehicle - population.loss.pure) / charge.per_vehicle
        if (limit := policy.per_vehicle_day) is None:
            continue
        if charge.per_vehicle_day:
            yield limit / charge.per_vehicle_day
        for date, asked in by_date.items():
            if asked.pure:
                yield (limit - population.loss_by_date.get(date, NO_LOSS).pure) / asked.pure


def scaled_budget(budget: Budget, share: Decimal) -> Budget | None:
    """This share of a budget, never more; None where that is less than the smallest epsilon.

    A noise scale grows as its epsilon shrinks.
    """
    if budget.noise_scale is not None:
        if share <= 0:
            return None
        grown = (budget.noise_scale / share).quantize(_SCALE_STEP, rounding=ROUND_CEILING)
        return budget.of_amount(grown)
    amount = floor_epsilon(budget.amount * share)
    return None if amount < EPSILON_STEP else budget.of_amount(amount)
