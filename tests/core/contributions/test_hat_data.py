"""Sums over one HAT's users are exact."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import HatData
from tests.strategies import hat_data


def _values_of(hat: HatData) -> list[list[int]]:
    return [
        hat.values[start : start + count].tolist()
        for start, count in zip(hat.starts, hat.counts, strict=True)
    ]


@given(hat_data(), st.data())
def test_sums_of_segments_are_exact(hat: HatData, data: st.DataObject) -> None:
    user = np.array(data.draw(st.lists(st.integers(0, hat.counts.size - 1), max_size=8)), np.int64)
    first = np.array([data.draw(st.integers(0, int(hat.counts[one]))) for one in user], np.int64)
    taken = np.array(
        [
            data.draw(st.integers(0, int(hat.counts[one] - begin)))
            for one, begin in zip(user, first, strict=True)
        ],
        np.int64,
    )
    found = _values_of(hat)
    expected = [
        sum(found[one][begin : begin + few])
        for one, begin, few in zip(user.tolist(), first.tolist(), taken.tolist(), strict=True)
    ]
    assert hat.sums_of(user, first, taken).tolist() == expected
    assert hat.sums().tolist() == [sum(values) for values in found]


@given(hat_data(upper_bound=2**31 - 1), st.integers(1, 12))
def test_squares_of_the_first_records_are_summed_exactly(hat: HatData, most: int) -> None:
    """Whatever else the HAT holds; values of 31 bits leave 63 bits with their third square."""
    retained = hat.first_records(most)
    first = [values[:most] for values in _values_of(hat)]
    assert _values_of(retained) == first
    assert retained.sum_of_squares() == sum(value**2 for values in first for value in values)
    assert retained.sums().tolist() == [sum(values) for values in first]
