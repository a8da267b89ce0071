"""The table of forms: every example is read as it says, and no shape has two readings."""

from __future__ import annotations

import itertools

import pyarrow as pa
import pytest

from core.clean.read_times import MISSING
from core.clean.time_formats import TIME_FORMATS, layout_of, shape_of_digits
from core.clean.times import parse_times
from core.read.file_format import FileFormat
from tests.records import instant
from tests.time_texts import read_one

EXAMPLES = [
    (time_format, cell, meaning) for time_format in TIME_FORMATS for cell, meaning in time_format.examples
]
NO_FORMS = [
    "2022-01-01",
    "2022-01-01T10",
    "20220101",
    "20220101T10",
    "10:10:35",
    "02-01-23 03:04:05",
    "23/1/2 03:04:05",
    "Jan 2, 23 03:04:05",
    "2 Jan 2023",
    "Janu 2, 2023 3:04",
    "2-Jan 2023 03:04",
    "Xyz, 02 Jan 2023 03:04:05",
    "2022-1-1 10:10",
    "2022/01/01T10:10:35",
    "2022-01/01 10:10:35",
    "2022-01-01T10:10:35.Z",
    "2022-01-01T10:10:35.1234567890Z",
    "2022-01-01T10:10:35+5",
    "2022-01-01T10:10:35+05:3Z",
    "2022-01-01T10:10:35 IST",
    "2022-01-01T10:10:35 Europe/Nowhere",
    "4 Brumaire 2022 10:10",
    "1.67E+09",
    "2022-01-01 10:10 XM",
    "99999999",
    "99999999999999999999",
    "999999999.",
    "9" * 500,
]


def test_every_example_is_read_as_it_says() -> None:
    for time_format, cell, meaning in EXAMPLES:
        parsed = parse_times(pa.array([cell, f" {cell} "]), FileFormat(date_order=time_format.date_order))
        assert parsed.instants.tolist() == [instant(meaning.removesuffix("Z") + "Z")] * 2
        assert parsed.naive.tolist() == [not meaning.endswith("Z")] * 2
        assert read_one(cell, time_format.date_order).ms == int(parsed.instants[0]), cell
        layout = layout_of(shape_of_digits(cell), time_format.date_order)
        assert layout is not None, cell
        assert layout.time_format == time_format


def test_a_form_that_needs_an_order_is_not_read_without() -> None:
    for time_format, cell, meaning in EXAMPLES:
        plain = parse_times(pa.array([cell])).instants != MISSING
        assert plain.tolist() == [not time_format.date_order], meaning


def test_no_shape_has_two_forms() -> None:
    for time_format, cell, meaning in EXAMPLES:
        for order in ("", "dmy", "mdy") if not time_format.date_order else (time_format.date_order,):
            layout = layout_of(shape_of_digits(cell), order)
            assert layout is not None, meaning
            assert layout.time_format == time_format


def test_what_has_no_form_is_none() -> None:
    for cell, order in itertools.product(NO_FORMS, ("", "dmy", "mdy")):
        assert layout_of(shape_of_digits(cell), order) is None, (cell, order)


def test_fields_lie_where_the_shape_has_them() -> None:
    layout = layout_of("Mon, 99 Jan 9999 9:99:99.999 PM -99:99")
    assert layout is not None
    assert layout.places == {
        "day": (5, 2),
        "year": (12, 4),
        "hour": (17, 1),
        "minute": (19, 2),
        "second": (22, 2),
        "fraction": (25, 3),
        "ahead": (33, 2),
        "ahead_minutes": (36, 2),
    }
    assert (layout.month, layout.weekday, layout.half, layout.has_offset, layout.west) == (
        1,
        0,
        "P",
        True,
        True,
    )


def test_epoch_numbers_have_the_mark_of_the_file() -> None:
    for mark, other in (".,", ",."):
        layout = layout_of(f"9999999999{mark}9", decimal=mark)
        assert layout is not None
        assert (layout.decimal, layout.places) == (mark, {})
        assert layout_of(f"9999999999{other}9", decimal=mark) is None


@pytest.mark.parametrize("mark", [".", ","])
def test_epoch_numbers_may_have_either_mark(mark: str) -> None:
    layout = layout_of(f"9999999999{mark}9", decimal=".,")
    assert layout is not None
    assert layout.decimal == mark
