"""What bounds a unit whatever the plan says: its records are scaled down until it can pay (method 12.5).

Privacy of the joint mean rests on this file and on the row check that it ends with. Every number is an
integer of any size, and every rounding is downwards. A unit's tokens follow from its own records and the
public plan alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.city.row_check import require_rows_within

FINE_RECORD = 20
"""Bits of a record's fraction: records count in multiples of 2^-20, prices are in 2^-20 of a token."""


def enforced_tokens(
    units: Sequence[int],
    records: Sequence[int],
    caps: Sequence[int],
    prices: Sequence[int],
    limit: int,
    *,
    squared: bool,
) -> list[int]:
    """Tokens of each pair of unit and HAT; no unit has more than `limit` of them, in its norm.

    units: of each pair; records: m; caps: the most records that count in the pair's HAT; prices: of one
    record there, in 2^-20 of a token; squared: the L2 norm, for Gaussian noise, instead of L1. Raises
    InternalError where the rows do not hold.
    """
    counted = [min(own, cap) for own, cap in zip(records, caps, strict=True)]
    budget = limit << FINE_RECORD
    charged = _costs(units, counted, prices, squared=squared)
    tokens = []
    for unit, own, price in zip(units, counted, prices, strict=True):
        retained = (own << FINE_RECORD) * budget // max(charged[unit], budget)
        tokens.append(retained * price >> 2 * FINE_RECORD)
    require_rows_within(units, tokens, limit, squared=squared)
    return tokens


def _costs(
    units: Sequence[int], counted: Sequence[int], prices: Sequence[int], *, squared: bool
) -> dict[int, int]:
    """What all of a unit's records would cost it, in 2^-20 of a token; a root is rounded up."""
    charged: dict[int, int] = {}
    for unit, own, price in zip(units, counted, prices, strict=True):
        paid = own * price
        charged[unit] = charged.get(unit, 0) + (paid * paid if squared else paid)
    if not squared:
        return charged
    return {unit: math.isqrt(square) + 1 for unit, square in charged.items()}
