"""Values of runs, read slice by slice, are those of the records."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.contributions.values import run_values

Case = tuple[list[int], list[tuple[int, int]]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A column, and runs in it in any order: (first, length)."""
    source = draw(st.lists(st.integers(0, 65_000), min_size=1, max_size=30))
    places = st.integers(0, len(source) - 1)
    firsts = draw(st.lists(places, min_size=1, max_size=8))
    return source, [(first, draw(st.integers(1, len(source) - first))) for first in firsts]


@given(cases(), st.integers(-3, 60), st.integers(-3, 60))
def test_a_slice_is_that_of_the_runs_one_after_another(case: Case, begin: int, end: int) -> None:
    source, runs = case
    expected = [value for first, length in runs for value in source[first : first + length]]
    first, length = (np.array(column, np.int64) for column in zip(*runs, strict=True))
    values = run_values(np.array(source, np.int32), first, length)
    assert len(values) == len(expected)
    assert values[:].tolist() == expected
    assert values[begin:end].tolist() == expected[begin:end]
    assert values[begin:end].dtype == np.int32


def test_they_show_sizes_only() -> None:
    values = run_values(np.array([41_234], np.int32), np.array([0]), np.array([1]))
    assert repr(values).startswith("<confidential RunValues: ")
    assert "41" not in repr(values)
