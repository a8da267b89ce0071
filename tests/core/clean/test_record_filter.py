"""Filters: the cell alone decides, however the column is stored."""

from __future__ import annotations

import pyarrow as pa
import pytest

from core.clean.record_filter import RecordFilter, filters_of, filters_text, stated_filters

UP = RecordFilter(name="direction", values=("UP",))
NOT_UP = RecordFilter(name="direction", values=("UP",), excluded=True)


def test_a_cell_decides_alone_and_an_empty_one_has_none_of_the_values() -> None:
    cells = pa.array([" UP", "DN", "up", "", None])
    assert UP.passes(cells).tolist() == [True, False, False, False, False]
    assert NOT_UP.passes(cells).tolist() == [False, True, True, True, True]


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([7, 12, None]),
        pa.array([7.0, 12.0, None]),
        pa.array(["7", "12 ", None]).dictionary_encode(),
        pa.array([7, 12, None], pa.int8()),
    ],
    ids=["whole numbers", "a column with gaps", "codes", "small numbers"],
)
def test_numbers_are_compared_as_people_write_them(cells: pa.Array) -> None:
    assert RecordFilter(name="route", values=("12", "7")).passes(cells).tolist() == [True, True, False]
    assert RecordFilter(name="route", values=("12",)).passes(cells).tolist() == [False, True, False]


def test_what_a_spec_states_is_read_and_written_and_said() -> None:
    stated = {"direction": ["DN", " UP ", "DN"], "not_service": ["school"]}
    filters = filters_of(stated)
    assert stated_filters(filters) == {"direction": ["DN", "UP"], "not_service": ["school"]}
    assert filters_of(stated_filters(filters)) == filters
    assert filters_text(filters) == "direction is DN or UP, service is none of school"
