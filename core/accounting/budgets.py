"""How much epsilon or rho each HAT gets: given, by a Laplace scale, or from a divided total (method 7)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.accounting.compose import (
    charge_of,
    days_squared,
    hats_per_vehicle,
    heaviest_vehicle,
    rho_charge_of,
    to_micro_epsilon,
)
from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import floor_epsilon, plain
from core.accounting.zcdp import RHO_STEP
from core.contributions import Contributions
from core.counted import count_of
from core.errors import InputError, InternalError
from core.privacy import Relation, Unit
from core.texts import text_of

EPSILON_STOPS = tuple(
    Decimal(digit).scaleb(power) for power in range(-2, 4) for digit in ("1", "1.5", "2", "3", "5", "7")
)
"""Round values from 0.01 to 7000 that a slider offers; any other may be typed."""
EQUAL = "equal"
OPTIMAL_DIVISION = "optimal"
PER_HAT = "per-hat"
NOISE_SCALE = "noise-scale"
JOINT = "joint"
"""Every vehicle's total is shared out over its own HATs."""
DIVISIONS = (EQUAL, OPTIMAL_DIVISION)
"""How a total may be divided."""
_SAFE = 1.0 - 1e-12
"""Weights add up in floats: shares of HATs are cut by more than their rounding, then checked exactly."""


def unit_of_total(unit: Unit, relation: Relation) -> Unit:
    """Whose cost a total limits: with relation `user` the protected unit's, else a vehicle's, in all."""
    return unit if relation is Relation.USER else Unit.VEHICLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """An epsilon for every HAT, a total per vehicle to be divided, or a Laplace scale B for every HAT."""

    per_hat: Decimal | None = None
    total: Decimal | None = None
    noise_scale: Decimal | None = None
    """B, in the unit of the statistic."""
    divide: str = EQUAL
    """How a total is divided."""

    @property
    def division(self) -> str:
        """How the HATs' epsilons came about."""
        if self.per_hat is not None:
            return PER_HAT
        return NOISE_SCALE if self.noise_scale is not None else self.divide

    @property
    def amount(self) -> Decimal:
        """The number that is given, whichever of the three it is. Raises InternalError without one."""
        given = self.per_hat or self.total or self.noise_scale
        if given is None:
            raise InternalError("a budget without an amount")
        return given

    def of_amount(self, amount: Decimal) -> Budget:
        """The same kind of budget with another number."""
        if self.per_hat is not None:
            return dataclasses.replace(self, per_hat=amount)
        if self.noise_scale is not None:
            return dataclasses.replace(self, noise_scale=amount)
        return dataclasses.replace(self, total=amount)

    @property
    def needs_scales(self) -> bool:
        """The division asks for each HAT's c, where its noise is c / epsilon."""
        return self.division == OPTIMAL_DIVISION


def hat_micro_epsilons(
    budget: Budget,
    contributions: Contributions,
    published: NDArray[np.bool_],
    unit: Unit,
    *,
    scales: NDArray[np.float64] | None = None,
    retained: NDArray[np.bool_] | None = None,
) -> NDArray[np.int64]:
    """Epsilon of each HAT in steps of 1e-6, shape (G,); 0 where `published` is False.

    scales: shape (G,), c of each published HAT, for the division that needs it; retained: shape (P,), rows
    of users that are not suppressed. Every share is rounded down, so that no vehicle is charged more
    than the total. Raises InputError when nothing is left for a HAT, InternalError without needed scales
    and for a Laplace scale, which what is asked turns into epsilons (`epsilon_of_scale`).
    """
    if budget.per_hat is not None:
        return np.where(published, to_micro_epsilon(budget.per_hat), 0)
    if budget.total is not None and budget.divide != OPTIMAL_DIVISION:
        return _equal(budget.total, contributions, published, unit, retained)
    if budget.total is not None and scales is not None:
        return _optimal(budget.total, contributions, published, unit, scales, retained)
    raise InternalError("a budget without an amount, or one to be divided by scales without them")


def hat_pico_rhos(
    budget: Budget,
    rho: Decimal,
    contributions: Contributions,
    published: NDArray[np.bool_],
    unit: Unit,
    *,
    scales: NDArray[np.float64] | None = None,
) -> NDArray[np.int64]:
    """Rho of each HAT in steps of 1e-12, shape (G,), where a total comes to `rho`; 0 where not published.

    scales: as for `hat_micro_epsilons`: the noise of a HAT is then c / sqrt(2 rho), and the optimal division
    gives rho in proportion to c^2, so that all HATs have the same noise. A vehicle pays for a HAT as
    `rho_charge_of` has it, and never more than `rho` in all. Raises InputError when nothing is left for a
    HAT, InternalError without needed scales.
    """
    if budget.total is None or (budget.divide == OPTIMAL_DIVISION and scales is None):
        raise InternalError("Gaussian noise is divided from a total, by scales where these are needed")
    squares = np.ones(published.size) if scales is None or budget.divide == EQUAL else scales**2
    weights = np.where(published, squares, 0.0)
    hat, vehicle, _ = contributions.vehicle_days()
    most = np.bincount(vehicle, weights[hat] * days_squared(contributions, unit)).max(initial=0.0)
    pico_rhos: NDArray[np.int64] = np.floor(weights / most * float(rho / RHO_STEP) * _SAFE).astype(np.int64)
    if (pico_rhos[published] < 1).any():
        raise _nothing_left(
            budget.total, text_of("divided over hexagon slots as {rho} of rho", rho=plain(rho))
        )
    if rho_charge_of(contributions, pico_rhos, unit).rho.per_vehicle > rho:
        raise InternalError("the shares of a total exceed it")
    return pico_rhos


def _equal(
    total: Decimal,
    contributions: Contributions,
    published: NDArray[np.bool_],
    unit: Unit,
    retained: NDArray[np.bool_] | None,
) -> NDArray[np.int64]:
    """The total over the most HATs of one vehicle, for each HAT."""
    most = hats_per_vehicle(contributions, published, unit, retained)
    share = floor_epsilon(total / most)
    if share < EPSILON_STEP:
        raise _nothing_left(
            total,
            text_of(
                "divided over {counted_hexagon_slots}", counted_hexagon_slots=count_of(most, "hexagon slot")
            ),
        )
    return np.where(published, to_micro_epsilon(share), 0)


def _optimal(
    total: Decimal,
    contributions: Contributions,
    published: NDArray[np.bool_],
    unit: Unit,
    scales: NDArray[np.float64],
    retained: NDArray[np.bool_] | None,
) -> NDArray[np.int64]:
    """eps_g = c_g / E with E = max over vehicles of the sum of their c_g, over the total (method 7).

    Every HAT then has the same noise, the smallest that the busiest vehicle's total allows.
    """
    weights = np.where(published, scales, 0.0)
    most = heaviest_vehicle(contributions, weights, unit, retained)
    micro_epsilons = np.floor(weights / most * to_micro_epsilon(total) * _SAFE).astype(np.int64)
    if (micro_epsilons[published] < 1).any():
        raise _nothing_left(total, "divided optimally")
    if charge_of(contributions, micro_epsilons, unit, retained).per_vehicle > total:
        raise InternalError("the shares of a total exceed it")
    return micro_epsilons


def _nothing_left(total: Decimal, how: str) -> InputError:
    return InputError(
        "A total of {total} {how} leaves nothing for each.",
        total=plain(total),
        how=how,
        where="query.total",
        mend="raise the total, or choose fewer or coarser hexagon slots",
    )
