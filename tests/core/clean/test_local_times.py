"""Local forms are rewritten as ISO 8601."""

from __future__ import annotations

import pyarrow as pa
import pytest

from core.clean.local_times import as_iso, without_blank

DAY_FIRST = {
    "31/12/2023 10:15": "2023-12-31T10:15",
    "31-12-2023 10:15:30": "2023-12-31T10:15:30",
    "31.12.2023 10:15:30.25": "2023-12-31T10:15:30.25",
    "1/2/2023 9:05": "2023-02-01T09:05",
    "1/2/2023  9:05 +05:30": "2023-02-01T09:05+05:30",
    "1/2/2023 9:05 PM": "2023-02-01T21:05",
    "1/2/2023 12:05am": "2023-02-01T00:05",
    "1/2/2023 12:05 pm": "2023-02-01T12:05",
    "2023/12/31 1:15 AM": "2023-12-31T01:15",
    "2023/12/31 10:15:30Z": "2023-12-31T10:15:30Z",
}
OTHER = [
    "31/12-2023 10:15",
    "31/12/23 10:15",
    "31/12/2023",
    "31/12/2023T10:15",
    "31/12/2023 10:15 XM",
    "31/12/2023 10",
    "31 12 2023 10:15",
    "2023.12.31 10:15",
    "2023-12-31 1:15",
    "",
]


@pytest.mark.parametrize("text", DAY_FIRST)
def test_local_forms_become_iso(text: str) -> None:
    assert as_iso(pa.array([text, None]), "dmy").to_pylist() == [DAY_FIRST[text], None]


def test_the_order_says_which_field_is_the_month() -> None:
    assert as_iso(pa.array(["1/2/2023 9:05"]), "mdy").to_pylist() == ["2023-01-02T09:05"]
    assert as_iso(pa.array(["31/12/2023 9:05"]), "mdy").to_pylist() == ["2023-31-12T09:05"]


@pytest.mark.parametrize("text", OTHER)
@pytest.mark.parametrize("order", ["", "dmy", "mdy"])
def test_other_forms_are_left(text: str, order: str) -> None:
    assert as_iso(pa.array([text]), order).to_pylist() == [None]


def test_without_an_order_only_the_year_may_stand_first() -> None:
    texts = pa.array(["1/2/2023 9:05", "2023/2/1 9:05"])
    assert as_iso(texts, "").to_pylist() == [None, "2023-02-01T09:05"]


@pytest.mark.parametrize("hour", ["0", "13", "23"])
def test_an_hour_that_no_half_of_a_day_has_is_none(hour: str) -> None:
    assert as_iso(pa.array([f"1/2/2023 {hour}:05 PM"]), "dmy").to_pylist() == ["2023-02-01T99:05"]


def test_one_blank_before_an_offset_goes() -> None:
    texts = ["10:10 +0530", "10:10:35.5 Z", "10:10:35  Z", "2022-01-01 -0530", "10:10", None]
    expected = ["10:10+0530", "10:10:35.5Z", "10:10:35  Z", "2022-01-01 -0530", "10:10", None]
    assert without_blank(pa.array(texts)).to_pylist() == expected
