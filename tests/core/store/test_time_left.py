"""How long reading will take, in words."""

from __future__ import annotations

from core.store.time_left import Pace


def test_rows_come_first_then_rate_and_time_left() -> None:
    seconds = iter([100.0, 100.1, 102.0, 110.0])
    pace = Pace(lambda: next(seconds))
    assert pace.text("x.csv", 9_999, 0.01) == "Reading x.csv: 9,999 rows"
    assert pace.text("x.csv", 3_190_001, 0.5) == "Reading x.csv: 3.2 M rows, 1.6 M rows/s, about 2 s left"
    assert pace.text("y.csv", 0, 1.0) == "Reading y.csv: 3.2 M rows, 320 k rows/s, about 0 s left"


def test_long_waits_are_told_in_minutes_and_none_before_anything_is_read() -> None:
    seconds = iter([0.0, 60.0, 120.0])
    pace = Pace(lambda: next(seconds))
    assert pace.text("x.csv", 0, 0.0) == "Reading x.csv: 0 rows"
    assert pace.text("x.csv", 120_000, 0.1) == "Reading x.csv: 120 k rows, 1,000 rows/s, about 18 min left"
