"""Numbers as exact integers: values in thousandths, noise in units of 2^-30.

Where a docstring says km/h, the unit of a speed, another value has its own unit, and counts from its lower
bound (`core.quantity`).

What works on arrays of them stands in separate files, so that the ledger loads no array library.

Source: method 2 (thousandths of km/h, exact sums), method 11 (fixed point of the noise).
"""

from __future__ import annotations

THOUSAND = 1000
FINE_BITS = 30
FINE = 1 << FINE_BITS
"""Noise units per km/h: noise is drawn in integers of 2^-30 km/h."""


def fine_ceil(thousandths: int) -> int:
    """The least integer of 2^-30 km/h that is at least `thousandths` / 1000 km/h."""
    return -((-thousandths << FINE_BITS) // THOUSAND)
