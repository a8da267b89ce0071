"""How much more than its budget a plan lets a public unit's records cost (method 12.5).

Enforcement takes back what a unit cannot pay. A plan whose records just fit the busiest units leaves most of
what the others have unspent; with prices several times as high they spend it, and noise falls, while units
that visit many HATs weigh less there than their records say: that leans the mean.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.arrays import Floats, Ints
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.mechanisms.public_model import RECORD_SPREAD, VEHICLE_SPREAD, scaled

LOADS = (1, 2, 4, 8)
"""What is tried, in budgets of the busiest public unit."""


def chosen_load(
    public: CityPairs,
    tokens_at: Callable[[int], Ints],
    noise: NoiseKind,
    sum_scale: float,
    upper_kmh: float,
) -> int:
    """The load with the smallest median over HATs of |noise + modelled lean|, by public counts alone.

    tokens_at: load -> tokens of each pair after enforcement, shape (n,); sum_scale: of the noise on a HAT's
    sum, km/h times tokens. Equal ones: the smallest load.
    """
    errors = []
    for load in LOADS:
        tokens = tokens_at(load)
        weight = np.maximum(public.by_hat(tokens), 1.0)
        scale = np.minimum(sum_scale / weight, upper_kmh / 2.0)
        lean = modelled_lean(public, tokens / weight[public.hat], upper_kmh)
        errors.append(float(np.median(noise.typical_error(scale, lean))))
    return LOADS[int(np.argmin(errors))]


def modelled_lean(public: CityPairs, shares: Floats, upper_kmh: float) -> Floats:
    """Standard deviation of what other weights than records change in each HAT's mean, km/h; shape (G,).

    shares: of each pair in its HAT's weight, shape (n,). Units' means lie around the HAT's, records around
    their unit's, by the public model.
    """
    vehicle, record = scaled(VEHICLE_SPREAD, upper_kmh), scaled(RECORD_SPREAD, upper_kmh)
    spread = vehicle**2 + record**2 / public.records
    lean: Floats = np.sqrt(public.by_hat(spread * (shares - public.shares) ** 2))
    return lean
