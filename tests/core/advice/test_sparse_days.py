"""core.advice.sparse_days: a day of a failed feed is found, a Sunday is not."""

from __future__ import annotations

from core.advice.sparse_days import sparse_days
from tests.strategies import CELLS, one_record_each


def test_only_days_with_next_to_no_records_are_named() -> None:
    records = (400, 3, 500, 60, 0, 450)
    rows = [(0, bus, day) for day, most in enumerate(records) for bus in range(most)]
    table = one_record_each(rows, CELLS[:1], days=len(records))
    found = sparse_days(table)
    assert [(day.date, day.records) for day in found] == [
        (table.window.dates[1], 3),
        (table.window.dates[4], 0),
    ]


def test_of_two_days_an_empty_one_is_named() -> None:
    table = one_record_each([(0, bus, 0) for bus in range(300)], CELLS[:1], days=2)
    assert [day.records for day in sparse_days(table)] == [0]
