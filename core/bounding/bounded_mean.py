"""Means of relation `user`, noisy sum over noisy weight; no threshold of mere noise (method 12.4).

Query 1 is the same over (vehicle, day) pairs (method 12.6). Everything that is published has noise of a scale
that follows from constants alone, and a row for every candidate, records or not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from core.arrays import Ints
from core.bounding.bounding import Entries
from core.bounding.candidates import CandidateHats, candidate_hats
from core.bounding.column_sums import column_sums
from core.bounding.constants import BoundingConstants
from core.bounding.entry_bound import (
    EntryBound,
    entry_bound,
    entry_unit,
    halves,
    noisy_vector,
    reach_975,
    vector_scale,
)
from core.bounding.quotients import Quotients, quotients
from core.bounding.unbiased_means import UnbiasedMeans, unbiased_means
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.mechanisms.value_grid import ValueGrid, value_grid
from core.noise.source import NoiseSource

WEIGHTS, SUMS = "weights", "sums"
"""Ends of the two noise scopes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMeanPlan:
    """All that a draw goes by: public constants, and a budget."""

    candidates: CandidateHats
    bound: EntryBound
    noise: NoiseKind
    spend: Decimal
    """Of one unit, for the whole query: pure epsilon, or rho."""
    threshold: int
    """The noisy weight that publishes a HAT, in entries."""
    upper_bound: int
    """U in thousandths."""
    grid: ValueGrid

    @property
    def spends(self) -> dict[str, Decimal]:
        """End of each noise scope -> what it may spend; together `spend`."""
        return dict(zip((WEIGHTS, SUMS), halves(self.spend, self.noise), strict=True))

    @property
    def entry_weight(self) -> int:
        """What one entry adds to the weights that get noise."""
        return entry_unit(self.noise)

    @property
    def sensitivities(self) -> dict[str, int]:
        """Of both vectors: weights in units of `entry_weight`, sums in halves of the grid's step."""
        return {
            WEIGHTS: self.bound.sensitivity(self.entry_weight, self.noise),
            SUMS: self.bound.sensitivity(self.grid.largest, self.noise),
        }

    @property
    def weight_scale(self) -> float:
        """Scale (Gaussian: standard deviation) of the noise on a HAT's weight, entries."""
        return vector_scale(self.noise, self.sensitivities[WEIGHTS], self.spends[WEIGHTS]) / self.entry_weight

    @property
    def sum_scale(self) -> float:
        """The same of a HAT's sum, km/h times entries."""
        scale = vector_scale(self.noise, self.sensitivities[SUMS], self.spends[SUMS])
        return scale * self.grid.step_kmh / 2.0

    @property
    def middle(self) -> float:
        """What sums are taken around, thousandths: half of the grid's range."""
        return self.grid.largest * self.grid.step / 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedMeans:
    """What the noise gave for every candidate HAT; shapes (G,). It is stated for published ones only."""

    published: NDArray[np.bool_]
    """Whether the noisy weight reaches the threshold; the others are listed without numbers."""
    weight: Ints
    """Noisy weight in thousandths of an entry: `vehicles_dp`."""
    weight_reach: int
    """Half-width of its 95 % interval, in the same unit."""
    means: Quotients
    unbiased: UnbiasedMeans
    """For smoothing."""


def plan_bounded_mean(
    constants: BoundingConstants, noise: NoiseKind, spend: Decimal, threshold: int, *, by_day: bool = False
) -> BoundedMeanPlan:
    """From constants alone; by_day: over (vehicle, day) pairs in place of units.

    spend: of one unit. Raises InputError for a threshold below 1, or a budget that cannot be halved.
    """
    if threshold < 1:
        raise InputError(
            "A threshold of {threshold} vehicles would publish hexagon slots that are only noise.",
            threshold=threshold,
            where="selection.threshold",
            mend="write a whole number from 1 on; several times the noise of a weight keeps empty "
            "hexagon slots out",
        )
    halves(spend, noise)
    return BoundedMeanPlan(
        candidates=candidate_hats(constants),
        bound=entry_bound(constants, by_day=by_day),
        noise=noise,
        spend=spend,
        threshold=threshold,
        upper_bound=constants.upper_bound,
        grid=value_grid(constants.upper_bound),
    )


def draw_bounded_mean(
    plan: BoundedMeanPlan, entries: Entries, noise: Callable[[str], NoiseSource]
) -> BoundedMeans:
    """One vector of weights and one of sums, of every candidate.

    entries: bounded as the plan says (`bounded_rows`); noise: hands out the noise of each scope by its end.
    """
    drawn = {
        name: noisy_vector(noise(name), plan.noise, centres, plan.sensitivities[name], plan.spends[name])
        for name, centres in exact_vectors(plan, entries).items()
    }
    weights = drawn[WEIGHTS].astype(np.float64) / plan.entry_weight
    sums = drawn[SUMS].astype(np.float64) * (plan.grid.step / 2.0)
    reach = reach_975(plan.noise, plan.weight_scale), reach_975(plan.noise, plan.sum_scale)
    means = quotients(
        sums,
        weights,
        reach=(reach[1] * THOUSAND, reach[0]),
        least=1.0,
        centre=plan.middle,
        upper=plan.upper_bound,
    )
    return BoundedMeans(
        published=drawn[WEIGHTS] >= plan.threshold * plan.entry_weight,
        weight=np.rint(weights * THOUSAND).astype(np.int64),
        weight_reach=int(
            np.ceil(plan.noise.half_width(np.array([plan.weight_scale]), np.zeros(1))[0] * THOUSAND)
        ),
        means=means,
        unbiased=unbiased_means(
            plan.noise,
            sums / THOUSAND,
            weights,
            (plan.sum_scale, plan.weight_scale),
            plan.upper_bound / THOUSAND,
        ),
    )


def exact_vectors(plan: BoundedMeanPlan, entries: Entries) -> dict[str, Ints]:
    """What noise is added to, both of shape (G,): weights, and sums of twice the mean less the whole range.

    Means are whole steps of the grid, from 0 to its largest; so an entry adds that largest at most, either
    way. Confidential.
    """
    means = plan.grid.nearest(entries.sums, entries.records).clip(0, plan.grid.largest)
    size = len(plan.candidates)
    ones = np.full(entries.column.size, plan.entry_weight, np.int64)
    return {
        WEIGHTS: column_sums(entries.column, ones, size),
        SUMS: column_sums(entries.column, 2 * means - plan.grid.largest, size),
    }
