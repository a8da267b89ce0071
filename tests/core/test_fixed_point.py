"""core.fixed_point: units of 2^-30."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from core.fixed_point import FINE, fine_ceil


@given(st.integers(0, 10**6))
def test_fine_ceil_is_the_least_integer_that_covers(thousandths: int) -> None:
    exact = Fraction(thousandths * FINE, 1000)
    assert 0 <= fine_ceil(thousandths) - exact < 1
