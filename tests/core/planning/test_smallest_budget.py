from __future__ import annotations

from decimal import Decimal

import pytest

from core.errors import InputError
from core.planning.smallest_budget import AMOUNTS, smallest_budget
from core.progress import Progress, silent

ANY = 2.0


def falling(amount: Decimal, _: Progress = silent) -> float:
    return 1.0 / float(amount)


def refused_below(least: Decimal, text: str = "too little"):
    def error_at(amount: Decimal, _: Progress) -> float:
        if amount < least:
            raise InputError(f"{text} {amount:f}")
        return falling(amount)

    return error_at


@pytest.mark.parametrize("wanted", [0.001, 0.5, 7.0])
def test_the_first_amount_that_is_exact_enough_is_found(wanted: float) -> None:
    found = smallest_budget(falling, wanted, silent)
    assert found == next(amount for amount in AMOUNTS if falling(amount) <= wanted)


def test_none_is_found_where_the_largest_leaves_more_or_there_are_none() -> None:
    assert smallest_budget(falling, 1e-9, silent) is None
    assert smallest_budget(falling, ANY, silent, ()) is None


def test_what_cannot_be_planned_is_too_little() -> None:
    assert smallest_budget(refused_below(Decimal(30)), ANY, silent) == 30


def test_a_larger_amount_that_is_not_enough_hides_what_a_smaller_one_lacks() -> None:
    assert smallest_budget(refused_below(Decimal(30)), 1e-9, silent) is None


def test_where_nothing_can_be_planned_the_reason_is_that_of_the_largest() -> None:
    with pytest.raises(InputError, match="no delta 9900"):
        smallest_budget(refused_below(Decimal(10_000), "no delta"), ANY, silent)


def test_progress_ascends_to_its_end() -> None:
    told: list[float] = []
    smallest_budget(falling, ANY, lambda done, _="": told.append(done))
    assert told == sorted(told)
    assert 0.0 <= told[0] < told[-1] <= 1.0
