"""One table of a spec file, read key by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.errors import InputError
from core.spec.toml_section import Retired, Section
from tests.records import assert_tells

READ: dict[str, Callable[[Section], Any]] = {
    "text": lambda section: section.text("key"),
    "whole": lambda section: section.whole("key"),
    "number": lambda section: section.number("key"),
    "flag": lambda section: section.flag("key", default=False),
    "texts": lambda section: section.texts("key"),
    "option": lambda section: section.option("key", ("a", "b")),
    "section": lambda section: section.section("key"),
}
BAD: dict[str, list[Any]] = {
    "text": ["", 1, True, ["a"]],
    "whole": ["1", 1.0, True, [1]],
    "number": ["1", True, float("nan"), float("inf"), 1e13, 10**400, [1]],
    "flag": ["true", 1, 0, []],
    "texts": ["a", [], [1], ["a", 1]],
    "option": ["c", "", 1, ["a"], "A"],
    "section": ["a", 1, [], [{}]],
}
GOOD: dict[str, list[Any]] = {
    "text": ["a"],
    "whole": [0, -3],
    "number": [1, 1.5, -2],
    "flag": [True, False],
    "texts": [["a"], ["a", "b"]],
    "option": ["a", "b"],
    "section": [{}, {"x": 1}],
}


@pytest.mark.parametrize(
    ("kind", "value"), [(kind, value) for kind, values in BAD.items() for value in values]
)
def test_a_value_of_the_wrong_kind_is_refused(kind: str, value: object) -> None:
    with pytest.raises(InputError) as caught:
        READ[kind](Section("part", {"key": value}))
    assert_tells(caught.value)
    assert caught.value.where == "part.key"


def test_where_there_is_a_default_it_is_the_example() -> None:
    with pytest.raises(InputError) as caught:
        Section("part", {"key": "x"}).whole("key", 7)
    assert caught.value.mend == "write key = 7"
    with pytest.raises(InputError) as caught:
        Section("part", {"key": "x"}).number("key", 200.0)
    assert caught.value.mend == "write key = 200.0"


@pytest.mark.parametrize(
    ("kind", "value"), [(kind, value) for kind, values in GOOD.items() for value in values]
)
def test_a_value_of_the_right_kind_is_taken_and_known(kind: str, value: object) -> None:
    section = Section("part", {"key": value})
    assert READ[kind](section) is not None
    section.close()


@pytest.mark.parametrize("kind", [kind for kind in READ if kind != "flag"])
def test_what_is_missing_is_refused(kind: str) -> None:
    with pytest.raises(InputError, match=r"missing|must be a list") as caught:
        READ[kind](Section("part", {}))
    assert_tells(caught.value)


def test_an_empty_text_is_missing() -> None:
    with pytest.raises(InputError, match="name is missing"):
        Section("release", {"name": ""}).text("name")


def test_defaults_stand_in_for_what_is_missing() -> None:
    section = Section("part", {})
    assert section.text("a", "x") == "x"
    assert section.text("a", "") == ""
    assert section.whole("b", 3) == 3
    assert section.number("c", 1.5) == 1.5
    assert section.flag("d", default=True)
    assert section.option("e", ("x", "y"), "y") == "y"
    section.section("f", required=False).close()
    section.close()


def test_an_unknown_key_is_refused_with_the_nearest_one() -> None:
    section = Section("part", {"thresold": 3})
    section.whole("threshold", 10)
    with pytest.raises(InputError, match="'thresold' is unknown") as caught:
        section.close()
    assert_tells(caught.value)
    assert "'threshold'" in caught.value.mend


def test_an_unknown_key_far_from_any_is_refused_with_all_of_them() -> None:
    section = Section("", {"xyz": 3})
    section.whole("threshold", 10)
    with pytest.raises(InputError) as caught:
        section.close()
    assert (caught.value.where, caught.value.mend) == ("xyz", "known keys: threshold")


def test_a_retired_key_says_what_took_its_place() -> None:
    section = Section("part", {"pace": 3})
    with pytest.raises(InputError, match="'pace' is no longer used") as caught:
        section.close((Retired(name="pace", instead="write speed = 3"),))
    assert_tells(caught.value)
    assert (caught.value.where, caught.value.mend) == ("part.pace", "write speed = 3")


def test_a_glance_at_a_key_does_not_read_it() -> None:
    section = Section("part", {"a": 1})
    assert (section.peek("a"), section.peek("b")) == (1, None)
    assert section.whole("a") == 1


def test_the_rest_is_given_once() -> None:
    section = Section("part", {"a": 1, "b": 2})
    section.whole("a")
    assert section.rest() == {"b": 2}
    section.close()


@pytest.mark.parametrize("table", [None, 1, "text", ["a"]])
def test_what_is_no_table_is_refused(table: object) -> None:
    with pytest.raises(InputError, match="table"):
        Section("part", table)
