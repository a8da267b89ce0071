"""Bars of one width: every number in one of them, and found again."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.advice.value_bins import value_bins


@given(st.lists(st.one_of(st.just(math.nan), st.floats(-1e6, 1e6)), min_size=1))
def test_every_number_is_in_its_bar(values: list[float]) -> None:
    told = np.array(values)
    bins = value_bins(told)
    assert bins.bar.size == told.size
    assert int(bins.counts.sum()) == int(np.isfinite(told).sum())
    assert bins.counts.size == bins.edges.size - 1 <= 24
    for value, bar in zip(values, bins.bar.tolist(), strict=True):
        if math.isnan(value):
            assert bar == -1
        else:
            slack = 1e-6 * float(bins.edges[1] - bins.edges[0])  # ticks are rounded so much
            assert bins.edges[bar] - slack <= value <= bins.edges[bar + 1] + slack


def test_a_range_of_bars_is_found_again() -> None:
    bins = value_bins(np.array([0.5, 1.5, math.nan, 9.5, 1.6]))
    first, last = int(bins.bar[1]), int(bins.bar[4])
    assert bins.between(first, last).tolist() == [1, 4]
    assert bins.between(0, bins.counts.size - 1).tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize("most", [1, 3, 7, 40, 1234])
def test_bars_of_counts_hold_whole_numbers(most: int) -> None:
    bins = value_bins(np.arange(1, most + 1, dtype=float), whole=True)
    widths = np.diff(bins.edges)
    assert widths.min() >= 1
    assert np.allclose(widths, np.round(widths))


def test_nothing_to_count_is_no_crash() -> None:
    assert value_bins(np.array([math.nan])).counts.tolist() == [0]
    assert value_bins(np.zeros(0)).counts.tolist() == [0]
