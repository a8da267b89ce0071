"""The smallest budget that reaches an error, looked for by halving (method 10.6 and 12.9)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal

from core.errors import InputError
from core.progress import Progress, part

AMOUNTS = tuple(Decimal(digits).scaleb(power) for power in range(-3, 3) for digits in range(10, 100))
"""Budgets with two digits, from 0.01 to 9,900: the steps of the search."""


def smallest_budget(
    error_at: Callable[[Decimal, Progress], float],
    wanted: float,
    progress: Progress,
    amounts: Sequence[Decimal] = AMOUNTS,
) -> Decimal | None:
    """The first amount whose error is `wanted` at most; None where none is.

    amounts: errors fall along them. An amount that cannot be planned (InputError) is too little. Raises that
    error where no amount that was tried could be planned, and what `progress` raises.
    """
    asked, most = 0, len(amounts).bit_length()
    planned = False
    problem: InputError | None = None

    def enough(amount: Decimal) -> bool:
        nonlocal asked, planned, problem
        share = part(progress, min(asked / most, 1.0), min((asked + 1) / most, 1.0))
        share(0.0, "Looking for the budget")
        asked += 1
        try:
            error = error_at(amount, share)
        except InputError as refused:
            problem = refused
            return False
        planned = True
        return error <= wanted

    place = bisect_left(amounts, True, key=enough)
    if problem is not None and not planned:
        raise problem
    return amounts[place] if place < len(amounts) else None
