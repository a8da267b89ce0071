"""Options that are whole numbers: the usual one, or a typed one within its range."""

from __future__ import annotations

import pytest

from core.console.number_option import number_typed
from core.errors import InputError


@pytest.mark.parametrize(("given", "number"), [(None, 50), (1, 1), (200, 200)])
def test_a_number_within_its_range_is_taken(given: int | None, number: int) -> None:
    assert number_typed(given, 50, 200, called="trials", where="--trials") == number


@pytest.mark.parametrize("given", [0, -3, 201])
def test_another_number_is_refused(given: int) -> None:
    with pytest.raises(InputError, match="number of releases") as caught:
        number_typed(given, 50, 200, called="releases", where="--trials")
    assert (caught.value.where, caught.value.mend) == ("--trials", "write a number from 1 to 200")
