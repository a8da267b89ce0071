"""Percentiles and the mean beside released shares, raw and smoothed (city-release 14)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.fixed_point import THOUSAND
from core.shares.mean_of_shares import mean_half_widths, middles_of
from core.shares.percentiles import FoundPercentiles, increasing, percentiles_of
from core.shares.share_facts import has_mean
from core.shares.share_model import bias_of_city
from core.shares.share_plan import SharePlan
from core.statistics.base import AnyQuestion, Estimate, Measure
from core.statistics.intervals import interval_around, outwards
from core.statistics.ranges import Ranges
from core.statistics.share import MEAN_LABEL, PERCENTILES

_NEARLY = 0.9
"""The interval of a percentile that covers so much of the range says nothing: it is then the range."""


def percentile_estimates(plan: SharePlan, question: AnyQuestion, drawn: Floats) -> list[tuple[Estimate, ...]]:
    """Of each HAT, from its unclamped shares, shape (G, J); none where no percentile is asked for.

    Where a mean follows from the ranges it comes last.
    """
    asked: Sequence[float] = question.params.percentiles
    if not asked:
        return [()] * drawn.shape[0]
    curves = np.cumsum(drawn, axis=1)[:, :-1]
    bias = bias_of_city(plan.city, plan.ranges.cumulated()).interval
    scales = cumulated_scales(plan)
    half = np.column_stack(
        [plan.half_width(scales[:, edge], bias[:, edge]) for edge in range(curves.shape[1])]
    )
    found = raw_percentiles(plan.ranges, question, curves, curves - half, curves + half)
    if not has_mean(plan.ranges, question.params):
        return found
    means, upper = np.rint(drawn @ middles_of(plan.ranges)).astype(np.int64), plan.ranges.upper_bound
    reaches = [outwards(one) for one in mean_half_widths(plan).tolist()]
    around = [
        interval_around(centre, reach, largest=upper)
        for centre, reach in zip(means.tolist(), reaches, strict=True)
    ]
    lows, highs, _ = (np.array(column) for column in zip(*around, strict=True))
    return with_means(found, question, upper, means.clip(0, upper), (lows, highs))


def with_means(
    rows: Sequence[tuple[Estimate, ...]],
    question: AnyQuestion,
    upper: int,
    values: Ints,
    ends: tuple[Ints, Ints],
) -> list[tuple[Estimate, ...]]:
    """Percentiles of each HAT, then its mean, thousandths above the lower bound; shapes (G,).

    upper: U. Where an interval covers nearly all of the range, it is the range and tells nothing.
    """
    measure = PERCENTILES.of(question.statistic.quantity).measures[0]
    saying = ends[1] - ends[0] < _NEARLY * upper
    lows, highs = np.where(saying, ends[0], 0), np.where(saying, ends[1], upper)
    columns = (values, lows, highs, saying)
    return [
        (*row, _estimate(measure, MEAN_LABEL, *figures))
        for row, *figures in zip(rows, *(column.tolist() for column in columns), strict=True)
    ]


def raw_percentiles(
    ranges: Ranges, question: AnyQuestion, curves: Floats, lows: Floats, highs: Floats
) -> list[tuple[Estimate, ...]]:
    """Of each HAT, from its shares below each inner edge and their pointwise intervals; shape (G, J - 1).

    Where an interval covers nearly all of the range, it is the range and tells nothing.
    """
    asked: Sequence[float] = question.params.percentiles
    found = percentiles_of(
        ranges, increasing(curves), np.clip(lows, 0.0, 1.0), np.clip(highs, 0.0, 1.0), asked
    )
    upper = ranges.upper_bound
    saying = found.highs - found.lows < _NEARLY * upper
    whole = dataclasses.replace(
        found, lows=np.where(saying, found.lows, 0.0), highs=np.where(saying, found.highs, upper)
    )
    return _estimates(whole, PERCENTILES.of(question.statistic.quantity).measures[0], asked, saying)


def cumulated_scales(plan: SharePlan) -> Floats:
    """Of the noise of each cumulated share but the last, after all are made to add up to 1; (G, J - 1).

    Of k of J shares with noise of variance s^2 the sum keeps `s^2 k (J - k) / J`.
    """
    ranges = len(plan.ranges)
    below = np.arange(1, ranges)
    return np.outer(plan.drawn_scale, np.sqrt(below * (ranges - below) / ranges))


def smoothed_percentiles(
    ranges: Ranges, question: AnyQuestion, curves: Floats, lows: Floats, highs: Floats
) -> list[tuple[Estimate, ...]]:
    """Of each HAT, from smoothed cumulated shares, shape (G, J - 1) each."""
    asked: Sequence[float] = question.params.percentiles
    measure = PERCENTILES.of(question.statistic.quantity).smoothed
    if measure is None:
        return [()] * curves.shape[0]
    found = percentiles_of(ranges, increasing(curves), lows, highs, asked)
    return _estimates(found, measure, asked, np.ones(found.values.shape, bool))


def _estimates(
    found: FoundPercentiles, measure: Measure, asked: Sequence[float], saying: NDArray[np.bool_]
) -> list[tuple[Estimate, ...]]:
    """In thousandths of the unit, as they are published; saying: shape (G, Q), which tell anything."""
    labels = [round(one * THOUSAND) for one in asked]
    columns = (found.values, found.lows, found.highs, saying)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        tuple(
            _estimate(measure, label, value, low, high, informative)
            for label, value, low, high, informative in zip(labels, values, lows, highs, tell, strict=True)
        )
        for values, lows, highs, tell in rows
    ]


def _estimate(
    measure: Measure, label: int, value: float, low: float, high: float, informative: bool
) -> Estimate:
    """Thousandths of the unit above the lower bound."""
    return Estimate(
        measure=measure.name,
        value=round(value) + measure.least,
        low=math.floor(low) + measure.least,
        high=math.ceil(high) + measure.least,
        informative=informative,
        label=label,
    )
