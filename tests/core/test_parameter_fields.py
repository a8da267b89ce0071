"""Declared parameters: bad values are made from the declaration, for every mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import (
    Parameter,
    RetiredParameter,
    asked_for,
    build,
    choice,
    declared,
    first_parameters,
    flag,
    number,
    numbers,
)
from core.privacy import Relation
from core.statistics.registry import all_statistics
from tests.records import assert_tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One parameter of every kind."""

    kind: str = choice("a", ("a", "b"), label="Kind", help="Which.")
    size: str | int = choice("auto", ("auto",), integer_from=2, label="Size", help="How many.")
    share: float = number(0.5, 0.0, 1.0, label="Share", help="How much.")
    steps: tuple[float, ...] = numbers((0.5, 2.0), 0.25, 9.0, decimals=2, label="Steps", help="At which.")
    coarse: bool = flag(False, label="Coarse", help="Whether.")
    RETIRED: ClassVar[Mapping[str, RetiredParameter]] = {
        "weight": RetiredParameter(default=1, became="all sizes weigh alike")
    }


ALL: list[tuple[type, Parameter]] = [
    (params, parameter)
    for params in (
        Sample,
        *(mechanism.Params for mechanism in all_mechanisms().values()),
        *(statistic.Params for statistic in all_statistics().values()),
    )
    for parameter in declared(params)
]


def bad_values(parameter: Parameter) -> list[object]:
    """Values that the declaration rules out."""
    bad: list[object] = [
        None,
        [],
        {},
        "",
        float("nan"),
        float("inf"),
        -float("inf"),
        b"a",
    ]
    bad += [" name", "na\nme", "n" * 81] if parameter.text else ["no such option"]
    bad += [option.upper() + "x" for option in parameter.options if not parameter.text]
    if not parameter.flag:
        bad += [True, False]
    if parameter.several:
        assert parameter.low is not None
        assert parameter.high is not None
        good = good_values(parameter)[0]
        wrong = [parameter.low / 2, parameter.high * 1.5, 10**400, float("nan"), None, "1", True, [good[0]]]
        if parameter.decimals is not None:
            wrong += [good[0] + 0.1 ** (parameter.decimals + 1)]
        bad += [[*good, one] for one in (*wrong, good[0])] + [good[0], dict.fromkeys(map(str, good))]
        if parameter.pairs:
            bad = [one for one in bad if one != [*good, good[0]]] + [[[1, 2, 3]], [[1]], ["1:2"]]
        if parameter.rising:
            bad += [good[::-1]]
        if parameter.optional:
            bad = [one for one in bad if one != []]
    elif parameter.low is None:
        bad += [0, 1, 2.5]
    else:
        bad += [parameter.low - 1, parameter.low - 0.001, -(10**400), str(parameter.low)]
    if parameter.high is not None and not parameter.several:
        bad += [parameter.high + 1, parameter.high + 0.001, 10**400]
    if parameter.whole and parameter.low is not None:
        bad += [parameter.low + 0.5]
    return bad


def good_values(parameter: Parameter) -> list[Any]:
    """Values at the edges of what is allowed."""
    if parameter.pairs:
        return [[(parameter.low, 0.0), (1.0, parameter.high)], [(0.0, 1.0)], ()]
    if parameter.several:
        return [[parameter.low, parameter.high], [parameter.high], (parameter.low,)]
    if parameter.flag:
        return [True, False]
    good: list[Any] = [*parameter.options, *(("a name",) if parameter.text else ())]
    if parameter.low is not None:
        good += [parameter.low, int(parameter.low) + 1 if parameter.whole else parameter.low]
    if parameter.high is not None:
        good += [parameter.high]
    return good


def refusal(params: type, name: str, value: object) -> InputError | None:
    try:
        build(params, {name: value}, where="query.parameters")
    except InputError as error:
        return error
    return None


def test_values_outside_the_declaration_are_refused() -> None:
    for params, parameter in ALL:
        for value in bad_values(parameter):
            error = refusal(params, parameter.name, value)
            assert error is not None, (parameter, value)
            assert_tells(error)
            assert parameter.name in error.where


def test_values_within_the_declaration_are_taken() -> None:
    for params, parameter in ALL:
        for value in good_values(parameter):
            built = getattr(build(params, {parameter.name: value}, where="here"), parameter.name)
            if parameter.several:
                assert built == tuple(value), parameter
                flat = [end for one in built for end in (one if parameter.pairs else (one,))]
                assert all(type(one) is float for one in flat), parameter
                continue
            assert built == value, parameter
            if not isinstance(value, str):
                kind = bool if parameter.flag else int if parameter.whole else float
                assert type(built) is kind, parameter


def test_a_declaration_is_whole() -> None:
    for params, parameter in ALL:
        assert parameter.accept(parameter.default, where="here") == parameter.default, parameter
        assert getattr(params(), parameter.name) == parameter.default, parameter
        assert parameter.label, parameter
        assert parameter.help.endswith("."), parameter
        assert parameter.allowed(), parameter
        kinds = (bool(parameter.options or parameter.numeric), parameter.several, parameter.flag)
        assert sum(kinds) == 1, parameter


@given(st.integers(2, 10**6), st.floats(0, 1))
def test_numbers_keep_their_value(size: int, share: float) -> None:
    built = build(Sample, {"size": size, "share": share}, where="here")
    assert (built.size, built.share, built.kind) == (size, share, "a")


def test_a_whole_number_of_any_length_is_a_whole_number() -> None:
    assert build(Sample, {"size": 10**400}, where="here").size == 10**400
    assert build(Sample, {"size": 3.0}, where="here").size == 3


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no parameter 'colour'") as caught:
        build(Sample, {"colour": "red"}, where="query.parameters")
    assert_tells(caught.value)
    assert "kind, size, share, steps, coarse" in caught.value.mend


def test_what_is_allowed_is_told_in_words() -> None:
    kind, size, share, steps, coarse = declared(Sample)
    assert kind.allowed() == "one of a, b"
    assert size.allowed() == "one of auto or an integer from 2"
    assert share.allowed() == "a number from 0 to 1"
    assert (
        steps.allowed() == "a list of different numbers, at least one, from 0.25 to 9 with at most 2 decimals"
    )
    assert coarse.allowed() == "true or false"


@given(st.lists(st.integers(25, 900).map(lambda value: value / 100), min_size=1, unique=True))
def test_a_list_is_sorted_so_that_equal_lists_are_equal_requests(listed: list[float]) -> None:
    assert build(Sample, {"steps": listed}, where="here").steps == tuple(sorted(listed))


@pytest.mark.parametrize(
    ("listed", "what"),
    [
        ([], "Steps: the list is empty."),
        ([1, 0], "Steps: number 2 of the list is not allowed."),
        ([1, 2, -1.5], "Steps: number 3 of the list is not allowed."),
        ([0.333], "Steps: number 1 of the list is not allowed."),
        ([2.5, 3, 2.50], "Steps: 2.5 is listed twice."),
        (3, "Steps: this value is not allowed."),
    ],
)
def test_a_list_is_refused_with_the_number_that_is_wrong(listed: object, what: str) -> None:
    with pytest.raises(InputError) as caught:
        build(Sample, {"steps": listed}, where="query.parameters")
    assert_tells(caught.value)
    assert (caught.value.what, caught.value.where) == (what, "query.parameters, steps")
    assert "from 0.25 to 9 with at most 2 decimals" in caught.value.mend


def test_a_list_without_a_limit_of_decimals_takes_any() -> None:
    free = Parameter(label="Free", help="Any.", default=(1.0,), low=0.0, high=1.0)
    assert free.accept([1 / 3, 0], where="here") == (0.0, 1 / 3)
    assert free.allowed() == "a list of different numbers, at least one, from 0 to 1"


def test_a_retired_name_says_what_became_of_it_and_is_no_parameter() -> None:
    with pytest.raises(InputError) as caught:
        build(Sample, {"kind": "a", "weight": 2}, where="query.parameters")
    assert_tells(caught.value)
    assert caught.value.what == "The parameter 'weight' is gone: all sizes weigh alike."
    assert caught.value.where == "query.parameters, weight"
    assert caught.value.mend == "delete the line that starts with weight"
    assert "weight" not in {parameter.name for parameter in declared(Sample)}


@pytest.mark.parametrize("params", dict.fromkeys(params for params, _ in ALL), ids=lambda one: one.__name__)
def test_no_retired_name_is_in_use_again(params: type) -> None:
    retired = getattr(params, "RETIRED", {})
    assert not set(retired) & {parameter.name for parameter in declared(params)}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("kind", "b", "b"),
        ("size", "auto", "auto"),
        ("size", "7", 7),
        ("share", "0.25", 0.25),
        ("steps", "3, 1.5", (1.5, 3.0)),
        ("coarse", "true", True),
    ],
)
def test_a_text_stands_for_the_value_that_it_names(name: str, text: str, value: object) -> None:
    parameter = next(item for item in declared(Sample) if item.name == name)
    assert parameter.accept_text(text, where="here") == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kind", "c"),
        ("size", "1"),
        ("size", "2.5"),
        ("share", "1_0"),
        ("share", "nan"),
        ("steps", "1,,2"),
        ("steps", ""),
        ("coarse", "yes"),
    ],
)
def test_a_text_that_stands_for_nothing_is_refused(name: str, text: str) -> None:
    parameter = next(item for item in declared(Sample) if item.name == name)
    with pytest.raises(InputError) as caught:
        parameter.accept_text(text, where="here")
    assert_tells(caught.value)


def test_what_came_later_is_asked_for_only_where_it_differs() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Grown:
        first: str = choice("a", ("a", "b"), label="First", help="One.")
        added: bool = flag(False, label="Added", help="Two.", later=True)

    assert asked_for(Grown()) == {"first": "a"}
    assert asked_for(Grown(added=True)) == {"first": "a", "added": True}


def test_requests_of_the_first_version_had_what_is_retired() -> None:
    assert first_parameters(Sample())["weight"] == 1
    assert "weight" not in asked_for(Sample())


def test_no_list_of_the_window_shows_the_key_of_an_option() -> None:
    types: list[type] = [one.Params for one in all_mechanisms().values()]
    types += [one.params_in(relation) for one in all_statistics().values() for relation in Relation]
    fields = [field for one in types for field in declared(one)]
    assert [field.name for field in fields if set(field.options) - set(field.titles)] == []
