"""Query 2 of relation `user`: vehicles per day above each limit, by one vector of all HATs (method 12.6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.bounding.bounding import Entries
from core.bounding.candidates import CandidateHats, candidate_hats
from core.bounding.column_sums import column_sums
from core.bounding.constants import BoundingConstants
from core.bounding.entry_bound import EntryBound, entry_bound, entry_unit, noisy_vector, vector_scale
from core.city.noise_kind import NoiseKind
from core.noise.source import NoiseSource
from core.statistics.antitonic import antitonic
from core.statistics.laplace_sums import expected_size, half_width

_NORMAL_95 = 1.959964
_MILLION = 10**6
"""Vehicles per day of query 2 under relation `user` are published in millionths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedLimitsPlan:
    """All that a draw goes by: public constants, limits, and a budget."""

    candidates: CandidateHats
    bound: EntryBound
    limits: tuple[int, ...]
    """Thousandths above the lower bound, ascending."""
    histogram: bool
    """Whether bins between the limits get the noise, or each limit's count."""
    noise: NoiseKind
    spend: Decimal
    """Of one unit, for all limits: pure epsilon, or rho."""
    days: Ints
    """Of the window."""

    @property
    def sensitivity(self) -> int:
        """Of the whole vector, in units of `entry_unit`: an entry is in one bin, or above every limit."""
        numbers = 1 if self.histogram else len(self.limits)
        return self.bound.sensitivity(entry_unit(self.noise), self.noise, numbers)

    @property
    def scale(self) -> float:
        """Scale (Gaussian: standard deviation) of the noise on each number, in units of `entry_unit`."""
        return vector_scale(self.noise, self.sensitivity, self.spend)

    @property
    def terms(self) -> tuple[int, ...]:
        """Noisy numbers that each limit's answer is the sum of: all bins above it."""
        limits = len(self.limits)
        return tuple(range(limits, 0, -1)) if self.histogram else (1,) * limits

    @property
    def widths(self) -> tuple[int, ...]:
        """What the noise of each answer stays within with probability 0.95, in units of `entry_unit`."""
        if self.noise.squared:
            return tuple(math.ceil(_NORMAL_95 * self.scale * math.sqrt(terms)) for terms in self.terms)
        return tuple(half_width(terms, self.scale) for terms in self.terms)

    @property
    def typical_error(self) -> Floats:
        """Shape of `days`: expected |noise| of the answer that has most of it, vehicles per day."""
        if self.noise.squared:
            size = self.noise.mean_of_scale * self.scale * math.sqrt(max(self.terms))
        else:
            size = expected_size(max(self.terms), self.scale)
        errors: Floats = size / entry_unit(self.noise) / self.days
        return errors


@dataclass(frozen=True, slots=True, kw_only=True)
class VehiclesAbove:
    """Millionths of vehicles per day; shapes (G, limits)."""

    value: Ints
    unclamped: Ints
    """Before the fit."""
    low: Ints
    high: Ints
    informative: NDArray[np.bool_]
    """False where noise carried the whole interval below 0: it is then that around 0."""


def plan_bounded_query2(
    constants: BoundingConstants,
    limits: tuple[int, ...],
    noise: NoiseKind,
    spend: Decimal,
    *,
    histogram: bool,
) -> BoundedLimitsPlan:
    """From constants alone. limits: thousandths above the lower bound, as `require_limits` gives them."""
    return BoundedLimitsPlan(
        candidates=candidate_hats(constants),
        bound=entry_bound(constants, by_day=True),
        limits=tuple(sorted(limits)),
        histogram=histogram,
        noise=noise,
        spend=spend,
        days=_days(constants),
    )


def _days(constants: BoundingConstants) -> Ints:
    """Of all candidates, one number where it is the same of each."""
    window, by_slot = constants.window, constants.window.days_by_slot
    if (by_slot == window.days).all():
        return np.array([window.days])
    return by_slot[candidate_hats(constants).slot - window.slots.start]


def draw_bounded_query2(plan: BoundedLimitsPlan, entries: Entries, noise: NoiseSource) -> VehiclesAbove:
    """One vector of all candidates, with one allowance; entries: (vehicle, day) pairs, bounded by day."""
    exact = exact_numbers(plan, entries)
    drawn = noisy_vector(noise, plan.noise, exact, plan.sensitivity, plan.spend).reshape(-1, len(plan.limits))
    if plan.histogram:
        drawn = np.cumsum(drawn[:, ::-1], axis=1)[:, ::-1]
    units = np.broadcast_to(entry_unit(plan.noise) * plan.days, drawn.shape[:1])
    fitted = [
        [round(max(one, Fraction(0)) * _MILLION / unit) for one in antitonic(row)]
        for row, unit in zip(drawn.tolist(), units.tolist(), strict=True)
    ]
    unit = units[:, None]
    value = np.array(fitted, np.int64).reshape(drawn.shape)
    widths = np.array(plan.widths)
    inside = drawn + widths >= 0
    centre = np.where(inside, drawn, 0)
    low = np.floor((centre - widths).clip(0) * (_MILLION / unit)).astype(np.int64)
    high = np.ceil((centre + widths) * (_MILLION / unit)).astype(np.int64)
    return VehiclesAbove(
        value=value,
        unclamped=np.rint(drawn * (_MILLION / unit)).astype(np.int64),
        low=np.minimum(low, value),
        high=np.maximum(high, value),
        informative=inside,
    )


def exact_numbers(plan: BoundedLimitsPlan, entries: Entries) -> Ints:
    """What noise is added to, in units of `entry_unit`: of each HAT one number a limit; shape (G limits,).

    Pairs strictly above each limit, or in the bin from it to the next. Confidential.
    """
    limits, hats = len(plan.limits), len(plan.candidates)
    passed = np.searchsorted(np.array(plan.limits), entries.maxima, side="left")
    above = np.flatnonzero(passed > 0)
    ones = np.full(above.size, entry_unit(plan.noise), np.int64)
    bins = column_sums(entries.column[above] * limits + passed[above] - 1, ones, hats * limits)
    if plan.histogram:
        return bins
    counts: Ints = np.cumsum(bins.reshape(hats, limits)[:, ::-1], axis=1)[:, ::-1].reshape(-1)
    return counts
