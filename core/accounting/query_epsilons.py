"""Epsilons from a Laplace scale, per HAT, day and vehicle; a scale that is none (TR III.E, III.F).

A noisy number of scale B protects one (vehicle, day) pair that moves it by s with s / B. Where the noise
covers a vehicle, its days in the HAT, each of them costs the part of the HAT's epsilon that one is of
the most: that is what its scale comes to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.accounting.compose import charge_of, from_micro_epsilon
from core.accounting.epsilon_input import EPSILON_MAX, EPSILON_STEP
from core.accounting.epsilon_rounding import PlainDecimal, plain
from core.codec import key
from core.contributions import Contributions
from core.errors import InputError
from core.privacy import Unit
from core.texts import text_of

_WHERE = "query.noise_scale"
_BELOW = 1 - Fraction(1, 10**12)
"""Quotients are cut by this before they are rounded down, as they were when they were floats: the same
scale asks for the same epsilon as ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryEpsilons:
    """What one query of many HATs costs, stored by the words of TR III.E; public in relation `values`."""

    per_hat_day: PlainDecimal = field(metadata=key("epsilon_per_hat_day"))
    """Epsilon-per-HAT-per-day: the largest over the HATs."""
    hats_per_day: int = field(metadata=key("k_day"))
    """K_day: the most published HATs of one vehicle on one day."""
    per_day_bound: PlainDecimal = field(metadata=key("epsilon_per_day_of_k_day_hats"))
    """Epsilon-per-day as TR has it: the K_day largest HATs together, whichever vehicles visit them."""
    per_day: PlainDecimal = field(metadata=key("epsilon_per_day_of_visited_hats"))
    """The most that the HATs really visited by one vehicle on one day come to."""
    per_vehicle: PlainDecimal = field(metadata=key("epsilon_per_vehicle"))
    """The most that one vehicle comes to over the window."""


def epsilon_of_scale(sensitivity: Fraction, noise_scale: Decimal, parts: int = 1) -> Decimal:
    """The HAT's epsilon `s / B` for noise of scale B on each of `parts` numbers with budgets of their own.

    sensitivity: s of one number, in the unit of B. Each part is rounded down to 1e-6 (below a whole
    number of steps), so that no noise is smaller than B. Raises InputError for a B that is not positive,
    or leads to no usable epsilon.
    """
    if not noise_scale.is_finite() or noise_scale <= 0:
        raise InputError(
            "A Laplace scale must be a number above zero.", where=_WHERE, mend='write for instance "1"'
        )
    micro_epsilon = sensitivity / Fraction(noise_scale) / Fraction(EPSILON_STEP)
    epsilon = parts * from_micro_epsilon(int(micro_epsilon * _BELOW))
    if not 0 < epsilon <= EPSILON_MAX:
        raise InputError(
            "A Laplace scale of {noise_scale} needs an epsilon per hexagon slot that is {value}",
            noise_scale=plain(noise_scale),
            value=text_of("above {epsilon_max}.", epsilon_max=EPSILON_MAX)
            if epsilon
            else text_of("below {epsilon_step}.", epsilon_step=plain(EPSILON_STEP)),
            where=_WHERE,
            mend="raise the scale" if epsilon else "lower the scale",
        )
    return epsilon


def query_epsilons(
    contributions: Contributions,
    hat_micro_epsilons: NDArray[np.int64],
    unit: Unit,
    retained: NDArray[np.bool_] | None = None,
) -> QueryEpsilons:
    """All epsilons of one query whose HATs have linear noise.

    hat_micro_epsilons: shape (G,), epsilon of each HAT in steps of 1e-6, 0 where nothing is released;
    unit: what the noise covers; retained: shape (P,), rows of users who were not suppressed. Shares of a pair
    are rounded up to a step, so that no figure is too small; none is above what the ledger charges.
    Source: TR III.E.
    """
    rows = np.ones(contributions.hat.size, bool) if retained is None else retained
    most = _most_days(contributions, rows) if unit is Unit.VEHICLE else np.ones_like(hat_micro_epsilons)
    pair_micro_epsilons = -(-hat_micro_epsilons // most)
    charge = charge_of(contributions, pair_micro_epsilons, Unit.VEHICLE_DAY, rows)
    hats_per_day = _most_hats_a_day(contributions, rows & (hat_micro_epsilons > 0)[contributions.hat])
    return QueryEpsilons(
        per_hat_day=charge.per_vehicle_hat_day,
        hats_per_day=hats_per_day,
        per_day_bound=from_micro_epsilon(int(np.sort(pair_micro_epsilons)[::-1][:hats_per_day].sum())),
        per_day=charge.per_vehicle_day,
        per_vehicle=from_micro_epsilon(_largest_over_window(contributions, hat_micro_epsilons, most, rows)),
    )


def add_query_epsilons(queries: Iterable[QueryEpsilons]) -> QueryEpsilons:
    """Several queries about the same vehicles: epsilons add. Source: TR III.F."""
    listed = list(queries)
    return QueryEpsilons(
        per_hat_day=sum((one.per_hat_day for one in listed), Decimal(0)),
        hats_per_day=max((one.hats_per_day for one in listed), default=0),
        per_day_bound=sum((one.per_day_bound for one in listed), Decimal(0)),
        per_day=sum((one.per_day for one in listed), Decimal(0)),
        per_vehicle=sum((one.per_vehicle for one in listed), Decimal(0)),
    )


def _vehicle_days(
    contributions: Contributions, rows: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """HAT, vehicle and days of each (HAT, vehicle); rows: shape (P,), those of users who stay."""
    hat, vehicle, days = contributions.vehicle_days()
    until = np.cumsum(days)
    staying = np.concatenate(([0], np.cumsum(rows)))
    return hat, vehicle, staying[until] - staying[until - days]


def _most_days(contributions: Contributions, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Shape (G,): the most days that one vehicle has in each HAT."""
    hat, _, days = _vehicle_days(contributions, rows)
    most = np.ones(contributions.hats, np.int64)
    np.maximum.at(most, hat, days)
    return most


def _most_hats_a_day(contributions: Contributions, rows: NDArray[np.bool_]) -> int:
    """K_day: each row of the table is another HAT of its vehicle and day; rows: those of published HATs."""
    user = contributions.vehicle.astype(np.int64) * contributions.window.days + contributions.day
    return int(np.bincount(user[rows]).max(initial=0))


def _largest_over_window(
    contributions: Contributions,
    hat_micro_epsilons: NDArray[np.int64],
    most: NDArray[np.int64],
    rows: NDArray[np.bool_],
) -> int:
    """The largest sum over HATs of `days / most days` of the HAT's steps, each rounded up."""
    hat, vehicle, days = _vehicle_days(contributions, rows)
    sums = np.zeros(len(contributions.vehicles), np.int64)
    np.add.at(sums, vehicle, -(-days * hat_micro_epsilons[hat] // most[hat]))
    return int(sums.max(initial=0))
