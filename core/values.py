"""Numbers as exact integers: values in thousandths, noise in units of 2^-30, budgets as decimals.

Source: SPEC 2 (thousandths of km/h, exact sums), SPEC 11 (fixed point of the noise).
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal, InvalidOperation

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

THOUSAND = 1000
FINE_BITS = 30
FINE = 1 << FINE_BITS
"""Noise units per km/h: noise is drawn in integers of 2^-30 km/h."""
_HALF_BITS = FINE_BITS // 2

EPSILON_STEP = Decimal("0.000001")
EPSILON_MAX = Decimal(1_000_000)


def fine_ceil(thousandths: int) -> int:
    """The least integer of 2^-30 km/h that is at least `thousandths` / 1000 km/h."""
    return -((-thousandths << FINE_BITS) // THOUSAND)


def fine_means(sums: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Means of thousandths as integers of 2^-30 km/h, each rounded to the nearest.

    sums: shape (K,), thousandths of km/h, non-negative; counts: shape (K,), 1..2^37.
    Rounding is monotone, so that a mean in [0, U] stays at most `fine_ceil(U)`.
    """
    divisor = counts.astype(np.int64) * THOUSAND
    whole, rest = np.divmod(sums, divisor)
    # long division in two steps of 15 bits: rest < divisor < 2^47, so that nothing leaves 63 bits
    upper, rest = np.divmod(rest << _HALF_BITS, divisor)
    lower = ((rest << _HALF_BITS) + divisor // 2) // divisor
    fine: NDArray[np.int64] = (whole << FINE_BITS) + (upper << _HALF_BITS) + lower
    return fine


def parse_epsilon(text: str | Decimal, *, where: str) -> Decimal:
    """An exact decimal epsilon: positive, finite, at most six decimals.

    Raises InputError for anything else; `where` names the field for the message.
    """
    if not isinstance(text, str | Decimal):
        raise InputError(
            "An epsilon must be decimal text.", where=where, mend='write it in quotes, for instance "0.5"'
        )
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite():
        raise InputError("This is not a finite decimal number.", where=where, mend='write for instance "0.5"')
    if value <= 0:
        raise InputError("An epsilon must be above zero.", where=where, mend='write for instance "0.5"')
    if value > EPSILON_MAX or value != value.quantize(EPSILON_STEP):
        raise InputError(
            f"An epsilon has at most six decimals and is at most {EPSILON_MAX}.",
            where=where,
            mend='write for instance "0.5"',
        )
    return value


def floor_epsilon(value: Decimal) -> Decimal:
    """Round a budget down to 1e-6 (SPEC 7), so that no sum of shares exceeds its total."""
    return value.quantize(EPSILON_STEP, rounding=ROUND_DOWN)


def plain(value: Decimal) -> str:
    """A decimal as plain text, without exponent and without trailing zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
