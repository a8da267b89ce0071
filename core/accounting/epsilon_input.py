"""Epsilons and deltas as they are typed: above zero, at most six decimals, or what is wrong with them."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from core.errors import InputError

EPSILON_STEP = Decimal("0.000001")
EPSILON_MAX = Decimal(1_000_000)


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
            "An epsilon has at most six decimals and is at most {epsilon_max}.",
            epsilon_max=EPSILON_MAX,
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
