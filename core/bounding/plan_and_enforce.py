"""The joint mean of relation `user`: planned prices, caps, shares divided off a budget (method 12.5).

A wrong plan costs accuracy, never privacy: that rests on `enforcement` and on the row check.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.bounding.bounding import Entries
from core.bounding.candidates import CandidateHats
from core.bounding.column_sums import column_sums
from core.bounding.enforcement import FINE_RECORD, enforced_tokens
from core.bounding.entry_bound import noisy_vector, reach_975, vector_scale
from core.bounding.plan_load import chosen_load
from core.bounding.quotients import Quotients, quotients
from core.bounding.unbiased_means import UnbiasedMeans, unbiased_means
from core.city.allocation import allocate
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.regions import Regions
from core.city.row_check import require_rows_within
from core.errors import InputError, InternalError
from core.fixed_point import THOUSAND
from core.mechanisms.tokens import SAFE, TOKENS
from core.mechanisms.value_grid import ValueGrid, value_grid
from core.noise.source import NoiseSource
from core.progress import Progress, silent
from core.statistics.gaussian_noise import root_above

USUAL_SHARE = Decimal("0.75")
"""Of the budget that pays for sums; the rest pays for their weights."""
_EVENNESS = 8
"""p of the allocation of planned prices: nearly the smallest largest noise."""
_PARTS = 100
"""A unit's share that is divided off a budget is a whole number of hundredths."""
LEAST_SCALES = 2.0
"""No noisy weight of a joint mean is taken for less than so many scales: the quotient would be mere noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedNoise:
    """How a budget is shared by sums and weights, and the noise on each: alike in all HATs."""

    parts: tuple[int, int]
    """a and b: how sums and weights share the budget (of a rho, by their squares)."""
    noise: NoiseKind
    spend: Decimal
    """Of one unit: pure epsilon, or rho."""
    upper_bound: int
    """U in thousandths."""
    grid: ValueGrid

    @property
    def largest_part(self) -> int:
        """Q: what one token adds to a sum at most, either way."""
        return self.grid.largest

    @property
    def sums_of_a_record(self) -> int:
        """W: how many sums of its HAT one record adds to at most."""
        return 1

    @property
    def sensitivity(self) -> int:
        """What a unit moves the whole vector by: `(a W + b) Q Y`, or `sqrt(a^2 W + b^2) Q Y` rounded up."""
        (first, second), many = self.parts, self.sums_of_a_record
        whole = self.largest_part * TOKENS
        if self.noise.squared:
            return root_above((first**2 * many + second**2) * whole**2)
        return (first * many + second) * whole

    @property
    def sum_scale(self) -> float:
        """Scale (Gaussian: standard deviation) of a sum's noise, km/h times tokens; alike in all HATs."""
        return self._scale * self.grid.step_kmh / (2.0 * self.parts[0])

    @property
    def weight_scale(self) -> float:
        """The same of a weight's noise, tokens."""
        return self._scale / (self.parts[1] * self.largest_part)

    @property
    def _scale(self) -> float:
        """Of the noise on each number of the vector."""
        return vector_scale(self.noise, self.sensitivity, self.spend)

    @classmethod
    def of(cls, upper_bound: int, noise: NoiseKind, spend: Decimal, share: Decimal) -> EnforcedNoise:
        """share: of the budget that pays for sums, hundredths between 0 and 1; another is an InputError."""
        return EnforcedNoise(
            parts=parts_of_share(share, noise),
            noise=noise,
            spend=spend,
            upper_bound=upper_bound,
            grid=value_grid(upper_bound),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedPlan(EnforcedNoise):
    """Prices and caps for a public list of HATs or of regions, from public counts and constants alone."""

    candidates: CandidateHats
    """The HATs of the list; each is published, or is part of what is."""
    caps: Ints
    """Shape (G,), one for each published number: the most records of one unit that count."""
    prices: Ints
    """Shape (G,): of one record, in 2^-20 of a token; at least 1."""
    gap: float | None
    """How far the prices are from the best for the public counts, at most: a certificate. None of regions."""
    expected: Ints
    """Shape (G,): tokens that the public counts come to."""
    load: int
    """How many budgets the records of the busiest public unit cost: from 1 on."""
    regions: Regions | None = None
    """What HATs are merged into; None where each has its own number."""

    @property
    def record_tokens(self) -> Floats:
        """Tokens of one record in each HAT where its unit can pay, shape (G,)."""
        return self.prices / (1 << FINE_RECORD)

    @property
    def paid_record(self) -> Floats:
        """Tokens of one record of the busiest public unit, which pays a part of each; shape (G,)."""
        return self.record_tokens / self.load

    @property
    def least_weight(self) -> Floats:
        """What a noisy weight in a denominator is at least, tokens: a paid record's, and beyond its noise."""
        least: Floats = np.maximum(self.paid_record, LEAST_SCALES * self.weight_scale)
        return least

    @property
    def middle(self) -> float:
        """What sums are taken around, as numbers are published: half of the grid's range, thousandths."""
        return self.grid.largest * self.grid.step / 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EnforcedMeans:
    """What the noise gave for every HAT of the list; shapes (G,)."""

    weight: Ints
    """Thousandths of a record, as `noisy_records` has it."""
    means: Quotients
    unbiased: UnbiasedMeans
    """For smoothing."""


def plan_enforced(
    public: CityPairs,
    candidates: CandidateHats,
    upper_bound: int,
    noise: NoiseKind,
    spend: Decimal,
    *,
    share: Decimal = USUAL_SHARE,
    caps: Ints | None = None,
    importance: Floats | None = None,
    load: int | None = None,
    progress: Progress = silent,
) -> EnforcedPlan:
    """Prices by which the public counts would be published best.

    public: which units gave how many records where, of a timetable, of other vehicles, or of an older
    private release: never of the data that are protected; its HATs are the candidates, each with a record.
    caps: shape (G,), None: the largest public count of each; importance: shape (G,), above 0; share: of the
    budget that pays for sums, hundredths between 0 and 1; load: from 1 on, None: the best of some by the
    public counts. Raises InputError for another share, or caps below 1.
    """
    if public.hats != len(candidates):
        raise InternalError("the public counts are not those of the listed hexagon slots")
    law = EnforcedNoise.of(upper_bound, noise, spend, share)
    most: Ints = np.maximum.reduceat(public.records, public.starts) if caps is None else caps
    if most.min() < 1:
        raise InputError(
            "A cap of 0 records leaves nothing of a hexagon slot.",
            where="query.parameters, cap",
            mend="write a whole number from 1 on",
        )
    capped = CityPairs(
        hat=public.hat,
        vehicle=public.vehicle,
        code=public.code,
        records=np.minimum(public.records, most[public.hat]),
    )
    solved = allocate(capped, noise, _EVENNESS, importance, progress)
    taken = np.sqrt(solved.exactness / 2.0) if noise.squared else solved.exactness
    of_record = SAFE * TOKENS * taken / capped.by_hat(capped.records)

    def prices_at(times: int) -> Ints:
        return np.maximum(np.floor(of_record * times * (1 << FINE_RECORD)), 1.0).astype(np.int64)

    def tokens_at(times: int) -> Ints:
        return public_tokens(capped, most, prices_at(times), noise)

    if load is None:
        load = chosen_load(capped, tokens_at, noise, law.sum_scale, upper_bound / THOUSAND)
    return EnforcedPlan(
        parts=law.parts,
        noise=noise,
        spend=spend,
        upper_bound=upper_bound,
        grid=law.grid,
        candidates=candidates,
        caps=most,
        prices=prices_at(load),
        gap=solved.gap,
        expected=column_sums(wide(capped.hat), tokens_at(load), len(candidates)),
        load=load,
    )


def draw_enforced(plan: EnforcedPlan, entries: Entries, noise: NoiseSource) -> EnforcedMeans:
    """One vector of sums and weights of all HATs, with one allowance.

    entries: one of each unit in each HAT of the list, or in each region (`candidate_rows`, `rows_in_columns`,
    `unit_entries`), all of them.
    """
    exact = exact_vector(plan, entries)
    drawn = noisy_vector(noise, plan.noise, exact, plan.sensitivity, plan.spend)
    sums, weights = drawn.reshape(2, -1).astype(np.float64)
    weights /= plan.parts[1] * plan.grid.largest
    sums *= plan.grid.step / (2.0 * plan.parts[0])
    reach = reach_975(plan.noise, plan.sum_scale) * THOUSAND, reach_975(plan.noise, plan.weight_scale)
    means = quotients(
        sums,
        weights,
        reach=reach,
        least=plan.least_weight,
        centre=plan.middle,
        upper=plan.upper_bound,
    )
    return EnforcedMeans(
        weight=noisy_records(plan, weights),
        means=means,
        unbiased=unbiased_means(
            plan.noise,
            sums / THOUSAND,
            weights,
            (plan.sum_scale, plan.weight_scale),
            plan.upper_bound / THOUSAND,
        ),
    )


def exact_vector(plan: EnforcedPlan, entries: Entries) -> Ints:
    """`a` times the sums of `y (2 X - Q)` of all HATs, then `b Q` times those of `y`; shape (2 G,).

    The rows are checked again beside the noise that relies on them. Confidential.
    """
    tokens = entry_tokens(plan, entries)
    means = plan.grid.nearest(entries.sums, entries.records).clip(0, plan.grid.largest)
    (first, second), size = plan.parts, plan.prices.size
    return np.concatenate(
        (
            column_sums(entries.column, first * tokens * (2 * means - plan.grid.largest), size),
            column_sums(entries.column, second * plan.grid.largest * tokens, size),
        )
    )


def entry_tokens(plan: EnforcedPlan, entries: Entries) -> Ints:
    """What enforcement leaves of each entry, shape (n,); its rows are checked once more. Confidential."""
    tokens = _tokens(entries.unit, entries.records, entries.column, plan.caps, plan.prices, plan.noise)
    require_rows_within(entries.unit.tolist(), tokens.tolist(), TOKENS, squared=plan.noise.squared)
    return tokens


def noisy_records(plan: EnforcedPlan, weights: Floats) -> Ints:
    """Noisy weights, in tokens, as thousandths of a record: those that counted, whole or in part."""
    return np.rint(weights / plan.record_tokens * THOUSAND).astype(np.int64)


def public_tokens(public: CityPairs, caps: Ints, prices: Ints, noise: NoiseKind) -> Ints:
    """What enforcement leaves of public counts, shape (n,); caps, prices: of their HATs, shapes (G,)."""
    return _tokens(wide(public.vehicle), public.records, wide(public.hat), caps, prices, noise)


def wide(numbers: NDArray[np.int32]) -> Ints:
    """The same in 64 bits."""
    return numbers.astype(np.int64)


def _tokens(units: Ints, records: Ints, columns: Ints, caps: Ints, prices: Ints, noise: NoiseKind) -> Ints:
    """Of each pair; shape (n,)."""
    found = enforced_tokens(
        units.tolist(),
        records.tolist(),
        caps[columns].tolist(),
        prices[columns].tolist(),
        TOKENS,
        squared=noise.squared,
    )
    return np.array(found, np.int64)


def parts_of_share(share: Decimal, noise: NoiseKind) -> tuple[int, int]:
    """a and b with `a : b` as the shares, of a rho as their roots. Raises InputError."""
    hundredths = share * _PARTS
    if not 0 < share < 1 or hundredths != int(hundredths):
        raise InputError(
            "A share of {share} cannot be divided off a budget.",
            share=share,
            where="query.parameters, share",
            mend="write hundredths between 0 and 1, for instance 0.75",
        )
    if not noise.squared:
        whole = Fraction(share)
        return whole.numerator, whole.denominator - whole.numerator
    first = round(_PARTS * math.sqrt(share))
    return first, max(round(_PARTS * math.sqrt(1 - share)), 1)
