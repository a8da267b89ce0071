"""Units of a value: exact, and known by the names that endings of columns have."""

from __future__ import annotations

from fractions import Fraction

from core.assist.column_names import UNIT_ENDINGS
from core.clean.value_units import UNIT_FACTORS, factor_in, unit_factor, unit_in_cells, unit_of_factor


def test_factors_are_exact() -> None:
    assert UNIT_FACTORS["km/h"] == 1
    assert UNIT_FACTORS["m/s"] == Fraction(36, 10)
    assert UNIT_FACTORS["mph"] == Fraction(1_609_344, 1_000_000)


def test_every_unit_that_a_name_tells_is_known() -> None:
    assert all(unit_factor(unit) for _, unit in UNIT_ENDINGS)


def test_any_factor_is_a_unit_and_cells_may_name_one() -> None:
    assert unit_factor(unit_of_factor(1 / 3)) == Fraction(repr(1 / 3))
    unit = unit_of_factor(0.036)
    assert (unit, unit_factor(unit), factor_in(unit), factor_in("kn")) == (
        "0.036 km/h",
        Fraction(36, 1000),
        0.036,
        None,
    )
    assert [unit_factor(text) for text in ("0 km/h", "-1 km/h", "furlong", "")] == [None] * 4
    assert unit_in_cells(["28.8 km/h", "3km/h"]) == "km/h"
    assert unit_in_cells(["8 m/s", "8 mps"]) == "m/s"
    assert unit_in_cells(["15 knots", "3 kn"]) == "kn"
    assert unit_in_cells(["28.8 km/h", "8 m/s"]) == unit_in_cells(["28.8"]) == unit_in_cells([]) == ""
