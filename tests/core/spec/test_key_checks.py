from __future__ import annotations

from typing import Any

import pytest

from core.errors import InputError
from core.privacy import Relation
from core.spec.key_checks import (
    at_least_one,
    constants_of_presence,
    files_or_table,
    mapping_of_records,
    one_budget,
    physical_max_of,
    protects_presence,
    require_query_id,
    takes_file,
    takes_public_counts,
    unit_named_once,
    upper_bound_of,
)
from core.spec.toml_section import Section
from tests.records import assert_tells


@pytest.mark.parametrize("kmh", [0, -65, 65.0001, 1000.001, 1e9, float("nan"), float("inf")])
def test_a_bound_that_does_not_fit_is_refused(kmh: float) -> None:
    with pytest.raises(InputError, match="upper bound") as caught:
        upper_bound_of(kmh, where="--upper")
    assert_tells(caught.value)
    assert caught.value.where == "--upper"


def test_a_bound_is_exact_thousandths() -> None:
    assert [upper_bound_of(kmh, where="") for kmh in (65, 80.125, 0.001, 1000)] == [
        65_000,
        80_125,
        1,
        1_000_000,
    ]


def test_a_physical_limit_is_above_0() -> None:
    assert physical_max_of(150.5, where="") == 150_500
    for kmh in (0, -1):
        with pytest.raises(InputError, match="physical limit"):
            physical_max_of(kmh, where="data.mapping.physical_max_kmh")


def test_at_least_one_is_one_or_more() -> None:
    check = at_least_one("Too few.", where="selection.threshold", example=10)
    assert check(1) == 1
    with pytest.raises(InputError, match="Too few") as caught:
        check(0)
    assert (caught.value.where, caught.value.mend) == ("selection.threshold", "write threshold = 10")


@pytest.mark.parametrize("text", ["mean speed", "Mean", "1a", "größe", "a-b", "a.b"])
def test_an_id_is_a_name(text: str) -> None:
    assert require_query_id("mean_speed_2") == "mean_speed_2"
    with pytest.raises(InputError):
        require_query_id(text)


@pytest.mark.parametrize(
    ("table", "rule", "key"),
    [
        ({"threshold": 3}, "hat", "rule"),
        ({}, "cells", "threshold"),
        ({"threshold": 3, "minimum_vehicles": 2}, "cells", "minimum_vehicles"),
    ],
)
def test_relation_user_decides_by_public_lists_and_noisy_numbers(
    table: dict[str, Any], rule: str, key: str
) -> None:
    answers = {"relation": Relation.USER, "rule": rule}
    with pytest.raises(InputError) as caught:
        constants_of_presence(Section("selection", table), answers)
    assert_tells(caught.value)
    assert caught.value.where == f"selection.{key}"
    constants_of_presence(Section("selection", table), answers | {"relation": Relation.VALUES})


def test_a_mechanism_says_whether_it_takes_public_counts() -> None:
    takes = {key: takes_public_counts({"mechanism": key}) for key in ("plan-and-enforce", "tokens", "no")}
    assert takes == {"plan-and-enforce": True, "tokens": False, "no": False}
    assert protects_presence({"relation": Relation.USER})
    assert not protects_presence({})


def test_some_rules_take_a_file() -> None:
    takes = {rule: takes_file({"rule": rule}) for rule in ("hat", "every-slot", "cells", "boundary", "none")}
    assert takes == {"hat": False, "every-slot": False, "cells": True, "boundary": True, "none": False}


def _refused(rule: Any, table: dict[str, Any], answers: dict[str, Any], name: str = "data") -> str:
    try:
        rule(Section(name, table), answers)
    except InputError as error:
        assert_tells(error)
        return error.where
    return ""


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ({"files": []}, ""),
        ({"contributions": ""}, ""),
        ({}, "data.files"),
        ({"files": [], "contributions": ""}, "data.files"),
    ],
)
def test_data_are_files_or_a_table(table: dict[str, Any], where: str) -> None:
    assert _refused(files_or_table, table, {}) == where


def test_only_a_table_needs_no_mapping() -> None:
    assert _refused(mapping_of_records, {}, {"contributions": "table.parquet"}) == ""
    assert _refused(mapping_of_records, {"mapping": {}}, {}) == ""
    assert _refused(mapping_of_records, {}, {"contributions": None}) == "data.mapping"


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ({"mapping": {"unit": "km/h"}}, ""),
        ({"mapping": {}, "units": []}, ""),
        ({"mapping": {}, "derived_speed": {}}, ""),
        ({"mapping": {"unit": "km/h"}, "derived_speed": {}}, ""),
        ({"mapping": {}}, "data.mapping.unit"),
        ({"mapping": {"unit": "km/h"}, "units": []}, "data.mapping.unit"),
        ({"mapping": {"unit": "km/h"}, "units": [], "derived_speed": {}}, "data.mapping.unit"),
        ({"mapping": 5}, ""),
        ({}, ""),
    ],
)
def test_the_unit_is_named_once(table: dict[str, Any], where: str) -> None:
    assert _refused(unit_named_once, table, {}) == where


@pytest.mark.parametrize(
    ("statistic", "ways", "where"),
    [
        ("mean", ["epsilon"], ""),
        ("mean", ["total"], ""),
        ("query1", ["noise_scale"], ""),
        ("mean", [], "query"),
        ("mean", ["epsilon", "total"], "query"),
        ("mean", ["noise_scale"], "query"),
        ("query1", ["noise_scale", "total"], "query"),
    ],
)
def test_a_query_has_one_budget(statistic: str, ways: list[str], where: str) -> None:
    table = dict.fromkeys(ways, "1")
    assert _refused(one_budget, table, {"statistic": statistic}, "query") == where
