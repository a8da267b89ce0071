"""Worst cases of mean and variance: against the enumeration of small data sets, and one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.moments import (
    constant_error,
    feasible_pair,
    hat_error,
    hat_errors,
    largest_error,
    largest_variance,
    mean_bias,
    mean_sensitivity,
    variance_bias,
    variance_sensitivity,
)

Moment = Callable[[tuple[int, ...]], Fraction]
Shape = tuple[int, ...]

SHAPES: tuple[Shape, ...] = tuple(
    shape
    for users in range(1, 6)
    for shape in combinations_with_replacement((5, 4, 3, 2, 1), users)
    if sum(shape) <= 7
)
"""Records kept of every user: every way to share out up to seven records, five at most each."""
KEPT_OF = tuple((retained, records) for records in range(1, 9) for retained in range(1, records + 1))
"""n and M: the bias looks at no user."""


def mean_of(values: tuple[int, ...]) -> Fraction:
    return Fraction(sum(values), len(values))


def variance_of(values: tuple[int, ...]) -> Fraction:
    """By its definition, not by the sum of squares that a release uses."""
    mean = mean_of(values)
    return sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values)


def multisets(upper: int, size: int) -> Iterator[tuple[int, ...]]:
    """Both moments look at no order, so that one order of each set of values is all of them."""
    return combinations_with_replacement(range(upper + 1), size)


def most_moved(moment: Moment, upper: int, shape: Shape) -> Fraction:
    """By the values of any one user, over all integer data sets: the sensitivity."""
    n, worst = sum(shape), Fraction(0)
    for size in set(shape):
        for rest in multisets(upper, n - size):
            reached = [moment(rest + own) for own in multisets(upper, size)]
            worst = max(worst, max(reached) - min(reached))
    return worst


def most_off(moment: Moment, upper: int, retained: int, records: int) -> Fraction:
    """Of the kept records against all of them, over all integer data sets: the bias."""
    return max(
        abs(moment(inside) - moment(inside + outside))
        for inside in multisets(upper, retained)
        for outside in multisets(upper, records - retained)
    )


def bounds_for(records: int) -> tuple[int, ...]:
    """Upper bounds whose data sets are few enough to go through, odd and even ones."""
    return (1, 2, 3, 4, 5) if records <= 4 else (1, 2, 3)


def test_there_are_shapes_of_every_kind() -> None:
    assert len(SHAPES) >= 36
    wide = [shape for shape in SHAPES if sum(shape) > 2 * max(shape)]
    narrow = [shape for shape in SHAPES if sum(shape) <= 2 * max(shape)]
    assert {sum(shape) % 2 for shape in wide} == {sum(shape) % 2 for shape in narrow} == {0, 1}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sensitivities_are_what_the_worst_data_sets_reach(shape: Shape) -> None:
    n, k = sum(shape), max(shape)
    for upper in bounds_for(n):
        assert most_moved(mean_of, upper, shape) == mean_sensitivity(upper, n, k)
        assert most_moved(variance_of, upper, shape) == variance_sensitivity(upper, n, k)


@pytest.mark.parametrize(("retained", "records"), KEPT_OF)
def test_biases_are_what_the_worst_data_sets_reach(retained: int, records: int) -> None:
    for upper in bounds_for(records):
        assert most_off(mean_of, upper, retained, records) == mean_bias(upper, retained, records)
        assert most_off(variance_of, upper, retained, records) == variance_bias(upper, retained, records)


def swapped_variance_bias(upper: int, n: int, records: int) -> Fraction:
    """The two cases as the slides print them."""
    if n == records:
        return Fraction(0)
    if records > 2 * n:
        return upper**2 * Fraction(n * (records - n), records**2)
    return largest_variance(upper, records)


def test_the_cases_as_the_slides_have_them_are_refuted() -> None:
    reached = {case: most_off(variance_of, 1, *case) for case in KEPT_OF}
    exceeded = [case for case in KEPT_OF if reached[case] > swapped_variance_bias(1, *case)]
    wasted = [case for case in KEPT_OF if reached[case] < swapped_variance_bias(1, *case)]
    assert (1, 4) in exceeded  # 0 kept, then 0, U, U dropped
    assert (3, 4) in wasted
    assert all(reached[case] <= variance_bias(1, *case) for case in KEPT_OF)


def test_extremes_suffice_for_the_larger_shapes() -> None:
    """`bounds_for` grows no further: two values reach as much as all of them, in every case above."""
    for shape in SHAPES:
        with_all = most_moved(variance_of, 3, shape)
        assert with_all == 9 * most_moved(variance_of, 1, shape)
    for shape in ((6, 3, 1), (4, 4, 3), (9, 5, 4), (2,) * 6):
        n, k = sum(shape), max(shape)
        assert most_moved(variance_of, 1, shape) == variance_sensitivity(1, n, k)


@pytest.mark.parametrize("count", range(1, 9))
def test_the_largest_variance_has_half_of_the_values_at_either_end(count: int) -> None:
    assert max(map(variance_of, multisets(2, count))) == largest_variance(2, count)


def test_the_error_of_a_hat_adds_up_its_parts() -> None:
    """n = 3 of M = 4, k = 1, U = 60: biases 15 and 60 * 3/16, sensitivities 20 and 60 * 2/9."""
    error = hat_error(60.0, 3, 1, 4, Decimal("0.5"))
    assert error == pytest.approx(15 + 60 * 3 / 16 + (20 + 60 * 2 / 9) / 0.25)


@given(st.data())
def test_many_hats_at_once_have_the_errors_of_one_by_one(data: st.DataObject) -> None:
    cases = []
    for _ in range(data.draw(st.integers(1, 6))):
        records = data.draw(st.integers(1, 40) | st.integers(1, 20_000_000))
        retained = data.draw(st.integers(1, records))
        cases.append((retained, data.draw(st.integers(1, retained)), records))
    retained, largest, records = np.array(cases, np.int64).T
    epsilon = Decimal(data.draw(st.integers(1, 100_000_000))) / 1_000_000
    expected = [hat_error(65.0, *case, epsilon) for case in cases]
    found = hat_errors(65.0, retained, largest, records, float(epsilon))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    one_each = hat_errors(65.0, retained, largest, records, np.full(retained.size, float(epsilon)))
    np.testing.assert_array_equal(one_each, found)


def test_errors_keep_the_shape_of_their_counts() -> None:
    retained = np.array([[4, 5, 6], [7, 8, 9]])
    errors = hat_errors(65.0, retained, np.array(2), np.array([10, 11, 12]), 1.0)
    assert errors.shape == (2, 3)
    assert errors[1, 2] == pytest.approx(hat_error(65.0, 9, 2, 12, Decimal(1)))


def test_a_constant_misses_at_most_its_error() -> None:
    """U / 2 and U^2 / 8 miss every feasible pair by at most `constant_error`, and some by all of it."""
    upper = 4
    centre, spread = Fraction(upper, 2), Fraction(upper**2, 8)
    missed = [abs(mean_of(each) - centre) for each in multisets(upper, 4)]
    missed_spread = [abs(variance_of(each) - spread) / upper for each in multisets(upper, 4)]
    assert float(max(missed) + max(missed_spread)) == constant_error(upper) == upper / 2 + upper / 8


_PAIRS = st.integers(-(10**9), 10**9)


@given(mean=_PAIRS, variance=_PAIRS, upper=st.integers(1, 100_000))
def test_a_pair_becomes_feasible_and_stays_so(mean: int, variance: int, upper: int) -> None:
    found_mean, found_variance = feasible_pair(mean, variance, upper)
    assert found_mean == min(max(mean, 0), upper)
    assert 0 <= found_variance * 1000 <= found_mean * (upper - found_mean)
    assert feasible_pair(found_mean, found_variance, upper) == (found_mean, found_variance)


def test_feasible_pairs_are_left_alone_and_others_moved_as_little_as_can_be() -> None:
    """Units: 0.001 km/h and 0.001 km2/h2. A mean of 5 km/h below U = 65 allows 5 * 60 = 300 km2/h2."""
    for mean, variance in product((0, 5_000, 32_500, 65_000), (0, 299_999, 300_000, 300_001)):
        expected = min(variance, mean * (65_000 - mean) // 1000)
        assert feasible_pair(mean, variance, 65_000) == (mean, expected)


def test_no_error_is_larger_than_the_ranges_of_mean_and_variance() -> None:
    """The variance of values in [0, U] is at most U^2 / 4; its error counts over U."""
    upper = 65.0
    assert largest_error(upper) == upper + (upper**2 / 4) / upper
    assert hat_error(upper, 2, 2, 900, Decimal("0.001")) > largest_error(upper) > constant_error(upper)
