"""The units that a column of speeds may be in."""

from __future__ import annotations

from fractions import Fraction

UNIT_FACTORS: dict[str, Fraction] = {
    "km/h": Fraction(1),
    "m/s": Fraction(36, 10),
    "mph": Fraction(1_609_344, 1_000_000),
}
"""Unit -> what one of it is in km/h."""
