"""Enforcement: no unit exceeds its tokens, whatever plan and records; and what would break that is caught."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bounding import enforcement
from core.bounding.enforcement import FINE_RECORD, enforced_tokens
from core.city.row_check import require_rows_within
from core.errors import InternalError

LIMIT = 10**6
SQUARED = pytest.mark.parametrize("squared", [False, True])
PAIRS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(1, 10**7),
        st.integers(1, 10**4),
        st.integers(1, 60).flatmap(lambda bits: st.integers(1, 2**bits)),
    ),
    max_size=12,
)
"""(unit, records, cap, price)."""
Columns = tuple[Sequence[int], ...]


def columns_of(pairs: Sequence[tuple[int, int, int, int]]) -> Columns:
    return tuple(zip(*pairs, strict=True)) if pairs else ((), (), (), ())


def held(units: Sequence[int], tokens: Sequence[int], *, squared: bool) -> Counter[int]:
    found: Counter[int] = Counter()
    for unit, token in zip(units, tokens, strict=True):
        found[unit] += token**2 if squared else token
    return found


@SQUARED
@given(pairs=PAIRS)
def test_no_unit_exceeds_its_tokens(squared: bool, pairs: list[tuple[int, int, int, int]]) -> None:
    columns = columns_of(pairs)
    tokens = enforced_tokens(*columns, LIMIT, squared=squared)
    assert all(token >= 0 for token in tokens)
    limit = LIMIT**2 if squared else LIMIT
    assert max(held(columns[0], tokens, squared=squared).values(), default=0) <= limit


@SQUARED
@given(pairs=PAIRS)
def test_tokens_are_those_of_exact_fractions_rounded_down(
    squared: bool, pairs: list[tuple[int, int, int, int]]
) -> None:
    """min(m, cap) times min(1, budget / cost) times the price, less one token and one 2^-20 of a price."""
    columns = columns_of(pairs)
    for unit, records, cap, price, token in zip(
        *columns, enforced_tokens(*columns, LIMIT, squared=squared), strict=True
    ):
        paid = [min(m, most) * each for who, m, most, each in pairs if who == unit]
        cost = math.sqrt(sum(one**2 for one in paid)) if squared else sum(paid)
        factor = min(Fraction(1), Fraction(LIMIT << FINE_RECORD) / Fraction(cost))
        wanted = factor * min(records, cap) * price / (1 << FINE_RECORD)
        lost = 1 + Fraction(price, 1 << 2 * FINE_RECORD) + wanted / 10**9
        assert wanted - lost <= token <= wanted * (1 + Fraction(1, 10**12))


@given(pairs=PAIRS)
def test_a_unit_s_tokens_are_its_own(pairs: list[tuple[int, int, int, int]]) -> None:
    tokens = enforced_tokens(*columns_of(pairs), LIMIT, squared=False)
    for unit in {pair[0] for pair in pairs}:
        own = [pair for pair in pairs if pair[0] == unit]
        alone = enforced_tokens(*columns_of(own), LIMIT, squared=False)
        assert alone == [token for token, pair in zip(tokens, pairs, strict=True) if pair[0] == unit]


def test_who_can_pay_keeps_every_record() -> None:
    price = 3 << FINE_RECORD
    assert enforced_tokens([0, 0, 1], [5, 9, 2], [9, 7, 9], [price] * 3, LIMIT, squared=False) == [15, 21, 6]


def test_who_cannot_pay_is_scaled_to_the_budget_and_uses_it_up() -> None:
    tokens = enforced_tokens([0] * 50, [1_000] * 50, [10**6] * 50, [1 << 30] * 50, LIMIT, squared=False)
    assert LIMIT - 50 <= sum(tokens) <= LIMIT
    squares = enforced_tokens([0] * 50, [1_000] * 50, [10**6] * 50, [1 << 30] * 50, LIMIT, squared=True)
    assert 0.999 * LIMIT <= math.sqrt(sum(token**2 for token in squares)) <= LIMIT


def to_nearest(
    units: Sequence[int], records: Sequence[int], caps: Sequence[int], prices: Sequence[int], limit: int
) -> list[int]:
    """The same with roundings to nearest in place of downwards."""
    counted = [min(own, cap) for own, cap in zip(records, caps, strict=True)]
    budget, tokens = limit << FINE_RECORD, []
    for unit, own, price in zip(units, counted, prices, strict=True):
        cost = sum(k * p for who, k, p in zip(units, counted, prices, strict=True) if who == unit)
        retained = round(Fraction((own << FINE_RECORD) * budget, max(cost, budget)))
        tokens.append(round(Fraction(retained * price, 1 << 2 * FINE_RECORD)))
    return tokens


def rounded_before_the_factor(
    units: Sequence[int], records: Sequence[int], caps: Sequence[int], prices: Sequence[int], limit: int
) -> list[int]:
    """Tokens first, upwards to whole ones, then a factor from the cost before that rounding."""
    counted = [min(own, cap) for own, cap in zip(records, caps, strict=True)]
    budget, tokens = limit << FINE_RECORD, []
    for unit, own, price in zip(units, counted, prices, strict=True):
        cost = sum(k * p for who, k, p in zip(units, counted, prices, strict=True) if who == unit)
        whole = -(-own * price >> FINE_RECORD)
        tokens.append(whole * budget // max(cost, budget))
    return tokens


@pytest.mark.parametrize("mutant", [to_nearest, rounded_before_the_factor])
def test_other_roundings_are_caught_by_the_row_check(mutant: object) -> None:
    """Many HATs with nine tenths of a token each: every rounding up is a token that was not paid."""
    assert callable(mutant)
    columns = ([0] * 1_111, [1] * 1_111, [1] * 1_111, [(1 << FINE_RECORD) * 3 // 2] * 1_111)
    limit = 1_000
    assert sum(enforced_tokens(*columns, limit, squared=False)) <= limit
    found = mutant(*columns, limit)
    assert sum(found) > limit
    with pytest.raises(InternalError, match="more tokens than the noise covers"):
        require_rows_within(columns[0], found, limit, squared=False)


def test_the_check_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs that are forgotten leave rows that are refused."""
    monkeypatch.setattr(enforcement, "_costs", lambda *_, **__: {0: 0})
    with pytest.raises(InternalError):
        enforced_tokens([0], [10], [10], [1 << 60], LIMIT, squared=False)


def test_it_uses_no_floating_point_and_little_else() -> None:
    tree = ast.parse(Path(enforcement.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"__future__", "collections.abc", "core.city.row_check"}
    assert [node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)] == ["math"]
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} - {
        "append",
        "get",
        "items",
    }
    assert called == {"isqrt"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Div)]
    assert not [
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)
    ]
