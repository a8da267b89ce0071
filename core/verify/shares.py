"""Verify: shares, intervals, percentiles and means follow from each other (city-release 14)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.arrays import Floats
from core.bundle.csv_columns import DataTable
from core.bundle.stated import StatedMadeBy, StatedQuery
from core.city.noise_kind import NORMAL_95, NoiseKind
from core.counted import count_of
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.privacy import Relation
from core.shares.mean_of_shares import hidden_by_ranges, middles_of
from core.shares.percentiles import increasing
from core.shares.share_facts import has_mean, share_facts
from core.shares.share_plan import reach_in_deviations
from core.signed.findings import Finding, require
from core.statistics.base import Measure
from core.statistics.question import question_of
from core.statistics.ranges import Ranges
from core.statistics.share import (
    HIDDEN,
    MEAN_LABEL,
    MILLIONTHS,
    PERCENTILES,
    STATISTIC,
    VALUE_SHARE,
    asked_ranges,
    range_label,
)
from core.texts import text_of
from core.verify.folder import BundleFolder
from core.verify.gaussian_hats import require_fit
from core.verify.labelled_rows import LabelledRows, labelled_rows
from core.verify.smoothed_shares import check_smoothed_shares
from core.verify.statement_reader import PrivacyStatement, read_statement

_ROUNDED = 0.5
"""What rounding takes from a checked share or its interval, in the last decimal."""
_FLOATS = 1e-3
"""What sums of shares in floats may be off by, in the last decimal."""
_PERCENT = 100.0


def holds_shares(folder: BundleFolder) -> bool:
    """Whether there is anything to check."""
    try:
        return STATISTIC.key in folder.statistics
    except Finding:
        return False


def check_shares(folder: BundleFolder) -> str:
    """Shares that tile add up to 1 before they are cut; intervals, percentiles and smoothing follow.

    Of relation `user`, whose rows say nothing of noise, no more than ranges and percentiles. Raises Finding.
    """
    statement, table = read_statement(folder), folder.statistics[STATISTIC.key]
    query = next(one for one in statement.stated.queries if one.statistic == STATISTIC.key)
    if not isinstance(query, StatedQuery) or query.made_by is None:
        raise Finding("{privacy} states no ranges")
    made_by, query_id = query.made_by, query.query_id
    lower = statement.quantity.lower
    try:
        question = question_of(STATISTIC, None, made_by.parameters, statement.relation)
        ranges = asked_ranges(question.params, lower, statement.span)
    except InputError:
        raise Finding("{privacy} states no ranges") from None
    labels = [range_label(low + lower, high + lower) for low, high in ranges.listed]
    rows = labelled_rows(table, STATISTIC.of(statement.quantity), labels, folder)
    curves = None
    if statement.relation is Relation.VALUES:
        _check_constants(query_id, made_by, ranges, lower)
        shares = rows.numbers(VALUE_SHARE.unclamped)
        curves = _check_sums(table, shares, ranges)
        _check_intervals(table, rows, shares, ranges, made_by)
    asked = question.params.percentiles
    require_fit(bool(asked) is (PERCENTILES.key in folder.statistics), query_id, "percentiles")
    if asked:
        require_fit(ranges.tile, query_id, "ranges")
        stated_mean = HIDDEN in made_by.details
        require_fit(not stated_mean or has_mean(ranges, question.params), query_id, HIDDEN)
        _check_percentiles(folder, statement, rows, ranges, curves, asked, mean=stated_mean)
    smoothed = query.smoothing is not None and statement.relation is Relation.VALUES
    if smoothed:
        check_smoothed_shares(folder, statement, query, table, rows, ranges)
    counted = count_of(len(rows.places) * len(ranges), "share")
    if smoothed:
        return text_of("{counted_shares} follow from each other, smoothed ones too", counted_shares=counted)
    return text_of("{counted_shares} as their ranges", counted_shares=counted)


def _check_constants(query_id: str, made_by: StatedMadeBy, ranges: Ranges, lower: int) -> None:
    """What is public of the ranges is what they come to: atoms, sensitivity, and what the model expects."""
    for name, value in (
        ("most_ranges_that_a_record_leaves_and_enters", ranges.distance),
        *share_facts(ranges, lower, mean=HIDDEN in made_by.details).items(),
    ):
        require_fit(made_by.details.get(name) == value, query_id, name)


def _check_sums(table: DataTable, shares: Floats, ranges: Ranges) -> Floats | None:
    """The shares added up, of ranges that tile."""
    if not ranges.tile:
        return None
    off = np.abs(shares.sum(axis=1) - 1.0) * MILLIONTHS
    require(
        bool((off <= _ROUNDED * len(ranges) + _FLOATS).all()),
        "{path}: shares of ranges that tile do not add up to 1 before they are cut",
        path=table.path,
    )
    return np.cumsum(shares, axis=1)


def _check_intervals(
    table: DataTable, rows: LabelledRows, shares: Floats, ranges: Ranges, made_by: StatedMadeBy
) -> None:
    """Each interval is so many of the stated standard deviations wide around the number, cut to [0, 1]."""
    gaussian = made_by.details.get("noise") == NoiseKind.GAUSS.value
    factors = reach_in_deviations(gaussian=gaussian, tile=ranges.tile)
    deviation = rows.numbers(VALUE_SHARE.deviation) * MILLIONTHS
    least, most = (
        np.ceil(factor * (deviation + off) + _ROUNDED + around)
        for factor, off, around in zip(
            factors, (-_ROUNDED, _ROUNDED), (-_FLOATS - 1.0, _FLOATS + 1.0), strict=True
        )
    )
    ends = (rows.numbers(name) for name in (VALUE_SHARE.low, VALUE_SHARE.high))
    whole = MILLIONTHS
    centre, low, high = (np.rint(one * whole) for one in (shares, *ends))
    inside = (np.clip(centre - most, 0, None) <= low) & (low <= np.clip(centre - least, 0, None))
    inside &= (np.clip(centre + least, None, whole) <= high) & (high <= np.clip(centre + most, None, whole))
    outside = ((centre + least < 0) | (centre - least > whole)) & (low == 0) & (high == whole)
    require(
        bool((inside | outside).all()),
        "{path}: an interval does not follow from its standard deviation",
        path=table.path,
    )


def _check_percentiles(
    folder: BundleFolder,
    statement: PrivacyStatement,
    shares: LabelledRows,
    ranges: Ranges,
    curves: Floats | None,
    asked: Sequence[float],
    *,
    mean: bool,
) -> None:
    """Percentiles rise, and end on edges; the raw ones, and a mean, are where the raw shares reach them."""
    table, statistic = folder.statistics[PERCENTILES.key], PERCENTILES.of(statement.quantity)
    labels = [*(round(one * THOUSAND) for one in asked), *((MEAN_LABEL,) if mean else ())]
    every = labelled_rows(table, statistic, labels, folder)
    require(every.places == shares.places, "{path} has other places than the shares", path=table.path)
    rows, means = every.split(len(asked))
    if mean:
        _check_means(table, means, statistic.measures[0], shares, ranges, statement)
    for measure in statistic.all_measures:
        if measure.name in table.header:
            _check_order(table, rows, measure, ranges, statement.quantity.lower)
    if curves is None:
        return
    values = rows.numbers(statistic.measures[0].name) - statement.quantity.lower / THOUSAND
    require(
        bool(_reach(ranges, curves, values, np.array(asked) / _PERCENT).all()),
        "{path}: a percentile is not where the shares reach it",
        path=table.path,
    )


def _check_means(
    table: DataTable,
    rows: LabelledRows,
    measure: Measure,
    shares: LabelledRows,
    ranges: Ranges,
    statement: PrivacyStatement,
) -> None:
    """Each is what the shares come to, cut to the bounds, in the middle of an interval that is wide enough.

    Wide enough for what ranges hide. Of relation `user`, whose rows say nothing of shares before they were
    cut, it is asked where none was, and nothing of middles.
    """
    lower, upper = statement.quantity.lower / THOUSAND, ranges.upper_bound / THOUSAND
    middles, unclamped = middles_of(ranges) / THOUSAND, VALUE_SHARE.unclamped
    values, low, high = (
        rows.numbers(name)[:, 0] - lower for name in (measure.name, measure.low, measure.high)
    )
    exact = all(unclamped in row for row in shares.first)
    found = shares.numbers(unclamped if exact else VALUE_SHARE.name)
    cut = np.zeros(values.size, bool) if exact else ((found <= 0.0) | (found >= 1.0)).any(axis=1)
    centre = found @ middles
    rounded = (_ROUNDED + _FLOATS) / THOUSAND + _ROUNDED * middles.sum() / MILLIONTHS
    require(
        bool((cut | (np.abs(values - np.clip(centre, 0.0, upper)) <= rounded)).all()),
        "{path}: a mean does not follow from the shares",
        path=table.path,
    )
    centre = centre if exact else values
    least = NORMAL_95 * hidden_by_ranges(ranges) / THOUSAND - rounded
    inside = (low <= np.clip(centre - least, 0.0, upper)) & (high >= np.clip(centre + least, 0.0, upper))
    ends_at_bound = (low <= 0.0) | (high >= upper)
    inside &= ends_at_bound | (np.abs((low + high) / 2.0 - centre) <= 2.0 * rounded) | (not exact)
    require(
        bool(inside.all()),
        "{path}: the interval of a mean does not allow for what ranges hide",
        path=table.path,
    )


def _check_order(table: DataTable, rows: LabelledRows, measure: Measure, ranges: Ranges, lower: int) -> None:
    values, low, high = (rows.numbers(name) for name in (measure.name, measure.low, measure.high))
    edges = (np.array(ranges.edges) + lower) / THOUSAND
    on_edges = (np.isin(end, edges) | (end == values) for end in (low, high))
    require(bool((np.diff(values, axis=1) >= 0).all()), "{path}: percentiles do not rise", path=table.path)
    require(
        all(bool(one.all()) for one in on_edges),
        "{path}: the interval of a percentile does not end on edges of ranges",
        path=table.path,
    )


def _reach(ranges: Ranges, curves: Floats, values: Floats, shares: Floats) -> Floats:
    """Whether the curve of each HAT passes each share at its value, but for rounding; shape (G, Q).

    curves: shares added up, shape (G, J); values: above the lower bound, in the unit, shape (G, Q).
    """
    edges = np.array(ranges.edges) / THOUSAND
    rounded = (_ROUNDED + _FLOATS) / THOUSAND
    fine = (len(ranges) + 1) / MILLIONTHS
    found = np.ones(values.shape, bool)
    for at, curve in enumerate(increasing(curves[:, :-1])):
        full = np.concatenate(([0.0], curve, [1.0]))
        before = np.where(values[at] <= 0.0, 0.0, np.interp(values[at] - rounded, edges, full))
        after = np.interp(values[at] + rounded, edges, full)
        if ranges.begins_standing:
            stands = values[at] < edges[1] - rounded
            before = np.where(stands, 0.0, np.interp(np.maximum(values[at] - rounded, edges[1]), edges, full))
            after = np.where(stands, np.where(values[at] == 0.0, full[1], -1.0), after)
        found[at] = (before <= shares + fine) & (shares - fine <= after)
    return found
