"""Percentiles beside released shares, raw and smoothed (city-release 14)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats
from core.fixed_point import THOUSAND
from core.shares.percentiles import FoundPercentiles, increasing, percentiles_of
from core.shares.share_model import bias_of_city
from core.shares.share_plan import SharePlan
from core.statistics.base import AnyQuestion, Estimate, Measure
from core.statistics.ranges import Ranges
from core.statistics.share import PERCENTILES

_NEARLY = 0.9
"""An interval that covers so much of the range says nothing: it is then the range."""


def percentile_estimates(plan: SharePlan, question: AnyQuestion, drawn: Floats) -> list[tuple[Estimate, ...]]:
    """Of each HAT, from its unclamped shares, shape (G, J); none where no percentile is asked for."""
    asked: Sequence[float] = question.params.percentiles
    if not asked:
        return [()] * drawn.shape[0]
    curves = np.cumsum(drawn, axis=1)[:, :-1]
    bias = bias_of_city(plan.city, plan.ranges.cumulated()).interval
    scales = cumulated_scales(plan)
    half = np.column_stack(
        [plan.half_width(scales[:, edge], bias[:, edge]) for edge in range(curves.shape[1])]
    )
    return raw_percentiles(plan.ranges, question, curves, curves - half, curves + half)


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
            Estimate(
                measure=measure.name,
                value=round(value) + measure.least,
                low=math.floor(low) + measure.least,
                high=math.ceil(high) + measure.least,
                informative=informative,
                label=label,
            )
            for label, value, low, high, informative in zip(labels, values, lows, highs, tell, strict=True)
        )
        for values, lows, highs, tell in rows
    ]
