"""Columns of a contribution file that do not fit are told by their row, and never quoted."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import h3
import pytest

from core.contributions.file_read import read_contributions
from core.errors import InputError
from tests.contribution_files import changed_file, second
from tests.records import SECRET, assert_tells
from tests.strategies import CELLS


def _noon(date: dt.date) -> dt.datetime:
    return dt.datetime.combine(date, dt.time(12))


WRONG = (
    ("cell", second(lambda cell: cell + 1), "not an H3 cell of resolution 7, row 2"),
    ("cell", second(lambda _: int(h3.str_to_int(h3.latlng_to_cell(21, 72, 8)))), "not an H3 cell, row 2"),
    ("cell", lambda cells: [SECRET] * len(cells), "not an H3 cell, row 1"),
    ("cell", lambda cells: [float(cell) for cell in cells], "not an H3 cell"),
    ("slot_start", second(lambda start: start + 1), "not at a slot's start, row 2"),
    ("slot_start", second(lambda _: 12 * 60), "window's hours, row 2"),
    ("slot_start", lambda starts: [SECRET] * len(starts), "not a time of day"),
    ("vehicle", second(lambda _: "  "), "no id"),
    ("vehicle", second(lambda _: None), "empty cell, row 2"),
    ("vehicle", lambda names: [f"{SECRET} 0"] * len(names), "same cell, slot, vehicle and date"),
    ("date", second(lambda date: date + dt.timedelta(days=5)), "not in the window, row 2"),
    ("date", lambda dates: [SECRET] * len(dates), "date does not contain"),
    ("date", lambda dates: [18_993] * len(dates), "contains no dates"),
    ("date", lambda dates: [_noon(date) for date in dates], "time of day, row 1"),
    ("count", second(lambda count: count + 1), "not the number of values, row 2"),
    ("count", second(lambda _: 0), "counts no record, row 2"),
    ("count", lambda counts: [str(count) for count in counts], "count contains no numbers"),
    ("visits", second(lambda _: 0), "no visit, row 2"),
    ("visits", second(lambda _: 100), "more visits than records, row 2"),
    ("visits", second(lambda _: None), "empty cell, row 2"),
    ("visits", lambda visits: [str(number) for number in visits], "visits contains no numbers"),
    ("sum", second(lambda total: total + 1), "not that of its values, row 2"),
    ("sum", lambda sums: [total + 0.5 for total in sums], "sum does not contain"),
    ("values", second(lambda found: [-1, *found[1:]]), "below 0, row 2"),
    ("values", second(lambda found: [65_001, *found[1:]]), "above the upper bound, row 2"),
    ("values", second(lambda found: [None, *found[1:]]), "empty entry"),
    ("values", lambda lists: [found[0] for found in lists], "contains no lists"),
    ("values", lambda lists: [[SECRET] * len(found) for found in lists], "contains no numbers"),
)


@pytest.mark.parametrize(("column", "change", "told"), WRONG, ids=[f"{c}-{t}" for c, _, t in WRONG])
def test_what_does_not_fit_is_told(column: str, change: Any, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_contributions(changed_file(tmp_path, **{column: change}))
    what, _, row = told.partition(", row ")
    assert what in caught.value.what
    assert str(caught.value.where).endswith(f", row {row}" if row else "")
    assert_tells(caught.value, hidden=(SECRET, SECRET.lower(), str(CELLS[0])))
