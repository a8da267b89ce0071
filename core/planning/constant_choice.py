"""Choosing the constants of relation `user` blindly; no vehicle expected anywhere (method 12.9).

Errors are those of means of bounded units (method 12.4), from constants, budgets and public counts alone.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from statistics import NormalDist

import numpy as np

from core.accounting.zcdp import rho_of
from core.arrays import Floats
from core.bounding.bounded_mean import BoundedMeanPlan, plan_bounded_mean
from core.bounding.bounding_error import bounded_error
from core.bounding.constants import BoundingConstants
from core.bounding.public_counts import PublicCounts, require_fleet
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.mechanisms.public_model import HAT_MEAN, HAT_MEAN_SPREAD, RECORD_SPREAD, VEHICLE_SPREAD, scaled
from core.mechanisms.tokens import AUTO
from core.planning.city_accuracy import ErrorGoal, no_budget_for
from core.planning.smallest_budget import AMOUNTS, smallest_budget
from core.progress import Progress, silent

USUAL_HATS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200)
"""C that are tried where nobody names others: neighbours differ by about half."""
_NORMAL_MEAN = math.sqrt(2.0 / math.pi)
"""E|N(0, 1)|."""
_ANY_THRESHOLD = 1
"""For choosing constants blindly: typical errors do not depend on the threshold."""


@dataclass(frozen=True, slots=True)
class PublicCity:
    """What constants are compared on: all of it is public."""

    public: PublicCounts
    """Of all candidates, in their order."""
    constants: BoundingConstants
    """C is what is compared, where nothing else is said."""
    _: KW_ONLY
    delta: Decimal = Decimal(0)
    """What the population allows."""
    goal: ErrorGoal = ErrorGoal.MEDIAN
    """Whose typical error counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantChoice:
    """A constant and a budget, and what they are expected to miss."""

    hats_per_vehicle: int
    """C."""
    total: Decimal
    """Epsilon of one protected unit."""
    noise: NoiseKind
    error_kmh: float
    """Typical error of the goal's HAT."""


def constants_to_try(city: PublicCity, named: Sequence[int] = USUAL_HATS) -> list[int]:
    """The C that are named, and as many HATs as one unit is expected to visit; ascending, each once.

    None is below 1, or above the number of candidates, which bounds what is bounded already.
    """
    expected = math.ceil(city.public.hats_of_one)
    return sorted({min(max(hats, 1), city.constants.candidates) for hats in (*named, expected)})


def noises_of(asked: str, delta: Decimal, total: Decimal | None = None) -> list[NoiseKind]:
    """The kinds of noise that may be taken: the one asked for, or each that the delta allows.

    total: where it is known, none that it does not buy is among several.
    """
    if asked != AUTO:
        return [NoiseKind(asked)]
    if not delta:
        return [NoiseKind.LAPLACE]
    if total is not None:
        try:
            rho_of(total, delta)
        except InputError:  # so little that no rho comes to it
            return [NoiseKind.LAPLACE]
    return [NoiseKind.LAPLACE, NoiseKind.GAUSS]


def spend_of(total: Decimal, noise: NoiseKind, delta: Decimal) -> Decimal:
    """What an epsilon buys of this noise: itself, or a rho. Raises InputError where that is nothing."""
    return rho_of(total, delta) if noise.squared else total


def typical_bounded_error(city: PublicCity, noise: NoiseKind, total: Decimal) -> float:
    """What the goal's HAT is expected to miss, of those where somebody is expected, km/h.

    Expected |noise|, and what the units that C leaves out would change by the public model. Raises InputError
    where the total buys no such noise, or where nobody is expected anywhere.
    """
    plan = plan_bounded_mean(city.constants, noise, spend_of(total, noise, city.delta), _ANY_THRESHOLD)
    errors = errors_of_hats(plan, city.public, city.constants)
    return city.goal.of(errors[~np.isnan(errors)])


def errors_of_hats(plan: BoundedMeanPlan, public: PublicCounts, constants: BoundingConstants) -> Floats:
    """The same of each candidate, km/h; NaN where nobody is expected; shape (G,).

    public: of all candidates, in their order. Raises InputError where nobody is expected anywhere.
    """
    expected = public.units > 0
    if not expected.any():
        raise InputError(
            "No vehicle is expected in any hexagon slot.",
            where="the public counts",
            mend="name at least one hexagon slot with a vehicle",
        )
    noisy = bounded_error(plan, public, constants)
    errors: Floats = np.where(expected, _with_units_left_out(noisy, public, constants), np.nan)
    return errors


def choice_of(city: PublicCity, hats: int, noise: NoiseKind, total: Decimal) -> ConstantChoice:
    """This C with its error. Raises as `typical_bounded_error`."""
    one = dataclasses.replace(city.constants, hats_per_vehicle=hats)
    error = typical_bounded_error(dataclasses.replace(city, constants=one), noise, total)
    return ConstantChoice(hats_per_vehicle=hats, total=total, noise=noise, error_kmh=error)


def best_constant(
    city: PublicCity, noise: NoiseKind, total: Decimal, tried: Sequence[int] = USUAL_HATS
) -> ConstantChoice:
    """Of the C that are tried the one with the smallest error, of equal ones the smallest.

    A small C leaves records out, a large one makes noise for HATs that few vehicles visit. Raises InputError
    where public counts do not say how many units there are, as then no record seems to be left out, and as
    `typical_bounded_error`.
    """
    require_fleet(city.public.fleet)
    most = city.constants.candidates  # beyond that C bounds what is bounded already
    found = [choice_of(city, hats, noise, total) for hats in np.unique(np.minimum(tried, most)).tolist()]
    return min(found, key=lambda choice: (choice.error_kmh, choice.hats_per_vehicle))


def choice_for_error(
    city: PublicCity,
    noise: NoiseKind,
    wanted_kmh: float,
    tried: Sequence[int] = USUAL_HATS,
    progress: Progress = silent,
) -> ConstantChoice:
    """The smallest total with two digits, and its best C, whose typical error is `wanted_kmh` at most.

    wanted_kmh: above 0. Errors fall with the total for every C. Raises InputError where
    no total is enough, as `best_constant` does, and what `progress` raises.
    """
    require_fleet(city.public.fleet)

    def best(total: Decimal) -> ConstantChoice:
        return best_constant(city, noise, total, tried)

    found = smallest_budget(lambda total, _: best(total).error_kmh, wanted_kmh, progress)
    if found is None:
        raise no_budget_for(wanted_kmh, city.goal)
    return best(found)


def gaussian_pays_from(total: Decimal, delta: Decimal, *, vectors: float = 2) -> int | None:
    """The fewest HATs per unit from which Gaussian noise is smaller in the mean; None: it buys none.

    vectors: that share the budget evenly, such as weights and sums of a mean; what else differs between the
    norms may stand in the number too (`Statistic.equal_numbers`). With C HATs Laplace noise is
    `C v / epsilon` on average, Gaussian `sqrt(2 / pi) sqrt(C v / (2 rho))`: the latter is less where
    `C > epsilon^2 / (pi rho v)`. Raises InputError for a delta that allows none at all.
    """
    rho_of(AMOUNTS[-1], delta)
    try:
        rho = rho_of(total, delta)
    except InputError:
        return None
    return math.floor(float(total) ** 2 / (math.pi * float(rho) * vectors)) + 1


def _with_units_left_out(noisy: Floats, public: PublicCounts, constants: BoundingConstants) -> Floats:
    """Errors of HATs, where a part of the units stand for all of them, or none does; shape (G,)."""
    upper = constants.upper_bound / THOUSAND
    vehicle, record = scaled(VEHICLE_SPREAD, upper), scaled(RECORD_SPREAD, upper)
    units, retained = np.maximum(public.units, 1), public.retained(constants)
    empty = np.where(retained < public.units, np.exp(-retained), 0.0)
    part = np.maximum(1.0 / np.maximum(retained, 1.0) - 1.0 / units, 0.0)
    drawn = _NORMAL_MEAN * np.sqrt((vehicle**2 + record**2 / public.records) * part)
    middle = NormalDist(scaled(HAT_MEAN, upper) - upper / 2.0, scaled(HAT_MEAN_SPREAD, upper))
    errors: Floats = (1.0 - empty) * (noisy + drawn) + empty * _mean_size(middle)
    return errors


def _mean_size(normal: NormalDist) -> float:
    """Of a normal variable."""
    length = normal.mean / normal.stdev
    return normal.stdev * _NORMAL_MEAN * math.exp(-(length**2) / 2.0) + normal.mean * (
        1.0 - 2.0 * NormalDist().cdf(-length)
    )
