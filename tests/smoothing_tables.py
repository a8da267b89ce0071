"""Released tables to smooth, whose true means are known because they were made up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import h3
import numpy as np

from core.arrays import Floats, Ints
from core.city.smoothing import SmoothingInput
from core.city.smoothing_model import SPREAD_CENTRES, HatPlaces, covariance
from core.mechanisms.covariate import OF_RECORDS, Covariate, PublicSign, Slope

AUSTIN = (30.27, -97.74)


@dataclass(frozen=True, kw_only=True)
class MadeUp:
    """A table with its truth."""

    given: SmoothingInput
    truth: Floats


def hats_around(count: int, resolution: int = 8, slots: int = 24, seed: int = 0) -> tuple[Ints, Floats]:
    """(cells, hours) of `count` different HATs in the smallest disk that has as many."""
    rings = 0
    while (3 * rings * (rings + 1) + 1) * slots < count:
        rings += 1
    disk = sorted(map(h3.str_to_int, h3.grid_disk(h3.latlng_to_cell(*AUSTIN, resolution), rings)))
    picked = np.random.default_rng(seed).permutation(len(disk) * slots)[:count]
    return np.array(disk)[picked // slots], (picked % slots + 0.5) * 24.0 / slots


def model_field(cells: Ints, hours: Floats, seed: int = 0, spreads: Floats = SPREAD_CENTRES) -> Floats:
    """True means drawn from the model, for a city around 22: of others too many would be clamped."""
    law = covariance(HatPlaces.of(cells, hours), spreads, shared=0.0)
    drawn = np.random.default_rng(seed).multivariate_normal(np.full(cells.size, 22.0), law, method="cholesky")
    return np.clip(drawn, 0.0, 65.0)


def released(
    cells: Ints,
    hours: Floats,
    truth: Floats,
    *,
    deviation: float = 10.0,
    gaussian: bool = False,
    seed: int = 0,
) -> MadeUp:
    """`truth` with noise whose standard deviation lies around `deviation`, no two alike."""
    rng = np.random.default_rng(seed)
    sizes = deviation * rng.lognormal(0.0, 0.5, cells.size)
    noise = rng.normal(0.0, 1.0, cells.size) if gaussian else rng.laplace(0.0, 0.5**0.5, cells.size)
    return MadeUp(given=table(cells, hours, truth + sizes * noise, sizes**2, gaussian=gaussian), truth=truth)


def table(
    cells: Ints, hours: Floats, values: Floats, noise_variance: Floats, **changes: Any
) -> SmoothingInput:
    """A table with U 65 and no bias, but for the changes."""
    names = tuple(f"{hour:g} {h3.int_to_str(cell)}" for cell, hour in zip(cells.tolist(), hours, strict=True))
    facts: dict[str, Any] = {
        "bias_variance": np.zeros(cells.size),
        "gaussian": False,
        "upper_kmh": 65.0,
        "ids": names,
    }
    return SmoothingInput(
        cells=cells, hours=hours, values=values, noise_variance=noise_variance, **(facts | changes)
    )


@cache
def _kilometres(one: str, other: str) -> float:
    return h3.great_circle_distance(h3.cell_to_latlng(one), h3.cell_to_latlng(other), unit="km")


def slow_covariance(
    cells: Ints, hours: Floats, spreads: Floats, covariate: Covariate | None = None
) -> Floats:
    """The model's covariances by plain loops, with H3's own distances."""
    made = _by_loops(tuple(cells.tolist()), tuple(hours.tolist()), tuple(map(float, spreads)))
    if covariate is not None:
        sign, slope = covariate.standardised, covariate.slope
        factors = np.clip((22.0 + slope.mean * sign) / 22.0, 0.5, 2.0)
        made = made * np.outer(factors, factors) + slope.spread**2 * np.outer(sign, sign)
    return made + 12.0**2


@lru_cache(2)
def _by_loops(cells: tuple[int, ...], hours: tuple[float, ...], spreads: tuple[float, ...]) -> Floats:
    place, hour, local, own = spreads
    names = list(map(h3.int_to_str, cells))
    made = np.zeros((len(cells), len(cells)))
    for i in range(len(cells)):
        for j in range(len(cells)):
            km = _kilometres(names[i], names[j])
            apart = abs(hours[i] - hours[j])
            apart = min(apart, 24.0 - apart)
            made[i, j] = place**2 * (0.6 * math.exp(-km / 2.0) + 0.4 * (cells[i] == cells[j]))
            made[i, j] += hour**2 * math.exp(-apart / 3.0)
            made[i, j] += local**2 * math.exp(-km / 2.0 - apart / 2.0)
            made[i, j] += own**2 * (i == j)
    return made


def signs(count: int, seed: int = 0, slope: Slope = OF_RECORDS) -> Covariate:
    """Of `count` HATs, as a release publishes them."""
    amounts = np.random.default_rng(seed).lognormal(1.0, 0.5, count)
    return PublicSign(amounts=amounts, slope=slope).standardised()
