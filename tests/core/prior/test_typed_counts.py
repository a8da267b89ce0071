"""Typed numbers: the same for every candidate."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.prior.typed_counts import typed_counts
from tests.records import assert_tells


def test_every_candidate_gets_them() -> None:
    public = typed_counts(3, vehicles=5, records=2, fleet=10)
    assert (public.units.tolist(), public.records.tolist()) == ([5, 5, 5], [2, 2, 2])
    assert public.hats_of_one == 1.5


@pytest.mark.parametrize(
    "numbers",
    [
        {"vehicles": -1, "records": 1, "fleet": 0},
        {"vehicles": 1, "records": 0, "fleet": 0},
        {"vehicles": 9, "records": 1, "fleet": 8},
    ],
)
def test_numbers_that_cannot_be_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(InputError) as caught:
        typed_counts(3, **numbers)
    assert_tells(caught.value)
