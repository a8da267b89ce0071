"""core.portal.served_worse: figures of a bundle's rows alone, as somebody with the CSV would find them."""

from __future__ import annotations

import dataclasses
from statistics import median

import pytest

from core.bundle.data_files import data_files
from core.bundle.public_tables import PublicTable, public_tables
from core.portal.served_worse import served_worse
from core.quantity import SPEED
from tests.builders import make_city_query, make_release


def table_of(halves: list[int], empty: int) -> PublicTable:
    """Means of 1, 2, 3, ... km/h, each with a range of so many km/h to either side, and rows without."""
    (public,) = public_tables(data_files(make_release()), SPEED)
    usual, gap = public.rows[0], next(row for row in public.rows if row["status"] != "published")
    (measure,) = public.measures
    rows = [
        {**usual, measure.name: f"{value}.000"}
        | {measure.low: f"{value - half}.000", measure.high: f"{value + half}.000"}
        for value, half in enumerate(halves, start=1)
    ]
    return dataclasses.replace(public, rows=[*rows, *[gap] * empty])


def test_the_fastest_and_the_widest_tenth_stand_against_all_rows() -> None:
    halves = [*[2] * 30, *[9] * 4, *[4] * 6]
    gone, ranges = served_worse([table_of(halves, empty=3)])
    assert gone == "No usable number: 3 rows of 43, mostly because too few vehicles were there."
    assert f"all rows is ±{median(halves):.1f} km/h" in ranges
    assert "highest values it is ±4.0 km/h" in ranges
    assert "it is ±9.0 km/h or more" in ranges


@pytest.mark.parametrize(("count", "compared"), [(19, False), (20, True)])
def test_few_rows_are_not_compared(count: int, compared: bool) -> None:
    said = " ".join(served_worse([table_of([2] * count, empty=0)]))
    assert ("highest values" in said) is compared
    assert said.startswith(f"All rows have a usable number: {count} rows.")
    assert ("Too few rows" in said) is not compared


def test_smoothed_numbers_are_said_to_lean() -> None:
    (public,) = public_tables(data_files(make_release(queries=(make_city_query(),))), SPEED)
    rows = [row for row in public.rows if row["status"] == "published"] * 10
    assert (
        "lean towards those of their neighbours" in served_worse([dataclasses.replace(public, rows=rows)])[-1]
    )
    assert served_worse([]) == ()
