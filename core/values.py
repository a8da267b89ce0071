"""Numbers as exact integers: values in thousandths, noise in units of 2^-30, budgets as decimals.

Where a docstring says km/h, the unit of a speed, another value has its own unit, and counts from its lower
bound (`core.quantity`).

What works on arrays of them stands in files of its own, so that the ledger loads no array library.

Source: method 2 (thousandths of km/h, exact sums), method 11 (fixed point of the noise).
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_DOWN, Decimal, InvalidOperation

from core.errors import InputError

THOUSAND = 1000
FINE_BITS = 30
FINE = 1 << FINE_BITS
"""Noise units per km/h: noise is drawn in integers of 2^-30 km/h."""

EPSILON_STEP = Decimal("0.000001")
_GLANCE = Decimal("0.001")
_SMALL = Decimal("0.01")
_WHOLE_TO_HUNDREDTHS = (Decimal(1), Decimal("0.1"), Decimal("0.01"))
_CLOSE = Decimal("0.0003")
"""Tokens are whole: of a total that is shared out over hundreds of HATs no vehicle pays the last ones."""
EPSILON_MAX = Decimal(1_000_000)


def fine_ceil(thousandths: int) -> int:
    """The least integer of 2^-30 km/h that is at least `thousandths` / 1000 km/h."""
    return -((-thousandths << FINE_BITS) // THOUSAND)


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


def parse_delta(text: str, *, where: str) -> Decimal:
    """An exact decimal delta: from 0 to below 1. Raises InputError for anything else; `where` as above."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not 0 <= value < 1:
        raise InputError("A delta is a number from 0 to below 1.", where=where, mend="write 0 or 0.000001")
    return value


def floor_epsilon(value: Decimal) -> Decimal:
    """Round a budget down to 1e-6 (method 7), so that no sum of shares exceeds its total."""
    return value.quantize(EPSILON_STEP, rounding=ROUND_DOWN)


def readable(value: Decimal, *, rounding: str = ROUND_CEILING) -> Decimal:
    """An epsilon to read at a glance: thousandths, or two digits where it is smaller than a hundredth.

    Rounded up, so that nothing seems to cost less than it does; round down what is left.
    """
    step = _GLANCE if abs(value) >= _SMALL or not value else Decimal(1).scaleb(value.adjusted() - 1)
    return value.quantize(step, rounding=rounding)


def at_a_glance(value: Decimal, *, rounding: str = ROUND_CEILING) -> Decimal:
    """The same with fewer digits where that changes next to nothing: 79.9985 reads 80, as it was typed.

    What has no more than thousandths stays as it is.
    """
    fine = readable(value, rounding=rounding)
    if value == fine or abs(value) < _SMALL:
        return fine
    shorter = (value.quantize(step, rounding=rounding) for step in _WHOLE_TO_HUNDREDTHS)
    return next((short for short in shorter if abs(short - value) <= _CLOSE * abs(value)), fine)


def plain(value: Decimal) -> str:
    """A decimal as plain text, without exponent and without trailing zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
