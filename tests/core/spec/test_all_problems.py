"""core.spec.all_problems: everything that is missing or wrong, each once, and nothing that only follows."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, InputErrors
from core.spec import SPEC, parse_spec
from core.spec.all_problems import all_problems

SPEC_TEXT = """
[release]
name = "buses"
version = "1.0.0"
title = "Speeds"
publisher = "City"
contact = "opendata@city.example"
licence = "CC-BY-4.0"
[data]
files = ["a.csv"]
zone = "Asia/Kolkata"
upper_bound_kmh = 65
[data.mapping]
vehicle = "bus"
time = "time"
latitude = "lat"
longitude = "lon"
value = "speed"
unit = "km/h"
[hats]
resolution = 7
slot_minutes = 60
dates = [["2022-01-03", "2022-01-05"]]
hours = ["09:00", "21:00"]
[selection]
rule = "hat"
threshold = 10
[privacy]
population = "buses"
relation = "values"
unit = "vehicle"
confirmed = true
[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "array-averaging"
epsilon = "0.5"
"""


def document(**changes: dict[str, Any]) -> dict[str, Any]:
    """The spec with other values; None takes a key away."""
    made = tomllib.loads(SPEC_TEXT)
    for table, values in changes.items():
        inner = made[table][0] if table == "query" else made[table]
        inner.update(values)
        for key in [key for key, value in values.items() if value is None]:
            del inner[key]
    return made


def places(document: dict[str, Any]) -> list[str]:
    return [problem.where for problem in all_problems(document, SPEC)]


def test_a_whole_spec_has_none() -> None:
    assert all_problems(document(), SPEC) == []
    assert parse_spec(document(), Path()).queries


def test_missing_keys_wrong_values_and_unknown_keys_are_all_told() -> None:
    half = document(
        release={"title": None, "version": "1"},
        data={"zone": None},
        hats={"hours": "nine", "colour": "red"},
        privacy={"population": ""},
        query={"statistic": "mode", "epsilon": "-1"},
    )
    assert places(half) == [
        "release.version",
        "release.title",
        "data.zone",
        "hats.hours",
        "hats.colour",
        "privacy.population",
        "query.statistic",
    ]


def test_what_only_follows_from_another_fault_is_not_told() -> None:
    user = document(privacy={"relation": "usr", "hats_per_vehicle": 20})
    assert places(user) == ["privacy.relation"]
    assert places({}) == ["release", "data", "hats", "selection", "privacy", "query"]


def test_one_message_has_a_line_each_with_where_and_how_to_mend() -> None:
    half = document(release={"title": None, "contact": None}, query={"id": "Mean speed"})
    with pytest.raises(InputErrors) as caught:
        parse_spec(half, Path())
    assert caught.value.what == "3 things in the spec are missing or wrong."
    lines = caught.value.mend.split("\n")
    assert lines[0] == 'release.title: title is missing. Write title = "...".'
    assert [line.partition(":")[0] for line in lines] == ["release.title", "release.contact", "query.id"]


def test_what_does_not_fit_together_is_told_with_what_is_missing() -> None:
    half = document(
        release={"title": None},
        hats={"hours": ["21:00", "09:00"]},
        query={"parameters": {"grouping": "by colour"}},
    )
    with pytest.raises(InputErrors) as caught:
        parse_spec(half, Path())
    told = [problem.where for problem in caught.value.problems]
    assert told[0] == "release.title"
    assert any(where.startswith("hats") for where in told)
    assert any(where.startswith("query.parameters") for where in told)


def test_a_single_fault_is_told_as_before() -> None:
    with pytest.raises(InputError) as caught:
        parse_spec(document(release={"title": None}), Path())
    assert type(caught.value) is InputError
    assert caught.value.where == "release.title"
