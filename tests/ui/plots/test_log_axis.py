"""The logarithmic axis: round labels, none over another."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.plots.log_axis import LogAxis, log_ticks


def values(low: float, high: float, length: float) -> list[float]:
    ticks = log_ticks(math.log10(low), math.log10(high), length)
    return [float(f"{10**tick:.6g}") for tick in ticks]


@pytest.mark.parametrize(
    ("low", "high", "length", "expected"),
    [
        (0.9, 110, 100, [1, 10, 100]),
        (0.9, 110, 260, [1, 2, 5, 10, 20, 50, 100]),
        (1, 10, 200, [1, 2, 3, 5, 10]),
        (0.001, 0.1, 60, [0.001, 0.01, 0.1]),
        (1e-4, 1e4, 120, [1e-4, 1e-2, 1, 100, 1e4]),
    ],
)
def test_labels_are_round_and_as_many_as_fit(
    low: float, high: float, length: float, expected: list[float]
) -> None:
    assert values(low, high, length) == expected


@given(
    low=st.floats(-6, 5),
    span=st.floats(0.01, 9),
    length=st.floats(40, 2000),
)
def test_no_two_labels_meet(low: float, span: float, length: float) -> None:
    ticks = log_ticks(low, low + span, length)
    assert all(low <= tick <= low + span for tick in ticks)
    for one, other in itertools.pairwise(ticks):
        assert (other - one) * length / span >= 25


@pytest.mark.parametrize(("low", "high", "length"), [(1, 1, 100), (2, 1, 100), (math.nan, 1, 100), (0, 1, 0)])
def test_a_view_without_extent_has_no_labels(low: float, high: float, length: float) -> None:
    assert log_ticks(low, high, length) == []


def test_the_axis_prints_plain_numbers(qapp: object) -> None:  # noqa: ARG001 - an axis needs one
    axis = LogAxis("left")
    axis.setLogMode(y=True)
    ticks = axis.tickValues(-1, 2, 240)
    assert ticks[0][1][0] == -1
    assert axis.tickStrings([-1, 0, math.log10(2), 2], 1.0, None) == ["0.1", "1", "2", "100"]
