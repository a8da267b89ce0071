"""What a grouping gives: arrays of segments, their means and the worst-case bias."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contributions import HatData
from core.fixed_point import FINE
from core.grouping.assignment import Assignment, array_means, assignment_bias
from core.grouping.groupings import GROUPINGS
from tests.core.grouping.literal import as_printed
from tests.strategies import U, hat_data


def test_arrays_are_counted_by_their_sizes() -> None:
    assignment = Assignment(
        user=np.arange(3),
        first=np.zeros(3, np.int64),
        taken=np.array([2, 2, 1]),
        array=np.array([0, 1, 0]),
        sizes=np.array([3, 2]),
        touched=1,
    )
    assert assignment.arrays == 2


@pytest.mark.parametrize("grouping", list(GROUPINGS))
@given(hat=hat_data(), m_ub=st.integers(1, 9))
def test_array_means_are_those_of_the_printed_arrays(grouping: str, hat: HatData, m_ub: int) -> None:
    """Record by record, each mean rounded by itself to 2^-30 km/h."""
    m_ub = min(m_ub, int(hat.counts[0]))
    means = array_means(GROUPINGS[grouping](hat.counts, m_ub), hat)
    arrays = as_printed(grouping, hat.counts.tolist(), m_ub)
    for found, array in zip(means.tolist(), arrays, strict=True):
        total = sum(int(hat.values[hat.starts[user] + record]) for user, record in array)
        assert abs(Fraction(found, FINE) - Fraction(total, 1000 * len(array))) <= Fraction(1, 2 * FINE)


@pytest.mark.parametrize("grouping", list(GROUPINGS))
@pytest.mark.parametrize("sizes", [[1], [3, 2, 1], [4, 1, 1, 1], [2, 2, 2], [5, 3]], ids=str)
def test_the_bias_is_the_worst_over_all_values(grouping: str, sizes: list[int]) -> None:
    owned = [(user, record) for user, count in enumerate(sizes) for record in range(count)]
    for m_ub in range(1, sizes[0] + 1):
        arrays = as_printed(grouping, sizes, m_ub)
        worst = Fraction(0)
        for flat in itertools.product((0, 65), repeat=len(owned)):
            value = dict(zip(owned, flat, strict=True))
            means = [Fraction(sum(value[one] for one in array), len(array)) for array in arrays]
            worst = max(worst, abs(sum(means, Fraction(0)) / len(means) - Fraction(sum(flat), len(flat))))
        assignment = GROUPINGS[grouping](np.array(sizes), m_ub)
        assert assignment_bias(assignment, sum(sizes), U) == pytest.approx(float(worst), abs=1e-9)
