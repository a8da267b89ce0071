"""Weights by record and by user: what is counted, what a user can move, what is left out."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.contributions import HatData
from core.grouping.m_ub import OPTIMAL, resolve_m_ub
from core.statistics.cdf_tree import LevelTree, level_sums
from core.statistics.cdf_weights import RECORDS, UNIT, USER, Weights, bin_edges, weigh, weigh_bins
from tests.core.statistics.cdf_reference import counts_of
from tests.strategies import U, counts, hat_data

ONE = Decimal(1)
WORKED = HatData(
    counts=np.array([3, 1]),
    starts=np.array([1, 0]),
    values=np.array([65_000, 0, 20_000, 40_000], np.int32),
    upper_bound=U,
)
HALVES = np.array([32_500, 65_000])


def weights_of(sizes: NDArray[np.int64] | list[int], kind: str, m_ub: str | int = "median") -> Weights:
    return weigh(counts_of(sizes), kind, m_ub, ONE)


def test_a_worked_example_by_record() -> None:
    """Two records of the first user, 0 and 20 km/h, and the one of the second."""
    weights = weights_of([3, 1], RECORDS, 2)
    assert weigh_bins(weights, WORKED, HALVES).tolist() == [2 * UNIT, UNIT]
    assert (weights.total, weights.moved, weights.m_ub) == (3 * UNIT, 4 * UNIT, 2)
    assert weights.bias_bound == 0.25


def test_a_worked_example_by_user() -> None:
    """A third of a unit for each record of the first user, rounded down."""
    weights = weights_of([3, 1], USER)
    assert weigh_bins(weights, WORKED, HALVES).tolist() == [2 * 349_525, 349_525 + UNIT]
    assert (weights.total, weights.moved, weights.m_ub) == (2 * UNIT - 1, 2 * UNIT, None)
    assert weights.bias_bound == pytest.approx(0.25 / UNIT, rel=1e-3)


@given(sizes=counts(), m_ub=st.sampled_from(("median", "sqrt", OPTIMAL, 1, 5)))
def test_records_are_capped_by_the_rule(sizes: NDArray[np.int64], m_ub: str | int) -> None:
    weights = weights_of(sizes, RECORDS, m_ub)
    assert weights.m_ub == resolve_m_ub(m_ub, sizes, ONE)
    assert weights.retained.tolist() == [min(size, weights.m_ub) for size in sizes.tolist()]
    assert weights.moved == 2 * UNIT * weights.m_ub


@given(sizes=counts())
def test_no_user_weighs_more_than_one(sizes: NDArray[np.int64]) -> None:
    weights = weights_of(sizes, USER)
    assert (weights.retained * weights.weight <= UNIT).all()
    assert (weights.retained * weights.weight > UNIT - sizes).all()
    assert weights.moved <= 2 * UNIT


def test_a_user_of_millions_of_records_still_counts() -> None:
    weights = weights_of([3 * UNIT, 1], USER)
    assert (weights.retained * weights.weight).tolist() == [UNIT, UNIT]
    assert weights.bias_bound == pytest.approx((1 - 1 / 3) / 2)


@pytest.mark.parametrize("kind", [RECORDS, USER])
@given(data=st.data())
def test_no_change_of_one_user_moves_a_level_further(kind: str, data: st.DataObject) -> None:
    """Every user, every pair of assignments of its records to bins: brute force, level by level."""
    hat = data.draw(hat_data(counts(most_users=4, most_records=4), upper_bound=100))
    weights = weigh(counts_of(hat.counts), kind, data.draw(st.sampled_from(("median", 1, 2))), ONE)
    tree = data.draw(
        st.sampled_from([LevelTree(bins=4, factors=factors) for factors in ((4,), (2, 2), (2, 3))])
    )
    edges = bin_edges(4, 100)
    furthest = [0] * tree.height
    for user in range(hat.counts.size):
        start, size = int(hat.starts[user]), int(hat.counts[user])
        neighbours = []
        for assigned in itertools.product(edges.tolist(), repeat=size):
            values = hat.values.copy()
            values[start : start + size] = assigned
            changed = HatData(counts=hat.counts, starts=hat.starts, values=values, upper_bound=100)
            neighbours.append(level_sums(tree, weigh_bins(weights, changed, edges)))
        for level in range(tree.height):
            held = np.unique([neighbour[level] for neighbour in neighbours], axis=0)
            apart = np.abs(held[:, None, :] - held[None, :, :]).sum(axis=2)
            furthest[level] = max(furthest[level], int(apart.max()))
    assert furthest == [weights.moved] * tree.height


@pytest.mark.parametrize("kind", [RECORDS, USER])
@given(data=st.data())
def test_the_bias_bound_holds(kind: str, data: st.DataObject) -> None:
    """Against the exact curve of all records, or of all users alike, suppressed users included."""
    everyone = data.draw(hat_data())
    users = data.draw(st.integers(1, everyone.counts.size))
    retained = HatData(
        counts=everyone.counts[:users],
        starts=everyone.starts[:users],
        values=everyone.values,
        upper_bound=U,
    )
    weights = weigh(
        counts_of(retained.counts, records=int(everyone.counts.sum())),
        kind,
        data.draw(st.sampled_from(("median", 1, 3))),
        ONE,
    )
    edges = bin_edges(7, U)
    curve = np.cumsum(weigh_bins(weights, retained, edges)) / weights.total
    for edge, share in zip(edges.tolist(), curve.tolist(), strict=True):
        below = [
            Fraction(
                int((everyone.values[start : start + size] <= edge).sum()), 1 if kind == RECORDS else size
            )
            for start, size in zip(everyone.starts.tolist(), everyone.counts.tolist(), strict=True)
        ]
        true = sum(below) / (int(everyone.counts.sum()) if kind == RECORDS else everyone.counts.size)
        assert abs(share - float(true)) <= weights.bias_bound + 1e-12


@given(data=st.data(), upper_bound=st.integers(2, 200_000))
def test_bins_are_right_closed_and_even(data: st.DataObject, upper_bound: int) -> None:
    bins = data.draw(st.integers(2, min(upper_bound, 10_000)))
    edges = bin_edges(bins, upper_bound)
    assert edges[-1] == upper_bound
    assert (np.diff(edges, prepend=0) >= 1).all()
    number = data.draw(st.integers(1, bins))
    assert abs(Fraction(int(edges[number - 1])) - Fraction(number * upper_bound, bins)) <= Fraction(1, 2)


def test_values_on_edges_end_their_bins() -> None:
    values = np.array([0, 1, 25, 26, 50, 99, 100], np.int32)
    hat = HatData(counts=np.array([7]), starts=np.array([0]), values=values, upper_bound=100)
    held = weigh_bins(weights_of([7], RECORDS), hat, bin_edges(4, 100))
    assert (held // UNIT).tolist() == [3, 2, 0, 2]
