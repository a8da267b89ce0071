"""core.bundle.parameter_texts: parameters and periods as a person reads them."""

from __future__ import annotations

import datetime as dt

from core.bundle.parameter_texts import parameters_text, periods_text, value_text


def test_each_kind_of_value_is_read_at_once() -> None:
    values = (True, False, 13, 0.5, 40.0, "mixed", (40.0, 50.5), ())
    assert [value_text(value) for value in values] == [
        *("yes", "no", "13", "0.5", "40", "mixed", "40, 50.5", "none named")
    ]
    assert parameters_text({"bins": 13, "tree": "mixed"}) == "bins 13, tree mixed"
    assert parameters_text({}) == ""


def test_a_single_date_is_told_once() -> None:
    first, last, alone = dt.date(2022, 1, 1), dt.date(2022, 1, 7), dt.date(2022, 1, 10)
    assert periods_text(((first, last), (alone, alone))) == "2022-01-01 to 2022-01-07, 2022-01-10"


def test_ranges_are_said_by_their_ends_and_an_empty_list_as_none() -> None:
    assert parameters_text({"ranges": ((0.0, 10.0), (40.0, 65.0)), "percentiles": ()}) == (
        "ranges 0 to 10, 40 to 65, percentiles none named"
    )
