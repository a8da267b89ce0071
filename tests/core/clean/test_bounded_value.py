"""A value that is no speed: bounds and limits that fit together, and the refusal of others."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean.bounded_value import BoundedValue, value_number
from core.errors import InputError
from tests.records import assert_tells

DELAY: dict[str, Any] = {
    "name": "delay",
    "column_unit": "s",
    "unit": "s",
    "lower": -600_000,
    "upper": 1_800_000,
    "physical_min": -7_200_000,
    "physical_max": 7_200_000,
}


def refused(**changes: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        BoundedValue(**(DELAY | changes))
    assert_tells(caught.value)
    return caught.value


def test_it_is_published_from_its_lower_bound() -> None:
    value = BoundedValue(**DELAY)
    assert (value.quantity.lower, value.span) == (-600_000, 2_400_000)
    assert (value.quantity.name, value.quantity.column_unit, value.quantity.unit) == ("delay", "s", "s")


@pytest.mark.parametrize("lower", [1_800_000, 1_800_001])
def test_bounds_that_meet_or_cross_are_refused(lower: int) -> None:
    error = refused(lower=lower)
    assert (error.where, "leave no range" in error.what) == ("data.value.lower", True)


def test_limits_that_cross_are_refused() -> None:
    error = refused(physical_min=7_200_000)
    assert (error.where, "cross" in error.what) == ("data.value.physical_min", True)


@pytest.mark.parametrize(("key", "inside"), [("physical_min", -599_999), ("physical_max", 1_799_999)])
def test_a_physical_limit_inside_the_bounds_is_refused(key: str, inside: int) -> None:
    error = refused(**{key: inside})
    assert (error.where, "protected range" in error.what) == (f"data.value.{key}", True)
    assert BoundedValue(**(DELAY | {"physical_min": -600_000, "physical_max": 1_800_000}))


@pytest.mark.parametrize(("key", "text"), [("name", ""), ("unit", ""), ("column_unit", "S")])
def test_a_value_without_name_or_unit_is_refused(key: str, text: str) -> None:
    assert refused(**{key: text}).where == f"data.value.{key}"


@given(st.integers(-1_000_000_000, 1_000_000_000))
def test_numbers_of_three_decimals_are_exact(thousandths: int) -> None:
    assert value_number(thousandths / 1000, where="here") == thousandths


@pytest.mark.parametrize("number", [1_000_000.001, -1_000_001, 0.0005, float("inf"), float("nan")])
def test_other_numbers_are_refused(number: float) -> None:
    with pytest.raises(InputError, match="is not possible"):
        value_number(number, where="here")
