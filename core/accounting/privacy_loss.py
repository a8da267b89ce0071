"""A privacy loss: pure epsilon and rho side by side, which add exactly and are compared at a delta.

Source: method 13.2 (what adds), method 13.6 (what the two come to).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import Annotated

from core.accounting.zcdp import epsilon_of
from core.codec import Coded
from core.privacy import Charge, Unit

_ADDING = Context(prec=50, rounding=ROUND_CEILING)
UNBOUNDED = Decimal("Infinity")
"""The epsilon of Gaussian noise where no delta is allowed."""


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """What somebody has lost, or would. Neither part is ever rounded down."""

    pure: Decimal = Decimal(0)
    rho: Decimal = Decimal(0)

    def __add__(self, other: PrivacyLoss) -> PrivacyLoss:
        """Both parts add, of releases that follow each other on the same records."""
        return PrivacyLoss(add(self.pure, other.pure), add(self.rho, other.rho))

    def epsilon_at(self, delta: Decimal) -> Decimal:
        """What it comes to at this delta; `UNBOUNDED` for rho without one."""
        return UNBOUNDED if self.rho and not delta else epsilon_of(self.pure, self.rho, delta)


NO_LOSS = PrivacyLoss()
LossPair = Annotated[
    PrivacyLoss,
    Coded(lambda loss: [str(loss.pure), str(loss.rho)], lambda stored: PrivacyLoss(*map(Decimal, stored))),
]
"""A loss that is stored as its two parts."""


def add(*amounts: Decimal) -> Decimal:
    """The sum of budgets, rounded up should it ever exceed fifty digits."""
    total = Decimal(0)
    for amount in amounts:
        total = _ADDING.add(total, amount)
    return total


def loss_of(charge: Charge, unit: Unit) -> PrivacyLoss:
    """What a charge costs one unit of protection at most."""
    return PrivacyLoss(charge.of(unit), charge.rho.of(unit))


def losses_by_date(charge: Charge) -> dict[dt.date, PrivacyLoss]:
    """Date -> what a charge costs one vehicle on it at most."""
    dates = sorted(charge.per_date.keys() | charge.rho.per_date.keys())
    nothing = Decimal(0)
    return {
        date: PrivacyLoss(charge.per_date.get(date, nothing), charge.rho.per_date.get(date, nothing))
        for date in dates
    }


def sum_of(losses: Iterable[PrivacyLoss]) -> PrivacyLoss:
    """All of them together."""
    return sum(losses, NO_LOSS)
