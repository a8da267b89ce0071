"""Exact numbers: thousandths, units of 2^-30, decimal budgets."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.values import (
    EPSILON_MAX,
    EPSILON_STEP,
    FINE,
    fine_ceil,
    fine_means,
    floor_epsilon,
    parse_epsilon,
    plain,
)
from tests.records import assert_tells

BAD_EPSILONS: list[object] = [
    "",
    "0",
    "-0",
    "0.000000",
    "-1",
    "-0.5",
    "inf",
    "-Infinity",
    "nan",
    "sNaN",
    "much",
    "1,5",
    "0.5 per vehicle",
    "0.0000001",
    "0.1234567",
    "1e-7",
    "1000000.000001",
    "1e7",
    "1e999999999",
    "1e99999999999999999999",
    "1e-999999999",
    "0." + "0" * 40 + "1",
    "0.5" + "0" * 30 + "1",
    0.5,
    1,
    True,
    None,
    ["0.5"],
    float("nan"),
]


@pytest.mark.parametrize("text", BAD_EPSILONS, ids=repr)
def test_what_is_no_epsilon_is_refused(text: object) -> None:
    with pytest.raises(InputError) as caught:
        parse_epsilon(text, where="query.epsilon")  # type: ignore[arg-type]
    assert_tells(caught.value)


@pytest.mark.parametrize("text", ["0.5", "10", "1e-6", "0.000001", "1000000", "0.50", "1E+2"])
def test_decimal_texts_are_exact(text: str) -> None:
    assert parse_epsilon(text, where="here") == Decimal(text)


@given(st.decimals(EPSILON_STEP, EPSILON_MAX, places=6))
def test_six_decimals_survive(value: Decimal) -> None:
    assert parse_epsilon(str(value), where="here") == value
    assert Decimal(plain(value)) == value
    assert "e" not in plain(value).lower()
    assert floor_epsilon(value) == value


@given(st.decimals(0, 100, places=12))
def test_budgets_are_rounded_down(value: Decimal) -> None:
    floored = floor_epsilon(value)
    assert 0 <= value - floored < EPSILON_STEP
    assert floored % EPSILON_STEP == 0


@given(st.integers(0, 10**6))
def test_fine_ceil_is_the_least_integer_that_covers(thousandths: int) -> None:
    exact = Fraction(thousandths * FINE, 1000)
    assert 0 <= fine_ceil(thousandths) - exact < 1


@given(
    st.lists(
        st.integers(1, 1 << 37).flatmap(
            lambda count: st.tuples(st.integers(0, count * 1_000_000), st.just(count))
        ),
        min_size=1,
        max_size=8,
    )
)
def test_fine_means_round_each_mean_to_the_nearest(pairs: list[tuple[int, int]]) -> None:
    sums, counts = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    for fine, total, count in zip(fine_means(sums, counts).tolist(), *zip(*pairs, strict=True), strict=True):
        assert abs(fine - Fraction(total * FINE, count * 1000)) <= Fraction(1, 2)


@given(st.integers(1, 1000), st.integers(1, 10**6))
def test_a_mean_of_the_bound_stays_within_it(count: int, upper: int) -> None:
    fine = fine_means(np.array([count * upper]), np.array([count]))
    assert fine[0] <= fine_ceil(upper)


def test_plain_text_of_decimals() -> None:
    assert [plain(Decimal(text)) for text in ("1E+2", "0.50", "10", "1.000000")] == ["100", "0.5", "10", "1"]
