"""core.spec.query_keys: one statistic, how it is answered and for how much."""

from __future__ import annotations

from core.accounting.budgets import DIVISIONS
from core.spec.keys import SPEC, default_of
from core.spec.query_keys import QUERY


def test_a_query_is_a_table_of_the_spec() -> None:
    assert SPEC.key("query").inner is QUERY


def test_every_way_to_give_a_budget_is_decimal_text_and_none_is_a_default() -> None:
    for name in ("epsilon", "total", "noise_scale"):
        key = SPEC.key(f"query.{name}")
        assert (key.part, key.kind.phrase(), key.default) == ("budget", "decimal text", None)
    assert default_of("query.division") in DIVISIONS
