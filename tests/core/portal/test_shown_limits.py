"""core.portal.shown_limits: round limits where the released numbers lie."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from core.portal.shown_limits import shown_limits


def test_slow_city_speeds_have_classes_of_two() -> None:
    assert shown_limits([8.12, 11.3, 20.4, 14.0, 17.9]) == (10, 12, 14, 16, 18, 20)


def test_counts_have_whole_limits() -> None:
    assert shown_limits([2.1, 50.3, 42.383, 17.2]) == (10, 20, 30, 40, 50)


def test_what_noise_carried_far_away_decides_nothing() -> None:
    numbers = [8 + 12 * step / 97 for step in range(98)]
    assert shown_limits([*numbers, 0.0, 65.0]) == shown_limits(numbers)


def test_numbers_below_nought_and_tiny_ones() -> None:
    assert shown_limits([-900.0, 1500.0]) == (-500, 0, 500, 1000)
    assert shown_limits([0.001, 0.0065]) == (0.002, 0.003, 0.004, 0.005, 0.006)


@pytest.mark.parametrize("numbers", [[], [12.0], [12.0, 12.0], [12.0, 12.0004]])
def test_alike_numbers_have_no_limits(numbers: list[float]) -> None:
    assert shown_limits(numbers) == ()


def test_limits_are_round_and_about_six_classes_hold_the_bulk() -> None:
    source = random.Random(7)
    for _ in range(500):
        width = 10 ** source.uniform(-1, 5)
        least = source.uniform(-10, 10) * width
        limits = shown_limits([least, least + width])
        assert 3 <= len(limits) <= 8
        assert least < limits[0]
        assert limits[-1] < least + width
        (step,) = {
            Fraction(high).limit_denominator(1000) - Fraction(low).limit_denominator(1000)
            for low, high in pairwise(limits)
        }
        digits = f"{float(step):e}"
        assert float(digits.partition("e")[0]) in (1, 2, 5)
