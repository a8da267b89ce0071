"""Draws a planned city: one exact vector of token sums, one allowance (city-release 1, 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Ints
from core.city.city_plan import CityPlan
from core.city.row_check import require_rows_within
from core.mechanisms.tokens import TOKENS
from core.noise.source import NoiseSource


@dataclass(frozen=True, slots=True, kw_only=True)
class CityDraw:
    """What the noise gave for each released HAT."""

    unclamped: Ints
    """Shape (G,), thousandths of the unit above the lower bound; may lie outside of [0, U]."""


def draw_city(plan: CityPlan, sums: Ints, noise: NoiseSource) -> CityDraw:
    """`(N_g + Z_g) / S_g` of each HAT.

    sums: thousandths, one of each pair (`vehicle_sums`). The rows are checked again beside the noise that
    relies on them. Raises InternalError where they, or the allowance, do not hold.
    """
    pairs, squared = plan.pairs, plan.noise.squared
    require_rows_within(pairs.vehicle.tolist(), plan.tokens.tolist(), TOKENS, squared=squared)
    means = plan.grid.nearest(sums, pairs.records)
    exact = np.add.reduceat(plan.tokens * means, pairs.starts)
    buy = noise.gaussian_vector if squared else noise.laplace_vector
    noisy = buy(exact, plan.sensitivity, spend=plan.spend)
    return CityDraw(unclamped=np.rint(noisy / plan.totals * plan.grid.step).astype(np.int64))
