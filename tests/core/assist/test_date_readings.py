"""core.assist.date_readings: both readings of doubtful dates, side by side."""

from __future__ import annotations

from core.assist.date_readings import date_readings


def test_both_readings_are_shown_with_their_span() -> None:
    cells = ["01/01/2019 10:00", "03/04/2019 10:00", "05/04/2019 11:00", "", "noon"]
    day_first, month_first = date_readings(cells)
    assert day_first.text == (
        "day first (dmy): the first unclear date is 3 April 2019; 3 dates, 1 January 2019 to 5 April 2019"
    )
    assert month_first.text == (
        "month first (mdy): the first unclear date is 4 March 2019; 3 dates, 1 January 2019 to 4 May 2019"
    )
    assert (day_first.cells, month_first.cells) == (3, 3)
    assert "2019" not in repr(day_first)


def test_an_order_that_reads_nothing_is_left_out() -> None:
    (only,) = date_readings(["31/12/2022 10:00"])
    assert (only.order, only.text) == (
        "dmy", "day first (dmy): the first unclear date is 31 December 2022; 1 date, 31 December 2022"
    )  # fmt: skip
    assert date_readings(["noon"]) == ()
    assert date_readings([]) == ()
