"""Rho and pure epsilon as an epsilon at a delta; when epsilon or delta buys no Gaussian noise.

Renyi orders from a fixed list share delta equally, so that the figure also holds where later budgets
follow from earlier outputs. Every number that is not exact is rounded against the caller: epsilon up,
rho down.

Source: method 13.6 (the formula, and why it holds).
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import lru_cache

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import delta_text, plain
from core.errors import InputError, InternalError
from core.system.paths import program_name
from core.texts import text_of

ORDERS = tuple(Decimal(text) for text in ("1.25", "1.5", "2", "3", "5", "9", "17", "33"))
"""The Renyi orders; each gets an equal part of delta."""
RHO_STEP = Decimal("1e-12")
"""A rho that an epsilon buys is a multiple of this."""
USUAL_DELTA = "1e-6"
"""What messages propose where a population allows no delta."""
OF_DELTA = "delta"
"""Where a refusal lies that the population's delta mends."""
_DIGITS = 50
_UP = Context(prec=_DIGITS, rounding=ROUND_CEILING)
_DOWN = Context(prec=_DIGITS, rounding=ROUND_FLOOR)


def epsilon_of(pure: Decimal, rho: Decimal, delta: Decimal) -> Decimal:
    """The epsilon, at this delta, of pure epsilon and rho spent together; rounded up to 1e-6.

    Without rho it is `pure`, as it stands, whatever delta is. Raises InputError for rho without a delta
    between 0 and 1, InternalError for a negative amount.
    """
    if not (pure >= 0 and rho >= 0):
        raise InternalError("a budget is not negative")
    if rho == 0:
        return pure
    converted = min(_UP.add(_UP.multiply(order, rho), offset) for order, offset in _offsets(delta))
    return _UP.quantize(_UP.add(pure, max(converted, Decimal(0))), EPSILON_STEP)


def rho_of(epsilon: Decimal, delta: Decimal) -> Decimal:
    """The largest rho, a multiple of 1e-12, with `epsilon_of(0, rho, delta) <= epsilon`.

    Raises InputError for a delta that is not between 0 and 1, and where no positive rho costs so little.
    """
    offsets = _offsets(delta)
    allowed = _DOWN.quantize(epsilon, EPSILON_STEP)
    most = max(_DOWN.divide(_DOWN.subtract(allowed, offset), order) for order, offset in offsets)
    rho = _DOWN.quantize(max(most, Decimal(0)), RHO_STEP)
    if rho == 0:
        raise InputError(
            "An epsilon of {epsilon} buys no Gaussian noise at delta {delta}: the conversion alone takes "
            "{rho_step}.",
            epsilon=plain(epsilon),
            delta=delta_text(delta),
            rho_step=plain(epsilon_of(Decimal(0), RHO_STEP, delta)),
            where="epsilon",
            mend="raise epsilon, choose Laplace noise, or have an administrator allow a larger delta",
        )
    return rho


@lru_cache(maxsize=64)
def _offsets(delta: Decimal) -> tuple[tuple[Decimal, Decimal], ...]:
    """Each order alpha with `(ln(8 / delta) - ln(alpha - 1) + alpha ln(1 - 1 / alpha)) / (alpha - 1)`.

    Rounded up: logarithms come out to the nearest digit, so that their neighbours bound them.
    """
    if not 0 < delta < 1:
        raise InputError(
            "Gaussian noise needs a delta above 0 and below 1, which the population does not allow.",
            where=OF_DELTA,
            mend=text_of(
                "an administrator allows one: {value} ledger set-limit POPULATION --per-vehicle X --delta "
                "{usual_delta}",
                value=program_name(),
                usual_delta=USUAL_DELTA,
            ),
        )
    share = _above(_UP.divide(Decimal(len(ORDERS)), delta))
    found = []
    for order in ORDERS:
        less = order - 1
        spread = _UP.subtract(share, _DOWN.next_minus(_DOWN.ln(less)))
        tail = _UP.multiply(order, _above(_UP.divide(less, order)))
        found.append((order, _UP.divide(_UP.add(spread, tail), less)))
    return tuple(found)


def _above(value: Decimal) -> Decimal:
    """A number that the natural logarithm of `value` does not exceed."""
    return _UP.next_plus(_UP.ln(value))
