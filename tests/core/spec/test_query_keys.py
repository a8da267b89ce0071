"""core.spec.query_keys: one statistic, how it is answered and for how much."""

from __future__ import annotations

import copy
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.budgets import DIVISIONS, Budget
from core.errors import InputError
from core.spec import parse_spec
from core.spec.keys import SPEC, default_of
from core.spec.query_keys import QUERY
from tests.records import assert_tells
from tests.specs import SMALL, folder_of_files


def test_a_query_is_a_table_of_the_spec() -> None:
    assert SPEC.key("query").inner is QUERY


def test_every_way_to_give_a_budget_is_decimal_text_and_none_is_a_default() -> None:
    for name in ("epsilon", "total", "noise_scale"):
        key = SPEC.key(f"query.{name}")
        assert (key.part, key.kind.phrase(), key.default) == ("budget", "decimal text", None)
    assert default_of("query.division") in DIVISIONS


@pytest.mark.parametrize(
    ("budget", "key"),
    [
        ({"epsilon": "0.5"}, "query.epsilon"),
        ({"epsilon": "0.5", "total": "10"}, "query.epsilon"),
        ({"total": "10", "division": "equal"}, "query.division"),
        ({"noise_scale": "1"}, "query.noise_scale"),
        ({}, "query.total"),
    ],
)
def test_a_joint_mechanism_takes_a_total_and_nothing_else(
    tmp_path: Path, budget: dict[str, str], key: str
) -> None:
    document = copy.deepcopy(SMALL)
    query = {"id": "mean_speed", "statistic": "mean", "mechanism": "tokens"}
    document["query"] = [query | budget]
    with pytest.raises(InputError, match="'tokens'") as caught:
        parse_spec(document, folder_of_files(tmp_path))
    assert_tells(caught.value)
    assert caught.value.where == key
    document["query"] = [query | {"total": "10"}]
    (asked,) = parse_spec(document, folder_of_files(tmp_path)).queries
    assert asked.budget == Budget(total=Decimal(10))
