"""Errors kept in windows are those of one call for one number."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import Floats, Ints
from core.statistics.hat_errors import HatErrors
from core.statistics.moments import hat_errors


def real(retained: Ints, largest: Ints, records: Ints, epsilon: Floats) -> Floats:
    return hat_errors(65.0, retained, largest, records, epsilon)


@given(
    asked=st.lists(
        st.tuples(st.integers(1, 12), st.integers(0, 2_000), st.integers(0, 50)), min_size=1, max_size=30
    )
)
def test_every_number_asked_has_its_own_error_to_the_bit(asked: list[tuple[int, int, int]]) -> None:
    hat = HatErrors(errors=real, records=5_000, epsilon=0.3)
    for largest, above, width in asked:
        fewest, most = largest + above, largest + above + width
        errors, first = hat.window(largest, fewest, most)
        assert largest <= first <= fewest
        for retained in (fewest, most):
            alone = real(np.array([retained]), np.array([largest]), np.array([5_000]), np.array([0.3]))
            assert errors[retained - first] == alone[0]


def test_fewer_records_are_answered_without_another_call() -> None:
    calls: list[int] = []

    def counted(retained: Ints, largest: Ints, records: Ints, epsilon: Floats) -> Floats:
        calls.append(retained.size)
        return real(retained, largest, records, epsilon)

    hat = HatErrors(errors=counted, records=5_000, epsilon=1.0)
    for most in range(3_000, 2_900, -10):
        hat.window(40, most - 40, most)
    assert len(calls) == 1
    hat.window(40, 3_000, 3_001)
    assert len(calls) == 2


def test_the_records_of_a_hat_are_not_shown() -> None:
    shown = repr(HatErrors(errors=real, records=4_711, epsilon=1.0))
    assert shown.startswith("<confidential ")
    assert "4711" not in shown
