"""Ticks at round numbers, ends that hold all values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.charts.ticks import linear_scale, log_scale, tick_label

numbers = st.floats(1e-6, 1e9)


@given(st.lists(numbers, min_size=1, max_size=9), st.booleans())
def test_a_linear_axis_holds_all_values_between_round_ticks(values: list[float], from_zero: bool) -> None:
    scale = linear_scale(values, from_zero=from_zero)
    assert all(-1e-6 <= scale.share(value) <= 1 + 1e-6 for value in values)
    assert (scale.low == 0.0) or not from_zero
    assert (scale.ticks[0], scale.ticks[-1]) == (scale.low, scale.high)
    assert 2 <= len(scale.ticks) <= 11
    assert list(scale.ticks) == sorted(set(scale.ticks))


@pytest.mark.parametrize(
    "values", [[0.0, 5e-324], [1.0, 1.0 + 2e-16], [1e300, 1.0000000000000002e300], [1e-310]]
)
@pytest.mark.parametrize("from_zero", [True, False])
def test_values_that_floats_can_hardly_tell_apart_have_an_axis(values: list[float], from_zero: bool) -> None:
    scale = linear_scale(values, from_zero=from_zero)
    assert scale.low < scale.high
    assert all(0 <= scale.share(value) <= 1 + 1e-9 for value in values)
    assert list(scale.ticks) == sorted(set(scale.ticks))


@given(st.lists(numbers, min_size=1, max_size=9))
def test_a_logarithmic_axis_holds_all_values_with_room(values: list[float]) -> None:
    scale = log_scale(values)
    assert all(0.0 < scale.share(value) < 1.0 for value in values)
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks)
    digits = {round(tick / 10 ** math.floor(math.log10(tick) + 1e-9), 6) for tick in scale.ticks}
    assert digits <= {1.0, 2.0, 5.0}


def test_few_decades_have_ticks_in_between() -> None:
    assert log_scale([0.3, 3.0]).ticks == pytest.approx((0.5, 1.0, 2.0))
    assert log_scale([0.001, 10.0]).ticks == pytest.approx((0.001, 0.01, 0.1, 1.0, 10.0))


def test_shares_grow_by_factors_on_a_logarithmic_axis() -> None:
    scale = log_scale([1.0, 100.0])
    assert scale.share(10.0) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (0.5, "0.5"), (2.0, "2"), (12_000.0, "12,000"), (0.001, "0.001")]
)
def test_labels_have_no_needless_zeros(value: float, text: str) -> None:
    assert tick_label(value) == text


def test_the_step_is_free_of_rounding() -> None:
    scale = linear_scale([0.5, 2.0], from_zero=False)
    assert [tick_label(tick) for tick in scale.ticks] == [
        "0.4",
        "0.6",
        "0.8",
        "1",
        "1.2",
        "1.4",
        "1.6",
        "1.8",
        "2",
    ]
