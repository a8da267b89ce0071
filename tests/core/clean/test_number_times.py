"""Numbers that are times: digits of a date, days of a spreadsheet, and what was counted since 1970."""

from __future__ import annotations

import numpy as np
import pytest

from core.clean.number_times import decimal_times, whole_times
from core.clean.read_times import MISSING
from tests.records import instant

READ = instant("2025-03-04T08:00:00Z")


@pytest.mark.parametrize("digits", [202503040800, 20250304080000, 20250304080000000])
def test_the_digits_of_a_date_are_a_wall_clock(digits: int) -> None:
    ms, naive = whole_times(np.array([digits, READ, READ // 1000]))
    assert (ms.tolist(), naive.tolist()) == ([READ] * 3, [True, False, False])


def test_what_the_calendar_does_not_have_is_no_time() -> None:
    ms, naive = whole_times(np.array([20251304080000, 20250304250000]))
    assert (ms.tolist(), naive.any()) == ([int(MISSING)] * 2, False)


def test_days_of_a_spreadsheet_are_whole_seconds_where_their_decimals_were_cut() -> None:
    ms, naive = decimal_times(np.array([45720.333333, 45720 + 1 / 3, 45720.5, READ / 1000, 20250304080000.0]))
    assert ms.tolist() == [READ, READ, instant("2025-03-04T12:00:00Z"), READ, READ]
    assert naive.tolist() == [True, True, True, False, True]
