"""Arrow's own cast reads what cell by cell is read as well, or nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.cast_times import cast_iso
from core.clean.read_times import MISSING, ReadTimes
from core.clean.shaped_times import read_shaped
from tests.records import instant
from tests.time_texts import time_texts

GOOD = "2022-01-01T10:10:35+05:30"
OTHERS = [
    "2022-01-01",
    "2022-01-01T10",
    "2022-01-01T10+05:30",
    "2022-01-01 10:10:35",
    "2022-01-01T10:10:35+05",
    "2022-01-01T10:10:35-05:30",
    "2022-01-01T10:10:35Z",
    "2022-02-30T10:10:35+05:30",
    "2022-01-01T10:10:35.1234567+05:30",
    " 2022-01-01T10:10:35+05:30",
    "0000-12-31T23:10:35+05:30",
    " ",
    "noon",
]


def same(left: ReadTimes, right: ReadTimes) -> bool:
    return all(
        np.array_equal(getattr(left, name), getattr(right, name)) for name in ReadTimes.__dataclass_fields__
    )


@given(time_texts(), st.lists(time_texts(), max_size=3))
def test_a_column_is_read_as_cell_by_cell_or_not_at_all(text: str, others: list[str]) -> None:
    for column in (pa.array([text]), pa.array([None, text, text]), pa.array([text, *others])):
        found = cast_iso(column)
        assert found is None or same(found, read_shaped(column))


@given(
    st.lists(st.datetimes(), min_size=1, max_size=4),
    st.sampled_from(("minutes", "seconds", "milliseconds", "microseconds", "auto")),
    st.sampled_from(("", "Z", "+05", "-0330", "+05:30", "-23:59")),
)
def test_iso_columns_are_read_as_cell_by_cell(moments: list[object], precision: str, offset: str) -> None:
    column = pa.array([moment.isoformat("T", precision) + offset for moment in moments])  # type: ignore[attr-defined]
    found = cast_iso(column)
    if found is None:  # the first two days of the year 1
        assert any(text.as_py().startswith("0001-01-0") for text in column)
    else:
        assert same(found, read_shaped(column))
        assert (found.ms != MISSING).all()


@pytest.mark.parametrize("digits", [1, 3, 6, 7, 9])
def test_fractions_are_cut(digits: int) -> None:
    fraction = "999999999"[:digits]
    for moment in ("2022-01-01T10:10:35", "1969-12-31T23:59:59"):
        found = cast_iso(pa.array([f"{moment}.{fraction}Z"]))
        assert found is not None
        assert found.ms.tolist() == [instant(f"{moment}Z") + int(fraction[:3].ljust(3, "0"))]


@pytest.mark.parametrize("other", OTHERS)
def test_one_other_cell_is_left_to_other_readers(other: str) -> None:
    assert cast_iso(pa.array([GOOD, GOOD])) is not None
    assert cast_iso(pa.array([GOOD, other])) is None


@pytest.mark.parametrize(
    "first", ["2022-01-01", "2022-01-01T10", "0000-01-01T00:00:00", "9999-99-99 00:00", ""]
)
def test_what_arrow_reads_and_we_do_not_is_left(first: str) -> None:
    assert cast_iso(pa.array([first])) is None


@pytest.mark.parametrize("empty", [None, ""])
def test_null_and_empty_cells_are_missing(empty: str | None) -> None:
    found = cast_iso(pa.array(["noon", empty, GOOD, empty])[1:])
    assert found is not None
    assert found.ms.tolist() == [int(MISSING), instant(GOOD), int(MISSING)]
    assert (found.has_offset.tolist(), found.minutes.tolist()) == ([False, True, False], [0, 330, 0])
    assert not found.naive.any()


def test_a_column_of_nothing_is_left() -> None:
    assert cast_iso(pa.array([], pa.string())) is None
    assert cast_iso(pa.array([None, ""], pa.string())) is None
