"""The window: dates, hours, slots, and what it refuses."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.hats.slots import ALL, DAY_MINUTES, SLOT_LENGTHS, SlotLength, clock, parse_clock
from core.hats.window import DateRange, build_window, fitted_hours
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


TIMES = st.integers(0, 288).map(lambda fifth: clock(fifth * 5))


@given(TIMES, TIMES, st.sampled_from(SLOT_LENGTHS))
def test_hours_are_accepted_just_when_they_are_whole_slots(start: str, end: str, length: SlotLength) -> None:
    first, last = (parse_clock(time, where="here") for time in (start, end))
    minutes = last - first if length == ALL else length
    try:
        window = build_window(_ranges((0, 0)), (start, end), length)
    except InputError as error:
        assert end <= start or (last - first) % minutes
        assert_tells(error)
    else:
        assert window.slot_minutes == minutes
        assert window.slot_length == length
        grid = window.grid
        covered = [grid.start(slot) + minute for slot in window.slots for minute in range(minutes)]
        assert covered == list(range(first, last)), "slots are counted from the start"
        assert window.hours == (start, end)
        if not first % minutes:
            assert [grid.start(slot) for slot in window.slots] == [slot * minutes for slot in window.slots]


@given(TIMES, TIMES, st.sampled_from(SLOT_LENGTHS))
def test_fitted_hours_hold_the_hours_and_no_slot_more(start: str, end: str, length: SlotLength) -> None:
    if end <= start:
        with pytest.raises(InputError, match="midnight"):
            fitted_hours((start, end), length)
        return
    found = fitted_hours((start, end), length)
    window = build_window(_ranges((0, 0)), found, length)
    first, last = (parse_clock(time, where="here") for time in (start, end))
    assert window.start <= first < last <= window.end
    assert window.end - window.start - (last - first) < window.slot_minutes
    assert window.start == first or window.end == DAY_MINUTES


def test_the_whole_window_is_one_slot_and_the_same_request_as_its_length_in_minutes() -> None:
    window = build_window(_ranges((0, 0)), ("09:00", "13:00"), ALL)
    assert (window.slot_minutes, len(window.slots), window.whole) == (240, 1, True)
    assert window == build_window(_ranges((0, 0)), ("09:00", "13:00"), 240)
    longer = build_window(_ranges((0, 0)), ("05:20", "21:00"), ALL)
    assert [longer.grid.text(slot) for slot in longer.slots] == ["05:20"]
    assert longer.grid.end_text(longer.slots[0]) == "21:00"


@pytest.mark.parametrize("hours", [("22:00", "06:00"), ("09:00", "09:00"), ("24:00", "24:00")])
def test_a_window_over_midnight_is_refused(hours: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="midnight") as caught:
        build_window(_ranges((0, 0)), hours, 60)
    assert_tells(caught.value)


@pytest.mark.parametrize(
    ("hours", "slot", "fitted"),
    [
        (("09:30", "21:00"), 60, "09:30 to 21:30"),
        (("09:00", "20:45"), 30, "09:00 to 21:00"),
        (("09:00", "22:00"), 120, "09:00 to 23:00"),
        (("09:00", "22:00"), 240, "08:00 to 24:00"),
    ],
)
def test_hours_that_are_no_whole_slots_are_refused(hours: tuple[str, str], slot: int, fitted: str) -> None:
    with pytest.raises(InputError, match="cannot be divided into whole slots") as caught:
        build_window(_ranges((0, 0)), hours, slot)
    assert_tells(caught.value)
    assert fitted in caught.value.mend


def test_no_dates_and_too_many_are_refused() -> None:
    with pytest.raises(InputError, match="not typed"):
        build_window((), HOURS, 60)
    with pytest.raises(InputError, match="shorter"):
        build_window(_ranges((0, 5000)), HOURS, 60)
