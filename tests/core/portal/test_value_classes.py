"""Classes of pictures and tables: round numbers between the bounds, the same whatever the values."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from core.portal.value_classes import WIDTH_EDGES, decade, mean_limits, scaled_edges
from core.quantity import MOST_OF_VALUE, SPEED, Quantity

MOST = MOST_OF_VALUE * 1000


def of(lower: int) -> Quantity:
    return Quantity(name="delay", column_unit="s", unit="s", lower=lower)


def test_classes_of_speeds_do_not_follow_the_bound() -> None:
    assert {decade(SPEED, upper) for upper in (1_000, 65_000, 1_000_000)} == {0}
    assert scaled_edges(WIDTH_EDGES, SPEED, 999_000) == WIDTH_EDGES


def test_a_delay_of_minutes_and_a_share() -> None:
    assert mean_limits(of(-600_000), 2_400_000) == (-500, 0, 500, 1000, 1500)
    assert scaled_edges((1, 20), of(-600_000), 2_400_000) == (100, 2000)
    assert mean_limits(of(0), 1_000) == tuple(Fraction(tenth, 10) for tenth in (2, 4, 6, 8))
    assert scaled_edges((1, 20), of(0), 1_000) == (Fraction(1, 100), Fraction(1, 5))


@given(st.integers(-MOST, MOST - 1).flatmap(lambda low: st.tuples(st.just(low), st.integers(low + 1, MOST))))
def test_limits_are_few_ascend_and_lie_between_the_bounds(bounds: tuple[int, int]) -> None:
    lower, upper = bounds
    limits = mean_limits(of(lower), upper - lower)
    assert 1 <= len(limits) <= 5
    assert list(limits) == sorted(set(limits))
    assert all(Fraction(lower, 1000) < limit < Fraction(upper, 1000) for limit in limits)
