"""Noisy numbers of relation `user` as rows of all candidates (method 12.4 to 12.7)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.bounding.bounded_cdf import BoundedCdfPlan, BoundedCurves
from core.bounding.bounded_query2 import BoundedLimitsPlan, VehiclesAbove
from core.bounding.enforced_shares import EnforcedShares, EnforcedSharesPlan, mean_of_sums, shares_of_sums
from core.bounding.quotients import Quotients
from core.bounding.unbiased_means import UnbiasedMeans
from core.planning.share_percentiles import raw_percentiles, with_means
from core.shares.share_facts import has_mean
from core.statistics.base import AnyQuestion, Estimate
from core.statistics.share import MILLIONTHS, range_label


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedRows:
    """What the noise gave for each candidate, or for each region; shapes (G,)."""

    estimates: tuple[tuple[Estimate, ...], ...]
    """Empty where the noisy weight stays below the threshold."""
    scales: Floats | None = None
    """Of what the published means err by before smoothing; shape (published,), of shares (published, K)."""
    unbiased: Floats | None = None
    """What smoothing goes by in place of the published means, km/h, or shares; shape as `scales`."""


def rows_of_means(
    measure: str,
    means: Quotients,
    weight: Ints,
    unbiased: UnbiasedMeans,
    published: NDArray[np.bool_],
    *,
    columns: Ints,
    squared: bool,
) -> BoundedRows:
    """One number a HAT. columns: shape (G,), candidate -> place in all others, -1 where it has none.

    unbiased: for smoothing; squared: the noise is Gaussian.
    """
    made = [
        Estimate(
            measure=measure,
            value=value,
            low=low,
            high=high,
            unclamped=unclamped,
            informative=informative,
            noisy_weight=noisy,
        )
        for value, low, high, unclamped, informative, noisy in _tuples(
            means.value, means.low, means.high, means.unclamped, means.informative, weight
        )
    ]
    shown = published.tolist()
    estimates = tuple((made[place],) if place >= 0 and shown[place] else () for place in columns.tolist())
    # places come in the order of their candidates
    deviation = unbiased.deviation[published]
    return BoundedRows(
        estimates=estimates,
        scales=deviation if squared else deviation / np.sqrt(2.0),
        unbiased=unbiased.value[published],
    )


def rows_of_shares(
    plan: EnforcedSharesPlan,
    drawn: EnforcedShares,
    question: AnyQuestion,
    published: NDArray[np.bool_],
    *,
    columns: Ints,
) -> BoundedRows:
    """One number a range, in every HAT, then its percentiles, and its mean, where any are asked for.

    columns: as of means. Where there are percentiles, smoothing also gets the shares below each inner edge.
    """
    statistic, ranges = question.statistic, plan.ranges
    measure, lower = statistic.measures[0].name, statistic.quantity.lower
    found = shares_of_sums(plan, drawn, ranges)
    smoothed = [found]
    percentiles: Sequence[tuple[Estimate, ...]] = [()] * drawn.weights.size
    if question.params.percentiles:
        below = shares_of_sums(plan, drawn, ranges.cumulated())
        smoothed.append(below)
        percentiles = raw_percentiles(
            ranges,
            question,
            *(
                np.column_stack([getattr(one, name) for one in below.published]) / MILLIONTHS
                for name in ("unclamped", "low", "high")
            ),
        )
        if has_mean(ranges, question.params):
            means = mean_of_sums(plan, drawn)
            percentiles = with_means(
                percentiles,
                question,
                ranges.upper_bound,
                means.value,
                (means.low, means.high),
            )
    labels = [range_label(low + lower, high + lower) for low, high in ranges.listed]
    shares = [
        _tuples(one.value, one.low, one.high, one.unclamped, one.informative) for one in found.published
    ]
    weights, shown = drawn.weight.tolist(), published.tolist()
    made = [
        (
            *(
                Estimate(
                    measure=measure,
                    label=label,
                    value=value,
                    low=low,
                    high=high,
                    unclamped=unclamped,
                    informative=informative,
                    noisy_weight=weight,
                )
                for label, (value, low, high, unclamped, informative) in zip(labels, numbers, strict=True)
            ),
            *(dataclasses.replace(one, noisy_weight=weight) for one in more),
        )
        for weight, more, *numbers in zip(weights, percentiles, *shares, strict=True)
    ]
    deviation = np.hstack([one.deviation for one in smoothed])[published]
    return BoundedRows(
        estimates=tuple(made[place] if place >= 0 and shown[place] else () for place in columns.tolist()),
        scales=deviation if plan.noise.squared else deviation / np.sqrt(2.0),
        unbiased=np.hstack([one.unbiased for one in smoothed])[published],
    )


def rows_of_limits(measure: str, plan: BoundedLimitsPlan, drawn: VehiclesAbove) -> BoundedRows:
    """One number a limit, in every HAT."""
    return BoundedRows(
        estimates=tuple(
            tuple(
                Estimate(
                    measure=measure,
                    label=limit,
                    value=value,
                    low=low,
                    high=high,
                    unclamped=unclamped,
                    informative=informative,
                )
                for limit, value, low, high, unclamped, informative in zip(plan.limits, *hat, strict=True)
            )
            for hat in _tuples(drawn.value, drawn.low, drawn.high, drawn.unclamped, drawn.informative)
        )
    )


def rows_of_curves(measure: str, plan: BoundedCdfPlan, drawn: BoundedCurves) -> BoundedRows:
    """One share an edge, each with the noisy total that the HAT's shares are of."""
    edges = plan.edges.tolist()
    return BoundedRows(
        estimates=tuple(
            tuple(
                Estimate(
                    measure=measure,
                    label=edge,
                    value=value,
                    low=low,
                    high=high,
                    unclamped=unclamped,
                    informative=informative,
                    noisy_weight=total,
                )
                for edge, value, low, high, unclamped, informative in zip(edges, *hat, strict=True)
            )
            if shown
            else ()
            for shown, total, *hat in _tuples(
                drawn.published,
                drawn.total,
                drawn.share,
                drawn.low,
                drawn.high,
                drawn.unclamped,
                drawn.informative,
            )
        )
    )


def _tuples(*columns: NDArray[np.int64] | NDArray[np.bool_]) -> Iterable[tuple[Any, ...]]:
    """HAT by HAT, as plain numbers."""
    return zip(*(column.tolist() for column in columns), strict=True)
