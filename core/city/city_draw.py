"""Draws a planned city: one exact vector of token sums a look, one allowance each (city-release 1, 6, 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.city.city_plan import CityPlan
from core.city.row_check import require_rows_within
from core.city.zoom import TwoLooks, combined, combined_scale, look_scale, ranges_of, zoomed_tokens
from core.mechanisms.tokens import TOKENS
from core.noise.source import NoiseSource
from core.progress import Progress, silent
from core.values import THOUSAND

LOOKS = ("first look", "second look")
"""Ends of the noise scopes of a city that is looked at twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CityDraw:
    """What the noise gave for each released HAT; shape (G,)."""

    unclamped: Ints
    """Thousandths of the unit above the lower bound; may lie outside of [0, U]."""
    scale: Floats
    """Scale (Gaussian: standard deviation) of its noise, km/h: with two looks an output of the first."""


def draw_city(
    plan: CityPlan, sums: Ints, noise: Callable[[str], NoiseSource], progress: Progress = silent
) -> CityDraw:
    """`(N_g + Z_g) / S_g` of each HAT.

    sums: thousandths, one of each pair (`vehicle_sums`); noise: hands out the noise of each look, `""` where
    there is one. The rows are checked again beside the noise that relies on them. Raises InternalError where
    they, or an allowance, do not hold.
    """
    means = plan.grid.nearest(sums, plan.pairs.records)
    require_rows_within(plan.pairs.vehicle.tolist(), plan.tokens.tolist(), TOKENS, squared=plan.noise.squared)
    exact = np.add.reduceat(plan.tokens * means, plan.pairs.starts)
    if plan.looks is None:
        buy = noise("").gaussian_vector if plan.noise.squared else noise("").laplace_vector
        noisy = buy(exact, plan.sensitivity, spend=plan.spend) / plan.totals
        return CityDraw(unclamped=_in_thousandths(noisy * plan.grid.step), scale=plan.scale)
    drawn = noise(LOOKS[0]).gaussian_vector(exact, plan.sensitivity, spend=plan.looks.first)
    first = drawn / plan.totals * plan.grid.step_kmh
    return _second_look(plan, plan.looks, means, first, noise(LOOKS[1]), progress)


def _in_thousandths(numbers: Floats) -> Ints:
    rounded: Ints = np.rint(numbers).astype(np.int64)
    return rounded


def _second_look(
    plan: CityPlan, looks: TwoLooks, means: Ints, first: Floats, noise: NoiseSource, progress: Progress
) -> CityDraw:
    """Means cut to where the first look found them, with what is left of the budget."""
    pairs = plan.pairs
    deviation, _ = plan.look_scales(looks.expected_width)
    facts = plan.places.facts(deviation, plan.bias.interval, plan.upper_kmh)
    ranges = ranges_of(facts.with_values(first), plan.grid, progress)
    tokens = zoomed_tokens(pairs, plan.tokens, plan.grid, ranges)
    low, high = ranges.low[pairs.hat], ranges.high[pairs.hat]
    exact = np.add.reduceat(tokens * (np.clip(means, low, high) - low), pairs.starts)
    drawn = noise.gaussian_vector(exact, plan.sensitivity, spend=looks.second)
    totals = np.add.reduceat(tokens, pairs.starts)
    second = (ranges.low + drawn / totals) * plan.grid.step_kmh
    scales = deviation, look_scale(plan.grid, totals, looks.second)
    values = combined((first, second), scales)
    return CityDraw(unclamped=_in_thousandths(values * THOUSAND), scale=combined_scale(scales))
