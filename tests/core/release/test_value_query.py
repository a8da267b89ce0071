"""Which numbers of a release maps and tables show."""

from __future__ import annotations

import dataclasses

import pytest

from core.bundle.release_result import QueryResult
from core.release.value_query import released_number, released_numbers
from core.statistics.base import Estimate
from core.statistics.share import range_label
from tests.builders import make_city_query, make_query, make_release

SLOW, FAST = range_label(0, 10_000), range_label(10_000, 65_000)
PERCENTILE, MEAN = 85_000, 100_000


def share_query() -> QueryResult:
    """Two ranges and a percentile, raw and smoothed, and a mean from them, of each published row."""
    query = make_city_query(statistic="share", query_id="shares")
    estimates = tuple(
        Estimate(measure=name, value=value, low=0, high=value + 1, label=label)
        for name, label, value in (
            ("share", FAST, 700_000),
            ("share", SLOW, 300_000),
            ("speed_kmh", PERCENTILE, 41_000),
            ("speed_kmh", MEAN, 33_000),
            ("share_smoothed", FAST, 650_000),
            ("share_smoothed", SLOW, 350_000),
            ("speed_smoothed_kmh", PERCENTILE, 40_000),
        )
    )
    rows = (dataclasses.replace(row, estimates=estimates if row.first else ()) for row in query.rows)
    return dataclasses.replace(query, rows=tuple(rows))


def test_the_first_query_with_one_speed_a_hat() -> None:
    mean, moments = make_query(), make_query(query_id="moments", statistic="mean_variance")
    counts = make_query(query_id="counts", statistic="query2")
    (number,) = released_numbers(make_release(queries=(counts, moments, mean)))
    assert number.query is moments
    (number,) = released_numbers(make_release(queries=(mean, moments)))
    assert number.query is mean
    assert (number.label, number.parts) == (None, 1000)
    assert number.of(mean.rows[0]) is mean.rows[0].first


def test_curves_and_numbers_of_vehicles_are_not_shown() -> None:
    only = tuple(make_query(query_id=key, statistic=key) for key in ("query2", "cdf"))
    release = make_release(queries=only)
    assert released_numbers(release) == ()
    assert released_number(release, 0) is None


def test_smoothed_numbers_are_there_where_anything_is_smoothed() -> None:
    query = make_city_query()
    number = released_number(make_release(queries=(query,)), 0)
    assert number is not None
    raw, smoothed = number.of(query.rows[0]), number.smoothed_of(query.rows[0])
    assert raw is not None
    assert smoothed is not None
    assert smoothed.value == raw.value + 1000
    plain = released_number(make_release(queries=(make_query(),)), 0)
    assert plain is not None
    assert plain.smoothed_of(make_query().rows[0]) is None


def test_each_range_and_each_percentile_is_a_number_of_its_own_kind() -> None:
    query = share_query()
    release = make_release(queries=(make_query(), query))
    mean, *shares, percentile, from_shares = released_numbers(release)
    assert mean.label is None
    assert [one.ends for one in shares] == [(0.0, 10.0), (10.0, 65.0)]
    assert [(one.line, one.lines) for one in (*shares, percentile, from_shares)] == [
        *((0, 2), (1, 2)),
        *((0, 2), (1, 2)),
    ]
    row = query.rows[0]
    several = (*shares, percentile, from_shares)
    figures = [item.value / one.parts for one in several if (item := one.of(row)) is not None]
    assert figures == pytest.approx([30, 70, 41, 33])
    smoothed = [one.smoothed_of(row) for one in several]
    assert [item and item.value for item in smoothed] == [350_000, 650_000, 40_000, None]
    assert (percentile.percentile, percentile.from_shares) == (85, False)
    assert (from_shares.percentile, from_shares.from_shares) == (None, True)
    assert released_number(release, 99) == mean


def test_a_suppressed_row_has_none() -> None:
    query = share_query()
    numbers = released_numbers(make_release(queries=(query,)))
    assert all(number.of(query.rows[-1]) is None for number in numbers)
