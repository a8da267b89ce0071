"""What cells look like without what they say, and how that is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assist.time_shapes import are_times, cell_shape, time_format, unread_clocks, unread_dates
from core.clean.time_formats import TIME_FORMATS, TimeFormat

EXAMPLES = [(one, cell) for one in TIME_FORMATS for cell, _ in one.examples]


@pytest.mark.parametrize(
    ("cell", "shape"),
    [
        ("2023-01-02T03:04:05+05:30", "9999-99-99a99:99:99+99:99"),
        (" 31/12/2023 10u15 ", "99/99/9999 99a99"),
        ("Mérida №7\t½ ٣_!", "aaaaaa ?9?9 9_!"),
        ("9" * 41, "9" * 39 + "…"),
        ("", ""),
    ],
)
def test_a_shape_shows_digits_letters_and_punctuation(cell: str, shape: str) -> None:
    assert cell_shape(cell) == shape


@given(st.text())
def test_a_shape_says_nothing_of_a_cell_but_its_marks(cell: str) -> None:
    assert all(
        character in "9a?…" or (character.isascii() and not character.isalnum() and character in cell)
        for character in cell_shape(cell)
    )


def test_a_column_of_each_form_is_told_with_a_made_up_cell() -> None:
    for written, cell in EXAMPLES:
        found = time_format([cell, "", cell], written.date_order)
        assert found.choice == written.name
        assert found.reason == f"Read as {written.name}, like {_first(written, cell_shape(cell))}"


def _first(written: TimeFormat, shape: str) -> str:
    return next(cell for cell, _ in written.examples if cell_shape(cell) == shape)


def test_both_orders_are_thought_of_until_one_is_known() -> None:
    cells = ["03/04/2023 10:00"]
    both = time_format(cells)
    assert both.reason.endswith("Read as day first or month first, like 31/12/2023 10:15 or 12/31/2023 10:15")
    assert time_format(cells, "mdy").choice == "month first"


@pytest.mark.parametrize(
    ("cell", "order", "told"),
    [
        ("26/11/2026, 17:03:12", "dmy", "Read as day first, like 31/12/2023, 09:05:30"),
        ("26/11/2026, 5:03:12 p.m.", "dmy", "Read as day first, like 31/12/2023, 9:05:30 p.m."),
        ("11/26/2026, 5:03:12\u202fPM", "mdy", "Read as month first, like 12/31/2023, 9:05:30 PM"),
        ("26/11/2026 05:03:12\u00a0p.\u202fm.", "dmy", "Read as day first, like 31/12/2023 09:05:30 p. m."),
        ("2026-11-26, 17:03:12", "", "Read as ISO 8601, like 2023-01-02, 03:04:05"),
    ],
)
def test_times_as_a_browser_writes_them_are_told_with_a_cell_like_them(
    cell: str, order: str, told: str
) -> None:
    assert time_format([cell] * 2, order).reason == told


def test_blanks_that_look_alike_make_one_shape() -> None:
    cells = [
        *["26/11/2026 5:03 PM", "26/11/2026 5:03\u00a0PM", "26/11/2026 5:03\u202fPM"],
        *["26/11/2026 17:03"] * 2,
    ]
    assert time_format(cells, "dmy").reason.startswith("Read as day first")


def test_the_commonest_shape_counts() -> None:
    cells = [*["2023-01-02 03:04:05"] * 3, *["2023-01-02 03:04"] * 9]
    assert time_format(cells).reason.startswith("Read as ISO 8601")
    spoilt = [*cells, "2023-01-02", "2023-01-02", "noon"]
    assert time_format(spoilt).choice is None
    assert time_format(spoilt).reason == '"9999-99-99" is not read: a date without a time of day'


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("31/12/2023", "a date without a time of day"),
        ("20231231", "a date without a time of day"),
        ("10:15:30", "a time of day without a date"),
        ("9:15 pm", "a time of day without a date"),
        ("05:03:12 p. m.", "a time of day without a date"),
        ("05:03:12\u00a0p.\u202fm.", "a time of day without a date"),
        ("10:15:30+05:30", "a time of day without a date"),
        ("02-01-23 10:15", "a year of two digits"),
        ("2-1-23, 10:15", "a year of two digits"),
        ("2023-01-02 10:15 IST", "several zones have this abbreviation"),
        ("2023-13-01 10:15", "no calendar or clock has such numbers"),
        ("2023-12-31 10u15", "it matches no known form of times"),
    ],
)
def test_what_is_not_read_is_told_with_the_reason(cell: str, why: str) -> None:
    assert time_format([cell, "  "]).reason == f'"{cell_shape(cell)}" is not read: {why}'


def test_empty_columns_tell_nothing() -> None:
    assert time_format(["", " "]).reason == ""
    assert time_format([]).choice is None


def test_a_column_of_the_other_order_is_not_read() -> None:
    found = time_format(["31/12/2023 10:15"], "mdy")
    assert found.choice is None
    assert found.reason == '"99/99/9999 99:99" is not read: no calendar or clock has such numbers'


@pytest.mark.parametrize(
    "cell", ["26/11/2026", "2026-11-26", "20261126", "26-Nov-2026", "26/11/2026 00:00:00"]
)
def test_dates_that_are_read_beside_a_time_of_day_have_no_fault(cell: str) -> None:
    assert unread_dates([cell, " "]) == ""


@pytest.mark.parametrize("cell", ["05:03:12", "5:03", "05:03:12 p. m.", "050312", "05:03:12.5-06:00"])
def test_times_of_day_that_are_read_beside_a_date_have_no_fault(cell: str) -> None:
    assert unread_clocks([cell, ""]) == ""


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("26-11-26", "a year of two digits"),
        ("32/11/2026", "no calendar or clock has such numbers"),
        ("32-Nov-2026", "no calendar or clock has such numbers"),
        ("2026-11-26 05:03:12", "a date with a time of day"),
        ("26 de noviembre", "it matches no known form of dates"),
    ],
)
def test_a_column_of_dates_is_told_by_what_is_wrong_with_it(cell: str, why: str) -> None:
    assert unread_dates([cell, ""]) == f'"{cell_shape(cell)}" is not read: {why}'


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("49:12", "no calendar or clock has such numbers"),
        ("13:03 p. m.", "no calendar or clock has such numbers"),
        ("26/11/2026", "a date without a time of day"),
        ("2026-11-26 05:03:12", "a date with a time of day"),
        ("5u03", "it matches no known form of times"),
    ],
)
def test_a_column_of_times_of_day_is_told_by_what_is_wrong_with_it(cell: str, why: str) -> None:
    assert unread_clocks([cell, ""]) == f'"{cell_shape(cell)}" is not read: {why}'


def test_dates_of_the_other_order_are_at_fault_once_it_is_named() -> None:
    assert unread_dates(["26/11/2026"], "dmy") == ""
    assert unread_dates(["26/11/2026"], "mdy") != ""


def test_of_columns_without_cells_nothing_is_told() -> None:
    assert unread_dates([""]) == unread_clocks([]) == ""


def test_times_of_either_order_are_times() -> None:
    assert are_times(["31/12/2023 10:15", "12/31/2023 10:15", "2023-12-31 10:15", "noon"]) == [True] * 3 + [
        False
    ]
    assert are_times(["31/12/2023 10:15", "12/31/2023 10:15", "2023-12-31 10:15"], "dmy") == [
        True,
        False,
        True,
    ]
