"""Exact numbers: thousandths, units of 2^-30, decimal budgets."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.values import (
    EPSILON_MAX,
    EPSILON_STEP,
    FINE,
    at_a_glance,
    fine_ceil,
    floor_epsilon,
    parse_delta,
    parse_epsilon,
    plain,
    readable,
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


def test_plain_text_of_decimals() -> None:
    assert [plain(Decimal(text)) for text in ("1E+2", "0.50", "10", "1.000000")] == ["100", "0.5", "10", "1"]


@pytest.mark.parametrize("text", ["0", "1e-6", "0.000001", "0.999"])
def test_a_delta_is_exact(text: str) -> None:
    assert parse_delta(text, where="delta") == Decimal(text)


@pytest.mark.parametrize("text", ["", "-1e-9", "1", "2", "nan", "inf", "small", "1e-6 %"])
def test_anything_else_is_no_delta(text: str) -> None:
    with pytest.raises(InputError, match="from 0 to below 1") as refused:
        parse_delta(text, where="Delta")
    assert refused.value.where == "Delta"


@pytest.mark.parametrize(
    ("exact", "up", "down"),
    [
        ("9.99993", "10", "9.999"),
        ("6.24441", "6.245", "6.244"),
        ("10", "10", "10"),
        ("0", "0", "0"),
        ("0.00007123", "0.000072", "0.000071"),
        ("123456.7891", "123456.790", "123456.789"),
    ],
)
def test_an_epsilon_at_a_glance_costs_no_less_and_leaves_no_more(exact: str, up: str, down: str) -> None:
    value = Decimal(exact)
    assert value <= readable(value) <= Decimal(up)
    assert plain(readable(value, rounding=ROUND_DOWN)) == down


@pytest.mark.parametrize(
    ("exact", "up", "down"),
    [
        ("79.9983", "80", "79.99"),
        ("39.99995", "40", "39.99"),
        ("20.0017", "20.002", "20"),
        ("12.344985", "12.345", "12.344"),
        ("49.999", "49.999", "49.999"),
        ("6.24441", "6.245", "6.244"),
        ("0.00007123", "0.000072", "0.000071"),
        ("0", "0", "0"),
    ],
)
def test_a_total_that_is_not_wholly_spent_reads_as_it_was_typed(exact: str, up: str, down: str) -> None:
    value = Decimal(exact)
    assert plain(at_a_glance(value)) == up
    assert plain(at_a_glance(value, rounding=ROUND_DOWN)) == down
