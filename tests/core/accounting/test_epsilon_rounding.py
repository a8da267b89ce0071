"""core.accounting.epsilon_rounding: never above what is left, never below what it costs."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.epsilon_input import EPSILON_MAX, EPSILON_STEP
from core.accounting.epsilon_rounding import at_a_glance, floor_epsilon, plain, readable, sum_at_a_glance


@given(st.decimals(0, 100, places=12))
def test_budgets_are_rounded_down(value: Decimal) -> None:
    floored = floor_epsilon(value)
    assert 0 <= value - floored < EPSILON_STEP
    assert floored % EPSILON_STEP == 0


@given(st.decimals(EPSILON_STEP, EPSILON_MAX, places=6))
def test_six_decimals_stay(value: Decimal) -> None:
    assert Decimal(plain(value)) == value
    assert "e" not in plain(value).lower()
    assert floor_epsilon(value) == value


def test_plain_text_of_decimals() -> None:
    assert [plain(Decimal(text)) for text in ("1E+2", "0.50", "10", "1.000000")] == ["100", "0.5", "10", "1"]


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
        ("12.4993", "12.5", "12.499"),
        ("126.8579", "126.86", "126.85"),
        ("146.8561", "146.857", "146.85"),
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


@pytest.mark.parametrize(
    ("exact", "parts", "told"),
    [
        ("136.8557", ("9.9983", "126.8574"), "136.858"),  # 10 and 126.858, not 136.856
        ("10", ("4", "6"), "10"),
        ("6.24441", ("6.24441",), "6.245"),
        ("0", (), "0"),
        ("14.2", ("9.9983", "7.1"), "14.2"),  # no plain sum
    ],
)
def test_a_total_reads_as_the_sum_of_what_is_read_of_its_parts(
    exact: str, parts: tuple[str, ...], told: str
) -> None:
    assert plain(sum_at_a_glance(Decimal(exact), map(Decimal, parts))) == told


@given(st.lists(st.decimals(EPSILON_STEP, EPSILON_MAX, places=6), max_size=5))
def test_no_total_reads_less_than_it_is(parts: list[Decimal]) -> None:
    total = sum(parts, Decimal(0))
    assert total <= sum_at_a_glance(total, parts)
