"""core.portal.released_classes: round limits that fit the released numbers, and what is too unsure."""

from __future__ import annotations

import itertools
from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.portal.released_classes import ReleasedClasses, released_classes, unsure_from

SPEEDS = (0.0, 65.0)


def limits(values: list[float], **settings: object) -> tuple[float, ...]:
    return released_classes(values, **({"bounds": SPEEDS} | settings)).limits  # type: ignore[arg-type]


def spread(low: float, high: float, number: int = 101) -> list[float]:
    return [low + (high - low) * place / (number - 1) for place in range(number)]


def test_a_city_of_buses_fills_its_classes() -> None:
    """The 5th to the 95th of a hundred from 8 to 25: multiples of 5 are too few, of 2 too many."""
    assert limits(spread(8, 25)) == (12, 16, 20, 24)
    assert limits(spread(10, 35)) == (15, 20, 25, 30)


def test_the_roundest_steps_come_first_and_none_holds_too_much() -> None:
    assert limits(spread(0.5, 60.5)) == (10, 20, 30, 40, 50)
    crowded = [*spread(10, 35), *[22.0] * 300]
    assert limits(crowded) != limits(spread(10, 35))


def test_few_numbers_have_few_classes() -> None:
    assert len(limits(spread(10, 30, 9))) == 1
    assert 2 <= len(limits(spread(10, 30, 25))) <= 3
    assert 4 <= len(limits(spread(10, 30, 41))) <= 5
    assert limits([20.0, 20.04, 20.08]) == ()
    assert limits([]) == ()


@pytest.mark.parametrize("values", [[6.0, 30.0], [10.0, 10.0, 20.0, 45.0], [8.0] * 9 + [20.0], [-6.0, 30.0]])
def test_numbers_that_differ_are_never_all_in_one_class(values: list[float]) -> None:
    """Of fewer than ten there are two classes at most, and by rank their limit was the least number."""
    (limit,) = limits(values, bounds=(-600.0, 1800.0))
    assert min(values) < limit <= max(values)
    assert limit == 0 or min(values) > 0, "0 parts early from late"
    assert limits(values, bounds=(-600.0, 1800.0), parted=False) == (), "as pages of older bundles have it"


def test_outliers_move_no_limit() -> None:
    values = spread(10, 35)
    assert limits([*values, 64.9]) == limits(values)


def test_a_bound_that_holds_many_is_a_class_of_its_own() -> None:
    found = released_classes([0.0] * 30 + spread(10, 35, 100), bounds=SPEEDS)
    assert found.heaps == (0.0,)
    assert found.limits == limits(spread(10, 35, 100))
    few = released_classes([0.0] * 20 + spread(10, 35, 100), bounds=SPEEDS)
    assert few.heaps == ()
    assert released_classes([100.0] * 5, bounds=(0.0, 100.0)).heaps == (100.0,)


def test_times_have_limits_of_the_clock_and_0_parts_early_from_late() -> None:
    delays = limits(spread(-130, 500), bounds=(-600.0, 1800.0), seconds=True, scale=1)
    assert delays == (0, 120, 240, 360)
    assert limits([-3.0] * 40 + [9.0, 10.0, 11.0] * 20, bounds=(-600.0, 600.0)) == (0, 10)


def test_skewed_numbers_are_parted_by_rank() -> None:
    values = [1.0 + place**4 / 1e6 for place in range(200)]
    found = limits(values, bounds=(0.0, None))
    counts = [0] * (len(found) + 1)
    for value in values:
        counts[bisect_right(found, value)] += 1
    assert max(counts) <= 0.45 * len(values)


def test_what_is_larger_by_a_power_of_ten_is_alike_only_when_that_much_closer() -> None:
    assert limits([200.0, 200.5, 200.9], scale=1) == ()
    assert limits([200.0, 200.5, 200.9]) != ()


@given(st.lists(st.floats(0, 65).map(lambda value: round(value, 3)), min_size=1, max_size=80))
def test_limits_ascend_within_the_numbers_and_every_class_may_hold_one(values: list[float]) -> None:
    found = released_classes(values, bounds=SPEEDS)
    assert len(found.limits) < 6
    assert all(one < other for one, other in itertools.pairwise(found.limits))
    rest = [value for value in values if value not in found.heaps]
    assert all(min(rest) < limit <= max(rest) for limit in found.limits)
    assert found.low <= found.high


@given(st.permutations(spread(3, 40, 30)))
def test_the_order_of_rows_changes_nothing(values: list[float]) -> None:
    assert limits(values) == limits(sorted(values))


def test_unsure_is_what_is_wider_than_most_and_than_half_of_what_differs() -> None:
    classes = ReleasedClasses(limits=(), heaps=(), low=10.0, high=30.0)
    assert unsure_from([2.0] * 9, classes) == 10.0
    assert unsure_from(spread(10, 40), classes) == 30.0  # three quarters are narrower than 32.5
    assert unsure_from([0.0], ReleasedClasses(limits=(), heaps=(), low=5.0, high=5.0)) == 0.0


@pytest.mark.parametrize("width", [0.3, 7.0, 31.4, 420.0])
def test_it_is_a_round_number_near_that(width: float) -> None:
    found = unsure_from([width], ReleasedClasses(limits=(), heaps=(), low=0.0, high=0.0))
    assert abs(found - width) <= width / 10
