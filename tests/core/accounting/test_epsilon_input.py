"""core.accounting.epsilon_input: exact decimals, or an error."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.epsilon_input import EPSILON_MAX, EPSILON_STEP, parse_delta, parse_epsilon
from core.errors import InputError
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


@pytest.mark.parametrize("text", ["0", "1e-6", "0.000001", "0.999"])
def test_a_delta_is_exact(text: str) -> None:
    assert parse_delta(text, where="delta") == Decimal(text)


@pytest.mark.parametrize("text", ["", "-1e-9", "1", "2", "nan", "inf", "small", "1e-6 %"])
def test_anything_else_is_no_delta(text: str) -> None:
    with pytest.raises(InputError, match="from 0 to below 1") as refused:
        parse_delta(text, where="Delta")
    assert refused.value.where == "Delta"
