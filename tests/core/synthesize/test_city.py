"""A city's records as tables, one day after the other."""

from __future__ import annotations

import pyarrow as pa

from core.synthesize.city import city_tables


def test_days_follow_each_other_and_sum_to_the_total() -> None:
    seen: list[tuple[float, str]] = []
    tables = list(
        city_tables(
            records=4001,
            seed=3,
            vehicles=20,
            days=9,
            progress=lambda done, text="": seen.append((done, text)),
        )
    )
    whole = pa.concat_tables(tables)
    times = whole["observationDateTime"].to_pylist()
    assert whole.num_rows == 4001
    assert times == sorted(times)
    assert len({time[:10] for time in times}) == len(tables) == 9
    assert seen[0] == (0.0, "day 1 of 9")
    assert seen[-1] == (1.0, "4,001 records")


def test_fewer_records_than_days_leave_days_out() -> None:
    tables = list(city_tables(records=2, seed=1, vehicles=1, days=5, progress=lambda _done, _text="": None))
    assert [table.num_rows for table in tables] == [1, 1]
