"""The window: dates, hours, slots, and what it refuses."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.hats.slots import SLOT_MINUTES, clock
from core.hats.window import DateRange, build_window
from tests.records import assert_tells

HOURS = ("09:00", "21:00")


def _day(number: int) -> dt.date:
    return dt.date(2015, 3, 1) + dt.timedelta(days=number)


def _ranges(*pairs: tuple[int, int]) -> tuple[DateRange, ...]:
    return tuple((_day(first), _day(last)) for first, last in pairs)


def test_dates_are_inclusive_and_in_order() -> None:
    window = build_window(_ranges((10, 11), (0, 2)), HOURS, 60)
    assert window.dates == tuple(_day(number) for number in (0, 1, 2, 10, 11))
    assert window.days == 5


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=4))
def test_ranges_are_accepted_just_when_no_date_is_twice(pairs: list[tuple[int, int]]) -> None:
    listed = [number for first, last in pairs for number in range(first, last + 1)]
    good = all(first <= last for first, last in pairs) and len(listed) == len(set(listed))
    try:
        window = build_window(_ranges(*pairs), HOURS, 60)
    except InputError as error:
        assert not good
        assert_tells(error)
    else:
        assert good
        assert window.dates == tuple(map(_day, sorted(listed)))
        assert window.days == len(listed)


@pytest.mark.parametrize("pairs", [[(3, 2)], [(0, 5), (9, 8)]])
def test_dates_backwards_are_refused(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(InputError, match="backwards"):
        build_window(_ranges(*pairs), HOURS, 60)


@pytest.mark.parametrize("pairs", [[(0, 2), (2, 4)], [(0, 9), (3, 4)], [(1, 1), (1, 1)]])
def test_dates_that_overlap_are_refused(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(InputError, match="overlap"):
        build_window(_ranges(*pairs), HOURS, 60)


@given(st.integers(0, 96), st.integers(0, 96), st.sampled_from(SLOT_MINUTES))
def test_hours_are_accepted_just_when_they_fit_the_slots(start: int, end: int, slot_minutes: int) -> None:
    hours = (clock(start * 15), clock(end * 15))
    try:
        window = build_window(_ranges((0, 0)), hours, slot_minutes)
    except InputError as error:
        assert end <= start or (start * 15) % slot_minutes or (end * 15) % slot_minutes
        assert_tells(error)
    else:
        covered = {slot * slot_minutes + minute for slot in window.slots for minute in range(slot_minutes)}
        assert covered == set(range(start * 15, end * 15))
        assert window.hours == hours


@pytest.mark.parametrize("hours", [("22:00", "06:00"), ("09:00", "09:00"), ("24:00", "24:00")])
def test_a_window_over_midnight_is_refused(hours: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="midnight") as caught:
        build_window(_ranges((0, 0)), hours, 60)
    assert_tells(caught.value)


@pytest.mark.parametrize(
    ("hours", "slot"), [(("09:30", "21:00"), 60), (("09:00", "20:45"), 30), (("09:00", "21:00"), 120)]
)
def test_hours_that_are_no_multiples_of_the_slot_are_refused(hours: tuple[str, str], slot: int) -> None:
    with pytest.raises(InputError, match="no multiples") as caught:
        build_window(_ranges((0, 0)), hours, slot)
    assert_tells(caught.value)


def test_no_dates_and_too_many_are_refused() -> None:
    with pytest.raises(InputError, match="No dates"):
        build_window((), HOURS, 60)
    with pytest.raises(InputError, match="shorter"):
        build_window(_ranges((0, 5000)), HOURS, 60)
