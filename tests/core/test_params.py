"""Declared parameters: bad values are made from the declaration, for every mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.mechanisms.registry import all_mechanisms
from core.params import Parameter, build, choice, declared, number
from tests.records import assert_tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One parameter of every kind."""

    kind: str = choice("a", ("a", "b"), label="Kind", help="Which.")
    size: str | int = choice("auto", ("auto",), integer_from=2, label="Size", help="How many.")
    share: float = number(0.5, 0.0, 1.0, label="Share", help="How much.")


ALL: list[tuple[type, Parameter]] = [
    (params, parameter)
    for params in (Sample, *(mechanism.Params for mechanism in all_mechanisms().values()))
    for parameter in declared(params)
]
NAMES = [f"{params.__name__}.{parameter.name}" for params, parameter in ALL]


def bad_values(parameter: Parameter) -> list[object]:
    """Values that the declaration rules out."""
    bad: list[object] = [
        None,
        True,
        [],
        {},
        "",
        "no such option",
        float("nan"),
        float("inf"),
        -float("inf"),
        b"a",
    ]
    bad += [option.upper() + "x" for option in parameter.options]
    if parameter.low is None:
        bad += [0, 1, 2.5]
    else:
        bad += [parameter.low - 1, parameter.low - 0.001, -(10**400), str(parameter.low)]
    if parameter.high is not None:
        bad += [parameter.high + 1, parameter.high + 0.001, 10**400]
    if parameter.whole and parameter.low is not None:
        bad += [parameter.low + 0.5]
    return bad


def good_values(parameter: Parameter) -> list[Any]:
    """Values at the edges of what is allowed."""
    good: list[Any] = [*parameter.options]
    if parameter.low is not None:
        good += [parameter.low, int(parameter.low) + 1 if parameter.whole else parameter.low]
    if parameter.high is not None:
        good += [parameter.high]
    return good


@pytest.mark.parametrize(("params", "parameter"), ALL, ids=NAMES)
def test_values_outside_the_declaration_are_refused(params: type, parameter: Parameter) -> None:
    for value in bad_values(parameter):
        with pytest.raises(InputError) as caught:
            build(params, {parameter.name: value}, where="query.parameters")
        assert_tells(caught.value)
        assert parameter.name in caught.value.where


@pytest.mark.parametrize(("params", "parameter"), ALL, ids=NAMES)
def test_values_within_the_declaration_are_taken(params: type, parameter: Parameter) -> None:
    for value in good_values(parameter):
        built = getattr(build(params, {parameter.name: value}, where="here"), parameter.name)
        assert built == value
        if not isinstance(value, str):
            assert type(built) is (int if parameter.whole else float)


@pytest.mark.parametrize(("params", "parameter"), ALL, ids=NAMES)
def test_a_declaration_is_whole(params: type, parameter: Parameter) -> None:
    assert parameter.accept(parameter.default, where="here") == parameter.default
    assert getattr(params(), parameter.name) == parameter.default
    assert parameter.label
    assert parameter.help.endswith(".")
    assert parameter.allowed()
    assert parameter.options or parameter.numeric


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
    assert "kind, size, share" in caught.value.mend


def test_what_is_allowed_is_told_in_words() -> None:
    kind, size, share = declared(Sample)
    assert kind.allowed() == "one of a, b"
    assert size.allowed() == "one of auto or an integer from 2"
    assert share.allowed() == "a number from 0 to 1"
