"""Notation of numbers and dates: one-sided evidence decides, contradictions are refused, no evidence asks."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assist.number_date_notation import date_order, decimal_mark


@pytest.mark.parametrize(
    ("cells", "choice"),
    [
        (["1.5", "2"], "."),
        (["1", "20", "-3"], "."),
        ([], "."),
        (["x", "", "n/a"], "."),
        (["12,5", "3"], ","),
        (["0,435"], ","),
        (["-0,9", "1,234"], ","),
        ([" 1,5 "], ","),
        ([",5"], ","),
        (["1,2345"], ","),
        (["1.234"], "."),
        (["1,234"], None),
        (["-1,234", "99"], None),
    ],
)
def test_the_mark_of_one_column(cells: list[str], choice: str | None) -> None:
    finding = decimal_mark({"speed": cells})
    assert finding.choice == choice
    assert not finding.contradictory


@pytest.mark.parametrize(
    "columns",
    [
        {"speed": ["1,5", "1.5"]},
        {"speed": ["1,5"], "lat": ["21.1"]},
        {"speed": ["1,234"], "lat": ["21.1"]},
        {"speed": ["1.234,5"]},
        {"speed": ["1,234,567"]},
    ],
)
def test_two_marks_at_once_are_refused_by_the_columns_name(columns: dict[str, list[str]]) -> None:
    finding = decimal_mark(columns)
    assert (finding.choice, finding.contradictory) == (None, True)
    assert "speed" in finding.reason


def test_one_clear_column_decides_for_a_doubtful_one() -> None:
    assert decimal_mark({"speed": ["1,234"], "lat": ["21,1"]}).choice == ","


def test_a_doubtful_mark_is_told_by_both_readings_of_a_number_like_the_cells() -> None:
    found = decimal_mark({"speed": ["1,000", "1,001"]})
    assert found.reason == "doubtful: a number like 1,234 in speed may be 1234 or 1.234"


def test_the_reason_names_columns_and_no_cell() -> None:
    finding = decimal_mark({name: ["71,35"] for name in ("a", "b", "c", "d")})
    assert finding.reason == "commas and no point in a, b, c and others"


@pytest.mark.parametrize(
    ("texts", "choice", "contradictory"),
    [
        ([], "", False),
        (["2023-04-03 10:00", "1641030035"], "", False),
        (["31/12/2023 10:00"], "dmy", False),
        (["03/04/2023 10:00", "13.04.2023 10:00:00"], "dmy", False),
        (["12/31/2023 10:00", "1/2/2023 9:05 PM"], "mdy", False),
        (["03-04-2023 10:00"], None, False),
        (["31/12/2023 10:00", "12/31/2023 10:00"], None, True),
        (["99/99/2023 10:00", "31/12/2023"], "", False),
    ],
)
def test_the_order_of_day_and_month(texts: list[str], choice: str | None, contradictory: bool) -> None:
    finding = date_order(texts)
    assert (finding.choice, finding.contradictory) == (choice, contradictory)
    assert finding.reason


@given(st.lists(st.dates(dt.date(2000, 1, 1), dt.date(2050, 1, 1)), min_size=1))
def test_the_true_order_is_never_contradicted(dates: list[dt.date]) -> None:
    clear = sum(date.day > 12 for date in dates)
    found = date_order([f"{date:%d/%m/%Y} 10:00" for date in dates])
    assert found.choice == ("dmy" if clear else None)
    assert not clear or found.reason.startswith("1 date " if clear == 1 else f"{clear} dates ")
    assert date_order([f"{date:%m/%d/%Y} 10:00" for date in dates]).choice == ("mdy" if clear else None)


def test_a_year_of_two_digits_may_stand_first() -> None:
    assert date_order(["25/03/04 10:00", "25/03/05 10:00"]).choice is None
    assert date_order(["25/03/04 10:00", "26/03/05 10:00"]).choice == "dmy"
    assert date_order(["3/25/04 10:00"]).choice == "mdy"
