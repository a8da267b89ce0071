"""Units of a value: exact, and known by the names that endings of columns have."""

from __future__ import annotations

from fractions import Fraction

from core.assist.column_names import UNIT_ENDINGS
from core.clean.value_units import UNIT_FACTORS


def test_factors_are_exact() -> None:
    assert UNIT_FACTORS["km/h"] == 1
    assert UNIT_FACTORS["m/s"] == Fraction(36, 10)
    assert UNIT_FACTORS["mph"] == Fraction(1_609_344, 1_000_000)


def test_every_unit_that_a_name_tells_is_known() -> None:
    assert {unit for _, unit in UNIT_ENDINGS} <= UNIT_FACTORS.keys()
