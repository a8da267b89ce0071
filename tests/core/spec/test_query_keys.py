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


def question_in(relation: str, statistic: str, mechanism: str, folder: Path) -> str:
    """The method of a query that names one."""
    privacy = {"population": "Taxis", "relation": relation, "unit": "vehicle", "confirmed": True}
    query = {"id": "q", "statistic": statistic, "mechanism": mechanism, "total": "10"}
    if relation == "user":
        query["parameters"] = {"fleet": 60, "vehicles": 20, "records": 3} if statistic == "share" else {}
        (folder / "cells.txt").write_text("872a10728ffffff\n", encoding="utf-8")
        privacy["hats_per_vehicle"] = 4
    document = copy.deepcopy(SMALL) | {"privacy": privacy, "query": [query]}
    if relation == "user":
        document["selection"] = {"rule": "cells", "file": "cells.txt", "threshold": 1}
    return parse_spec(document, folder_of_files(folder)).queries[0].question.key


@pytest.mark.parametrize(
    ("relation", "mechanism", "method"),
    [
        ("values", "tokens", "tokens"),
        ("user", "plan-and-enforce", "plan-and-enforce"),
        ("user", "tokens", "plan-and-enforce"),  # a spec of before holds
    ],
)
def test_shares_may_name_the_method_that_they_go_by(
    relation: str, mechanism: str, method: str, tmp_path: Path
) -> None:
    assert question_in(relation, "share", mechanism, tmp_path) == method


@pytest.mark.parametrize(
    ("relation", "statistic", "mechanism", "mend"),
    [
        ("values", "share", "baseline", 'leave mechanism out, or write mechanism = "tokens"'),
        ("values", "share", "plan-and-enforce", 'leave mechanism out, or write mechanism = "tokens"'),
        ("user", "share", "bounded-mean", 'leave mechanism out, or write mechanism = "plan-and-enforce"'),
        ("values", "cdf", "tokens", "leave mechanism out"),
    ],
)
def test_another_method_than_a_statistic_s_own_is_refused_with_what_to_write(
    relation: str, statistic: str, mechanism: str, mend: str, tmp_path: Path
) -> None:
    """It was called an unknown key, where a key of that name is read everywhere else."""
    with pytest.raises(InputError, match="brings its own method") as refused:
        question_in(relation, statistic, mechanism, tmp_path)
    assert (refused.value.where, refused.value.mend) == ("query.mechanism", mend)
