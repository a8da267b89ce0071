"""Sentences on public counts that were too large or too small for a plan (method 12.11).

Computed from what is published and nothing else, so that anybody computes it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.accounting.epsilon_rounding import plain
from core.bounding.bounding_error import MEANS, NumberLaw, error_of_weights, laws_of_shares
from core.bounding.bounding_facts import BoundingFacts
from core.bounding.contradicted_counts import counts_factor
from core.bounding.enforcement import FINE_RECORD
from core.bundle.query_facts import ErrorFigures
from core.bundle.release_result import QueryResult, Release
from core.city.noise_kind import NoiseKind
from core.fixed_point import THOUSAND
from core.parameter_fields import build
from core.statistics.error_figures import significant
from core.statistics.share import STATISTIC as SHARE
from core.statistics.share import EnforcedShareParams, asked_ranges
from core.texts import text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictedPromise:
    """Counts that the release shows to be wrong, and what its numbers miss in place of what was promised."""

    factor: Decimal
    """How many times too large the counts were; below 1: too small."""
    at_least: bool = False
    """They may be more wrong than that: numbers that noise alone makes tell no more."""
    typical_error: ErrorFigures | None
    """Of the published numbers, by their noisy weights, in the value's unit; None where there is none."""

    @property
    def counts(self) -> str:
        """What is wrong with the counts; without subject and full stop."""
        times = plain(_figure(max(self.factor, 1 / self.factor), 2))
        if self.at_least and self.factor > 1:
            return text_of("were at least {times} times too large", times=times)
        if self.at_least:
            return text_of("were at least {times} times too small", times=times)
        if self.factor > 1:
            return text_of("were about {times} times too large", times=times)
        return text_of("were about {times} times too small", times=times)

    def sentence(self, unit: str, *, shares: bool = False) -> str:
        """For the person who typed or named the counts; shares: the numbers are shares."""
        if self.typical_error is None:
            return text_of("Your counts {were}: no number is published.", were=self.counts)
        if shares:
            return text_of(
                "Your counts {were}. A typical published share is off by about {median} percentage points, "
                "the least accurate by about {largest}.",
                were=self.counts,
                median=significant(100.0 * float(self.typical_error.median), 2),
                largest=significant(100.0 * float(self.typical_error.largest), 2),
            )
        return text_of(
            "Your counts {were}. A typical published number is off by about {median} {unit}, the least "
            "accurate by about {largest}.",
            were=self.counts,
            median=significant(float(self.typical_error.median), 2),
            largest=significant(float(self.typical_error.largest), 2),
            unit=unit,
        )


def contradicted_counts(release: Release) -> tuple[str, ...]:
    """A sentence for each query whose public counts the release contradicts."""
    found = ((query, contradicted_promise(query, release)) for query in release.queries)
    return tuple(
        promise.sentence(release.quantity.unit, shares=query.statistic == SHARE.key)
        for query, promise in found
        if promise is not None
    )


def contradicted_promise(query: QueryResult, release: Release) -> ContradictedPromise | None:
    """Of a query's rows; None where nothing contradicts a count."""
    if query.bounding is None:
        return None
    upper = release.upper_bound / THOUSAND
    laws: tuple[NumberLaw, ...] = (MEANS,)
    if query.statistic == SHARE.key and query.facts is not None:
        asked = build(EnforcedShareParams, query.facts.parameters, where=query.query_id)
        ranges = asked_ranges(asked, release.quantity.lower, release.upper_bound)
        upper, laws = 1.0, laws_of_shares(ranges)
    weights = [None if row.first is None else row.first.noisy_weight for row in query.rows]
    return promise_of(
        query.bounding,
        [None if one is None else Decimal(one) / THOUSAND for one in weights],
        query.noise_scale,
        upper,
        laws,
    )


def promise_of(
    facts: BoundingFacts,
    weights: Sequence[Decimal | None],
    noise_scale: Decimal,
    upper: float,
    laws: Sequence[NumberLaw] = (MEANS,),
) -> ContradictedPromise | None:
    """The same from what a bundle states.

    weights: of the HATs, None where one is suppressed; noise_scale: the largest of a sum; upper: of the range
    of the numbers; laws: of each number of a HAT.
    """
    enforcement, scale = facts.enforcement, facts.weight_noise_scale
    if enforcement is None or not enforcement.expected or scale is None or facts.threshold is None:
        return None
    noise = NoiseKind(facts.noise)
    prices = np.array(enforcement.prices, np.float64)
    listed = prices > 0
    # tokens have noise of one scale in all rows; the largest of a record is that of the smallest price
    of_record = prices[listed] / (1 << FINE_RECORD)
    weight_scale, sum_scale = (float(one * Decimal(of_record.min())) for one in (scale, noise_scale))
    published = np.array([one is not None for one in weights])[listed]
    seen = np.array([float(facts.threshold if one is None else one) for one in weights])[listed] * of_record
    factor = counts_factor(
        noise,
        np.array(enforcement.expected, np.float64)[listed] / weight_scale,
        seen / weight_scale,
        facts.threshold * of_record / weight_scale,
    )
    if factor is None:
        return None
    errors = error_of_weights(noise, seen[published], sum_scale, weight_scale, upper, laws)
    return ContradictedPromise(
        factor=_figure(factor.times, 2),
        at_least=factor.at_least,
        typical_error=ErrorFigures(_figure(float(np.median(errors)), 4), _figure(float(errors.max()), 4))
        if errors.size
        else None,
    )


def _figure(number: float | Decimal, digits: int) -> Decimal:
    return Decimal(f"{number:.{digits}g}")
