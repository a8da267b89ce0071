"""Budgets made smaller until a population's limits leave room for them (method 13.1)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, Decimal

from core.accounting.budgets import Budget
from core.accounting.ledger_report import PopulationSummary
from core.accounting.privacy_loss import NO_LOSS, losses_by_date
from core.privacy import Charge
from core.values import EPSILON_STEP, floor_epsilon

_NOTHING = Decimal(0)
_SCALE_STEP = Decimal("0.001")


def share_that_fits(population: PopulationSummary, charge: Charge) -> Decimal | None:
    """How much of a charge of pure epsilon every limit leaves room for, from 0 to 1.

    None where Gaussian noise is in the charge or was spent: what it comes to is no plain share.
    """
    if charge.rho or population.loss.rho or not population.policies:
        return None
    return max(_NOTHING, min([Decimal(1), *_shares(population, charge)]))


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
