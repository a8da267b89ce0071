"""The units that a column of values may be in."""

from __future__ import annotations

from fractions import Fraction

NO_UNIT = "none"
UNIT_FACTORS: dict[str, Fraction] = {
    "km/h": Fraction(1),
    "m/s": Fraction(36, 10),
    "mph": Fraction(1_609_344, 1_000_000),
    NO_UNIT: Fraction(1),
}
"""Unit -> what one of it is in km/h; `none` is a value that is no speed and stays as it is."""
