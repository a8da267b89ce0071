"""Epoch numbers: the unit by their size, the nearest millisecond."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.epochs import decimal_epochs, whole_epochs
from core.clean.read_times import MISSING
from core.clean.times import EARLIEST_MS
from tests.records import instant

LATEST_MS = instant("2100-01-01T00:00:00Z")
PER_MS = {"s": Fraction(1, 1000), "ms": Fraction(1), "us": Fraction(1000), "ns": Fraction(1_000_000)}


@given(st.integers(EARLIEST_MS, LATEST_MS), st.sampled_from(list(PER_MS)))
def test_the_instants_that_are_kept_have_one_reading_each(ms: int, unit: str) -> None:
    number = ms * PER_MS[unit]
    if unit == "s":
        assert decimal_epochs(np.array([float(number)])).tolist() == [ms]
    else:
        assert whole_epochs(np.array([int(number)])).tolist() == [ms]
        assert decimal_epochs(np.array([float(number)])).tolist() == [ms]


def test_the_ranges_of_the_units_do_not_overlap() -> None:
    ranges = [(EARLIEST_MS * per, LATEST_MS * per) for per in PER_MS.values()]
    assert all(last < first for (_, last), (first, _) in itertools.pairwise(ranges))


@given(st.integers(10**14, 2**63 - 1))
def test_whole_numbers_are_rounded_to_the_nearest_millisecond(number: int) -> None:
    ticks = 1000 if number < 10**17 else 1_000_000
    assert whole_epochs(np.array([number])).tolist() == [round(Fraction(number, ticks))]


@given(st.floats(1e8, 1e16))
def test_decimal_numbers_are_rounded_to_the_nearest_millisecond(number: float) -> None:
    ms = number * 1000 if number < 1e11 else number if number < 1e14 else number / 1000
    assert decimal_epochs(np.array([number])).tolist() == [round(ms)]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1e15, 1e19])
def test_what_nobody_counts_is_missing(number: float) -> None:
    assert decimal_epochs(np.array([number, 1e9])).tolist() == [int(MISSING), 10**12]


def test_seconds_before_1970_are_counted_back() -> None:
    assert whole_epochs(np.array([-1, -(2**62), 0])).tolist() == [-1000, int(MISSING), 0]
    assert decimal_epochs(np.array([-1.5])).tolist() == [-1500]
