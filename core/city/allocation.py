"""How much each HAT takes of every vehicle's budget, nearly as well as possible (city-release 3).

Minimises `sum_g om_g x_g^-p` subject to `D x <= 1`, where x_g is the exactness of HAT g (the inverse of its
noise), and a vehicle's load is the sum of its shares times x. Everything is in units of U and of the budget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from core.arrays import Floats
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.errors import InternalError
from core.progress import Progress, silent

LARGEST_GAP = 0.005
"""An allocation of vehicles' budgets is at most this much above what is possible at all."""
_MOST_ITERATIONS = 5_000
_GROWTH, _LARGEST_STEP = 1.05, 4.0
_FILLINGS = 3
_LEAST_PRICE = 1e-14
_LARGEST_RATIO = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """A feasible x, and how far from the best it can be at most."""

    exactness: Floats
    """Shape (G,): x_g where U and every vehicle's budget are 1: `1 / b_g`, Gaussian `1 / sigma_g^2`."""
    gap: float
    """(upper bound / lower bound) - 1 of the minimised sum: the certificate."""
    iterations: int


def costs(pairs: CityPairs, noise: NoiseKind) -> Floats:
    """D_lg, what a vehicle pays for a unit of exactness: w (Laplace), w^2 / 2 (Gaussian); shape (n,)."""
    shares = pairs.shares
    return shares**2 / 2.0 if noise.squared else shares


def allocate(
    pairs: CityPairs,
    noise: NoiseKind,
    power: int,
    importance: Floats | None = None,
    progress: Progress = silent,
) -> Allocation:
    """The best exactness of every HAT, by dual ascent, to a gap of `LARGEST_GAP`.

    power: p, 1 for the smallest mean noise, 8 for nearly the smallest largest; importance: om, shape (G,),
    above 0; None: all alike. Raises InternalError where the gap stays open.
    """
    p = power / 2.0 if noise.squared else float(power)
    important = np.ones(pairs.hats) if importance is None else importance / importance.mean()
    cost = costs(pairs, noise)
    by_vehicle = scipy.sparse.csr_array(
        (cost, (pairs.vehicle, pairs.hat)), shape=(pairs.vehicles, pairs.hats)
    )
    by_hat = by_vehicle.T.tocsr()
    price = np.full(pairs.vehicles, 1.0 / pairs.vehicles)
    step, best_sum = p + 1.0, 0.0
    lower, upper = 0.0, np.inf
    exactness = np.zeros(pairs.hats)
    base_price, base_change = price, price
    for iterations in range(1, _MOST_ITERATIONS + 1):
        charged = by_hat @ price
        x = (important / charged) ** (1.0 / (p + 1.0))
        total = float(charged @ x)
        load = by_vehicle @ x
        lower = max(lower, total ** (p + 1.0))
        filled = _filled(x, load, pairs, by_vehicle.dot)
        reached = float(important @ filled**-p)
        if reached < upper:
            upper, exactness = reached, filled
        gap = upper / lower - 1.0
        if gap <= LARGEST_GAP:
            return Allocation(exactness=exactness, gap=max(gap, 0.0), iterations=iterations)
        progress(LARGEST_GAP / gap, "Dividing every vehicle's budget over its hexagon slots")
        if total < best_sum:
            step /= 2.0
        else:
            best_sum, step = total, min(_GROWTH * step, _LARGEST_STEP * (p + 1.0))
            base_price = price
            base_change = np.clip(load / total, 1.0 / _LARGEST_RATIO, _LARGEST_RATIO)
        price = base_price * base_change**step
        price = np.maximum(price / price.sum(), _LEAST_PRICE / pairs.vehicles)
        price /= price.sum()
    raise InternalError("the shares of a city's budget were not found")


def _filled(x: Floats, load: Floats, pairs: CityPairs, load_of: Callable[[Floats], Floats]) -> Floats:
    """x scaled to the heaviest vehicle, then each HAT raised to what its vehicles have left."""
    starts = pairs.starts
    filled: Floats = x / load.max()
    load = load / load.max()
    for _ in range(_FILLINGS):
        filled = filled * np.minimum.reduceat(1.0 / load[pairs.vehicle], starts)
        load = load_of(filled)
    return filled / max(1.0, float(load.max()))
