"""What is shown of a joint plan before its release: noise, certificate, vehicles that count, bias."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.city.city_plan import CityPlan
from core.city.noise_kind import NoiseKind

_PRECISION = 1000
"""The certificate is stated in tenths of a per cent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CityFigures:
    """Over the published HATs, from public counts alone."""

    noise: NoiseKind
    delta_allowed: bool
    """The population has a delta, so that Gaussian noise could be chosen."""
    looks_twice: bool
    """A part of the budget finds where each mean lies, the rest measures there."""
    gap: float | None
    """The shares are within this part of the best possible ones, rounded up to 0.001; None for regions."""
    effective_vehicles: float
    """In the median HAT: as many vehicles of equal weight would make it as exact."""
    regions: int
    """That are published in place of HATs; 0 where HATs are."""
    record_share: float
    """Of the window's records, those that regions hold; 1 where HATs are published."""
    modelled_bias: float
    """In the median HAT, in the value's unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HatFigures:
    """Of one published HAT."""

    effective_vehicles: float
    modelled_bias: float
    """In the value's unit."""


def hat_figures(city: CityPlan) -> dict[int, HatFigures]:
    """Number of a HAT in the contributions -> its figures; HATs of a region share those of the region."""
    vehicles, biases = city.effective_vehicles.tolist(), city.expected_bias.typical.tolist()
    columns = city.columns(int(city.hat_index.max()) + 1)
    return {
        index: HatFigures(effective_vehicles=vehicles[column], modelled_bias=biases[column])
        for index, column in enumerate(columns.tolist())
        if column >= 0
    }


def city_figures(city: CityPlan) -> CityFigures:
    """The figures of a plan."""
    return CityFigures(
        noise=city.noise,
        delta_allowed=city.budget.delta > 0,
        looks_twice=city.looks is not None,
        gap=None if city.gap is None else math.ceil(round(city.gap * _PRECISION, 9)) / _PRECISION,
        regions=0 if city.regions is None else len(city.regions.listed),
        record_share=1.0 if city.regions is None else city.regions.record_share,
        effective_vehicles=float(np.median(city.effective_vehicles)),
        modelled_bias=float(np.median(city.expected_bias.typical)),
    )
