"""Kinds of day: the calendar's, and those of a file."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.hats.day_kinds import (
    DAY_KINDS,
    EVERY_DAY,
    WEEKDAY,
    WEEKEND,
    day_test,
    kind_of_dates,
    ranges_of_kind,
    read_dates,
)
from core.hats.window import build_window

MONDAY = dt.date(2022, 1, 3)
DAY = dt.timedelta(days=1)


def _dates(ranges: tuple[tuple[dt.date, dt.date], ...]) -> tuple[dt.date, ...]:
    return build_window(ranges, ("09:00", "10:00"), 60).dates


@given(st.dates(dt.date(1990, 1, 1), dt.date(2100, 1, 1)), st.integers(1, 40), st.sampled_from(DAY_KINDS))
def test_the_days_that_are_kept_are_those_of_the_kind(first: dt.date, days: int, kind: str) -> None:
    every = [first + step * DAY for step in range(days)]
    keep = day_test(kind, Path())
    found = ranges_of_kind([(first, every[-1])], keep)
    expected = [date for date in every if kind == EVERY_DAY or (date.isoweekday() > 5) is (kind == WEEKEND)]
    assert (list(_dates(found)) if found else []) == expected
    assert ranges_of_kind(found, keep) == found


KINDS = {kind: day_test(kind, Path()) for kind in DAY_KINDS}


@given(st.dates(dt.date(1990, 1, 1), dt.date(2100, 1, 1)), st.integers(7, 40), st.sampled_from(DAY_KINDS))
def test_dates_are_known_by_their_kind(first: dt.date, days: int, kind: str) -> None:
    whole = ((first, first + days * DAY),)
    assert kind_of_dates(ranges_of_kind(whole, KINDS[kind]), [whole], KINDS) == (kind, 0)


def test_dates_of_no_kind_are_none_and_the_first_kind_goes_before_the_first_whole() -> None:
    fortnight = ((MONDAY, MONDAY + 13 * DAY),)
    first_week = ((MONDAY, MONDAY + 4 * DAY),)
    both = [fortnight, first_week]
    assert kind_of_dates(first_week, both, KINDS) == (EVERY_DAY, 1)
    assert kind_of_dates(first_week, [fortnight], KINDS) is None
    assert kind_of_dates(((MONDAY - DAY, MONDAY),), both, KINDS) is None
    assert kind_of_dates(first_week, both, {WEEKDAY: KINDS[WEEKDAY]}) == (WEEKDAY, 1)


def test_ranges_stay_ranges() -> None:
    fortnight = ((MONDAY, MONDAY + 13 * DAY),)
    assert ranges_of_kind(fortnight, day_test(WEEKDAY, Path())) == (
        (MONDAY, MONDAY + 4 * DAY),
        (MONDAY + 7 * DAY, MONDAY + 11 * DAY),
    )
    two = ((MONDAY, MONDAY), (MONDAY + DAY, MONDAY + DAY))
    assert ranges_of_kind(two, day_test(EVERY_DAY, Path())) == two


def test_a_file_lists_dates_with_remarks(tmp_path: Path) -> None:
    path = tmp_path / "holidays.txt"
    path.write_text(
        "# of the state\n2022-01-03 Founding day\n\n2022-01-05, another; one\n", encoding="utf-8-sig"
    )
    assert read_dates(path) == {MONDAY, MONDAY + 2 * DAY}
    keep = day_test("holidays.txt", tmp_path)
    assert _dates(ranges_of_kind([(MONDAY, MONDAY + 6 * DAY)], keep)) == (MONDAY, MONDAY + 2 * DAY)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"2022-01-03\nsoon\n", "Line 2"),
        (b"# nothing\n", "no dates"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b" " * 1_100_000, "too large"),
    ],
)
def test_what_is_no_list_of_dates_is_refused(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "days.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=what):
        read_dates(path)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"days\.txt"):
        day_test("days.txt", tmp_path)


@pytest.mark.parametrize("days", ["weekdays", "Weekend", "holidays"])
def test_a_kind_that_is_misspelt_is_not_only_called_a_missing_file(tmp_path: Path, days: str) -> None:
    with pytest.raises(InputError, match="neither a kind of day") as refusal:
        day_test(days, tmp_path)
    assert all(f'"{kind}"' in refusal.value.mend for kind in (WEEKDAY, WEEKEND))
