"""Antitonic regression: optimal, exact, and never worse than what it starts from."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.antitonic import antitonic

NUMBERS = st.lists(st.integers(-50, 50), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("numbers", "wanted"),
    [
        ([], []),
        ([3], [3]),
        ([5, 4, 4, 1], [5, 4, 4, 1]),
        ([1, 2], [Fraction(3, 2)] * 2),
        ([9, 1, 2, 3, 0], [9, 2, 2, 2, 0]),
        ([1, 0, 5], [2, 2, 2]),
    ],
)
def test_by_hand(numbers: list[int], wanted: list[Fraction]) -> None:
    assert antitonic(numbers) == wanted


@given(NUMBERS)
def test_it_is_the_formula_of_means_of_runs(numbers: list[int]) -> None:
    """Element i is the smallest, over starts up to i, of the largest mean of a run that reaches i."""
    places = range(len(numbers))

    def mean(first: int, last: int) -> Fraction:
        return Fraction(sum(numbers[first : last + 1]), last - first + 1)

    wanted = [
        min(max(mean(first, last) for last in places[here:]) for first in places[: here + 1])
        for here in places
    ]
    assert antitonic(numbers) == wanted


@given(NUMBERS, st.data())
def test_it_never_moves_away_from_a_truth_that_never_rises(numbers: list[int], data: st.DataObject) -> None:
    size = len(numbers)
    truth = sorted(data.draw(st.lists(st.integers(-50, 50), min_size=size, max_size=size)), reverse=True)
    fitted = antitonic(numbers)
    assert all(before >= after for before, after in itertools.pairwise(fitted))
    assert sum(fitted) == sum(numbers)
    before = [abs(number - true) for number, true in zip(numbers, truth, strict=True)]
    after = [abs(number - true) for number, true in zip(fitted, truth, strict=True)]
    assert sum(error**2 for error in after) <= sum(error**2 for error in before)
    assert max(after) <= max(before)
