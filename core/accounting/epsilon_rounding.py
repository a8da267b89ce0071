"""Epsilons rounded: to the six decimals that are charged, and to the few that are read at a glance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_DOWN, Decimal
from typing import Annotated

from core.accounting.epsilon_input import EPSILON_STEP
from core.codec import Coded

_PLAIN = re.compile(r"(0|[1-9][0-9]{0,17})(\.[0-9]{0,29}[1-9])?")
_GLANCE = Decimal("0.001")
_LONG = Decimal("0.001")
"""A smaller delta has many zeros."""
_SMALL = Decimal("0.01")
_WHOLE_TO_HUNDREDTHS = (Decimal(1), Decimal("0.1"), Decimal("0.01"))
_CLOSE = Decimal("0.0003")
"""Tokens are whole: of a total that is shared out over hundreds of HATs no vehicle pays the last ones."""
_OF_STEP = Decimal("0.25")
"""What is rounded up is nearly there already: a sum of 146.857 is no 146.9 beside its parts."""


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
    for step in _WHOLE_TO_HUNDREDTHS:
        short, most = value.quantize(step, rounding=rounding), _CLOSE * abs(value)
        if abs(short - value) <= (min(most, _OF_STEP * step) if rounding == ROUND_CEILING else most):
            return short
    return fine


def glance(value: Decimal, *, rounding: str = ROUND_CEILING) -> str:
    """An epsilon as people read it, wherever they do; the exact one stays in files for machines."""
    if not value.is_finite():
        return "without bound"
    short = at_a_glance(value, rounding=rounding)
    return plain(short if short == short.to_integral_value() else readable(value, rounding=rounding))


def sum_at_a_glance(value: Decimal, parts: Iterable[Decimal]) -> Decimal:
    """A total that reads as the sum of its parts: 9.9983 and 126.8574 read 10 and 126.858, both 136.858.

    Where the parts come to more, as those of Gaussian noise do, the total is rounded alone.
    """
    together = sum(map(at_a_glance, parts), Decimal(0))
    return together if 0 <= together - value <= _CLOSE * value else at_a_glance(value)


def plain(value: Decimal) -> str:
    """A decimal as plain text, without exponent and without trailing zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def delta_text(delta: Decimal) -> str:
    """A delta as people write it: `1e-6`."""
    return plain(delta) if delta == 0 or delta >= _LONG else f"{delta.normalize():e}"


def is_plain(text: str) -> bool:
    """Whether this is a non-negative decimal as `plain` writes it: no exponent, no trailing zeros."""
    return bool(_PLAIN.fullmatch(text))


def plain_decimal(text: str) -> Decimal:
    """The inverse of `plain`. Raises ValueError for any other text."""
    if not is_plain(text):
        raise ValueError
    return Decimal(text)


PlainDecimal = Annotated[Decimal, Coded(plain, plain_decimal)]
"""A decimal that is stored as `plain` text, never below 0."""
