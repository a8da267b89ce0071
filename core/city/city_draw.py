"""Draws a planned city: one exact vector of token sums a look, one allowance each (city-release 1, 6, 8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Floats, Ints
from core.city.city_bias import CityBias, city_bias
from core.city.city_plan import CityPlan, with_cut
from core.city.row_check import require_rows_within
from core.city.smoothing import SmoothingFacts, SmoothingInput, gaussian_posterior
from core.city.zoom import (
    TwoLooks,
    combined,
    combined_scale,
    look_scale,
    ranges_of,
    second_share,
    zoomed_tokens,
)
from core.city.zoom_cut import cut_of
from core.fixed_point import THOUSAND
from core.mechanisms.tokens import TOKENS
from core.noise.source import NoiseSource
from core.progress import Progress, silent

LOOKS = ("first look", "second look")
"""Ends of the noise scopes of a city that is looked at twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """Numbers of two looks without the pull of the second's ranges; km/h, shape (G,)."""

    values: Floats
    """Unclamped."""
    scale: Floats
    """Standard deviation of their noise."""
    rest: Floats
    """Of what cutting still adds to it, by the model."""

    def only(self, hats: Ints) -> Corrected:
        """Of some of the HATs, in that order."""
        return Corrected(values=self.values[hats], scale=self.scale[hats], rest=self.rest[hats])

    def input(self, facts: SmoothingFacts) -> SmoothingInput:
        """What smoothing sees of them; facts: of the same HATs, whatever noise they state."""
        bias, typical = facts.bias_variance, facts.typical_bias_variance
        return replace(
            facts,
            noise_variance=self.scale**2,
            bias_variance=bias + self.rest**2,
            typical_bias_variance=None if typical is None else typical + self.rest**2,
        ).with_values(self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class CityDraw:
    """What the noise gave for each released HAT; shape (G,)."""

    unclamped: Ints
    """Thousandths of the unit above the lower bound; may lie outside of [0, U]."""
    scale: Floats
    """Scale (Gaussian: standard deviation) of its noise, km/h: with two looks an output of the first."""
    bias: CityBias
    """Beside the noise: of the weights and, with two looks, of what the second cut away."""
    corrected: Corrected | None = None
    """Of two looks: what intervals of smoothed values go by."""


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
        noisy = buy(exact, plan.sensitivity, spend=plan.spend) / plan.divisors
        return CityDraw(unclamped=_in_thousandths(noisy * plan.grid.step), scale=plan.scale, bias=plan.bias)
    drawn = noise(LOOKS[0]).gaussian_vector(exact, plan.sensitivity, spend=plan.looks.first)
    first = drawn / plan.divisors * plan.grid.step_kmh
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
    mean, error = gaussian_posterior(facts.with_values(first), progress)
    found = mean * plan.correction, error  # where vehicles' means lie by their weights, which lean
    ranges = ranges_of(found, plan.grid, plan.upper_kmh)
    tokens = zoomed_tokens(pairs, plan.tokens, plan.grid, ranges)
    low, high = ranges.low[pairs.hat], ranges.high[pairs.hat]
    exact = np.add.reduceat(tokens * (np.clip(means, low, high) - low), pairs.starts)
    drawn = noise.gaussian_vector(exact, plan.sensitivity, spend=looks.second)
    totals = np.add.reduceat(tokens, pairs.starts)
    second = (ranges.low + drawn / totals) * plan.grid.step_kmh
    scales = deviation, look_scale(plan.grid, totals * plan.correction, looks.second)
    weights, share = tokens / totals[pairs.hat], second_share(scales)
    cut = cut_of(pairs, weights, ranges.ends_kmh(plan.grid), found, plan.upper_kmh)
    straight = deviation, scales[1] / cut.rest_share
    both, weights = share[pairs.hat], weights / plan.correction[pairs.hat]
    bias = city_bias(pairs, (1.0 - both) * plan.weights + both * weights, plan.upper_kmh, lean=plan.lean)
    return CityDraw(
        unclamped=_in_thousandths(
            combined((first, (second - cut.shift) / plan.correction), scales) * THOUSAND
        ),
        scale=combined_scale(scales),
        bias=with_cut(bias, cut, share / plan.correction, plan.upper_kmh),
        corrected=Corrected(
            values=combined((first, cut.corrected(second) / plan.correction), straight),
            scale=combined_scale(straight),
            rest=second_share(straight) * cut.rest / cut.rest_share / plan.correction,
        ),
    )
