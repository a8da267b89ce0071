"""The one check of privacy: a vehicle with more tokens than the noise covers (city-release 1).

A vehicle that changes all its values, within their range, moves the vector of token sums by at most the sum
of its tokens (L1 norm), or by the root of the sum of their squares (L2 norm), for each step of the range.
The noise covers `limit` tokens: no vehicle may hold more. Everything is an integer of any size.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import InternalError


def require_rows_within(
    vehicles: Iterable[int], tokens: Iterable[int], limit: int, *, squared: bool, widths: Iterable[int] = ()
) -> None:
    """Raise InternalError unless every vehicle holds at most `limit` tokens in that norm.

    vehicles, tokens: one of each pair of HAT and vehicle; squared: the L2 norm, for Gaussian noise, instead
    of L1; widths: the steps by which each pair's value can move its token, where that is not one.
    """
    spent: dict[int, int] = {}
    moved = [token * width for token, width in zip(tokens, widths, strict=True)] if widths else tokens
    for vehicle, amount in zip(vehicles, moved, strict=True):
        if amount < 0:
            raise InternalError("a vehicle holds fewer tokens than none")
        spent[vehicle] = spent.get(vehicle, 0) + (amount * amount if squared else amount)
    if max(spent.values(), default=0) > (limit * limit if squared else limit):
        raise InternalError("a vehicle holds more tokens than the noise covers")
